// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../../src/interfaces/IOptimizer.sol";
import {allocate, decodeAllocation} from "../../src/solver/Question.sol";
import {Search} from "../../src/solver/Search.sol";
import {Test} from "forge-std/Test.sol";

/// @notice What the Solver makes of the optimizer's answer.
contract QuestionTest is Test {
    IOptimizer private optimizer = IOptimizer(makeAddr("optimizer"));

    function testFuzz_decodeAllocation_isWhatTheAbiSays(IOptimizer.Allocation memory allocation) public pure {
        bytes memory answer = abi.encode(allocation);
        IOptimizer.Allocation memory decoded = decodeAllocation(answer);
        assertEq(decoded.flows, allocation.flows);
        assertEq(decoded.amountOut, allocation.amountOut);
        assertEq(decoded.upperBound, allocation.upperBound);
        assertEq(decoded.prices, allocation.prices);
    }

    /// @dev Dust is measured by it: with nothing promised no leg would be dust.
    function test_regression_allocate_withoutAnAnswer_keepsWhatTheLastSplitPromised() public {
        Search memory search = _search();
        _answer(5e18, 5e18);
        _allocate(search);
        assertEq(search.promised, 5e18);
        vm.mockCallRevert(address(optimizer), abi.encodePacked(IOptimizer.optimize.selector), "out of gas");
        assertFalse(_allocate(search));
        assertEq(search.promised, 5e18);
        _answer(0, 0);
        assertTrue(_allocate(search));
        assertEq(search.promised, 5e18);
        _answer(4e18, 4e18);
        _allocate(search);
        assertEq(search.promised, 4e18);
    }

    function test_allocate_notesThatTheOptimizerWasCutShort() public {
        Search memory search = _search();
        _answer(1e18, 1e18 + 6e13);
        _allocate(search);
        assertFalse(search.isCutShort, "0.6 basis points");
        _answer(1e18, 1e18 + 7e13);
        _allocate(search);
        assertTrue(search.isCutShort, "0.7 basis points");
    }

    function _search() private view returns (Search memory search) {
        (search.optimizer, search.gas) = (optimizer, gasleft());
    }

    function _allocate(Search memory search) private returns (bool answered) {
        (answered,) = allocate(search, new uint256[](0), new uint256[](0));
    }

    function _answer(uint256 amountOut, uint256 upperBound) private {
        IOptimizer.Allocation memory allocation;
        (allocation.amountOut, allocation.upperBound) = (amountOut, upperBound);
        vm.mockCall(address(optimizer), abi.encodePacked(IOptimizer.optimize.selector), abi.encode(allocation));
    }
}
