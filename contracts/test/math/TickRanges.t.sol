// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Q96, sqrtAfterFee} from "../../src/math/Ratio.sol";
import {compress, nextInWord, pushRange, scaledLiquidity, sqrtPriceAtTick} from "../../src/math/TickRanges.sol";
import {Curve} from "../../src/types/Market.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {Test} from "forge-std/Test.sol";

contract TickRangesTest is Test {
    function test_scaledLiquidity_isRoundedUp() public pure {
        // 39 / sqrt(0.997) is 39.06: rounded down, a pool would pay 0.15 % more than its curve.
        assertEq(scaledLiquidity(39, sqrtAfterFee(3000)), 40);
        // 3e18 / sqrt(0.25).
        assertEq(scaledLiquidity(3e18, sqrtAfterFee(750_000)), 6e18);
        assertEq(scaledLiquidity(5, Q96), 5);
        assertEq(scaledLiquidity(0, sqrtAfterFee(3000)), 0);
    }

    function test_pushRange_appendsWhatLiesBelowTheEnd() public pure {
        Curve memory curve = _curveTo(Q96);
        pushRange(curve, 3e18, Q96 / 2, Q96, true);
        assertEq(curve.count, 1);
        assertEq(curve.endRatio, Q96 / 2);
        assertEq(curve.loadedIn, 3e18, "3e18 (2 - 1)");
    }

    function test_pushRange_appendsNothingAtOrAboveTheEnd() public pure {
        Curve memory curve = _curveTo(Q96);
        pushRange(curve, 3e18, Q96, Q96, true);
        pushRange(curve, 3e18, 2 * Q96, Q96, true);
        assertEq(curve.count, 0);
        assertEq(curve.endRatio, Q96);
    }

    /// @dev At such a price the ratio has no bits left.
    function test_pushRange_appendsNothingDownToARatioOfZero() public pure {
        Curve memory curve = _curveTo(Q96);
        pushRange(curve, 3e18, 1, sqrtAfterFee(3000), true);
        assertEq(curve.count, 0);
        assertEq(curve.endRatio, Q96);
    }

    function test_compress_roundsTowardsMinusInfinity() public pure {
        int256[3][8] memory cases = [
            [int256(0), 60, 0],
            [int256(59), 60, 0],
            [int256(60), 60, 1],
            [int256(-1), 60, -1],
            [int256(-60), 60, -1],
            [int256(-61), 60, -2],
            [int256(-7), 1, -7],
            [int256(887_272), 200, 4436]
        ];
        for (uint256 i; i < cases.length; ++i) {
            assertEq(compress(cases[i][0], cases[i][1]), cases[i][2], vm.toString(cases[i][0]));
        }
    }

    /// @dev Bits 3 and 200 of the word of ticks -256 to -1, which are -253 and -56.
    function test_nextInWord_findsTheNextBitOrTheEdge() public pure {
        uint256 word = 1 << 3 | 1 << 200;
        _expectNext(word, -1, true, -56, true);
        _expectNext(word, -56, true, -56, true);
        _expectNext(word, -57, true, -253, true);
        _expectNext(word, -254, true, -256, false);
        _expectNext(word, -256, false, -253, true);
        _expectNext(word, -253, false, -253, true);
        _expectNext(word, -252, false, -56, true);
        _expectNext(word, -55, false, -1, false);
    }

    function test_sqrtPriceAtTick_staysWithinWhatPoolsAllow() public pure {
        assertEq(sqrtPriceAtTick(TickMath.MIN_TICK - 1), TickMath.MIN_SQRT_PRICE + 1);
        assertEq(sqrtPriceAtTick(TickMath.MIN_TICK), TickMath.MIN_SQRT_PRICE + 1);
        assertEq(sqrtPriceAtTick(0), Q96);
        assertEq(sqrtPriceAtTick(TickMath.MAX_TICK), TickMath.MAX_SQRT_PRICE - 1);
        assertEq(sqrtPriceAtTick(TickMath.MAX_TICK + 1), TickMath.MAX_SQRT_PRICE - 1);
    }

    function _expectNext(uint256 word, int256 from, bool zeroForOne, int256 expected, bool isInitialized) private pure {
        (int256 next, bool initialized) = nextInWord(word, from, zeroForOne);
        assertEq(next, expected, vm.toString(from));
        assertEq(initialized, isInitialized, vm.toString(from));
    }

    function _curveTo(uint256 endRatio) private pure returns (Curve memory curve) {
        curve.segments = new uint256[](20);
        curve.endRatio = endRatio;
    }
}
