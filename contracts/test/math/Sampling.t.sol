// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FRACTION_BITS, MAX_SAMPLES, Sample, Segments, Shape} from "../../src/math/Sampling.sol";
import {Test} from "forge-std/Test.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

contract SamplingTest is Test {
    /// @dev What the Solver adds to its bound for the rounding of curves, as a shift.
    uint256 private constant MARGIN_SHIFT = 28;

    /// @dev At a price next to zero there is so much left to pay that no segment of the optimizer's domain pays it all. What is
    /// drawn is not below it for any input that the optimizer takes.
    function testFuzz_push_keepsTheDomainAndIsNotBelow(uint256 start, uint256 amountOut, uint256 amountIn) public pure {
        start = 2 + (start >> 8) % (1 << (1 + (start & 255) % 61));
        amountOut = 1 + (amountOut >> 8) % (1 << (1 + (amountOut & 255) % 96));
        amountIn = (amountIn >> 8) % (1 << (1 + (amountIn & 255) % 128));
        Sample memory from;
        Sample memory to;
        to.amountOut = amountOut << FRACTION_BITS;
        Segments memory segments;
        segments.push(from, to, start, start - 1);
        uint256[] memory words = segments.close();
        if (words.length == 0) return;
        (uint256 liquidity, uint256 end) = (words[0], words[2]);
        assertLt(liquidity, 1 << 126, "liquidity");
        assertEq(words[1], start);
        assertGe(end, 1, "ends");
        assertLt(end, start, "falls");
        // At a price that stays.
        uint256 paid = FixedPointMathLib.fullMulDiv(amountIn * start, start, 1 << 192);
        paid = FixedPointMathLib.min(paid, amountOut);
        uint256 ratio = FixedPointMathLib.fullMulDiv(
            liquidity, start, liquidity + FixedPointMathLib.fullMulDiv(start, amountIn, 1 << 96)
        );
        if (ratio < end) ratio = end;
        uint256 drawn = FixedPointMathLib.fullMulDiv(liquidity, start - ratio, 1 << 96);
        assertGe(drawn + (drawn >> MARGIN_SHIFT) + 1, paid, "below");
    }

    function test_push_keepsTheDomainNextToZero() public pure {
        Sample memory from;
        Sample memory to;
        to.amountOut = 1e24 << FRACTION_BITS;
        Segments memory segments;
        segments.push(from, to, 1 << 40, (1 << 40) - (1 << 6));
        assertLt(segments.close()[0], 1 << 126);
    }

    function test_inputOf_isParts_andThenDoublesInTwoSteps() public pure {
        Shape memory shape;
        shape.unit = 1 << 20;
        uint256[9] memory inputs = [uint256(0), 1 << 8, 1 << 10, 1 << 12, 3 << 11, 1 << 13, 3 << 12, 1 << 14, 3 << 13];
        for (uint256 index; index < inputs.length; ++index) {
            assertEq(shape.inputOf(index), inputs[index], vm.toString(index));
        }
    }

    function testFuzz_inputOf_isNeverBeyondTheLimit(uint256 unit, uint256 limit) public pure {
        Shape memory free;
        Shape memory limited;
        (free.unit, limited.unit) = (unit >> 128, unit >> 128);
        limited.limit = 1 + (limit >> 8) % (1 << (1 + (limit & 255) % 160));
        for (uint256 index; index <= MAX_SAMPLES; ++index) {
            uint256 input = free.inputOf(index);
            assertEq(limited.inputOf(index), FixedPointMathLib.min(input, limited.limit));
        }
    }
}
