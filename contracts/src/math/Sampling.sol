// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Words} from "../libraries/Words.sol";
import {VenueKind} from "../types/Venue.sol";
import {MIN_RATIO, Q96} from "./Ratio.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice A point of a pool's curve in one direction.
struct Sample {
    /// In base units of the token sold.
    uint256 amountIn;
    /// In base units of the token bought, with `FRACTION_BITS` fractional bits.
    uint256 amountOut;
    /// Square root of the marginal price there, in Q96.
    uint256 ratio;
}

/// @notice Constant-product segments as they are being drawn, five words each: see `ISampler.Drawing`.
struct Segments {
    uint256[] words;
    uint256 count;
}

using {push, close} for Segments global;

/// @dev With whole units only, pools of few decimals would be drawn too coarsely.
uint256 constant FRACTION_BITS = 32;
uint256 constant SEGMENT_LENGTH = 5;
/// @dev Words of segments for which there is room at first.
uint256 constant FIRST_ROOM = 16 * SEGMENT_LENGTH;
/// @dev Parts by which outputs and prices are raised, as a shift: 0.005 basis points.
uint256 constant RAISE_SHIFT = 21;
/// @dev Where the ratio falls by more than this part between two samples, the bend between them is not known enough.
uint256 constant WIDE_PARTS = 8;
/// @dev After this many samples, or where less than this part is left of what can be paid, the rest is a line.
uint256 constant MAX_SAMPLES = 33;
uint256 constant REST_PARTS = 1024;
/// @dev The way between samples is halved where the ratio falls by more than this part; what is less than that part of
/// all that can be paid is not drawn any finer.
uint256 constant FINE_PARTS = 16;
uint256 constant KNEE_PARTS = 1024;
/// @dev Around the focus it is halved where the ratio falls by more than this part.
uint256 constant BENT_PARTS = 16_384;

/// @dev A straight line is drawn as a segment whose ratio falls by this part of itself, as a shift; prices that are
/// closer are one price.
uint256 constant LINE_SHIFT = 34;

/// @notice What is known of a curve before it is sampled.
struct Shape {
    VenueKind kind;
    bool zeroForOne;
    /// Input that moves the price by its own order: the smaller reserve, in units of the token sold.
    uint256 unit;
    /// More is never paid.
    uint256 most;
    /// The largest input that the pool takes; zero where any.
    uint256 limit;
    /// The price falls at once near the end, and samples have it exactly.
    bool hasKnee;
    /// The curve is a plain constant product, with this fee.
    bool isProduct;
    uint256 reserveIn;
    uint256 feePips;
    /// Input around which the curve is drawn finely; zero for none.
    uint256 focus;
}

using {inputOf, isEnd, isInFocus, isKnee} for Shape global;
using {raised} for Sample global;

/// @notice The same a few parts in ten million higher, because between samples a curve bends otherwise than a parabola
/// where it turns from concave to convex.
function raised(Sample memory sample) pure returns (Sample memory) {
    sample.amountOut += sample.amountOut >> RAISE_SHIFT;
    sample.ratio += sample.ratio >> (RAISE_SHIFT + 1);
    return sample;
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
    return shape.most - (last.amountOut >> FRACTION_BITS) < shape.most / REST_PARTS;
}

/// @notice Whether the focus lies between two samples.
function isInFocus(Shape memory shape, Sample memory from, Sample memory to) pure returns (bool) {
    return from.amountIn < shape.focus && shape.focus <= to.amountIn;
}

/// @notice Whether the price falls between two samples by more than what lies in focus may.
function isBent(Sample memory from, Sample memory to) pure returns (bool) {
    return to.ratio < from.ratio - from.ratio / BENT_PARTS;
}

/// @notice Whether the price falls too much between two samples, for what lies between them.
function isKnee(Shape memory shape, Sample memory from, Sample memory to) pure returns (bool) {
    if (to.ratio >= from.ratio - from.ratio / FINE_PARTS || to.amountOut <= from.amountOut) return false;
    return (to.amountOut - from.amountOut) >> FRACTION_BITS > shape.most / KNEE_PARTS;
}

/// @notice Draws the curve between two samples as two segments that meet it at both, in amounts and in price.
/// @dev With u = 1/ratio a segment is a straight line of x(u). Two lines through both ends of x(u) that enclose the
/// curve's area with the price axis leave one choice, the price at which they meet. Where x(u) is concave, as seen from
/// a chord dearer than the mean of the two prices, meeting within the first third of u keeps the drawn area before
/// every price at least the true one (exactly so for a parabola; the tenth leaves room for what is steeper); where it is
/// convex, within the last third. That area is what a pool can give at a price, so the drawn curve is never below the true one.
function drawBetween(Segments memory segments, Sample memory from, Sample memory to, bool hasKnee) pure {
    if (to.amountOut <= from.amountOut || to.amountIn <= from.amountIn) return;
    if (to.ratio >= from.ratio || from.ratio - to.ratio < from.ratio >> LINE_SHIFT) {
        return _drawLine(segments, from, to, from.ratio);
    }
    uint256 chord = FixedPointMathLib.fullMulDiv(
        to.amountOut - from.amountOut, Q96, (to.amountIn - from.amountIn) << FRACTION_BITS
    );
    if (to.ratio < from.ratio - from.ratio / WIDE_PARTS || (hasKnee && _isSteep(from, to, chord))) {
        return _drawTangents(segments, from, to);
    }
    uint256 middle = _middleRatio(from, to, chord);
    if (middle >= from.ratio || middle <= to.ratio) return _drawLine(segments, from, to, middle);
    Sample memory meeting = _meetingAt(from, to, middle);
    segments.push(from, meeting, from.ratio, middle);
    segments.push(meeting, to, middle, to.ratio);
}

