// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StableSwap} from "../../src/math/StableSwap.sol";
import {Test} from "forge-std/Test.sol";

/// @notice Expected values solve the equation `Ann S + D = Ann D + D^(n+1) / (n^n prod)`, by bisection in Python with 80 digits.
contract StableSwapTest is Test {
    uint256 private constant PRECISION = 1000;
    /// @dev Units that integer steps may be off.
    uint256 private constant ROUNDED = 2;

    struct Case {
        uint256[] balances;
        uint256 ann;
        uint256 i;
        uint256 j;
        uint256 sold;
        /// Rounded down: D, the balance of the token bought after the sale, and the root of the price then, in Q96.
        uint256 invariant;
        uint256 left;
        uint256 root;
    }

    function test_stableSwap_ofTwoTokens() public pure {
        _check(
            Case(
                _pair(3e24, 2e24),
                400,
                0,
                1,
                0.1e24,
                4_999481918554969775373970,
                1_900241413293572922799310,
                79121863466595160257066303658
            )
        );
    }

    function test_stableSwap_ofTwoTokens_farFromBalance() public pure {
        _check(
            Case(
                _pair(1e24, 3e21),
                60,
                0,
                1,
                0.7e24,
                643548009942780927225066,
                611782452872068512293,
                2419095149017886863109964277
            )
        );
    }

    function test_stableSwap_ofThreeTokens() public pure {
        uint256[] memory balances = new uint256[](3);
        (balances[0], balances[1], balances[2]) = (0.05e24, 4e24, 0.7e24);
        _check(
            Case(
                balances,
                300,
                0,
                1,
                1e24,
                4_426269934204798456081552,
                2_685523386193689945249355,
                79773019376143835378457151571
            )
        );
    }

    function test_stableSwap_ofFourTokens() public pure {
        uint256[] memory balances = new uint256[](4);
        (balances[0], balances[1], balances[2], balances[3]) = (0.1e24, 0.2e24, 0.3e24, 0.4e24);
        _check(
            Case(
                balances,
                4000,
                3,
                0,
                0.05e24,
                999843378350683694685509,
                50311751984606248378542,
                78731315423847455545374767214
            )
        );
    }

    /// @dev The published pools give up here: the steps go round in circles.
    function test_invariantOf_whereTheStepsNeverEnd_isNone() public pure {
        StableSwap memory pool;
        pool.balances = _pair(332760998643491, 3);
        (pool.ann, pool.precision) = (4, 1);
        assertEq(pool.invariantOf(false), 0);
        assertEq(pool.invariantOf(true), 0);
    }

    function test_invariantOf_nothing_isNone() public pure {
        StableSwap memory pool;
        pool.balances = _pair(0, 0);
        (pool.ann, pool.precision) = (4, 1);
        assertEq(pool.invariantOf(false), 0);
    }

    function _pair(uint256 first, uint256 second) private pure returns (uint256[] memory balances) {
        balances = new uint256[](2);
        (balances[0], balances[1]) = (first, second);
    }

    function _check(Case memory expected) private pure {
        StableSwap memory pool;
        pool.balances = expected.balances;
        (pool.ann, pool.precision) = (expected.ann * PRECISION, PRECISION);
        (pool.i, pool.j, pool.rateIn, pool.rateOut) = (expected.i, expected.j, 1e18, 1e18);
        for (uint256 k; k < 2; ++k) {
            pool.invariant = pool.invariantOf(k == 1);
            assertApproxEqAbs(pool.invariant, expected.invariant, ROUNDED, "invariant");
        }
        uint256 x = expected.balances[expected.i] + expected.sold;
        assertApproxEqAbs(pool.balanceDown(x), expected.left, ROUNDED, "balance, rounded down");
        // Balancer's pools round up before they multiply by the precision.
        assertGt(pool.balanceUp(x), expected.left, "rounded up");
        assertApproxEqAbs(pool.balanceUp(x), expected.left, ROUNDED * PRECISION, "balance, rounded up");
        (uint256 root,) = pool.priceRatio(x, expected.left, 1, 1);
        assertApproxEqRel(root, expected.root, 1e6, "root of the price, to a millionth of a millionth");
        (uint256 kept,) = pool.priceRatio(x, expected.left, 81, 100);
        assertApproxEqRel(kept, expected.root * 9 / 10, 1e6, "after a fee");
    }
}
