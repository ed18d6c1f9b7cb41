// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions} from "../types/Plan.sol";

/// @title Prices the best route
/// @notice One call gives the route, its numbers and the block it was computed on; anyone can repeat it.
interface IQuoter {
    /// @notice The amount is zero.
    error ZeroAmount();
    /// @notice `tokenIn` and `tokenOut` are the same.
    error SameToken(address token);
    /// @notice More connector hints than the four allowed.
    error TooManyConnectors(uint256 given, uint256 limit);
    /// @notice More pool hints than the eight allowed.
    error TooManyPools(uint256 given, uint256 limit);

    /// @notice The best plan, without a gas price and without hints.
    /// @dev Warning: a preview runs no token's code. For a token that taxes transfers it promises too much; the Router's
    /// floor then makes the swap revert. `previewPlanExact` counts the tax.
    /// @param amountIn In base units of `tokenIn`.
    /// @return `verdict` says whether the route can be executed; if there is no route, there are no legs.
    function previewPlan(address tokenIn, address tokenOut, uint256 amountIn) external view returns (Plan memory);

    /// @notice The best plan net of gas, with hints.
    /// @dev Nothing of it lasts, but pools with hooks are priced by swaps that are undone. A contract that calls it as a view
    /// (`STATICCALL`) gets the plan without such pools.
    /// @dev Give the call as much gas as the node allows: with less, the search leaves pools out and says `truncated`.
    /// @param options The gas price, tokens and pools that the route may pass through in addition, and venues that it may not use.
    function previewPlan(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        view
        returns (Plan memory);

    /// @notice The best plan, run on the pools' real code in a dry run that reverts; the numbers are what was delivered.
    /// They equal those of `previewPlan` for plain tokens and are lower for tokens that tax transfers.
    /// @dev Not a view, because it calls the pools. Nothing of it lasts. Call it with `eth_call`.
    /// Keeps a quarter of the gas, at most 5,000,000, for the dry run: what a search that is cut off finds can be less.
    function previewPlanExact(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        returns (Plan memory);

    /// @notice The plan of the least input that was found to deliver at least `amountOut`, and a proof of how little would do.
    /// @dev `plan.route.amountIn` is that input and `plan.netOut` what it delivers: `amountOut`, or the little more that the last
    /// unit of input brings. Takes about four times the gas of `previewPlan`. With less, it claims no bound, and the plan says
    /// `truncated`. Warning: runs no token's code, see `previewPlan`.
    /// @param amountOut Net output, after the protocol fee, in base units of `tokenOut`.
    /// @return plan No legs and `NoRoute` if no input was found that delivers so much. Its `upperBound` is of the output of
    /// its own input.
    /// @return lowerBound No routing of at most three hops over the pools that were read, each swapped on once, delivers
    /// `amountOut` for less input than this. `type(uint256).max` if no bound is claimed.
    /// @return inputGapMicroBps `plan.route.amountIn / lowerBound - 1` in millionths of a basis point, rounded up;
    /// `type(uint256).max` if no bound is claimed.
    function previewPlanForOutput(address tokenIn, address tokenOut, uint256 amountOut, PreviewOptions calldata options)
        external
        view
        returns (Plan memory plan, uint256 lowerBound, uint256 inputGapMicroBps);

    /// @notice The same, run on the pools' real code in a dry run that reverts, like `previewPlanExact`. If a token's tax leaves
    /// less than `amountOut`, the verdict is `BelowFloor`.
    function previewPlanForOutputExact(
        address tokenIn,
        address tokenOut,
        uint256 amountOut,
        PreviewOptions calldata options
    ) external returns (Plan memory plan, uint256 lowerBound, uint256 inputGapMicroBps);
}
