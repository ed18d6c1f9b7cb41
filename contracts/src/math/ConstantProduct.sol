// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Curve} from "../types/Market.sol";
import {push} from "./CurveSegments.sol";
import {MAX_RATIO, MIN_RATIO, WHOLE_PIPS, sqrtRatio} from "./Ratio.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

using {push} for Curve;

/// @notice More than a pair can count.
error BeyondReserves(uint256 amountIn, uint256 reserveIn, uint256 reserveOut);

/// @notice Output of a constant-product pool for an input, fee on input, rounded down as the pool rounds.
/// @dev `x g R_out / (R_in + x g)` with g = 1 - fee; scaling by 10^6 instead of the pool's 10^3 or 10^4 floors alike.
/// Pools keep reserves in 112 bits, so nothing overflows up to there, and beyond it reverts. `feePips` is below the whole.
function constantProductOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut, uint256 feePips)
    pure
    returns (uint256)
{
    if ((amountIn | reserveIn | reserveOut) > type(uint112).max) {
        revert BeyondReserves(amountIn, reserveIn, reserveOut);
    }
    unchecked {
        uint256 charged = amountIn * (WHOLE_PIPS - feePips);
        return charged * reserveOut / (reserveIn * WHOLE_PIPS + charged);
    }
}

/// @dev A pool that is given so many times its reserve, as a shift, has nothing left to pay.
uint256 constant SATED_SHIFT = 16;

/// @notice Draws the whole pool as one segment: liquidity sqrt(R_in R_out / g), starting at sqrt(g R_out / R_in).
function drawConstantProduct(Curve memory curve, uint256 reserveIn, uint256 reserveOut, uint256 feePips) pure {
    (uint256 liquidity, uint256 start) = constantProductSegment(reserveIn, reserveOut, feePips);
    if (start < MIN_RATIO || start > MAX_RATIO) return;
    curve.startRatio = start;
    curve.push(liquidity, start, 1, reserveIn << SATED_SHIFT, reserveOut);
}

/// @notice The segment's liquidity, and the ratio that it starts at.
/// @dev The liquidity is the root rounded down, plus one. Rounded down alone, small pools would pay more than their curves.
function constantProductSegment(uint256 reserveIn, uint256 reserveOut, uint256 feePips)
    pure
    returns (uint256 liquidity, uint256 start)
{
    start = sqrtRatio(reserveOut * (WHOLE_PIPS - feePips), reserveIn * WHOLE_PIPS);
    // Reserves are below 2^112, so the product is below 2^244.
    liquidity = FixedPointMathLib.sqrt(reserveIn * reserveOut * WHOLE_PIPS / (WHOLE_PIPS - feePips)) + 1;
}
