// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Extends the pools' curves and prices legs exactly
/// @notice Reads each venue and applies its own integer arithmetic to live state. It is not a part of the Solver, because
/// both together exceed the size limit of a contract.
interface IPricer {
    /// @notice Reads and draws more of a curve.
    /// @param pool The pool's words from `IFinder.findMarket` at this block.
    /// @param zeroForOne Whether the trade sells the pool's token of the lower address.
    /// @param curve `CurveWords`, as last drawn.
    /// @param ranges Maximum number of further ranges, or samples.
    function extend(uint256[] calldata pool, bool zeroForOne, uint256[] calldata curve, uint256 ranges)
        external
        view
        returns (uint256[] memory);

    /// @notice Prices a leg by the pool's own integer arithmetic.
    /// @dev Warning: only true at the block of `pool`, and if no earlier leg of the route has moved the pool.
    /// @param pool The pool's words from `IFinder.findMarket` at this block.
    /// @param zeroForOne Whether the trade sells the pool's token of the lower address.
    /// @param amountIn In base units of the token sold.
    /// @return amountOut The exact amount that the pool pays; zero if it cannot take all of the input.
    /// @return gas Gas that the leg adds to a swap.
    function quote(uint256[] calldata pool, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas);
}
