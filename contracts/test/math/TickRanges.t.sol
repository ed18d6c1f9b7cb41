// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Q96, sqrtAfterFee} from "../../src/math/Ratio.sol";
import {scaledLiquidity} from "../../src/math/TickRanges.sol";
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
}
