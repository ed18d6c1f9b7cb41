// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Draws the pools' curves further and prices legs exactly
/// @notice Each venue's reads and its own integer mathematics on live state, apart from the Solver because no contract
/// holds both.
interface IPricer {
    /// @notice Reads a curve further.
    /// @param pool As `IFinder.findMarket` has it at this block.
    /// @param zeroForOne Whether the pool's token of the lower address is sold.
    /// @param curve `CurveWords`, as they were drawn last.
    /// @param ranges How many more ranges, or samples, at most.
    function extend(uint256[] calldata pool, bool zeroForOne, uint256[] calldata curve, uint256 ranges)
        external
        view
        returns (uint256[] memory);

    /// @notice Prices a leg by the pool's own integer mathematics.
    /// @dev Warning: true at the block of `pool` alone, and for a pool that no earlier leg of the route has moved.
    /// @param pool As `IFinder.findMarket` has it at this block.
    /// @param zeroForOne Whether the pool's token of the lower address is sold.
    /// @param amountIn In base units of the token sold.
    /// @return amountOut What the pool pays, to the unit; zero where it cannot take all of the input.
    /// @return gas What the leg adds to the gas of a swap.
    function quote(uint256[] calldata pool, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas);
}
