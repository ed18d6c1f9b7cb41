// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {dataPrice} from "../libraries/DataPrice.sol";
import {Q96} from "../math/Ratio.sol";
import {Edge} from "./Market.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Bytes of calldata of a leg that a rollup pays for: six words, two thirds of which are zeros that compress away.
uint256 constant BYTES_PER_LEG = 80;

/// @notice What gas costs in `tokenOut`.
struct GasValue {
    /// Wei for a unit of gas, and for a leg's calldata on the chain that keeps a rollup's data.
    uint256 weiPerGas;
    uint256 weiPerLeg;
    /// Square root of the price of a wei in units of `tokenOut`, in Q96; zero where nothing prices it.
    uint256 sqrtPrice;
}

using {costOf} for GasValue global;

/// @notice Cost of a plan's gas in base units of `tokenOut`, rounded up.
function costOf(GasValue memory value, uint256 gas, uint256 legs) pure returns (uint256) {
    if (value.sqrtPrice == 0) return 0;
    uint256 weiCost = gas * value.weiPerGas + legs * value.weiPerLeg;
    uint256 half = FixedPointMathLib.fullMulDivUp(weiCost, value.sqrtPrice, Q96);
    return FixedPointMathLib.fullMulDivUp(half, value.sqrtPrice, Q96);
}

/// @notice Prices gas by the shadow prices of the plan: that of the wrapped native token, but no more than what
/// `tokenIn` buys of it says, because a pool of dust can make the native token look dear.
/// @param prices Square roots of the shadow prices per node.
/// @param rate Square root of output per input of the plan, in Q96.
function gasValueOf(
    Search memory search,
    address wrappedNative,
    uint256 gasPrice,
    uint256[] memory prices,
    uint256 rate
) view returns (GasValue memory value) {
    value.weiPerGas = gasPrice;
    value.weiPerLeg = gasPrice == 0 ? 0 : dataPrice() * BYTES_PER_LEG;
    uint256 native;
    while (native < search.tokens.length && search.tokens[native] != wrappedNative) ++native;
    if (native == search.tokens.length) return value;
    if (native == search.tokenOutIndex()) value.sqrtPrice = Q96;
    else if (native == search.tokenInIndex()) value.sqrtPrice = rate;
    else value.sqrtPrice = _capped(search, native, prices[search.layerTwo(native)], rate);
}

/// @dev The better of the pools that sell native for `tokenIn` says how much of `tokenIn`, and so of `tokenOut`, a wei
/// can cost.
function _capped(Search memory search, uint256 native, uint256 sqrtPrice, uint256 rate) pure returns (uint256) {
    uint256 best;
    for (uint256 e; e < search.edges.length; ++e) {
        Edge memory edge = search.edges[e];
        if (edge.from != search.source() || edge.to != native) continue;
        if (edge.curve.startRatio > best) best = edge.curve.startRatio;
    }
    if (best == 0) return sqrtPrice;
    uint256 cap = FixedPointMathLib.fullMulDiv(rate, Q96, best);
    return sqrtPrice == 0 || cap < sqrtPrice ? cap : sqrtPrice;
}
