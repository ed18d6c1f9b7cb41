// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Words} from "../libraries/Words.sol";
import {SEGMENT_WORDS} from "../types/Market.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {MIN_RATIO, Q96, lowered} from "./Ratio.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice A point of a pool's curve in one direction.
struct Sample {
    /// In base units of the token sold.
    uint256 amountIn;
    /// In base units of the token bought, with `FRACTION_BITS` fractional bits.
    uint256 amountOut;
    /// Square root of the marginal price there, in Q96.
    uint256 ratio;
    /// Whether from there on `1 / ratio` is convex in the input; before, it is concave. See `drawBetween`.
    bool isConvex;
    /// Input over which `1 / ratio` would double if it grew on as it does there, or more.
    uint256 doubling;
}

/// @notice Constant-product segments as they are being drawn, five words each: see `ISampler.Drawing`.
struct Segments {
    uint256[] words;
    uint256 count;
}

using {push, close} for Segments global;

/// @dev With whole units only, pools of few decimals would be drawn too coarsely.
uint256 constant FRACTION_BITS = 32;
/// @dev Words of segments for which there is room at first.
uint256 constant FIRST_ROOM = 16 * SEGMENT_WORDS;
/// @dev Parts by which outputs and prices are raised, as a shift: 0.005 basis points.
uint256 constant RAISE_SHIFT = 21;
/// @dev After this many samples, or where less than this part is left of what can be paid, the rest is a line.
uint256 constant MAX_SAMPLES = 33;
uint256 constant REST_PARTS = 1024;
/// @dev The way between samples is halved if the ratio falls by more than this part; what is less than that part of
/// all that can be paid is not drawn any finer.
uint256 constant FINE_PARTS = 16;
uint256 constant KNEE_PARTS = 1024;
/// @dev Around the focus it is halved if the ratio falls by more than this part.
uint256 constant BENT_PARTS = 16_384;

/// @dev No sample says more of its doubling.
uint256 constant MAX_DOUBLING = type(uint128).max;

/// @dev A straight line is drawn as a segment whose ratio falls by this part of itself, as a shift; prices that are
/// closer are one price.
uint256 constant LINE_SHIFT = 34;

/// @dev No ratio falls by less than this part of an output, as a shift: with a liquidity of 2^126 the optimizer leaves a
/// curve out. It is more than pools have, so that their own prices fall faster.
uint256 constant LEAST_FALL_SHIFT = FRACTION_BITS + 126 - 96;

/// @notice What is known of a curve before it is sampled.
struct Shape {
    VenueKind kind;
    bool zeroForOne;
    /// Input that moves the price by its own order: the smaller reserve, in units of the token sold.
    uint256 unit;
    /// More is never paid.
    uint256 most;
    /// The largest input that the pool takes; zero if it takes any.
    uint256 limit;
    /// The curve is a plain constant product, with this fee.
    bool isProduct;
    uint256 reserveIn;
    uint256 feePips;
    /// Input around which the curve is drawn finely; zero for none.
    uint256 focus;
}

using {inputOf, isEnd, isInFocus, isKnee} for Shape global;
using {raised} for Sample global;

/// @notice The same a few parts in ten million higher, because samples and what pools pay are rounded.
function raised(Sample memory sample) pure returns (Sample memory) {
    sample.amountOut += sample.amountOut >> RAISE_SHIFT;
    sample.ratio += sample.ratio >> (RAISE_SHIFT + 1);
    return sample;
}

/// @notice The larger of a part and one of `growth`, in 1e-18, of an input: that over which it would double.
function doublingOf(uint256 amountIn, uint256 growth) pure returns (uint256) {
    if (growth == 0) return MAX_DOUBLING;
    return FixedPointMathLib.min(FixedPointMathLib.fullMulDivUp(amountIn, 1e18, growth), MAX_DOUBLING);
}

/// @notice The input of sample number `index`; number 0 is before any.
/// @dev Parts of the unit: 2^-12, 2^-10, 2^-8, and from there on each doubling in two steps. Curves bend in proportion to
/// their reserves, so that this serves trades of all sizes.
function inputOf(Shape memory shape, uint256 index) pure returns (uint256 amountIn) {
    if (index == 0) return 0;
    if (index <= 3) {
        amountIn = shape.unit >> (14 - 2 * index);
    } else {
        amountIn = ((shape.unit >> 8) << ((index - 3) / 2));
        if (index % 2 == 0) amountIn += amountIn / 2;
    }
    return shape.limit != 0 && amountIn > shape.limit ? shape.limit : amountIn;
}

/// @notice Whether what follows a sample is drawn as a line.
function isEnd(Shape memory shape, Sample memory last, uint256 index) pure returns (bool) {
    if (index == MAX_SAMPLES || last.ratio < MIN_RATIO || last.amountIn == shape.limit) return true;
    // Samples are raised, so that the last ones may be above all there is.
    return FixedPointMathLib.zeroFloorSub(shape.most, last.amountOut >> FRACTION_BITS) < shape.most / REST_PARTS;
}

