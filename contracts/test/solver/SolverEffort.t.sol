// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What searches take and find on random markets. A mistake in their steps often leaves every plan right, but dearer, or less
/// near to the best.
/// @dev The figures of the last change, a little above or below what was measured. A change that betters one records it here.
contract SolverEffortTest is MarketFixture {
    uint256 private constant MARKETS = 5;
    uint256 private constant AMPLE = 60_000_000;
    uint256 private constant SCARCE = 4_500_000;
    /// @dev No gap counts as more than this part of the output, in 1e-18.
    uint256 private constant WIDE = 1e16;

    /// @dev Sums over all trades.
    struct Figures {
        /// Gas of the calls.
        uint256 gas;
        /// The outputs of all trades, each divided by what its input is worth in that token, in 1e-18.
        uint256 value;
        /// The distances of all bounds from the outputs, as parts of these in 1e-18.
        uint256 gaps;
        /// The gas that the quotes state for their swaps.
        uint256 estGas;
        uint256 impactBps;
        uint256 hops;
        uint256 legs;
        uint256 poolsRead;
    }

    function setUp() public {
        deployMarket();
    }

    function test_previewPlan_takesNoMoreGas_andComesAsNear() public {
        Figures memory found = _measure(0, AMPLE);
        assertLe(found.gas, 172_200_000, "gas");
        assertGe(found.value, 55_490_450_200e9, "value");
        assertLe(found.gaps, 31_032e12, "gaps");
        assertEq(found.estGas, 58_677_700, "estGas");
        assertEq(found.impactBps, 50_237, "impactBps");
        assertEq(found.hops, 197, "hops");
        assertEq(found.legs, 518, "legs");
        assertEq(found.poolsRead, 1012, "poolsRead");
    }

    function test_previewPlan_netOfGas_takesNoMoreGas_andComesAsNear() public {
        Figures memory found = _measure(20 gwei, AMPLE);
        assertLe(found.gas, 240_800_000, "gas");
        assertGe(found.value, 55_165_794_700e9, "value");
        assertLe(found.gaps, 194_440e12, "gaps");
        assertEq(found.estGas, 48_822_200, "estGas");
        assertEq(found.legs, 408, "legs");
    }

    function test_previewPlan_shortOfGas_comesAsNear() public {
        Figures memory found = _measure(0, SCARCE);
        assertLe(found.gas, 155_330_000, "gas");
        assertGe(found.value, 52_242_757_700e9, "value");
        assertLe(found.gaps, 101_028e12, "gaps");
    }

    function _measure(uint256 gasPrice, uint256 limit) private returns (Figures memory found) {
        uint256 empty = vm.snapshotState();
        for (uint256 seed; seed < MARKETS; ++seed) {
            seedMarket(uint256(keccak256(abi.encode("effort", seed))));
            for (uint256 dollars = 20; dollars < 1e7; dollars *= 50) {
                _ask(found, 0, 1, dollars, gasPrice, limit);
                _ask(found, 1, 4, dollars, gasPrice, limit);
                _ask(found, 4, 3, dollars, gasPrice, limit);
            }
            vm.revertToState(empty);
        }
    }

    function _ask(Figures memory found, uint256 sold, uint256 bought, uint256 dollars, uint256 gasPrice, uint256 limit)
        private
        view
    {
        PreviewOptions memory options = PreviewOptions(gasPrice, new address[](0), 0, new uint256[](0));
        (address tokenIn, address tokenOut) = (address(tokens[sold]), address(tokens[bought]));
        uint256 amountIn = worth(sold, dollars);
        uint256 before = gasleft();
        Plan memory plan = quoter.previewPlan{gas: limit}(tokenIn, tokenOut, amountIn, options);
        found.gas += before - gasleft();
        if (plan.verdict != Verdict.Executable) return;
        uint256 value = plan.netOut * 1e18 / worth(bought, dollars);
        uint256 gap = WIDE;
        if (plan.gapMicroBps < WIDE) gap = FixedPointMathLib.min(plan.gapMicroBps * 1e8, WIDE);
        found.value += value;
        found.gaps += gap;
        found.estGas += plan.estGas;
        found.impactBps += plan.route.impactBps;
        found.hops += plan.hops;
        found.legs += plan.route.legs.length;
        found.poolsRead += plan.poolsRead;
    }
}
