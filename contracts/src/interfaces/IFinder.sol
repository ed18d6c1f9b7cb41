// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PreviewOptions} from "../types/Plan.sol";
import {IHub} from "./IHub.sol";
import {ISampler} from "./ISampler.sol";

/// @title Finds the pools and draws the first part of their curves
interface IFinder {
    /// @notice The pools between the tokens in play, with their state at this block and the first part of their curves, in
    /// each direction that a route can use.
    /// @dev Reads pools of `tokenIn` and `tokenOut` first and pools of hints last. If the gas or the room for pools runs
    /// out, it leaves out the rest.
    /// @param amountIn In base units of `tokenIn`. Curves are drawn for trades of that size.
    /// @param options Those of the Quoter. With a gas price, pools that price the native token are read as well.
    /// @return `MarketWords`.
    function findMarket(IHub hub, address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        returns (bytes memory);

    /// @notice What reads pools without ticks.
    function sampler() external view returns (ISampler);
}
