// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions} from "../types/Plan.sol";

/// @title Prices the best route
/// @notice One call gives the route, its numbers and the block it was computed on; anyone can repeat it.
interface IQuoter {
    /// @notice Zero input.
    error ZeroAmount();
    /// @notice `tokenIn` and `tokenOut` are the same.
    error SameToken(address token);
    /// @notice More connector hints than the four allowed.
    error TooManyConnectors(uint256 given, uint256 limit);

    /// @param amountIn In base units of `tokenIn`.
    function previewPlan(address tokenIn, address tokenOut, uint256 amountIn) external view returns (Plan memory);

    function previewPlan(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        view
        returns (Plan memory);

    /// @notice Execution grade: fills the legs against the pools' real code in a dry run that is undone, and reports
    /// what they deliver. Equal to `previewPlan` for plain tokens, lower for tokens that tax transfers.
    /// @dev Not a view because the pools are really called; nothing of it lasts. Call it with `eth_call`.
    function previewPlanExact(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        returns (Plan memory);
}
