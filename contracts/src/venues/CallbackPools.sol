// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Payment, Payments} from "../libraries/Payment.sol";
import {PoolCalls} from "../libraries/PoolCalls.sol";
import {Concentrated} from "./Concentrated.sol";

/// @notice What is called of a pool to trade on it; Uniswap V3, Slipstream and Algebra alike.
interface ICallbackPool {
    function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1);
}

/// @title Pools that pay first and then call their caller back for the input
library CallbackPools {
    /// @notice Swaps the payment for `tokenOut`, which goes to `to`; the pool collects the payment by its callback.
    /// @return What the pool says that it has paid.
    function fill(Payment memory payment, address tokenOut, address to) internal returns (uint256) {
        // Above this the number would turn negative, which asks the pool for an exact output.
        payment.requireAtMost(uint256(type(int256).max));

        bool zeroForOne = payment.token < tokenOut;
        uint160 limit = zeroForOne ? Concentrated.LOWEST_LIMIT : Concentrated.HIGHEST_LIMIT;
        (int256 amount0, int256 amount1) =
            PoolCalls.swapPool(payment.pool, to, zeroForOne, int256(payment.amount), limit);
        unchecked {
            return uint256(-(zeroForOne ? amount1 : amount0));
        }
    }

    /// @notice Answers the running callback: pays what it asks for, which must be all of `amount`.
    function answer(address token, address payer, uint256 amount) internal {
        (int256 amount0, int256 amount1) = abi.decode(msg.data[4:], (int256, int256));
        int256 owed = amount0 > 0 ? amount0 : amount1;
        Payments.requireAll(msg.sender, amount, owed > 0 ? uint256(owed) : 0);
        Payments.pay(token, payer, msg.sender, amount);
    }

    /// @notice Takes `amount` of `token` as a loan; the pool calls back with `data`.
    function borrow(address pool, address token, address other, uint256 amount, bytes memory data) internal {
        bool isToken0 = token < other;
        ICallbackPool(pool).flash(address(this), isToken0 ? amount : 0, isToken0 ? 0 : amount, data);
    }

    /// @notice The `data` of the running callback: the third argument.
    function loanData() internal pure returns (bytes memory data) {
        (,, data) = abi.decode(msg.data[4:], (uint256, uint256, bytes));
    }
}
