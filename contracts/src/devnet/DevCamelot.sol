// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @title Factory of Camelot V2 on the devnet
/// @notice Anybody may create a pair and change it.
contract DevCamelotFactory {
    mapping(address tokenA => mapping(address tokenB => address)) public getPair;
    uint256 public ownerFeeShare = 50_000;
    address public feeTo = address(0xfee);
    /// @notice Nobody: anybody may set fees.
    address public constant feePercentOwner = address(0);
    uint256 public allPairsLength;

    event PairCreated(address indexed token0, address indexed token1, address pair, uint256 length);

    function createPair(address tokenA, address tokenB) external returns (address pair) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(getPair[token0][token1] == address(0), "exists");
        pair = address(new DevCamelotPair(token0, token1));
        (getPair[token0][token1], getPair[token1][token0]) = (pair, pair);
        emit PairCreated(token0, token1, pair, ++allPairsLength);
    }
}

/// @title Pair of Camelot V2 on the devnet
/// @notice As the documentation describes it: a fee for each direction, in parts of 100,000, and `x y` or `x^3 y + x y^3`. A stable pair
/// pays a part of the fee to its owner at once. It shares nothing with the published code.
contract DevCamelotPair {
    uint256 private constant WHOLE = 100_000;
    uint256 private constant ONE = 1e18;

    DevCamelotFactory public immutable factory;
    address[2] public tokens;
    uint256[2] public precisions;
    uint256[2] public reserves;
    uint16[2] public fees = [uint16(300), 300];
    bool public stableSwap;
    bool private _locked;

    constructor(address first, address second) {
        (factory, tokens) = (DevCamelotFactory(msg.sender), [first, second]);
        precisions = [10 ** IERC20Metadata(first).decimals(), 10 ** IERC20Metadata(second).decimals()];
    }

    function setFeePercent(uint16 fee0, uint16 fee1) external {
        require(fee0 != 0 && fee1 != 0 && fee0 <= 2000 && fee1 <= 2000, "fees");
        fees = [fee0, fee1];
    }

    function setStableSwap(bool stable, uint112, uint112) external {
        stableSwap = stable;
    }

    /// @notice Counts what it was sent as liquidity.
    function sync() external {
        _update();
    }

    function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
        require(!_locked, "locked");
        _locked = true;
        uint256[2] memory out = [out0, out1];
        uint256[2] memory left;
        uint256 product = _product(reserves);
        require(out0 < reserves[0] && out1 < reserves[1] && out0 + out1 != 0, "output");
        uint256 inputs;
        for (uint256 k; k < 2; ++k) {
            if (out[k] != 0) SafeTransferLib.safeTransfer(tokens[k], to, out[k]);
            uint256 balance = IERC20Metadata(tokens[k]).balanceOf(address(this));
            uint256 amountIn = balance > reserves[k] - out[k] ? balance - (reserves[k] - out[k]) : 0;
            left[k] = balance - amountIn * fees[k] / WHOLE;
            inputs += amountIn;
            uint256 share = factory.ownerFeeShare() * WHOLE;
            uint256 owners = stableSwap ? amountIn * share * fees[k] / WHOLE ** 3 : 0;
            if (owners != 0) SafeTransferLib.safeTransfer(tokens[k], factory.feeTo(), owners);
        }
        require(inputs != 0, "input");
        require(_product(left) >= product, "K");
        _update();
        _locked = false;
    }

    function token0() external view returns (address) {
        return tokens[0];
    }

    function precisionMultiplier0() external view returns (uint256) {
        return precisions[0];
    }

    function precisionMultiplier1() external view returns (uint256) {
        return precisions[1];
    }

    function getReserves() external view returns (uint112, uint112, uint16, uint16) {
        return (uint112(reserves[0]), uint112(reserves[1]), fees[0], fees[1]);
    }

    function _product(uint256[2] memory balances) private view returns (uint256) {
        if (!stableSwap) return balances[0] * balances[1];
        uint256 x = balances[0] * ONE / precisions[0];
        uint256 y = balances[1] * ONE / precisions[1];
        return x * y / ONE * (x * x / ONE + y * y / ONE) / ONE;
    }

    function _update() private {
        for (uint256 k; k < 2; ++k) {
            reserves[k] = IERC20Metadata(tokens[k]).balanceOf(address(this));
            require(reserves[k] <= type(uint112).max, "overflow");
        }
    }
}
