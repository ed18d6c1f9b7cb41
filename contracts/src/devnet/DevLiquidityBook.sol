// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @notice How a pair's fees move.
struct BookFees {
    uint16 baseFactor;
    uint16 filterPeriod;
    uint16 decayPeriod;
    uint16 reductionFactor;
    uint24 variableFeeControl;
    uint16 protocolShare;
    uint24 maxVolatilityAccumulator;
}

/// @title Factory of Liquidity Book on the devnet
/// @notice Has the functions by which pairs are found. Anybody may create one.
contract DevBookFactory {
    struct Listed {
        uint16 binStep;
        address pair;
        bool createdByOwner;
        bool ignored;
    }

    mapping(bytes32 tokens => Listed[]) private _listed;
    uint256 public getNumberOfLBPairs;

    event LBPairCreated(
        address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address LBPair, uint256 pid
    );

    function createPair(address tokenX, address tokenY, uint16 step, uint24 activeId, BookFees memory fees)
        external
        returns (DevBookPair pair)
    {
        pair = new DevBookPair(tokenX, tokenY, step, activeId, fees);
        _listed[_tokens(tokenX, tokenY)].push(Listed(step, address(pair), false, false));
        emit LBPairCreated(tokenX, tokenY, step, address(pair), getNumberOfLBPairs++);
    }

    function ignore(address tokenA, address tokenB, uint256 number) external {
        _listed[_tokens(tokenA, tokenB)][number].ignored = true;
    }

    function getAllLBPairs(address tokenA, address tokenB) external view returns (Listed[] memory) {
        return _listed[_tokens(tokenA, tokenB)];
    }

    function getLBPairInformation(address tokenA, address tokenB, uint256 step) external view returns (Listed memory) {
        Listed[] storage listed = _listed[_tokens(tokenA, tokenB)];
        for (uint256 i; i < listed.length; ++i) {
            if (listed[i].binStep == step) return listed[i];
        }
        return Listed(0, address(0), false, false);
    }

    function _tokens(address a, address b) private pure returns (bytes32) {
        return bytes32(uint256(uint160(a)) ^ uint256(uint160(b)));
    }
}