/// @dev Whether the curve bends more at one end than a parabola does whose price stands still there: of that, the mean price
/// is a third of the way from one price to the other, a sixth off the middle. So does the knee of a stable pool.
function _isSteep(Sample memory from, Sample memory to, uint256 chord) pure returns (bool) {
    uint256 high = FixedPointMathLib.fullMulDiv(from.ratio, from.ratio, Q96);
    uint256 low = FixedPointMathLib.fullMulDiv(to.ratio, to.ratio, Q96);
    return 3 * FixedPointMathLib.dist(2 * chord, high + low) > high - low;
}

/// @dev The price at which the two segments meet; within what leaves both of them an output.
/// @param chord The mean price between the samples, Q96.
function _middleRatio(Sample memory from, Sample memory to, uint256 chord) pure returns (uint256 middle) {
    (uint256 high, uint256 low) = (from.ratio, to.ratio);
    bool isConcave = chord >= FixedPointMathLib.fullMulDiv(high, low, Q96);
    middle = FixedPointMathLib.fullMulDiv(10 * high, low, isConcave ? 9 * low + high : low + 9 * high);
    middle = FixedPointMathLib.max(middle, FixedPointMathLib.fullMulDivUp(chord, Q96, high));
    return FixedPointMathLib.min(middle, FixedPointMathLib.fullMulDiv(chord, Q96, low));
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
        amountIn: from.amountIn + (firstIn >> FRACTION_BITS), amountOut: from.amountOut + firstOut, ratio: to.ratio
    });
    _drawLine(segments, from, meeting, from.ratio);
    _drawLine(segments, meeting, to, to.ratio);
}

/// @notice Draws all that a pool still has at its last price: no curve that falls is above that.
/// @param reserveOut With `FRACTION_BITS` fractional bits.
function drawRest(Segments memory segments, Sample memory from, uint256 reserveOut) pure {
    if (reserveOut <= from.amountOut) return;
    uint256 rest = FixedPointMathLib.fullMulDiv(reserveOut - from.amountOut, Q96, from.ratio);
    rest = FixedPointMathLib.fullMulDiv(rest, Q96, from.ratio) >> FRACTION_BITS;
    Sample memory to = Sample({amountIn: from.amountIn + rest, amountOut: reserveOut, ratio: 0});
    _drawLine(segments, from, to, from.ratio);
}

/// @notice Draws that a pool which has nothing left takes `amountIn` more: a segment of the least liquidity there is.
function drawNothing(Segments memory segments, uint256 amountIn) pure {
    uint256 at = segments.count * SEGMENT_LENGTH;
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

/// @notice The ratios of a segment that follows one which ended at `ceiling`: it cannot start above, and where all of
/// it was above, it falls as much from there.
function lowered(uint256 start, uint256 end, uint256 ceiling) pure returns (uint256, uint256) {
    if (start <= ceiling) return (start, end);
    return (ceiling, end < ceiling ? end : ceiling - FixedPointMathLib.min(start - end, ceiling - 1));
}

function push(Segments memory segments, Sample memory from, Sample memory to, uint256 start, uint256 end) pure {
    uint256 at = segments.count * SEGMENT_LENGTH;
    if (at == segments.words.length) segments.words = Words.widened(segments.words, FIRST_ROOM);
    uint256[] memory words = segments.words;
    uint256 liquidity = FixedPointMathLib.fullMulDiv(to.amountOut - from.amountOut, Q96 >> FRACTION_BITS, start - end);
    if (liquidity == 0) return;
    if (at != 0) (start, end) = lowered(start, end, words[at - 3]);
    (words[at], words[at + 1], words[at + 2]) = (liquidity, start, end);
    words[at + 3] = to.amountIn - from.amountIn;
    words[at + 4] = (to.amountOut >> FRACTION_BITS) - (from.amountOut >> FRACTION_BITS);
    segments.count += 1;
}

/// @notice The words of what was drawn.
function close(Segments memory segments) pure returns (uint256[] memory words) {
    words = segments.words;
    uint256 length = segments.count * SEGMENT_LENGTH;
    assembly ("memory-safe") {
        mstore(words, length)
    }
}
