// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VenueKind} from "../types/VenueKind.sol";

/// @title Extends the pools' curves and prices legs exactly
/// @notice Reads each venue and applies its own integer arithmetic to live state. It is not a part of the Solver, because
/// both together exceed the size limit of a contract. It also reads pools of Algebra, for which the Finder has no room.
interface IPricer {
    /// @notice Everything that prices a pool of Algebra at this block. Empty if it cannot be priced or is locked.
    /// @dev The same call as `ISampler.read`; reverts for other kinds.
    /// @param lock The word of the pool's state that is its lock, which tells the version.
    function read(VenueKind kind, address deployer, address pool, uint256 lock) external view returns (uint256[] memory);

    /// @notice What a token's calls cost more gas than those of the plainest one, once and each time; see `TokenGas`. Measured best before
    /// anything else reads it.
    function tokenGas(address token) external view returns (uint256 once, uint256 call);

    /// @notice Wei for a byte of calldata on the chain that keeps a rollup's data; zero on other chains.
    function dataPrice() external view returns (uint256);

    /// @notice Reads and draws more of a curve.
    /// @param pool The pool's words from `IFinder.findMarket` at this block.
    /// @param zeroForOne Whether the trade sells the pool's token of the lower address.
    /// @param curve `CurveWords`, as last drawn.
    /// @param ranges Maximum number of further ranges, or samples.
    function extend(uint256[] calldata pool, bool zeroForOne, uint256[] calldata curve, uint256 ranges)
        external
        returns (uint256[] memory);

    /// @notice A pool after a swap between two of its tokens, for a later leg of the route. Empty if that cannot be told.
    /// @param pool The pool's words, of any of its pairs.
    /// @param zeroForOne Whether the swap sells the token of the lower address.
    /// @param amountIn All of it is swapped, for what `quote` says.
    /// @param key The leg's key of the swap: which of the pool's tokens.
    /// @return The same words, moved by the swap.
    function afterSwap(uint256[] calldata pool, bool zeroForOne, uint256 amountIn, uint256 key)
        external
        returns (uint256[] memory);

    /// @notice Prices a leg by the pool's own integer arithmetic.
    /// @dev Warning: only true at the block of `pool`, and if no earlier leg of the route has moved the pool; see `afterSwap`.
    /// @param pool The pool's words from `IFinder.findMarket` at this block, or from `afterSwap`.
    /// @param zeroForOne Whether the trade sells the pool's token of the lower address.
    /// @param amountIn In base units of the token sold.
    /// @return amountOut The exact amount that the pool pays; zero if it cannot take all of the input. Of a pool of Algebra 1.9
    /// whose next fee depends on what no contract can read, the least that it pays.
    /// @return gas Gas that the leg adds to a swap.
    /// @return priceFloor The price of the leg, for its key: see `PriceFloor`. Zero if the pool's legs have no floor.
    function quote(uint256[] calldata pool, bool zeroForOne, uint256 amountIn)
        external
        returns (uint256 amountOut, uint256 gas, uint256 priceFloor);
}
