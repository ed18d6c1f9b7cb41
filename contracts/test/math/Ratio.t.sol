// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Q96, lowered, segmentAmounts, sqrtAfterFee, sqrtRatio} from "../../src/math/Ratio.sol";
import {Test} from "forge-std/Test.sol";

contract RatioTest is Test {
    function test_segmentAmounts_areThoseOfTheCurve() public pure {
        // From r = 1 to r = 1/2: x = a (2 - 1), y = a (1 - 1/2).
        (uint256 amountIn, uint256 amountOut) = segmentAmounts(1000, Q96, Q96 / 2);
        assertEq(amountIn, 1000);
        assertEq(amountOut, 500);
    }

    function test_segmentAmounts_ofARangeThatHoldsLessThanAUnit() public pure {
        (uint256 amountIn, uint256 amountOut) = segmentAmounts(3, Q96 + 2, Q96 + 1);
        assertEq(amountIn, 0);
        assertEq(amountOut, 0);
    }

    function testFuzz_segmentAmounts_neverReverts(uint128 liquidity, uint256 start, uint256 end) public pure {
        start = bound(start, 2, 1 << 160);
        end = bound(end, 1, start);
        (uint256 amountIn,) = segmentAmounts(liquidity, start, end);
        // x / y is between 1 / start^2 and 1 / end^2, so an output needs an input.
        if (start == end) assertEq(amountIn, 0);
    }

    /// @dev A segment's liquidity is that which pays its output over its fall.
    function testFuzz_lowered_fallsAsMuch(uint256 start, uint256 end, uint256 ceiling) public pure {
        start = bound(start, 2, 1 << 152);
        end = bound(end, 1, start - 1);
        ceiling = bound(ceiling, 2, 1 << 152);
        (uint256 first, uint256 last) = lowered(start, end, ceiling);
        assertLe(first, ceiling);
        assertGt(last, 0);
        if (start <= ceiling) assertEq(abi.encode(first, last), abi.encode(start, end));
        else if (ceiling > start - end) assertEq(first - last, start - end);
        else assertEq(last, 1);
    }

    function test_sqrtRatio_overTheWholeRange() public pure {
        assertEq(sqrtRatio(4, 1), 2 * Q96);
        assertEq(sqrtRatio(1, 4), Q96 / 2);
        assertEq(sqrtRatio(1 << 100, 1), uint256(1 << 50) * Q96);
        assertEq(sqrtRatio(1, 1 << 100), Q96 >> 50);
        assertEq(sqrtRatio(1, 0), 0);
        assertEq(sqrtRatio(type(uint256).max, 1), 0);
    }

    function test_sqrtAfterFee_squaredIsWhatTheFeeLeaves() public pure {
        uint256 root = sqrtAfterFee(3000);
        assertApproxEqAbs(root * root >> 96, Q96 * 997_000 / 1_000_000, 2);
    }
}
