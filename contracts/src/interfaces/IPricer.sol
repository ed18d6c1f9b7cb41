// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "./IHub.sol";

/// @title Finds the pools, draws their curves and prices legs exactly
/// @notice Each venue's reads and its own integer mathematics on live state, apart from the Solver because no contract
/// holds both.
interface IPricer {
    /// @notice The pools between the tokens in play with their state at this block, and the curves of the directions in
    /// which they are of use, as far as they are read at first.
    /// @dev The nearest to `tokenIn` and `tokenOut` first. With less gas than all of them take, the rest is left out.
    /// @param tokens Connector tokens, then `tokenIn`, then `tokenOut`.
    /// @param connectors How many of them are connector tokens.
    /// @param amountIn What is sold of `tokenIn`: curves are drawn for trades of that size.
    /// @return pools Arrays of `PoolWords`, joined by `Words`, with indexes into `tokens`.
    /// @return edges Arrays, joined likewise: the pool's index, doubled, plus one where it sells its token of the lower
    /// address; then `CurveWords`.
    /// @return truncated There were more than a search reads, or than the gas was enough for.
    function findMarket(IHub hub, address[] calldata tokens, uint256 connectors, uint256 amountIn)
        external
        view
        returns (bytes memory pools, bytes memory edges, bool truncated);

    /// @notice Reads a curve further.
    /// @param pool As `findMarket` has it at this block.
    /// @param zeroForOne Whether the pool's token of the lower address is sold.
    /// @param curve `CurveWords`, as they were drawn last.
    /// @param ranges How many more ranges, or samples, at most.
    function extend(uint256[] calldata pool, bool zeroForOne, uint256[] calldata curve, uint256 ranges)
        external
        view
        returns (uint256[] memory);

    /// @param pool As `findMarket` has it at this block.
    /// @param zeroForOne Whether the pool's token of the lower address is sold.
    /// @param amountIn In base units of the token sold.
    /// @return amountOut What the pool pays, to the unit; zero where it cannot take all of the input.
    /// @return gas What the leg adds to the gas of a swap.
    function quote(uint256[] calldata pool, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas);
}
