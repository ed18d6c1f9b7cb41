// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {netOf} from "../math/GasValue.sol";
import {GasValue} from "../types/GasValue.sol";
import {Curve, Edge} from "../types/Market.sol";
import {estimateOut} from "./Estimate.sol";
import {worthAt} from "./Rivals.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

using {netOf} for GasValue;

/// @dev Units that rounding takes from an estimate at most.
uint256 constant ROUNDED = 8;

/// @notice The single pool between `tokenIn` and `tokenOut` that is worth most for all of the input, net of gas.
/// @dev Pools whose drawn curve cannot come near `least` are not quoted: a curve is never below its pool, so they cannot
/// matter; nor are any where there is no gas left for it.
/// @return edge Its edge; the number of edges if no pool matters.
/// @return mostOut The most that any of them pays, exactly; zero if no pool matters.
function bestPoolOf(Search memory search, uint256 least) returns (uint256 edge, uint256 mostOut) {
    edge = search.edges.length;
    int256 mostNet = type(int256).min;
    for (uint256 e; e < search.edges.length; ++e) {
        Edge memory candidate = search.edges[e];
        if (candidate.from != search.source() || candidate.to != search.sink()) continue;
        if (candidate.curve.drawn() == 0) continue;
        if (_mostFrom(candidate.curve, search.amountIn) < least) continue;
        if (gasleft() < search.legGas() / 4) break;
        (uint256 out, uint256 gas,) = search.price(candidate, search.amountIn);
        if (out == 0) continue;
        int256 net = search.gasValue.netOf(out, gas, 1);
        if (net > mostNet) (edge, mostNet) = (e, net);
        mostOut = FixedPointMathLib.max(mostOut, out);
    }
}

/// @dev At least what a curve pays for an input: beyond what was loaded, its last price goes on for ever.
function _mostFrom(Curve memory curve, uint256 amountIn) pure returns (uint256) {
    uint256 loaded = FixedPointMathLib.min(amountIn, curve.loadedIn);
    return estimateOut(curve, loaded) + worthAt(curve.endRatio, amountIn - loaded) + ROUNDED;
}