/// @notice Whether the focus lies between two samples.
function isInFocus(Shape memory shape, Sample memory from, Sample memory to) pure returns (bool) {
    return from.amountIn < shape.focus && shape.focus <= to.amountIn;
}

/// @notice Whether the price falls between two samples by more than may be drawn by tangents, or in focus.
function isBent(Sample memory from, Sample memory to) pure returns (bool) {
    return to.ratio < from.ratio - from.ratio / BENT_PARTS;
}

/// @notice Whether the price falls too much between two samples, for what lies between them.
function isKnee(Shape memory shape, Sample memory from, Sample memory to) pure returns (bool) {
    if (to.ratio >= from.ratio - from.ratio / FINE_PARTS || to.amountOut <= from.amountOut) return false;
    return (to.amountOut - from.amountOut) >> FRACTION_BITS > shape.most / KNEE_PARTS;
}

/// @notice Draws the curve between two samples as two segments that meet it at both, in amounts and in price.
/// @dev With u = 1/ratio a segment is a straight line of u(x). If u is convex, it is drawn as a line that rises half as
/// fast as u at the first sample, and one from there to the last; where it is concave, as a line to where another begins
/// that rises half as fast as u at the last sample. The outputs say where the two meet. Drawn and true u cross once then,
/// the drawn price is the higher one before, and both deliver the same at the end: the drawn curve is nowhere below the
/// true one. If u turns from concave to convex between the samples, only tangents are known to be above.
function drawBetween(Segments memory segments, Sample memory from, Sample memory to) pure {
    if (to.amountOut <= from.amountOut || to.amountIn <= from.amountIn) return;
    if (to.ratio + 2 * (from.ratio >> LINE_SHIFT) >= from.ratio) return _drawLine(segments, from, to, from.ratio);
    if (from.isConvex != to.isConvex) return _drawTangents(segments, from, to);
    uint256 middle = _middleRatio(from, to);
    Sample memory meeting = _meetingAt(from, to, middle);
    segments.push(from, meeting, from.ratio, middle);
    segments.push(meeting, to, middle, to.ratio);
}

/// @dev The price at which the two segments meet. With r and R the ratios at the sample that the slow line touches and at
/// the other one, and D twice its doubling, the slow line takes (dy/r - dx R) / (fall - dy / (r D)) of the input.
function _middleRatio(Sample memory from, Sample memory to) pure returns (uint256 middle) {
    bool isConvex = to.isConvex;
    (Sample memory touched, uint256 far) = isConvex ? (from, to.ratio) : (to, from.ratio);
    uint256 given = FixedPointMathLib.fullMulDiv(to.amountOut - from.amountOut, Q96, touched.ratio);
    uint256 taken = FixedPointMathLib.fullMulDiv((to.amountIn - from.amountIn) << FRACTION_BITS, far, Q96);
    uint256 twice = touched.doubling << (FRACTION_BITS + 1);
    uint256 fall = from.ratio - to.ratio;
    uint256 rest = FixedPointMathLib.zeroFloorSub(fall, FixedPointMathLib.fullMulDiv(given, Q96, twice));
    uint256 slow = FixedPointMathLib.zeroFloorSub(isConvex ? given : taken, isConvex ? taken : given);
    // If rounding leaves less of the fall than that, the slow line does not rise.
    slow = rest < fall >> 8 ? 0 : FixedPointMathLib.min(FixedPointMathLib.fullMulDiv(slow, Q96, rest), twice / 2);
    middle = FixedPointMathLib.fullMulDiv(touched.ratio, twice, isConvex ? twice + slow : twice - slow);
    middle = FixedPointMathLib.min(middle, from.ratio - (from.ratio >> LINE_SHIFT));
    return FixedPointMathLib.max(middle, to.ratio + (to.ratio >> LINE_SHIFT) + 1);
}

/// @dev The outputs P and Q of the two segments follow from P + Q = dy and P/high + Q/low = dx middle.
function _meetingAt(Sample memory from, Sample memory to, uint256 middle) pure returns (Sample memory meeting) {
    uint256 amountIn = (to.amountIn - from.amountIn) << FRACTION_BITS;
    uint256 amountOut = to.amountOut - from.amountOut;
    uint256 atLow = FixedPointMathLib.fullMulDiv(amountIn, to.ratio, Q96);
    atLow = FixedPointMathLib.fullMulDiv(atLow, middle, Q96);
    uint256 firstOut = FixedPointMathLib.zeroFloorSub(amountOut, atLow);
    firstOut = FixedPointMathLib.fullMulDiv(firstOut, from.ratio, from.ratio - to.ratio);
    firstOut = FixedPointMathLib.min(amountOut, firstOut);
    uint256 firstIn = FixedPointMathLib.fullMulDiv(firstOut, Q96, from.ratio);
    firstIn = FixedPointMathLib.min(amountIn, FixedPointMathLib.fullMulDiv(firstIn, Q96, middle));
    meeting.amountIn = from.amountIn + (firstIn >> FRACTION_BITS);
    meeting.amountOut = from.amountOut + firstOut;
}

