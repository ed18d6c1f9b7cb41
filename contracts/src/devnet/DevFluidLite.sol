// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FluidKey} from "../adapters/FluidLite.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

interface IDexCallback {
    function dexCallback(address token, uint256 amount, bytes calldata data) external;
}

/// @notice How a pool is created. Percentages of the range are in 1/100 percent, prices in 1e-27.
struct FluidSetup {
    uint256 feePips;
    uint256 revenueCut;
    uint256 center;
    uint256 up;
    uint256 down;
    uint256 supply0;
    uint256 supply1;
    /// 0: the center stays; 1: it may move; 2 and 3: it moves to the upper or the lower end.
    uint256 way;
    uint256 since;
    uint256 duration;
    uint256 most;
    uint256 least;
}

/// @title Fluid DEX Lite on the devnet
/// @notice A second implementation from the published formulas. State is packed as it is there, and lies in the same slots. Amounts have
/// 9 decimals inside. Anybody may create a pool.
contract DevFluidLite {
    struct State {
        uint256 supplyIn;
        uint256 supplyOut;
        uint256 reserveIn;
        uint256 reserveOut;
        uint256 center;
    }

    error DexNotInitialized(bytes8 id);
    error Refused();

    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    uint256 private constant ONE = 1e27;

    mapping(address => uint256) private _auths;
    FluidKey[] private _keys;
    mapping(bytes8 id => uint256) private _variables;
    mapping(bytes8 id => uint256) private _priceShifts;
    mapping(bytes8 id => uint256) private _rangeShifts;

    receive() external payable {}

    /// @dev Whoever calls has sent the tokens.
    function create(FluidKey calldata key, FluidSetup calldata setup) external {
        require(key.token0 < key.token1);
        bytes8 id = _idOf(key);
        require(_variables[id] == 0);
        _keys.push(key);
        uint256 word = setup.feePips | setup.revenueCut << 13 | setup.way << 20 | _packed(setup.center, 32) << 23;
        word |= setup.up << 83 | setup.down << 97 | uint256(50) << 112 | uint256(50) << 119;
        word |= _decimalsOf(key.token0) << 126 | _decimalsOf(key.token1) << 131;
        _variables[id] = word | setup.supply0 << 136 | setup.supply1 << 196;
        _priceShifts[id] =
            setup.since | setup.duration << 33 | _packed(setup.most, 20) << 57 | _packed(setup.least, 20) << 85;
    }

    function moveRange(FluidKey calldata key, uint256 oldUp, uint256 oldDown, uint256 duration, uint256 start)
        external
    {
        bytes8 id = _idOf(key);
        _variables[id] |= 1 << 82;
        _rangeShifts[id] = oldUp | oldDown << 14 | duration << 28 | start << 48;
    }

    /// @dev A contract that names the center price.
    function nameCenter(FluidKey calldata key, uint256 nonce) external {
        _variables[_idOf(key)] |= nonce << 63;
    }

    function count() external view returns (uint256) {
        return _keys.length;
    }

    function readFromStorage(bytes32 slot) external view returns (uint256 word) {
        assembly {
            word := sload(slot)
        }
    }

    function swapSingle(
        FluidKey calldata key,
        bool swap0To1,
        int256 amount,
        uint256 limit,
        address to,
        bool isCallback,
        bytes calldata data,
        bytes calldata
    ) external payable returns (uint256 amountOut) {
        amountOut = _trade(key, swap0To1, uint256(amount));
        require(amountOut >= limit);
        (address sold, address bought) = swap0To1 ? (key.token0, key.token1) : (key.token1, key.token0);
        if (bought == NATIVE) {
            (bool ok,) = to.call{value: amountOut}("");
            require(ok);
        } else {
            SafeTransferLib.safeTransfer(bought, to, amountOut);
        }
        if (sold == NATIVE) {
            require(msg.value == uint256(amount));
            return amountOut;
        }
        require(msg.value == 0 && isCallback);
        uint256 before = IERC20Metadata(sold).balanceOf(address(this));
        IDexCallback(msg.sender).dexCallback(sold, uint256(amount), data);
        require(IERC20Metadata(sold).balanceOf(address(this)) - before >= uint256(amount), "unpaid");
    }

    function _trade(FluidKey calldata key, bool swap0To1, uint256 amountIn) private returns (uint256 amountOut) {
        bytes8 id = _idOf(key);
        uint256 word = _variables[id];
        if (word == 0) revert DexNotInitialized(id);
        State memory state = _stateOf(id, word, swap0To1);
        (uint256 decimals0, uint256 decimals1) = (_part(word, 126, 5), _part(word, 131, 5));
        if (!swap0To1) (decimals0, decimals1) = (decimals1, decimals0);
        amountIn = amountIn * 1e9 / 10 ** decimals0;
        if (amountIn < 10_000 || amountIn >= 1 << 60 || amountIn > state.reserveIn / 2) revert Refused();
        uint256 fee = Math.mulDiv(amountIn, _part(word, 0, 13), 1e6);
        amountOut = Math.mulDiv(amountIn - fee, state.reserveOut, state.reserveIn + amountIn - fee);
        if (amountOut > state.supplyOut) revert Refused();
        state.supplyIn += amountIn - Math.mulDiv(fee, _part(word, 13, 7), 100);
        state.supplyOut -= amountOut;
        uint256 least = swap0To1
            ? Math.mulDiv(state.supplyIn, state.center, 1e31)
            : Math.mulDiv(state.supplyIn, ONE, state.center * 10_000);
        if (state.supplyOut < least || state.supplyIn >= 1 << 60) revert Refused();
        (uint256 supply0, uint256 supply1) =
            swap0To1 ? (state.supplyIn, state.supplyOut) : (state.supplyOut, state.supplyIn);
        _variables[id] = word % (1 << 136) | supply0 << 136 | supply1 << 196;
        return amountOut * 10 ** decimals1 / 1e9;
    }

    function _stateOf(bytes8 id, uint256 word, bool swap0To1) private view returns (State memory state) {
        (uint256 up, uint256 down) = (_part(word, 83, 14), _part(word, 97, 14));
        if (_part(word, 82, 1) == 1) (up, down) = _movedRange(_rangeShifts[id], up, down);
        uint256 center = _movedCenter(_priceShifts[id], _unpacked(_part(word, 23, 40)), _part(word, 20, 2), up, down);
        (uint256 upper, uint256 lower) = (center * 10_000 / (10_000 - up), center * (10_000 - down) / 10_000);
        uint256 mean = upper < 1e38 ? Math.sqrt(upper * lower) : Math.sqrt((upper / 1e18) * (lower / 1e18)) * 1e18;
        (uint256 supply0, uint256 supply1) = (_part(word, 136, 60), _part(word, 196, 60));
        (uint256 reserve0, uint256 reserve1) = (supply0, supply1);
        if (mean < ONE) {
            uint256 x = _root(upper - mean, mean * supply0 + supply1 * ONE, supply0 * supply1);
            (reserve0, reserve1) = (reserve0 + x, reserve1 + x * mean / ONE);
        } else {
            uint256 inverse = 1e54 / mean;
            uint256 y = _root(1e54 / lower - inverse, inverse * supply1 + supply0 * ONE, supply0 * supply1);
            (reserve0, reserve1) = (reserve0 + y * inverse / ONE, reserve1 + y);
        }
        return swap0To1
            ? State(supply0, supply1, reserve0, reserve1, center)
            : State(supply1, supply0, reserve1, reserve0, center);
    }

    /// @dev Of width x^2 - linear x - product.
    function _root(uint256 width, uint256 linear, uint256 product) private pure returns (uint256) {
        uint256 half = linear / (2 * width);
        return half + Math.sqrt(product * ONE / width + half ** 2);
    }

    function _movedRange(uint256 shift, uint256 up, uint256 down) private view returns (uint256, uint256) {
        (uint256 duration, uint256 start) = (_part(shift, 28, 20), _part(shift, 48, 33));
        if (block.timestamp > start + duration) return (up, down);
        uint256 elapsed = block.timestamp - start;
        return
            (
                _between(_part(shift, 0, 14), up, elapsed, duration),
                _between(_part(shift, 14, 14), down, elapsed, duration)
            );
    }

    function _movedCenter(uint256 shift, uint256 center, uint256 way, uint256 up, uint256 down)
        private
        view
        returns (uint256)
    {
        if (way < 2) return center;
        uint256 end = way == 2 ? center * 10_000 / (10_000 - up) : center * (10_000 - down) / 10_000;
        (uint256 since, uint256 duration) = (_part(shift, 0, 33), _part(shift, 33, 24));
        uint256 elapsed = Math.min(block.timestamp - since, duration);
        center = elapsed == duration ? end : _between(center, end, elapsed, duration);
        center = Math.min(center, _unpacked(_part(shift, 57, 28)));
        return Math.max(center, _unpacked(_part(shift, 85, 28)));
    }

    function _between(uint256 a, uint256 b, uint256 elapsed, uint256 duration) private pure returns (uint256) {
        return a < b ? a + (b - a) * elapsed / duration : a - (a - b) * elapsed / duration;
    }

    function _decimalsOf(address token) private view returns (uint256) {
        return token == NATIVE ? 18 : IERC20Metadata(token).decimals();
    }

    /// @dev Rounds a number down to a coefficient of `bits` bits, with an exponent of eight bits below it.
    function _packed(uint256 number, uint256 bits) private pure returns (uint256) {
        uint256 length = number == 0 ? 0 : Math.log2(number) + 1;
        uint256 exponent = length > bits ? length - bits : 0;
        return (number >> exponent) << 8 | exponent;
    }

    function _unpacked(uint256 word) private pure returns (uint256) {
        return (word / 256) * 2 ** (word % 256);
    }

    function _part(uint256 word, uint256 from, uint256 bits) private pure returns (uint256) {
        return (word / 2 ** from) % 2 ** bits;
    }

    function _idOf(FluidKey calldata key) private pure returns (bytes8) {
        return bytes8(keccak256(abi.encode(key)));
    }
}
