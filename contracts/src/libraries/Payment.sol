// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @notice An amount of a token that a pool is to be given.
struct Payment {
    address token;
    /// Whose tokens: the swap's user, or this contract.
    address payer;
    address pool;
    uint256 amount;
}

using Payments for Payment global;

library Payments {
    /// @notice Moves the tokens, straight from the payer to the pool.
    function settle(Payment memory payment) internal {
        if (payment.payer == address(this)) {
            SafeTransferLib.safeTransfer(payment.token, payment.pool, payment.amount);
        } else {
            SafeTransferLib.safeTransferFrom(payment.token, payment.payer, payment.pool, payment.amount);
        }
    }
}
