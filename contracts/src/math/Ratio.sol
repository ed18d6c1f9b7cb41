// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev One in Q96.
uint256 constant Q96 = 1 << 96;
/// @dev Fees are in pips: this many are the whole.
uint256 constant WHOLE_PIPS = 1e6;

/// @dev Ratios outside of this range lose precision in the optimizer; a curve that starts outside is left out.
uint256 constant MIN_RATIO = 1 << 40;
uint256 constant MAX_RATIO = 1 << 152;

/// @notice Square root of `numerator / denominator` in Q96, rounded down; zero if it does not fit.
/// @dev Exact to about 2^-60 for quotients within 2^-66 and 2^64, coarser outside.
function sqrtRatio(uint256 numerator, uint256 denominator) pure returns (uint256) {
    if (denominator == 0) return 0;
    if (numerator / denominator < 1 << 63) {
        return FixedPointMathLib.sqrt(FixedPointMathLib.fullMulDiv(numerator, 1 << 192, denominator));
    }
    if (numerator / denominator < 1 << 127) {
        return FixedPointMathLib.sqrt(FixedPointMathLib.fullMulDiv(numerator, 1 << 128, denominator)) << 32;
    }
    return 0;
}

/// @notice Square root of what a fee leaves, in Q96.
function sqrtAfterFee(uint256 feePips) pure returns (uint256) {
    return FixedPointMathLib.sqrt(((WHOLE_PIPS - feePips) << 192) / WHOLE_PIPS);
}

/// @notice Input and output of a segment between two ratios, both rounded down.
/// @dev x = a (1/end - 1/start), y = a (start - end); see `IOptimizer`.
function segmentAmounts(uint256 liquidity, uint256 start, uint256 end)
    pure
    returns (uint256 amountIn, uint256 amountOut)
{
    // Rounded apart, the two can cross where a range holds less than a unit.
    amountIn = FixedPointMathLib.zeroFloorSub(
        FixedPointMathLib.fullMulDiv(liquidity, Q96, end), FixedPointMathLib.fullMulDivUp(liquidity, Q96, start)
    );
    amountOut = FixedPointMathLib.fullMulDiv(liquidity, start - end, Q96);
}

/// @notice The ratios of a segment that follows one which ended at `ceiling`: it cannot start above, and falls as much from
/// there, because its liquidity is that which pays its output over this fall.
function lowered(uint256 start, uint256 end, uint256 ceiling) pure returns (uint256, uint256) {
    if (start <= ceiling) return (start, end);
    return (ceiling, ceiling - FixedPointMathLib.min(start - end, ceiling - 1));
}