/// @dev As two lines, from both ends: nothing that falls is above them, however it bends.
function _drawTangents(Segments memory segments, Sample memory from, Sample memory to) pure {
    uint256 amountIn = (to.amountIn - from.amountIn) << FRACTION_BITS;
    uint256 amountOut = to.amountOut - from.amountOut;
    uint256 high = FixedPointMathLib.fullMulDiv(from.ratio, from.ratio, Q96);
    uint256 low = FixedPointMathLib.fullMulDiv(to.ratio, to.ratio, Q96);
    uint256 firstIn = FixedPointMathLib.zeroFloorSub(amountOut, FixedPointMathLib.fullMulDiv(amountIn, low, Q96));
    firstIn = FixedPointMathLib.min(amountIn, FixedPointMathLib.fullMulDiv(firstIn, Q96, high - low));
    uint256 firstOut = FixedPointMathLib.min(amountOut, FixedPointMathLib.fullMulDiv(firstIn, high, Q96));
    Sample memory meeting = Sample({
        amountIn: from.amountIn + (firstIn >> FRACTION_BITS),
        amountOut: from.amountOut + firstOut,
        ratio: to.ratio,
        isConvex: to.isConvex,
        doubling: to.doubling
    });
    segments.push(from, meeting, from.ratio, from.ratio - (from.ratio >> LINE_SHIFT));
    segments.push(meeting, to, to.ratio + (to.ratio >> LINE_SHIFT) + 1, to.ratio);
}

/// @notice Draws all that a pool still has at its last price: no curve that falls is above that.
/// @param reserveOut With `FRACTION_BITS` fractional bits.
function drawRest(Segments memory segments, Sample memory from, uint256 reserveOut) pure {
    if (reserveOut <= from.amountOut) return;
    uint256 rest = FixedPointMathLib.fullMulDiv(reserveOut - from.amountOut, Q96, from.ratio);
    rest = FixedPointMathLib.fullMulDiv(rest, Q96, from.ratio) >> FRACTION_BITS;
    Sample memory to =
        Sample({amountIn: from.amountIn + rest, amountOut: reserveOut, ratio: 0, isConvex: true, doubling: 0});
    _drawLine(segments, from, to, from.ratio);
}

/// @notice Draws that a pool which has nothing left takes `amountIn` more: a segment of the least liquidity there is.
function drawNothing(Segments memory segments, uint256 amountIn) pure {
    uint256 at = segments.count * SEGMENT_WORDS;
    if (at == 0 || segments.words[at - 3] <= 1) return;
    if (at == segments.words.length) segments.words = Words.widened(segments.words, FIRST_ROOM);
    uint256[] memory words = segments.words;
    (words[at], words[at + 1], words[at + 2]) = (1, words[at - 3], 1);
    (words[at + 3], words[at + 4]) = (amountIn, 0);
    segments.count += 1;
}

/// @dev A price that stays.
function _drawLine(Segments memory segments, Sample memory from, Sample memory to, uint256 ratio) pure {
    uint256 fall = ratio >> LINE_SHIFT;
    if (fall != 0) segments.push(from, to, ratio, ratio - fall);
}

function push(Segments memory segments, Sample memory from, Sample memory to, uint256 start, uint256 end) pure {
    uint256 at = segments.count * SEGMENT_WORDS;
    if (at == segments.words.length) segments.words = Words.widened(segments.words, FIRST_ROOM);
    uint256[] memory words = segments.words;
    uint256 amountOut = to.amountOut - from.amountOut;
    uint256 fall = FixedPointMathLib.max(start - end, (amountOut >> LEAST_FALL_SHIFT) + 1);
    uint256 liquidity = FixedPointMathLib.fullMulDiv(amountOut, Q96 >> FRACTION_BITS, fall);
    if (liquidity == 0) return;
    // A price next to zero cannot fall so far. The segment ends before it has paid all, which no input reaches.
    end = start - FixedPointMathLib.min(fall, start - 1);
    if (at != 0) (start, end) = lowered(start, end, words[at - 3]);
    (words[at], words[at + 1], words[at + 2]) = (liquidity, start, end);
    words[at + 3] = to.amountIn - from.amountIn;
    words[at + 4] = (to.amountOut >> FRACTION_BITS) - (from.amountOut >> FRACTION_BITS);
    segments.count += 1;
}

/// @notice The words of what was drawn.
function close(Segments memory segments) pure returns (uint256[] memory words) {
    words = segments.words;
    uint256 length = segments.count * SEGMENT_WORDS;
    assembly ("memory-safe") {
        mstore(words, length)
    }
}