/// @title Pair of Liquidity Book on the devnet
/// @notice As the whitepaper and the documentation describe it: bins of one price, a fee that grows with the bins that swaps pass and
/// decays with time. It shares nothing with the published code.
contract DevBookPair {
    struct Bin {
        uint128 x;
        uint128 y;
    }

    /// @dev A swap before it is settled.
    struct Run {
        uint24[] ids;
        uint256[] ins;
        uint256[] fees;
        uint256[] outs;
        uint256 count;
        uint256 left;
        uint256 amountOut;
        uint24 volatility;
    }

    uint256 private constant WHOLE = 1e18;
    uint24 private constant EVEN_ID = 1 << 23;

    address public immutable getTokenX;
    address public immutable getTokenY;
    uint16 public immutable getBinStep;

    uint24 public getActiveId;
    bytes32 public getLBHooksParameters;
    BookFees private _fees;
    uint24 private _accumulated;
    uint24 private _reference;
    uint24 private _center;
    uint40 private _updated;
    mapping(uint24 id => Bin) public getBin;
    /// @dev In rising order.
    uint24[] private _ids;
    uint256 private _reserveX;
    uint256 private _reserveY;
    bool private _locked;

    constructor(address tokenX, address tokenY, uint16 step, uint24 activeId, BookFees memory fees) {
        (getTokenX, getTokenY, getBinStep) = (tokenX, tokenY, step);
        (getActiveId, _center) = (activeId, activeId);
        _fees = fees;
    }

    /// @notice Adds tokens that the pair was sent before to a bin.
    function add(uint24 id, uint128 x, uint128 y) external {
        require(id == getActiveId || (id < getActiveId ? x : y) == 0, "other side");
        Bin storage bin = getBin[id];
        if (bin.x | bin.y == 0) _insert(id);
        (bin.x, bin.y) = (bin.x + x, bin.y + y);
        (_reserveX, _reserveY) = (_reserveX + x, _reserveY + y);
        require(IERC20(getTokenX).balanceOf(address(this)) >= _reserveX, "no X");
        require(IERC20(getTokenY).balanceOf(address(this)) >= _reserveY, "no Y");
    }

    function setHooks(bytes32 hooks) external {
        getLBHooksParameters = hooks;
    }

    function swap(bool forY, address to) external returns (bytes32) {
        require(!_locked, "locked");
        _locked = true;
        (address sold, address bought) = forY ? (getTokenX, getTokenY) : (getTokenY, getTokenX);
        uint256 received = IERC20(sold).balanceOf(address(this)) - (forY ? _reserveX : _reserveY);
        Run memory run = _run(received, forY);
        require(received != 0 && run.left == 0 && run.amountOut != 0, "no such swap");
        for (uint256 k; k < run.count; ++k) {
            Bin storage bin = getBin[run.ids[k]];
            uint128 kept = uint128(run.ins[k] - run.fees[k] * _fees.protocolShare / 10_000);
            uint128 out = uint128(run.outs[k]);
            if (forY) (bin.x, bin.y) = (bin.x + kept, bin.y - out);
            else (bin.x, bin.y) = (bin.x - out, bin.y + kept);
        }
        if (forY) (_reserveX, _reserveY) = (_reserveX + received, _reserveY - run.amountOut);
        else (_reserveX, _reserveY) = (_reserveX - run.amountOut, _reserveY + received);
        (_reference, _center) = _referenceNow();
        (_accumulated, _updated) = (run.volatility, uint40(block.timestamp));
        getActiveId = run.ids[run.count - 1];
        SafeTransferLib.safeTransfer(bought, to, run.amountOut);
        _locked = false;
        return bytes32(forY ? run.amountOut << 128 : run.amountOut);
    }

    function getReserves() external view returns (uint128, uint128) {
        return (uint128(_reserveX), uint128(_reserveY));
    }

    function getStaticFeeParameters() external view returns (BookFees memory) {
        return _fees;
    }

    function getVariableFeeParameters() external view returns (uint24, uint24, uint24, uint40) {
        return (_accumulated, _reference, _center, _updated);
    }

    function getNextNonEmptyBin(bool forY, uint24 id) external view returns (uint24) {
        return _next(forY, id);
    }

    function getPriceFromId(uint24 id) external view returns (uint256) {
        return _price(id);
    }

    function getSwapOut(uint128 amountIn, bool forY)
        external
        view
        returns (uint128 left, uint128 amountOut, uint128 fee)
    {
        Run memory run = _run(amountIn, forY);
        (left, amountOut) = (uint128(run.left), uint128(run.amountOut));
        for (uint256 k; k < run.count; ++k) {
            fee += uint128(run.fees[k]);
        }
    }

    /// @dev Sells `amountIn` bin by bin.
    function _run(uint256 amountIn, bool forY) private view returns (Run memory run) {
        uint256 most = _ids.length + 1;
        (run.ids, run.ins) = (new uint24[](most), new uint256[](most));
        (run.fees, run.outs) = (new uint256[](most), new uint256[](most));
        (run.left, run.volatility) = (amountIn, _accumulated);
        (uint24 ground, uint24 center) = _referenceNow();
        uint24 id = getActiveId;
        while (true) {
            _take(run, forY, id, ground, center);
            if (run.left == 0) return run;
            uint24 next = _next(forY, id);
            if (next == 0 || next == type(uint24).max) return run;
            id = next;
        }
    }

    function _take(Run memory run, bool forY, uint24 id, uint24 ground, uint24 center) private view {
        uint256 k = run.count++;
        run.ids[k] = id;
        uint256 reserve = forY ? getBin[id].y : getBin[id].x;
        if (reserve == 0) return;
        uint256 volatility = ground + 10_000 * FixedPointMathLib.dist(id, center);
        run.volatility = uint24(FixedPointMathLib.min(volatility, _fees.maxVolatilityAccumulator));
        (run.ins[k], run.fees[k], run.outs[k]) = _taken(run.left, forY, id, reserve, _feeOf(run.volatility));
        (run.left, run.amountOut) = (run.left - run.ins[k], run.amountOut + run.outs[k]);
    }

    /// @return amountIn What a bin takes of an input, fee included.
    function _taken(uint256 left, bool forY, uint24 id, uint256 reserve, uint256 fee)
        private
        view
        returns (uint256 amountIn, uint256 feeIn, uint256 amountOut)
    {
        (uint256 worth, uint256 unit) = (_price(id), 1 << 128);
        if (!forY) (worth, unit) = (unit, worth);
        uint256 net = FixedPointMathLib.fullMulDivUp(reserve, unit, worth);
        feeIn = FixedPointMathLib.fullMulDivUp(net, fee, WHOLE - fee);
        if (left >= net + feeIn) return (net + feeIn, feeIn, reserve);
        feeIn = FixedPointMathLib.fullMulDivUp(left, fee, WHOLE);
        amountOut = FixedPointMathLib.fullMulDiv(left - feeIn, worth, unit);
        return (left, feeIn, FixedPointMathLib.min(amountOut, reserve));
    }

    /// @dev Volatility before a swap of this block, and the bin from which it is counted.
    function _referenceNow() private view returns (uint24, uint24) {
        uint256 passed = block.timestamp - _updated;
        if (passed < _fees.filterPeriod) return (_reference, _center);
        if (passed >= _fees.decayPeriod) return (0, getActiveId);
        return (uint24(uint256(_accumulated) * _fees.reductionFactor / 10_000), getActiveId);
    }

    function _feeOf(uint256 volatility) private view returns (uint256) {
        uint256 root = volatility * getBinStep;
        uint256 variable = root * root * _fees.variableFeeControl;
        return uint256(_fees.baseFactor) * getBinStep * 1e10 + (variable + 99) / 100;
    }

    function _next(bool forY, uint24 id) private view returns (uint24) {
        for (uint256 k; k < _ids.length; ++k) {
            uint24 candidate = forY ? _ids[_ids.length - 1 - k] : _ids[k];
            if (forY ? candidate < id : candidate > id) return candidate;
        }
        return forY ? type(uint24).max : 0;
    }

    /// @dev (1 + step / 10,000) to the power of the bins beyond the even one, in Q128.
    function _price(uint24 id) private view returns (uint256 price) {
        uint256 power = type(uint256).max / ((1 << 128) + (uint256(getBinStep) << 128) / 10_000);
        price = 1 << 128;
        for (uint256 n = FixedPointMathLib.dist(id, EVEN_ID); n != 0; n >>= 1) {
            if (n & 1 == 1) price = price * power >> 128;
            power = power * power >> 128;
        }
        if (id > EVEN_ID) price = type(uint256).max / price;
    }

    function _insert(uint24 id) private {
        _ids.push(id);
        for (uint256 k = _ids.length - 1; k != 0 && _ids[k - 1] > id; --k) {
            (_ids[k - 1], _ids[k]) = (id, _ids[k - 1]);
        }
    }
}
