// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BalancerPower} from "../../src/math/BalancerPower.sol";
import {Test, stdError} from "forge-std/Test.sol";

/// @notice Powers whose value is known exactly. What pools compute with them is tested on the pools.
contract BalancerPowerTest is Test {
    function test_powUp_ofWholeNumbers() public pure {
        _expectJustAbove(2, 10);
        // Beyond e^64.
        _expectJustAbove(2, 100);
        _expectJustAbove(3, 110);
        _expectJustAbove(7, 65);
    }

    /// forge-config: default.allow_internal_expect_revert = true
    function test_powUp_revertsIf_theResultIsBeyondE128() public {
        vm.expectRevert(stdError.arithmeticError);
        BalancerPower.powUp(3e18, 117e18);
    }

    /// forge-config: default.allow_internal_expect_revert = true
    function test_powUp_revertsIf_theResultIsBeyondE130() public {
        vm.expectRevert(BalancerPower.OutOfRange.selector);
        BalancerPower.powUp(3e18, 119e18);
    }

    /// forge-config: default.allow_internal_expect_revert = true
    function test_powUp_revertsIf_theResultRoundsToNothing() public {
        vm.expectRevert(BalancerPower.OutOfRange.selector);
        BalancerPower.powUp(0.5e18, 60e18);
    }

    /// @dev The error is less than one part in 1e14, and the result is raised by as much.
    function _expectJustAbove(uint256 base, uint256 exponent) private pure {
        uint256 exact = base ** exponent * 1e18;
        uint256 power = BalancerPower.powUp(base * 1e18, exponent * 1e18);
        assertGe(power, exact);
        assertLe(power - exact, exact / 1e14 * 2);
        // And its inverse, as far as there are digits.
        if (exponent > 10) return;
        assertApproxEqAbs(BalancerPower.powUp(1e18 / base, exponent * 1e18), 1e18 / base ** exponent, 1000);
    }
}
