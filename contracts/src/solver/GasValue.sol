// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {dataPrice} from "../libraries/DataPrice.sol";
import {Q96, sqrtRatio} from "../math/Ratio.sol";
import {mostFrom} from "./BestPath.sol";
import {estimateOut} from "./Estimate.sol";
import {Edge} from "./Market.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Bytes of calldata of a leg that a rollup pays for: six words, two thirds of which are zeros that compress away.
uint256 constant BYTES_PER_LEG = 80;

/// @dev Gas that a plan may take, and the least of the native token that says what it is worth, in wei.
uint256 constant SOME_GAS = 1e6;
uint256 constant LEAST_NATIVE = 1e15;

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

/// @notice Prices gas before the trade: by what the native token for it is sold for, so that no pool of dust counts, but no
/// more than what `tokenIn` buys of it says. The trade's own prices are those of its end, where gas looks cheap if a trade
/// takes much of what there is.
/// @param path Flows of the best single path.
function gasValueOf(Search memory search, address wrappedNative, uint256 gasPrice, uint256[] memory path)
    view
    returns (GasValue memory value)
{
    value.weiPerGas = gasPrice;
    value.weiPerLeg = gasPrice == 0 ? 0 : dataPrice() * BYTES_PER_LEG;
    uint256 native;
    while (native < search.tokens.length && search.tokens[native] != wrappedNative) ++native;
    if (native == search.tokens.length) return value;
    if (native == search.tokenOutIndex()) {
        value.sqrtPrice = Q96;
        return value;
    }
    uint256 from = native == search.tokenInIndex() ? search.source() : native;
    uint256 amount = FixedPointMathLib.max(SOME_GAS * gasPrice, LEAST_NATIVE);
    uint256 sold = sqrtRatio(mostFrom(search, from, amount), amount);
    uint256 cap = _capOf(search, native, path);
    value.sqrtPrice = sold == 0 || (cap != 0 && cap < sold) ? cap : sold;
}

/// @dev How much of `tokenIn`, and so of `tokenOut`, a wei costs where all of the input buys native; zero where nothing
/// sells it.
function _capOf(Search memory search, uint256 native, uint256[] memory path) pure returns (uint256) {
    uint256 rate;
    uint256 bought;
    for (uint256 e; e < path.length; ++e) {
        Edge memory edge = search.edges[e];
        if (edge.from == search.source() && edge.to == native) {
            bought = FixedPointMathLib.max(bought, estimateOut(edge.curve, search.amountIn));
        }
        if (path[e] == 0) continue;
        rate = rate == 0 ? edge.curve.startRatio : FixedPointMathLib.fullMulDiv(rate, edge.curve.startRatio, Q96);
    }
    return FixedPointMathLib.fullMulDiv(rate, sqrtRatio(search.amountIn, bought), Q96);
}
