// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {stableBalance, stableInvariant} from "../../src/math/SolidlyCurve.sol";
import {Test} from "forge-std/Test.sol";

/// @notice Expected values were computed from the published pool's steps in Python.
contract SolidlyCurveTest is Test {
    /// @dev Where the published pool looks one unit further it stops only because it divides the balances by their decimals once
    /// more. Without that, its steps go round in circles here until it gives up.
    function test_stableBalance_looksOneUnitFurtherAsThePoolDoes() public pure {
        uint256[4][3] memory cases = [
            [uint256(95_463746486021668272), 138267625036576465512615115, 86_906148891970565038, 86_906148891970564175],
            [uint256(30_709197733903383413), 210317347378103349518103, 6_912050778650807877, 6_912050778650808657],
            [uint256(70_834603409709472836), 3122947964687798264377436, 8_657428560174652297, 8_657428560174652039]
        ];
        for (uint256 i; i < cases.length; ++i) {
            (uint256 x, uint256 k, uint256 from, uint256 y) = (cases[i][0], cases[i][1], cases[i][2], cases[i][3]);
            assertEq(stableBalance(x, k, from, 1e8, 1e18), y);
            // The curve's own balance, for whoever does not need the pool's.
            assertApproxEqAbs(stableBalance(x, k, from, 0, 0), y, 1);
        }
    }

    function test_stableInvariant_roundsEachProductDown() public pure {
        assertEq(stableInvariant(3e18, 2e18), 78e18, "27 * 2 + 3 * 8");
        assertEq(stableInvariant(1e9, 1e9 - 1), 0, "a product below one");
        assertEq(stableInvariant(1e18 + 1, 1e18 + 1), 2e18 + 8, "(1 + 2e-18) (2 + 4e-18)");
    }
}
