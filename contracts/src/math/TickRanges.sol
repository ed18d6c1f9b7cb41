// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Curve} from "../types/Market.sol";
import {push} from "./CurveSegments.sol";
import {Q96, segmentAmounts} from "./Ratio.sol";
import {BitMath} from "@uniswap/v4-core/src/libraries/BitMath.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

using {push} for Curve;

/// @notice Ratio of a concentrated-liquidity pool at a price, fee included, in Q96.
/// @dev Selling token0 gives price P of token1, so r = sqrt(P) sqrt(g); selling token1 gives r = sqrt(g) / sqrt(P).
function ratioAt(uint256 sqrtPriceX96, uint256 afterFee, bool zeroForOne) pure returns (uint256) {
    return zeroForOne
        ? FixedPointMathLib.fullMulDiv(sqrtPriceX96, afterFee, Q96)
        : FixedPointMathLib.fullMulDiv(afterFee, Q96, sqrtPriceX96);
}

/// @notice Appends the range down (or up) to `sqrtPriceX96` with the pool's own `liquidity`.
/// @param afterFee `sqrtAfterFee` of the pool's fee.
function pushRange(Curve memory curve, uint256 liquidity, uint256 sqrtPriceX96, uint256 afterFee, bool zeroForOne)
    pure {
    uint256 end = ratioAt(sqrtPriceX96, afterFee, zeroForOne);
    if (liquidity == 0) {
        curve.endRatio = end;
        return;
    }
    if (curve.endRatio <= end || end == 0) return;
    uint256 scaled = scaledLiquidity(liquidity, afterFee);
    (uint256 segmentIn, uint256 segmentOut) = segmentAmounts(scaled, curve.endRatio, end);
    curve.push(scaled, curve.endRatio, end, segmentIn, segmentOut);
}

/// @notice A pool's liquidity as the liquidity of a segment: L / sqrt(g), rounded up. Rounded down, pools of little
/// liquidity would pay more than their curves.
function scaledLiquidity(uint256 liquidity, uint256 afterFee) pure returns (uint256) {
    return FixedPointMathLib.fullMulDivUp(liquidity, Q96, afterFee);
}

/// @notice Next initialized tick of one bitmap word at or beyond `compressed` in the direction of the swap.
/// @param compressed Tick divided by the tick spacing, rounded towards minus infinity.
/// @return next Compressed tick found, or the last one of the word in that direction.
function nextInWord(uint256 word, int256 compressed, bool zeroForOne) pure returns (int256 next, bool initialized) {
    uint256 bit = uint256(compressed) & 255;
    if (zeroForOne) {
        uint256 masked = word & (type(uint256).max >> (255 - bit));
        initialized = masked != 0;
        next = initialized ? compressed - int256(bit - BitMath.mostSignificantBit(masked)) : compressed - int256(bit);
    } else {
        uint256 masked = word & (type(uint256).max << bit);
        initialized = masked != 0;
        next = initialized
            ? compressed + int256(uint256(BitMath.leastSignificantBit(masked)) - bit)
            : compressed + int256(255 - bit);
    }
}

/// @notice `tick / spacing`, rounded towards minus infinity.
function compress(int256 tick, int256 spacing) pure returns (int256 compressed) {
    compressed = tick / spacing;
    if (tick < 0 && tick % spacing != 0) --compressed;
}

/// @notice Square root price at a tick, the tick kept within what pools allow.
function sqrtPriceAtTick(int256 tick) pure returns (uint160) {
    if (tick <= TickMath.MIN_TICK) return TickMath.MIN_SQRT_PRICE + 1;
    if (tick >= TickMath.MAX_TICK) return TickMath.MAX_SQRT_PRICE - 1;
    return TickMath.getSqrtPriceAtTick(int24(tick));
}
