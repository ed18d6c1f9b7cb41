// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Q96} from "../math/Ratio.sol";
import {at} from "../math/UncheckedArrays.sol";
import {Curve, SEGMENT_WORDS} from "../types/Market.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What a drawn curve pays for an input; beyond its last segment the tail goes on, or nothing more is paid.
/// @dev On a segment 1/r = x/a + 1/start, so y = a (start - r) = x start^2 / (1 + x start / a). An estimate for choosing
/// between plans: the chosen one is priced exactly.
function estimateOut(Curve memory curve, uint256 amountIn) pure returns (uint256) {
    (uint256 liquidity, uint256 start, uint256 inBefore, uint256 outBefore) = _segmentOf(curve, amountIn);
    if (liquidity == 0) return outBefore;
    uint256 rest = amountIn - inBefore;
    uint256 atStart = FixedPointMathLib.fullMulDiv(rest, start, Q96);
    return outBefore
        + FixedPointMathLib.fullMulDiv(
        FixedPointMathLib.fullMulDiv(atStart, start, Q96), liquidity, liquidity + atStart
    );
}

/// @notice The square root of a drawn curve's marginal price after an input; zero if nothing more is paid.
function ratioAfter(Curve memory curve, uint256 amountIn) pure returns (uint256) {
    (uint256 liquidity, uint256 start, uint256 inBefore,) = _segmentOf(curve, amountIn);
    if (liquidity == 0) return 0;
    uint256 atStart = FixedPointMathLib.fullMulDiv(amountIn - inBefore, start, Q96);
    return FixedPointMathLib.fullMulDiv(start, liquidity, liquidity + atStart);
}

/// @dev The segment or the tail that an input ends in; no liquidity where the curve has ended before.
function _segmentOf(Curve memory curve, uint256 amountIn)
    pure
    returns (uint256 liquidity, uint256 start, uint256 inBefore, uint256 outBefore)
{
    if (amountIn > curve.loadedIn || curve.count == 0) {
        if (curve.hasTail()) liquidity = curve.tailLiquidity;
        return (liquidity, curve.endRatio, curve.loadedIn, curve.loadedOut);
    }
    uint256[] memory segments = curve.segments;
    uint256 place = (curve.count - 1) * SEGMENT_WORDS;
    while (place != 0 && at(segments, place + 3) > amountIn) {
        place -= SEGMENT_WORDS;
    }
    return (at(segments, place), at(segments, place + 1), at(segments, place + 3), at(segments, place + 4));
}

/// @notice The input for which a drawn curve pays an output, rounded down; no more than what was drawn.
/// @dev On a segment r = start - y/a and x = y / (r start).
function inputFor(Curve memory curve, uint256 amountOut) pure returns (uint256 amountIn) {
    uint256[] memory segments = curve.segments;
    for (uint256 i; i < curve.count; ++i) {
        uint256 place = i * SEGMENT_WORDS;
        uint256 next = i + 1 == curve.count ? curve.loadedIn : at(segments, place + SEGMENT_WORDS + 3);
        uint256 outNext = i + 1 == curve.count ? curve.loadedOut : at(segments, place + SEGMENT_WORDS + 4);
        if (outNext <= amountOut) {
            amountIn = next;
            continue;
        }
        uint256 fall = FixedPointMathLib.fullMulDiv(amountOut - at(segments, place + 4), Q96, at(segments, place));
        if (fall >= at(segments, place + 1)) return next;
        uint256 x = FixedPointMathLib.fullMulDiv(amountOut - at(segments, place + 4), Q96, at(segments, place + 1));
        x = FixedPointMathLib.fullMulDiv(x, Q96, at(segments, place + 1) - fall);
        return FixedPointMathLib.min(at(segments, place + 3) + x, next);
    }
}
