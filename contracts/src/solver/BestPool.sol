// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Curve, Edge, SEGMENT_WORDS} from "./Market.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev One basis point is one part of this many.
uint256 constant BPS = 10_000;

/// @notice The single pool between `tokenIn` and `tokenOut` that pays most for all of the input.
/// @dev Pools whose drawn curve cannot come within a basis point of `rival` are not quoted: a curve is never below its
/// pool, so they cannot matter; nor are any where there is no gas left for it.
/// @return edge Its edge; the number of edges where no pool matters.
/// @return amountOut What it pays, exactly; zero where no pool matters.
function bestPoolOf(Search memory search, uint256 rival) view returns (uint256 edge, uint256 amountOut) {
    edge = search.edges.length;
    uint256 least = rival - rival / BPS;
    for (uint256 e; e < search.edges.length; ++e) {
        Edge memory candidate = search.edges[e];
        if (candidate.from != search.source() || candidate.to != search.sink()) continue;
        if (_mostFrom(candidate.curve, search.amountIn) < least) continue;
        if (search.gasBefore(0) < search.legGas() / 2) break;
        (uint256 out,) = search.price(candidate, search.amountIn);
        if (out > amountOut) (edge, amountOut) = (e, out);
    }
}

/// @dev At least what a curve pays for an input: beyond what was loaded, its last price goes on for ever.
function _mostFrom(Curve memory curve, uint256 amountIn) pure returns (uint256) {
    uint256[] memory segments = curve.segments;
    uint256 at;
    if (curve.count == 0) return type(uint256).max;
    for (uint256 i = 1; i < curve.count; ++i) {
        if (segments[i * SEGMENT_WORDS + 3] > amountIn) break;
        at = i * SEGMENT_WORDS;
    }
    (uint256 liquidity, uint256 start) = (segments[at], segments[at + 1]);
    // y = a (start - r) with 1/r = x/a + 1/start, which is x start^2 / (1 + x start / a).
    uint256 amount = amountIn > curve.loadedIn ? curve.loadedIn : amountIn;
    uint256 x = amount - segments[at + 3];
    uint256 atStart = FixedPointMathLib.fullMulDivUp(x, start, 1 << 96);
    uint256 linear = FixedPointMathLib.fullMulDivUp(atStart, start, 1 << 96);
    uint256 y = FixedPointMathLib.fullMulDivUp(linear, liquidity, liquidity + atStart - (atStart == 0 ? 0 : 1));
    uint256 rest = FixedPointMathLib.fullMulDivUp(amountIn - amount, curve.endRatio, 1 << 96);
    return segments[at + 4] + y + FixedPointMathLib.fullMulDivUp(rest, curve.endRatio, 1 << 96) + curve.count;
}
