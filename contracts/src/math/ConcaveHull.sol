// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {sqrtRatio} from "./Ratio.sol";
import {FRACTION_BITS, LINE_SHIFT, Sample, Segments} from "./Sampling.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice The lowest line above all points given so far, of which no part is steeper than what is before it.
/// @dev Inputs below 2^112, and outputs with `FRACTION_BITS` below 2^144.
struct ConcaveHull {
    uint256[] inputs;
    uint256[] outputs;
    uint256 count;
}

using {add, edgeAt, outputAt, drawPart} for ConcaveHull global;

function newHull(uint256 points) pure returns (ConcaveHull memory) {
    return ConcaveHull(new uint256[](points), new uint256[](points), 0);
}

/// @notice Adds a point, whose input is not below that of the last one.
function add(ConcaveHull memory hull, uint256 input, uint256 output) pure {
    (uint256[] memory xs, uint256[] memory ys, uint256 n) = (hull.inputs, hull.outputs, hull.count);
    if (n != 0 && xs[n - 1] == input) {
        if (output <= ys[n - 1]) return;
        --n;
    }
    while (n > 1) {
        (uint256 x, uint256 y) = (xs[n - 1], ys[n - 1]);
        // Below the line from the point before it to the new one.
        bool isAbove = y > ys[n - 2] && (output <= y || (y - ys[n - 2]) * (input - x) > (output - y) * (x - xs[n - 2]));
        if (isAbove) break;
        --n;
    }
    (xs[n], ys[n], hull.count) = (input, output, n + 1);
}

/// @notice The part of the line that holds an input: where it begins, and its width and height.
function edgeAt(ConcaveHull memory hull, uint256 input) pure returns (uint256 x, uint256 y, uint256 dx, uint256 dy) {
    (uint256[] memory xs, uint256[] memory ys) = (hull.inputs, hull.outputs);
    uint256 k = 1;
    while (k + 1 < hull.count && xs[k] < input) ++k;
    (x, y) = (xs[k - 1], ys[k - 1]);
    (dx, dy) = (xs[k] - x, FixedPointMathLib.zeroFloorSub(ys[k], y));
}

/// @notice The line's output at an input between its ends.
function outputAt(ConcaveHull memory hull, uint256 input) pure returns (uint256) {
    (uint256 x, uint256 y, uint256 dx, uint256 dy) = hull.edgeAt(input);
    return dy == 0 ? y : y + FixedPointMathLib.fullMulDiv(dy, input - x, dx);
}

/// @notice Draws the line between two inputs.
/// @return last The end of it, with the line's price before it.
function drawPart(ConcaveHull memory hull, Segments memory segments, uint256 start, uint256 end)
    pure
    returns (Sample memory last)
{
    Sample memory from;
    (from.amountIn, from.amountOut) = (start, hull.outputAt(start));
    for (uint256 k = 1; k < hull.count && from.amountIn < end; ++k) {
        if (hull.inputs[k] <= start) continue;
        Sample memory to;
        to.amountIn = FixedPointMathLib.min(hull.inputs[k], end);
        to.amountOut = to.amountIn == end ? hull.outputAt(end) : hull.outputs[k];
        (uint256 x, uint256 y) = (hull.inputs[k - 1], hull.outputs[k - 1]);
        if (hull.outputs[k] <= y) to.ratio = from.ratio;
        else to.ratio = sqrtRatio(hull.outputs[k] - y, hull.inputs[k] - x) >> (FRACTION_BITS / 2);
        uint256 fall = to.ratio >> LINE_SHIFT;
        if (fall != 0 && to.amountOut > from.amountOut) segments.push(from, to, to.ratio, to.ratio - fall);
        from = to;
    }
    return from;
}
