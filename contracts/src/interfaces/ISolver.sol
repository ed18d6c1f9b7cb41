// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PreviewOptions} from "../types/Plan.sol";
import {Route} from "../types/Route.sol";

/// @title Finds the route
/// @notice Discovers the pools between the tokens in play, reads their curves, splits the input and prices the chosen
/// legs with each venue's own integer mathematics. View only; reads every pool through gas-capped, size-capped calls.
interface ISolver {
    /// @notice A route and what the search knows about it. Amounts are in base units of `tokenOut`.
    struct Solution {
        /// No legs where nothing was found.
        Route route;
        /// No routing over the pools that were read delivers more; the largest number if no bound is claimed.
        uint256 upperBound;
        /// The route beats the best single pool by at least one basis point, or no single pool takes the trade.
        bool hasSurplus;
        /// Gas of the whole `swapExactIn` transaction, but for what the Router's settlement adds to it.
        uint256 gas;
        uint256 hops;
        uint256 poolsRead;
        bool truncated;
        /// Pools connect the two tokens, but their output rounds to zero. There are no legs then.
        bool nothingOut;
    }

    /// @notice The best route at this block, net of gas if `options` has a price of it.
    /// @dev Warning: the tokens are not checked here, and no floor is computed. Ask the Quoter.
    /// @param amountIn In base units of `tokenIn`.
    /// @return No legs if nothing was found: `nothingOut` tells dust from tokens that nothing connects.
    function findRoute(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        view
        returns (Solution memory);
}
