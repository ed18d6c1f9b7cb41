// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {evaluate} from "../../src/optimizer/DualBound.sol";
import {priceFromSeed} from "../../src/optimizer/FirstPrices.sol";
import {flowForward} from "../../src/optimizer/Forward.sol";
import {connect} from "../../src/optimizer/Network.sol";
import {newtonStep} from "../../src/optimizer/NewtonStep.sol";
import {Optimizer} from "../../src/optimizer/Optimizer.sol";
import {relaxIdle} from "../../src/optimizer/Relaxation.sol";
import {sow} from "../../src/optimizer/Seed.sol";
import {Workspace, newWorkspace, worthOf} from "../../src/optimizer/Workspace.sol";

/// @notice The optimizer's parts, one by one.
contract OptimizerHarness is Optimizer {
    function seed(uint256 m, uint256 amountIn, uint256[] calldata edges, uint256[] calldata offsets, uint256 parts)
        external
        pure
        returns (uint256)
    {
        return sow(_search(m, amountIn, edges, offsets), parts);
    }

    /// @notice The search after the seed and its prices, the nodes that it passes by relaxed or not.
    function firstPrices(
        uint256 m,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        bool relaxed
    ) external view returns (Workspace memory s, int256 bound) {
        s = _search(m, amountIn, edges, offsets);
        s.valueBits = _valueBits(sow(s, FIRST_PARTS));
        priceFromSeed(s);
        if (relaxed) relaxIdle(s);
        bound = evaluate(s, s.prices, s.demand);
    }

    /// @notice The dual at given prices, in the numbering of the search.
    function dualAt(
        uint256 m,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        uint256[] memory prices,
        uint256 valueBits
    ) external pure returns (Workspace memory s, int256 bound) {
        s = _search(m, amountIn, edges, offsets);
        s.valueBits = valueBits;
        s.prices = prices;
        bound = evaluate(s, s.prices, s.demand);
    }

    /// @notice The Newton step at given prices.
    function stepAt(
        uint256 m,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        uint256[] memory prices,
        uint256 valueBits
    ) external pure returns (Workspace memory s, int256 slope) {
        s = _search(m, amountIn, edges, offsets);
        s.valueBits = valueBits;
        s.prices = prices;
        evaluate(s, s.prices, s.demand);
        slope = newtonStep(s);
    }

    /// @notice The plan from the demand at given prices.
    function planAt(
        uint256 m,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        uint256[] memory prices,
        bool exact
    ) external pure returns (uint256[] memory amounts, uint256 amountOut) {
        Workspace memory s = _search(m, amountIn, edges, offsets);
        s.prices = prices;
        evaluate(s, s.prices, s.demand);
        return flowForward(s, exact);
    }

    function _search(uint256 m, uint256 amountIn, uint256[] calldata edges, uint256[] calldata offsets)
        private
        pure
        returns (Workspace memory)
    {
        return newWorkspace(connect(_read(m, edges, offsets), amountIn));
    }
}
