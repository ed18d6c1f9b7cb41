// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../../src/interfaces/IOptimizer.sol";
import {Optimizer} from "../../src/optimizer/Optimizer.sol";
import {Draft, NetworkFixture} from "./NetworkFixture.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice How much gas the optimizer takes on random networks, and how near it comes. A mistake in its steps often leaves plan and
/// bound right, but makes it slower or leaves a wider gap.
/// @dev The figures of the last change, a little above what was measured. A change that betters one records it here.
contract OptimizerEffortTest is NetworkFixture {
    uint256 private constant NETWORKS = 60;
    uint256 private constant SCARCE = 600_000;
    /// @dev No gap counts as more than this part of the output, in 1e-18.
    uint256 private constant WIDE = 1e16;

    Optimizer private optimizer = new Optimizer();

    function test_optimize_takesNoMoreGas_andComesAsNear() public view {
        (uint256 gas, uint256 gaps) = _measure(gasleft() / 2);
        assertLe(gas, 43_270_000, "gas");
        assertLe(gaps, 1_231_760e6, "gaps");
    }

    function test_optimize_withLittleGas_comesAsNear() public view {
        (, uint256 gaps) = _measure(SCARCE);
        assertLe(gaps, 168_389_300e9, "gaps");
    }

    /// @return gas Of the calls.
    /// @return gaps Their sum, each as a part of the output in 1e-18.
    function _measure(uint256 limit) private view returns (uint256 gas, uint256 gaps) {
        for (uint256 seed; seed < NETWORKS; ++seed) {
            Draft memory draft = _random(uint256(keccak256(abi.encode("effort", seed))));
            uint256 before = gasleft();
            try optimizer.optimize{gas: limit}(
                draft.connectors, draft.amountIn, draft.words, draft.offsets, new uint256[](0)
            ) returns (
                IOptimizer.Allocation memory allocation
            ) {
                gas += before - gasleft();
                gaps += _gapOf(allocation.amountOut, allocation.upperBound);
            } catch {
                gaps += WIDE;
            }
        }
    }

    function _gapOf(uint256 amountOut, uint256 upperBound) private pure returns (uint256) {
        if (upperBound / 2 > amountOut) return WIDE;
        if (amountOut == 0) return 0;
        return FixedPointMathLib.min((upperBound - amountOut) * 1e18 / amountOut, WIDE);
    }
}
