// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {sqrtRatio} from "./Ratio.sol";
import {FRACTION_BITS, LINE_SHIFT, RAISE_SHIFT, Sample, Segments} from "./Sampling.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice Samples of a curve of which only amounts are known: inputs in rising order, and outputs with `FRACTION_BITS`.
struct AverageCurve {
    uint256[] inputs;
    uint256[] outputs;
    uint256 count;
}

using {add, lastPrice, drawInto} for AverageCurve global;

/// @dev Bits of the first sample's average, and the fractional bits of a quotient's root.
uint256 constant AVERAGE_BITS = 100;
uint256 constant ROOT_BITS = 95;

function newAverageCurve(uint256 points) pure returns (AverageCurve memory) {
    return AverageCurve(new uint256[](points), new uint256[](points), 0);
}

/// @notice Adds a sample with a larger input than the last one. What pays less than that one is thought to pay as much.
function add(AverageCurve memory curve, uint256 amountIn, uint256 amountOut) pure {
    uint256 n = curve.count++;
    amountOut <<= FRACTION_BITS;
    if (n != 0) amountOut = FixedPointMathLib.max(amountOut, curve.outputs[n - 1]);
    (curve.inputs[n], curve.outputs[n]) = (amountIn, amountOut);
}

/// @notice Square root of the price between the last two samples, in Q96.
function lastPrice(AverageCurve memory curve) pure returns (uint256) {
    uint256 n = curve.count;
    (uint256 dx, uint256 dy) = (curve.inputs[n - 1], curve.outputs[n - 1]);
    if (n > 1) (dx, dy) = (dx - curve.inputs[n - 2], dy - curve.outputs[n - 2]);
    return sqrtRatio(dy, dx) >> (FRACTION_BITS / 2);
}

/// @notice Draws a curve that is nowhere below the samples, and whose price only falls.
/// @dev What an output costs on average, u = input / output, is a straight line of the input where a pool has one constant
/// product. So the curve is the lowest convex line through the points (input, u) or below them, and each of its parts is one
/// segment. A smaller u is a larger output.
/// @param isStart Whether the curve begins before the first sample, and not at it.
/// @return startRatio Zero if there is nothing to draw.
function drawInto(AverageCurve memory curve, Segments memory segments, bool isStart) pure returns (uint256 startRatio) {
    AverageLine memory line;
    line.scale = _scaleOf(curve);
    if (line.scale == 0) return 0;
    _span(line, curve);
    Sample memory from;
    uint256 first = isStart ? 0 : 1;
    for (uint256 k = first; k + 1 < line.count; ++k) {
        if (k != 0 && k == first) from = _pointAt(line, k);
        Sample memory to = _pointAt(line, k + 1);
        (uint256 start, uint256 end) = _ratiosOf(line, k, from, to);
        if (k == first) startRatio = start;
        if (to.amountOut > from.amountOut && start > end) segments.push(from, to, start, end);
        from = to;
    }
}

/// @dev The line of averages, from no input on.
struct AverageLine {
    uint256[] inputs;
    uint256[] averages;
    uint256 count;
    /// Averages times this are whole numbers of enough bits.
    uint256 scale;
}

/// @dev Zero if averages have too few or too many bits.
function _scaleOf(AverageCurve memory curve) pure returns (uint256) {
    if (curve.count == 0) return 0;
    uint256 bits = AVERAGE_BITS + FixedPointMathLib.log2(curve.outputs[0]);
    uint256 less = FixedPointMathLib.log2(curve.inputs[0]);
    return bits <= less || bits - less > 255 ? 0 : 1 << (bits - less);
}

/// @dev Averages never fall: an output that grows faster than its input is thought to do so from the start. Before the first
/// sample the line goes on as it does after it.
function _span(AverageLine memory line, AverageCurve memory curve) pure {
    uint256[] memory least = _leastAverages(curve, line.scale);
    uint256 room = curve.count + 1;
    (line.inputs, line.averages, line.count) = (new uint256[](room), new uint256[](room), 1);
    for (uint256 i; i < curve.count; ++i) {
        while (_isAbove(line, curve.inputs[i], least[i])) --line.count;
        (line.inputs[line.count], line.averages[line.count]) = (curve.inputs[i], least[i]);
        ++line.count;
    }
    (uint256[] memory xs, uint256[] memory us) = (line.inputs, line.averages);
    us[0] = us[1];
    if (line.count == 2) return;
    uint256 fall = FixedPointMathLib.fullMulDivUp(us[2] - us[1], xs[1], xs[2] - xs[1]);
    us[0] = FixedPointMathLib.max(FixedPointMathLib.zeroFloorSub(us[1], fall), us[1] / 2);
}

/// @dev Of each sample the least average from there on.
function _leastAverages(AverageCurve memory curve, uint256 scale) pure returns (uint256[] memory least) {
    least = new uint256[](curve.count);
    uint256 so = type(uint256).max;
    for (uint256 i = curve.count; i != 0; --i) {
        so = FixedPointMathLib.min(so, FixedPointMathLib.fullMulDiv(curve.inputs[i - 1], scale, curve.outputs[i - 1]));
        least[i - 1] = so;
    }
}

/// @dev Whether the line's last point is not below the chord from the one before it to another point.
function _isAbove(AverageLine memory line, uint256 x, uint256 u) pure returns (bool) {
    uint256 n = line.count;
    if (n < 3) return false;
    (uint256 x2, uint256 u2) = (line.inputs[n - 1], line.averages[n - 1]);
    return (u2 - line.averages[n - 2]) * (x - x2) >= (u - u2) * (x2 - line.inputs[n - 2]);
}

/// @dev Raised, because samples are rounded.
function _pointAt(AverageLine memory line, uint256 k) pure returns (Sample memory sample) {
    sample.amountIn = line.inputs[k];
    uint256 amountOut = FixedPointMathLib.fullMulDivUp(sample.amountIn, line.scale, line.averages[k]);
    sample.amountOut = amountOut + (amountOut >> RAISE_SHIFT);
}

/// @dev Of a part: their product is the price of its chord, and their quotient that of its averages.
function _ratiosOf(AverageLine memory line, uint256 k, Sample memory from, Sample memory to)
    pure
    returns (uint256 start, uint256 end)
{
    uint256 rise = FixedPointMathLib.zeroFloorSub(to.amountOut, from.amountOut);
    uint256 chord = sqrtRatio(rise, to.amountIn - from.amountIn) >> (FRACTION_BITS / 2);
    uint256 quotient = FixedPointMathLib.fullMulDiv(line.averages[k + 1], 1 << (2 * ROOT_BITS), line.averages[k]);
    uint256 root = FixedPointMathLib.sqrt(quotient);
    start = FixedPointMathLib.fullMulDiv(chord, root, 1 << ROOT_BITS);
    end = FixedPointMathLib.fullMulDiv(chord, 1 << ROOT_BITS, root);
    end = FixedPointMathLib.min(end, start - (start >> LINE_SHIFT));
}
