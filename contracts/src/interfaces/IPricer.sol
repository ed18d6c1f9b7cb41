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

    /// @notice Reads and draws more of a curve.
    /// @param pool The pool's words from `IFinder.findMarket` at this block.
    /// @param zeroForOne Whether the trade sells the pool's token of the lower address.
    /// @param curve `CurveWords`, as last drawn.
    /// @param ranges Maximum number of further ranges, or samples.
    function extend(uint256[] calldata pool, bool zeroForOne, uint256[] calldata curve, uint256 ranges)
        external
        returns (uint256[] memory);

    /// @notice Prices a leg by the pool's own integer arithmetic.
    /// @dev Warning: only true at the block of `pool`, and if no earlier leg of the route has moved the pool.
    /// @param pool The pool's words from `IFinder.findMarket` at this block.
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
