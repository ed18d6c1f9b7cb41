// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Pool} from "../solver/Market.sol";
import {IHub} from "./IHub.sol";

/// @title Finds the pools and prices legs exactly
/// @notice Each venue's reads and its own integer mathematics on live state, apart from the Solver because no contract
/// holds both.
interface IPricer {
    /// @notice The pools between the tokens in play, with their state at this block.
    /// @param tokens Connector tokens, then `tokenIn`, then `tokenOut`.
    /// @param connectors How many of them are connector tokens.
    /// @return pools With indexes into `tokens`.
    /// @return truncated There were more than a search reads.
    function findPools(IHub hub, address[] calldata tokens, uint256 connectors)
        external
        view
        returns (Pool[] memory pools, bool truncated);

    /// @param pool As the Solver has read it at this block.
    /// @param zeroForOne Whether the pool's token of the lower address is sold.
    /// @param amountIn In base units of the token sold.
    /// @return amountOut What the pool pays, to the unit; zero where it cannot take all of the input.
    /// @return gas What the leg adds to the gas of a swap.
    function quote(Pool calldata pool, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas);
}
