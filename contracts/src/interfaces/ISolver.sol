// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {GasValue} from "../types/GasValue.sol";
import {PreviewOptions} from "../types/Plan.sol";
import {Route} from "../types/Route.sol";
import {IFinder} from "./IFinder.sol";
import {IPricer} from "./IPricer.sol";

/// @title Finds the route
/// @notice Discovers the pools between the tokens in play, reads their curves, splits the input and prices the chosen
/// legs with each venue's own integer arithmetic. Every call to a pool is limited in gas and response size.
/// @dev Not a view, because pools with hooks are priced by swaps. Each swap is undone, so that nothing lasts.
interface ISolver {
    /// @notice A route and what the search knows about it. Amounts are in base units of `tokenOut`.
    struct Solution {
        /// No legs if nothing was found.
        Route route;
        /// No routing over the pools that were read delivers more; `type(uint256).max` if no bound is claimed.
        uint256 upperBound;
        /// The route beats the best single pool by at least one basis point, or no single pool takes the trade.
        bool hasSurplus;
        /// Gas of the whole `swapExactIn` transaction, without what the Router's settlement adds.
        uint256 gas;
        /// What gas was taken to cost. All zero if it is free.
        GasValue gasValue;
        uint256 hops;
        uint256 poolsRead;
        bool truncated;
        /// There was not enough gas for some step of the search: with more gas a better route may be found.
        bool cutShort;
        /// Pools connect the two tokens, but their output rounds to zero. There are no legs then.
        bool nothingOut;
    }

    /// @notice The best route at this block, net of gas if `options` has a gas price.
    /// @dev Warning: does not check the tokens and computes no floor. Use the Quoter.
    /// @param amountIn In base units of `tokenIn`.
    /// @return No legs if nothing was found. `nothingOut` then says whether pools connect the tokens but pay nothing.
    function findRoute(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        returns (Solution memory);

    /// @notice What prices legs.
    function pricer() external view returns (IPricer);
    /// @notice What finds pools.
    function finder() external view returns (IFinder);
}
