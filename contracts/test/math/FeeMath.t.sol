// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {
    MAX_INTEGRATOR_FEE_BPS,
    allowanceBps,
    floorOfNet,
    grossForNet,
    ironFloorOf,
    leastGrossFor,
    netOf,
    partDown,
    partUp,
    protocolFee
} from "../../src/math/FeeMath.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";

contract FeeMathTest is Test {
    uint256 private constant MAX_AMOUNT = type(uint128).max;

    function test_protocolFee_roundsDown() public pure {
        assertEq(protocolFee(0), 0);
        assertEq(protocolFee(357), 0);
        assertEq(protocolFee(358), 1);
        assertEq(protocolFee(10_000), 28);
        assertEq(protocolFee(1_000_000_000_000_000_001), 2_800_000_000_000_000);
    }

    function test_protocolFee_ofTheLargestAmount() public pure {
        assertEq(
            protocolFee(type(uint256).max), type(uint256).max / 10_000 * 28 + (type(uint256).max % 10_000) * 28 / 10_000
        );
    }

    function testFuzz_protocolFee_isNeverAbove28Bps(uint256 amount) public pure {
        amount = bound(amount, 0, type(uint256).max / 10_000);
        uint256 fee = protocolFee(amount);
        assertLe(fee * 10_000, amount * 28);
        assertGt((fee + 1) * 10_000, amount * 28);
    }

    /// @dev Small amounts take a short way.
    function testFuzz_part_isTheProductOf512Bits(uint256 amount, uint256 bps, bool small) public pure {
        if (small) amount >>= 16;
        bps = bound(bps, 0, 10_000);
        assertEq(partDown(amount, bps), Math.mulDiv(amount, bps, 10_000));
        assertEq(partUp(amount, bps), Math.mulDiv(amount, bps, 10_000, Math.Rounding.Ceil));
    }

    function test_part_whereTheShortWayEnds() public pure {
        for (uint256 amount = (1 << 240) - 2; amount < (1 << 240) + 2; ++amount) {
            assertEq(partDown(amount, 9999), Math.mulDiv(amount, 9999, 10_000));
            assertEq(partUp(amount, 9999), Math.mulDiv(amount, 9999, 10_000, Math.Rounding.Ceil));
            assertEq(partUp(amount, 10_000), amount);
        }
    }

    function testFuzz_grossForNet_leavesExactlyTheNet(uint256 netOut) public pure {
        netOut = bound(netOut, 0, type(uint256).max / 2);
        uint256 grossOut = grossForNet(netOut);
        assertEq(grossOut - protocolFee(grossOut), netOut);
        assertEq(grossOut + 1 - protocolFee(grossOut + 1), netOut + 1, "not the largest");
    }

    function testFuzz_leastGrossFor_isTheLeastThatLeavesTheNet(uint256 netOut) public pure {
        netOut = bound(netOut, 1, type(uint256).max / 2);
        uint256 grossOut = leastGrossFor(netOut);
        assertGe(grossOut - protocolFee(grossOut), netOut);
        assertLt(grossOut - 1 - protocolFee(grossOut - 1), netOut, "not the least");
    }

    function test_allowanceBps_growsWithAQuarterOfTheImpact() public pure {
        assertEq(allowanceBps(0), 100);
        assertEq(allowanceBps(3), 100);
        assertEq(allowanceBps(4), 101);
        assertEq(allowanceBps(1599), 499);
        assertEq(allowanceBps(1600), 500);
        assertEq(allowanceBps(10_000), 500);
    }

    function test_ironFloorOf_roundsUp() public pure {
        // Fee 28, net 9972, 99 % of it 9872.28.
        assertEq(ironFloorOf(10_000, 0), 9873);
        // No fee on 357; 95 % of it 339.15.
        assertEq(ironFloorOf(357, 10_000), 340);
        assertEq(ironFloorOf(1, 10_000), 1);
        assertEq(ironFloorOf(0, 0), 1);
    }

    function testFuzz_ironFloorOf_isTheLeastWithinTheAllowance(uint256 grossOut, uint256 impactBps) public pure {
        grossOut = bound(grossOut, 1, MAX_AMOUNT);
        impactBps = bound(impactBps, 0, 10_000);
        uint256 netOut = grossOut - protocolFee(grossOut);
        uint256 kept = 10_000 - allowanceBps(impactBps);
        uint256 floor = ironFloorOf(grossOut, impactBps);
        assertGe(floor * 10_000, netOut * kept);
        assertLt((floor - 1) * 10_000, netOut * kept);
        assertLe(floor, netOut);
    }

    function testFuzz_netOf_isWhatBothFeesLeave(uint256 grossOut, uint256 bps) public pure {
        grossOut = bound(grossOut, 0, MAX_AMOUNT);
        bps = bound(bps, 0, MAX_INTEGRATOR_FEE_BPS);
        assertEq(netOf(grossOut, bps), grossOut - grossOut * 28 / 10_000 - grossOut * bps / 10_000);
        assertEq(netOf(grossOut, 0), grossOut - protocolFee(grossOut));
    }

    /// @dev So that a swap that delivers its quote reaches the protocol's floor, whatever an integrator takes.
    function testFuzz_floorOfNet_isWithinReach(uint256 grossOut, uint256 bps, uint256 impactBps) public pure {
        uint256 netOut = netOf(bound(grossOut, 1, MAX_AMOUNT), bound(bps, 0, MAX_INTEGRATOR_FEE_BPS));
        impactBps = bound(impactBps, 0, 10_000);
        uint256 kept = 10_000 - allowanceBps(impactBps);
        uint256 floor = floorOfNet(netOut, impactBps);
        assertGt(netOut, 0);
        assertLe(floor, netOut);
        assertGe(floor * 10_000, netOut * kept);
        assertLt((floor - 1) * 10_000, netOut * kept);
    }
}
