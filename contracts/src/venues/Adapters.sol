// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAdapter} from "../interfaces/IAdapter.sol";
import {IAfterSwap} from "../interfaces/IAfterSwap.sol";
import {Payment} from "../libraries/Payment.sol";

/// @title Pools that an adapter stands for
library Adapters {
    /// @notice Has the adapter swap the payment for `tokenOut`, which goes to `to`.
    /// @return What the pool says to have paid.
    function fill(Payment memory payment, address tokenOut, uint256 key, address to) internal returns (uint256) {
        payment.settle();
        return IAdapter(payment.pool).swap(key, payment.token, tokenOut, payment.amount, to);
    }

    /// @notice The state of one of the adapter's pools after a swap. Reverts if the adapter does not tell.
    /// @param state With the key of the swap.
    function afterSwap(address adapter, uint256[] memory state, bool zeroForOne, uint256 amountIn, uint256 amountOut)
        internal
        view
        returns (uint256[] memory)
    {
        return IAfterSwap(adapter).afterSwap(state, zeroForOne, amountIn, amountOut);
    }
}
