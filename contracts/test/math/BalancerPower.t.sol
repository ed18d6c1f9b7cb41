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

    /// @dev Bases, exponents and powers, computed with the published algorithm in Python: equal to the last digit. The algorithm divides bases
    /// by some powers of e: there are bases above the largest one (e^128), and some that equal one of them. It treats bases near one in another
    /// way: there are bases near one, and at both ends of that range. The others are small.
    function test_powUp_isTheAlgorithmsOwn() public pure {
        uint256[3][13] memory cases = [
            [
                uint256(1569275433846670190958947355801916604025588861116008628224000000000000000000),
                100000000000000000,
                524288000000005242358356
            ],
            [uint256(8886110520507872636760000), 3000000000000000000, 701673591209770190601340227288305497001],
            [uint256(1050000000000000000), 3000000000000000000, 1157625000000011577],
            [uint256(950000000000000000), 2000000000000000000, 902500000000009028],
            [
                uint256(1099999999999999999),
                987654321987654321987,
                76149033438216424215368226199851148927871305730720147408736
            ],
            [uint256(900000000000000001), 123456789123456789123, 2243505492149],
            [uint256(900000000000000000), 2333333333333333333, 782046401530567928],
            [uint256(1100000000000000000), 1571428571428571428, 1161570698549724543],
            [uint256(78962960182680695161000000000000), 333333333333333333, 42901697232671907218592],
            [
                uint256(6235149080811616882910000000000000000000000000),
                500000000000000000,
                78962960182681484790601826806953
            ],
            [uint256(123456789), 200000000000000000, 10430448796123015],
            [uint256(987654321987654321), 333333333333333333, 995867721793263029],
            [uint256(714285714285714285), 20000000000000000000, 1195196427745531]
        ];
        for (uint256 i; i < cases.length; ++i) {
            assertEq(BalancerPower.powUp(cases[i][0], cases[i][1]), cases[i][2], vm.toString(i));
        }
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
