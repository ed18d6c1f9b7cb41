// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {Execution, Order, Outcome} from "../execution/Execution.sol";
import {IHub} from "../interfaces/IHub.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {IRouterV1} from "../interfaces/IRouterV1.sol";
import {firstFeeGas} from "../math/GasEstimate.sol";
import {Route} from "../types/Route.sol";

/// @title Router of the generation 1.0.0
/// @notice The fee goes straight to the Hub's fee recipient; what beats the quote goes to the user and bears none.
contract Router is IRouterV1, Execution {
    constructor(IHub hub) Execution(hub) {}

    /// @inheritdoc IRouter
    function swapExactIn(Route calldata route, uint256 amountIn, uint256 minOut, address recipient, uint256 deadline)
        external
        returns (uint256 amountOut)
    {
        return _swapExactIn(
            route,
            Order(msg.sender, msg.sender, route.tokenIn, route.tokenOut, amountIn, minOut, recipient, deadline, false)
        );
    }

    /// @inheritdoc IRouter
    function settlementGas(address tokenOut) external view returns (uint256) {
        (address feeRecipient,) = hub.settlement();
        return firstFeeGas(tokenOut, feeRecipient);
    }

    function _conclude(Order memory order, Outcome memory outcome) internal override {
        if (outcome.fee != 0) SafeTransferLib.safeTransfer(order.tokenOut, outcome.feeRecipient, outcome.fee);

        emit Swap(msg.sender, order.tokenIn, order.tokenOut, order.amountIn, outcome.amountOut, outcome.legs);
        if (outcome.grossOut > outcome.quotedOut) {
            emit Surplus(order.tokenOut, outcome.grossOut - outcome.quotedOut);
        }
    }
}
