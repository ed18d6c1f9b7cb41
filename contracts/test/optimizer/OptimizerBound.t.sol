// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../../src/interfaces/IOptimizer.sol";
import {Draft, NetworkFixture} from "./NetworkFixture.sol";
import {OptimizerHarness} from "./OptimizerHarness.sol";

/// @notice What holds on every network.
contract OptimizerBoundTest is NetworkFixture {
    uint256 private constant ROUTINGS = 30;

    OptimizerHarness private optimizer = new OptimizerHarness();

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_upperBound_noRoutingBeatsIt(uint256 seed) public view {
        Draft memory draft = _random(seed);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        assertLe(allocation.amountOut, allocation.upperBound);
        for (uint256 k; k < ROUTINGS; ++k) {
            assertLe(_wander(draft, uint256(keccak256(abi.encode(seed, k)))), allocation.upperBound);
        }
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_upperBound_noRoutingNearThePlanBeatsIt(uint256 seed) public view {
        Draft memory draft = _random(seed);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        if (allocation.amountOut == 0) return;
        for (uint256 k; k < ROUTINGS; ++k) {
            uint256 near = _wanderNear(draft, allocation.flows, k, uint256(keccak256(abi.encode(seed, k))));
            assertLe(near, allocation.upperBound);
        }
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_flows_deliverTheAmountOut(uint256 seed) public view {
        Draft memory draft = _random(seed);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        if (allocation.amountOut == 0) return;
        // The other formula may round each of its swaps the other way.
        (uint256 amountOut,) = _follow(draft, allocation.flows);
        assertApproxEqRel(amountOut, allocation.amountOut, 1e12);
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_amountOut_notBelowTheBestPath(uint256 seed) public view {
        Draft memory draft = _random(seed);
        uint256 path = _bestPath(draft);
        // The two formulas may differ by a unit in each of three hops, and a unit in the middle may be worth more.
        assertGe(_call(optimizer, draft).amountOut, path - path / 1e6);
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_amountOut_notBelowTheSeed(uint256 seed) public view {
        Draft memory draft = _random(seed);
        uint256 seeded =
            _bestPath(draft) == 0 ? 0 : optimizer.seed(draft.connectors, draft.amountIn, draft.words, draft.offsets, 4);
        assertGe(_call(optimizer, draft).amountOut, seeded);
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_gap_isSmall(uint256 seed) public view {
        Draft memory draft = _random(seed);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        if (allocation.amountOut < 1e6) return;
        // Half a percent here, where markets are far from any real one; a hundredth of a bp is typical of those.
        assertLe(allocation.upperBound - allocation.amountOut, allocation.amountOut / 200);
    }
}
