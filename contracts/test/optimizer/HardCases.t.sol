// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../../src/interfaces/IOptimizer.sol";
import {Optimizer} from "../../src/optimizer/Optimizer.sol";
import {Draft, NetworkFixture} from "./NetworkFixture.sol";

/// @notice Networks on which an earlier form of the method failed, with their optimum from the float oracle.
contract HardCasesTest is NetworkFixture {
    Optimizer private optimizer = new Optimizer();

    /// @dev Tying pairs that are still apart turned the Newton step uphill.
    function test_optimize_tiesOfPairsApart() public view {
        _assertSolved("ties", 113231530001175360000);
    }

    /// @dev Prices far too low, where the bound is nearly flat.
    function test_optimize_plateau() public view {
        _assertSolved("plateau", 121583965556652);
    }

    /// @dev What one node holds too much of waited for a dust pool.
    function test_optimize_surplusBeforeADustPool() public view {
        _assertSolved("waiting", 730943639734492100000);
    }

    function _assertSolved(string memory name, uint256 optimum) private view {
        string memory json = vm.readFile(string.concat("contracts/test/optimizer/hard/", name, ".json"));
        Draft memory draft = _draft(vm.parseJsonUint(json, ".connectors"), vm.parseJsonUint(json, ".amountIn"));
        draft.words = vm.parseJsonUintArray(json, ".edges");
        draft.offsets = vm.parseJsonUintArray(json, ".offsets");
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        assertApproxEqRel(allocation.amountOut, optimum, 1e12);
        assertApproxEqRel(allocation.upperBound, optimum, 1e12);
        // Float noise of the optimum.
        assertGe(allocation.upperBound, optimum - optimum / 1e9);
    }
}
