// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PreviewOptions} from "../types/Plan.sol";
import {IHub} from "./IHub.sol";

/// @title Finds the pools and draws their curves for the first time
interface IFinder {
    /// @notice The pools between the tokens in play with their state at this block, and the curves of the directions in
    /// which they are of use, as far as they are read at first.
    /// @dev The nearest to `tokenIn` and `tokenOut` first, and what hints add last: with less gas than all of them take,
    /// or more pools than there is room for, the rest is left out.
    /// @param amountIn What is sold of `tokenIn`: curves are drawn for trades of that size.
    /// @param options As the Quoter takes them. With a gas price, pools that tell what gas costs are read as well.
    /// @return `MarketWords`.
    function findMarket(IHub hub, address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        view
        returns (bytes memory);
}
