// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../../src/interfaces/IOptimizer.sol";
import {decodeAllocation} from "../../src/solver/Question.sol";
import {Test} from "forge-std/Test.sol";

/// @notice What the Solver makes of the optimizer's answer.
contract QuestionTest is Test {
    function testFuzz_decodeAllocation_isWhatTheAbiSays(IOptimizer.Allocation memory allocation) public pure {
        bytes memory answer = abi.encode(allocation);
        IOptimizer.Allocation memory decoded = decodeAllocation(answer);
        assertEq(decoded.flows, allocation.flows);
        assertEq(decoded.amountOut, allocation.amountOut);
        assertEq(decoded.upperBound, allocation.upperBound);
        assertEq(decoded.prices, allocation.prices);
    }
}
