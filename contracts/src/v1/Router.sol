// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Execution, Order, Outcome} from "../execution/Execution.sol";
import {IHub} from "../interfaces/IHub.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {IRouterV1} from "../interfaces/IRouterV1.sol";
import {FeePayment} from "../libraries/FeePayment.sol";
import {protocolFee} from "../math/FeeMath.sol";
import {firstFeeGas} from "../math/FirstFee.sol";
import {Route} from "../types/Route.sol";
import {PAUSED_BIT} from "../types/Settlement.sol";

/// @title Router of the generation 1.0.0
/// @notice The fee goes straight to the Hub's fee recipient. What a fill pays beyond its quote is announced.
contract Router is IRouterV1, Execution {
    constructor(IHub hub) Execution(hub) {}

    /// @inheritdoc IRouter
    function swapExactIn(Route calldata route, uint256 amountIn, uint256 minOut, address recipient, uint256 deadline)
        external
        returns (uint256 amountOut)
    {
        return _swapExactIn(
            route,
            Order(
                msg.sender, msg.sender, route.tokenIn, route.tokenOut, amountIn, minOut, recipient, deadline, false, 0
            )
        );
    }

    /// @inheritdoc IRouter
    function settlementGas(address tokenOut) external view returns (uint256) {
        return firstFeeGas(tokenOut, _settlement.feeRecipient());
    }

    function _stops() internal pure override returns (uint256) {
        return PAUSED_BIT | PAUSED_BIT << 1;
    }

    function _takeFees(Order memory order, uint256 grossOut, bool) internal override returns (uint256 fee) {
        fee = protocolFee(grossOut);
        if (fee != 0 && !FeePayment.send(order.tokenOut, _settlement.feeRecipient(), fee)) fee = 0;
    }

    function _announce(Order memory order, Outcome memory outcome) internal override {
        emit Swap(msg.sender, order.tokenIn, order.tokenOut, order.amountIn, outcome.amountOut, outcome.legs);
        // What the legs delivered beyond the quote, or a fee that was refused.
        if (outcome.grossOut > outcome.quotedOut) _announceSurplus(order.tokenOut, outcome);
        else if (outcome.grossOut == outcome.amountOut) _announceSurplus(order.tokenOut, outcome);
    }

    /// @dev Beyond what the quote leaves after the fee, because that is what the recipient can count.
    function _announceSurplus(address token, Outcome memory outcome) private {
        if (outcome.amountOut > outcome.quotedNet) emit Surplus(token, outcome.amountOut - outcome.quotedNet);
    }
}
