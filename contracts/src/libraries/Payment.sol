// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";
import {Transfers} from "./Transfers.sol";

/// @notice An amount of a token that a pool is to be given.
struct Payment {
    address token;
    /// Whose tokens: the swap's user, this contract, or the pool itself, which has them already.
    address payer;
    address pool;
    /// Zero if the pool has them already: what it was given is what its balance shows.
    uint256 amount;
}

using Payments for Payment global;

library Payments {
    /// @notice Moves the tokens; nothing if the pool has them.
    function settle(Payment memory payment) internal {
        pay(payment.token, payment.payer, payment.pool, payment.amount);
    }

    /// @notice Moves tokens straight from the payer to the pool; nothing if the pool is the payer, and has them.
    function pay(address token, address payer, address pool, uint256 amount) internal {
        if (payer == pool) return;
        if (payer == address(this)) Transfers.send(token, pool, amount);
        else Transfers.collect(token, payer, pool, amount);
    }

    /// @notice Reverts unless what the pool asks for is the whole amount.
    function requireAll(address pool, uint256 amount, uint256 owed) internal pure {
        if (owed < amount) revert IRouter.PartialFill(pool, amount, owed);
        if (owed > amount) revert IRouter.UnexpectedCall(pool);
    }

    /// @notice Reverts if the payment is more than a pool can count.
    function requireAtMost(Payment memory payment, uint256 most) internal pure {
        if (payment.amount > most) revert IRouter.PartialFill(payment.pool, payment.amount, 0);
    }
}
