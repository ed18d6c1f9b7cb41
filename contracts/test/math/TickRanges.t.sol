// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Q96, sqrtAfterFee} from "../../src/math/Ratio.sol";
import {pushRange, scaledLiquidity} from "../../src/math/TickRanges.sol";
import {Curve} from "../../src/types/Market.sol";
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

    function _curveTo(uint256 endRatio) private pure returns (Curve memory curve) {
        curve.segments = new uint256[](20);
        curve.endRatio = endRatio;
    }
}
