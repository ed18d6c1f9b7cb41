// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {
    LOT_HALF_LIFE,
    LOT_HALVINGS,
    LOT_MAX_AGE,
    LOT_START_PRICE,
    lotAge,
    lotPrice,
    rebornAt
} from "../../src/math/LotPrice.sol";
import {Test} from "forge-std/Test.sol";

contract LotPriceTest is Test {
    uint256 private constant NOW = 1_800_000_000;
    uint256 private constant MOST = type(uint104).max;

    function test_lotPrice_startsAboveTheSupplyAndHalves() public pure {
        assertEq(lotPrice(0), 1 << 90);
        assertGt(lotPrice(0), 1_000_000_000e18);
        for (uint256 i; i <= 90; ++i) {
            assertEq(lotPrice(i * 15 minutes), 1 << (90 - i));
        }
        assertEq(LOT_MAX_AGE, 22.5 hours);
        assertEq(lotPrice(LOT_MAX_AGE), 1);
    }

    function test_lotPrice_isStraightInBetween() public pure {
        assertEq(lotPrice(225), (1 << 90) - (1 << 90) / 8);
        assertEq(lotPrice(450), (1 << 90) * 3 / 4);
        // Rounded up: 2 - 1/900, 2 - 899/900, and 1 never below.
        assertEq(lotPrice(LOT_MAX_AGE - LOT_HALF_LIFE + 1), 2);
        assertEq(lotPrice(LOT_MAX_AGE - 1), 2);
    }

    function testFuzz_lotPrice_neverRises(uint256 age, uint256 later) public pure {
        age = bound(age, 0, LOT_MAX_AGE);
        later = bound(later, age, LOT_MAX_AGE);
        assertGe(lotPrice(age), lotPrice(later));
        assertLe(lotPrice(age), LOT_START_PRICE);
        assertGe(lotPrice(later), 1);
    }

    /// @dev The halvings of which the exponential is made are met, so it stays within a factor of two everywhere.
    function testFuzz_lotPrice_isBetweenTheHalvings(uint256 age) public pure {
        age = bound(age, 0, LOT_MAX_AGE - 1);
        uint256 above = LOT_START_PRICE >> (age / LOT_HALF_LIFE);
        assertLe(lotPrice(age), above);
        assertGt(lotPrice(age), above / 2);
    }

    function test_lotAge_isCapped() public pure {
        assertEq(lotAge(NOW - 7, NOW), 7);
        assertEq(lotAge(NOW - LOT_MAX_AGE, NOW), LOT_MAX_AGE);
        assertEq(lotAge(NOW - LOT_MAX_AGE - 1, NOW), LOT_MAX_AGE);
        assertEq(lotAge(0, NOW), LOT_MAX_AGE);
        assertEq(LOT_HALVINGS * LOT_HALF_LIFE, LOT_MAX_AGE);
    }

    function test_rebornAt_isNowForTheFirst() public pure {
        assertEq(rebornAt(0, NOW, 0, 1), NOW);
        assertEq(rebornAt(NOW - 5, NOW, 0, MOST), NOW);
    }

    function test_rebornAt_averages() public pure {
        assertEq(rebornAt(NOW - 1000, NOW, 100, 100), NOW - 500);
        assertEq(rebornAt(NOW - 1000, NOW, 300, 100), NOW - 750);
        // 1000 * 300 / 301 = 996.7, rounded up.
        assertEq(rebornAt(NOW - 1000, NOW, 300, 1), NOW - 997);
        // What is older than any lot counts as the oldest.
        assertEq(rebornAt(NOW - 365 days, NOW, 100, 100), NOW - LOT_MAX_AGE / 2);
    }

    function testFuzz_rebornAt_isTheAverageRoundedUp(uint256 bornAt, uint256 amount, uint256 added) public pure {
        bornAt = bound(bornAt, 0, NOW);
        amount = bound(amount, 0, MOST);
        added = bound(added, 1, MOST);
        uint256 age = lotAge(bornAt, NOW);
        uint256 newAge = NOW - rebornAt(bornAt, NOW, amount, added);
        assertLe(newAge, age);
        assertGe(newAge * (amount + added), age * amount);
        assertLt(newAge * (amount + added), age * amount + amount + added);
    }

    /// @dev No row of small gifts makes a lot younger than one gift of their sum.
    function testFuzz_rebornAt_piecesNeverReachFurtherThanTheirSum(
        uint256 age,
        uint256 amount,
        uint256[5] memory pieces
    ) public pure {
        age = bound(age, 0, LOT_MAX_AGE);
        amount = bound(amount, 1, 1e30);
        uint256 bornAt = NOW - age;
        uint256 sum;
        for (uint256 i; i < pieces.length; ++i) {
            uint256 piece = bound(pieces[i], 1, 1e30);
            bornAt = rebornAt(bornAt, NOW, amount + sum, piece);
            sum += piece;
        }
        assertLe(bornAt, rebornAt(NOW - age, NOW, amount, sum));
    }
}
