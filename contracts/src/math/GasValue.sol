// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {GasValue} from "../types/GasValue.sol";
import {protocolFee} from "./FeeMath.sol";
import {Q96} from "./Ratio.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

using {costOf} for GasValue;

/// @notice Cost of a plan's gas in base units of `tokenOut`, rounded up.
function costOf(GasValue memory value, uint256 gas, uint256 legs) pure returns (uint256) {
    if (value.sqrtPrice == 0) return 0;
    uint256 weiCost = gas * value.weiPerGas + legs * value.weiPerLeg;
    uint256 half = FixedPointMathLib.fullMulDivUp(weiCost, value.sqrtPrice, Q96);
    return FixedPointMathLib.fullMulDivUp(half, value.sqrtPrice, Q96);
}

/// @notice Output after the protocol fee, less the gas; below zero if the gas costs more.
function netOf(GasValue memory value, uint256 grossOut, uint256 gas, uint256 legs) pure returns (int256) {
    return int256(grossOut - protocolFee(grossOut)) - int256(value.costOf(gas, legs));
}
