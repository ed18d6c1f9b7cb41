// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Q96, sqrtRatio} from "./Ratio.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice A curve of one price: `top` for `mostIn`, and in proportion for less. It takes no more than that.
struct Line {
    uint256 mostIn;
    uint256 top;
}

using {heightAt, segment} for Line global;

/// @dev Inputs and outputs that a line may have, and their product. A line is drawn as a segment whose price falls in proportion to
/// the square root of the product: by 2^-26 of itself at the most.
uint256 constant MOST_IN = 1 << 112;
uint256 constant MOST_OUT = 1 << 116;
uint256 constant MOST_ROOT = 1 << 98;

/// @dev No ratio falls by less than this part of itself, as a shift: prices that are closer are one price.
uint256 constant FLAT_SHIFT = 34;
/// @dev Nor by less than this part of the output, as a shift: the liquidity stays below 2^126, the optimizer's limit.
uint256 constant STEEP_SHIFT = 29;
/// @dev Precision of a ratio, as a shift.
uint256 constant EXACT_SHIFT = 59;

/// @notice The line through what a converter pays for its largest input.
/// @dev Converters round more than once, each time by less than two units of their input are worth.
function lineThrough(uint256 mostIn, uint256 amountOut) pure returns (Line memory) {
    return Line(mostIn, amountOut + 2 * (amountOut / mostIn + 1));
}

/// @notice As much of an input, which pays `amountOut`, as pays at most `mostOut` and can be drawn.
function narrowed(uint256 amountIn, uint256 amountOut, uint256 mostOut) pure returns (uint256) {
    if (amountOut > mostOut) {
        amountIn = FixedPointMathLib.fullMulDiv(amountIn, mostOut, amountOut);
        amountOut = mostOut;
    }
    // At most 2^112 times 2^116.
    uint256 root = FixedPointMathLib.sqrt(amountIn * amountOut) + 1;
    return root > MOST_ROOT ? amountIn * MOST_ROOT / root : amountIn;
}

/// @notice What the line has for an input, rounded up.
function heightAt(Line memory line, uint256 amountIn) pure returns (uint256) {
    return FixedPointMathLib.fullMulDivUp(amountIn, line.top, line.mostIn);
}

/// @notice The line as a segment of `IOptimizer`, whose price is nowhere below the line's.
function segment(Line memory line) pure returns (uint256 liquidity, uint256 start, uint256 end) {
    end = sqrtRatio(line.top, line.mostIn);
    end += (end >> EXACT_SHIFT) + 1;
    start = end + FixedPointMathLib.max(end >> FLAT_SHIFT, (line.top >> STEEP_SHIFT) + 1);
    liquidity = FixedPointMathLib.fullMulDivUp(line.mostIn, start, Q96);
    liquidity = FixedPointMathLib.fullMulDivUp(liquidity, end, start - end);
}
