// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Draft, NetworkFixture} from "./NetworkFixture.sol";
import {OptimizerHarness} from "./OptimizerHarness.sol";

/// @notice The greedy start of a search: equal parts of the input, each on the path that is best for it.
contract SeedTest is NetworkFixture {
    OptimizerHarness private optimizer = new OptimizerHarness();

    function test_sow_takesTheWholeWhereAPartBuysNothing() public view {
        // A fifth of a unit for each: the first of four parts is of four units, and buys none.
        Draft memory draft = _draft(0, 10);
        _addPool(draft, 0, 1, 5e18, 1e18);
        assertEq(_sow(draft, 4), 1);
    }

    function test_sow_ofOneUnit_isWhatItBuys() public view {
        Draft memory draft = _draft(0, 1);
        _addPool(draft, 0, 1, 1e18, 5e21);
        assertEq(_sow(draft, 4), 4984, "0.997 of 5,000, rounded down");
    }

    function test_sow_sendsPartsToDifferentPools() public view {
        // Two equal pools, of which a half of the trade is a tenth.
        Draft memory draft = _draft(0, 2e18);
        _addPool(draft, 0, 1, 10e18, 10e18);
        _addPool(draft, 0, 1, 10e18, 10e18);
        uint256 half = uint256(997e15) * 10e18 / 10_997e15;
        assertApproxEqAbs(_sow(draft, 2), 2 * half, 2);
        assertLt(_sow(draft, 1), 2 * half * 95 / 100);
    }

    function _sow(Draft memory draft, uint256 parts) private view returns (uint256) {
        return optimizer.seed(draft.connectors, draft.amountIn, draft.words, draft.offsets, parts);
    }
}
