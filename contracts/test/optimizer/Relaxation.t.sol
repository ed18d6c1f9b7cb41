// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Workspace} from "../../src/optimizer/Workspace.sol";
import {Draft, NetworkFixture} from "./NetworkFixture.sol";
import {OptimizerHarness} from "./OptimizerHarness.sol";

contract RelaxationTest is NetworkFixture {
    OptimizerHarness private optimizer = new OptimizerHarness();

    /// @dev A dust pool pays fifty times too much for the connector. Priced by it, the deep pool into the connector seems
    /// to earn fortunes, and the bound is as high.
    function test_relaxIdle_doesNotBelieveDust() public view {
        Draft memory draft = _draft(1, 1e18);
        _addPool(draft, 2, 0, 100_000e18, 100_000e18);
        _addPool(draft, 2, 3, 100_000e18, 100_000e18);
        _addPool(draft, 1, 3, 1e9, 50e9);
        (, int256 raw) = optimizer.firstPrices(1, 1e18, draft.words, draft.offsets, false);
        (Workspace memory s, int256 relaxed) = optimizer.firstPrices(1, 1e18, draft.words, draft.offsets, true);
        uint256 best = _deliver(draft, 1, 1e18);
        assertGt(uint256(raw) >> s.valueBits, 1000 * best);
        assertLe(uint256(relaxed) >> s.valueBits, best + best / 1e6);
    }

    /// @dev The same where the connector can only be passed by a middle swap, and has no pair.
    function test_relaxIdle_doesNotBelieveDustBehindAMiddleSwap() public view {
        Draft memory draft = _draft(2, 1e18);
        _addPool(draft, 4, 0, 100_000e18, 100_000e18);
        _addPool(draft, 4, 1, 100_000e18, 100_000e18);
        _addPool(draft, 0, 3, 1e9, 50e9);
        _addPool(draft, 3, 5, 100_000e18, 100_000e18);
        (, int256 raw) = optimizer.firstPrices(2, 1e18, draft.words, draft.offsets, false);
        (Workspace memory s, int256 relaxed) = optimizer.firstPrices(2, 1e18, draft.words, draft.offsets, true);
        uint256 best = _deliver(draft, 3, _deliver(draft, 1, 1e18));
        assertGt(uint256(raw) >> s.valueBits, 1000 * best);
        assertLe(uint256(relaxed) >> s.valueBits, best + best / 1e4);
    }

    /// forge-config: default.fuzz.runs = 300
    function testFuzz_relaxIdle_keepsThePairsInOrder(uint256 seed) public view {
        Draft memory draft = _random(seed);
        if (_bestPath(draft) == 0) return;
        (Workspace memory s,) =
            optimizer.firstPrices(draft.connectors, draft.amountIn, draft.words, draft.offsets, true);
        for (uint256 node; node < s.network.layerOne; ++node) {
            uint256 later = s.network.partners[node];
            if (later != type(uint8).max) assertGe(s.prices[node], s.prices[later]);
        }
    }
}
