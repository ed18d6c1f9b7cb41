// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";
import {Transfers} from "./Transfers.sol";

/// @title Payments that a token may refuse
/// @notice A token that blocks the fee's collector must not stop the swap. Whoever sends the swap chooses its gas, and must
/// not choose it so that the payment alone runs out.
library FeePayment {
    /// @dev What a payment may burn. A token that wants more of it refuses.
    uint256 internal constant MOST_GAS = 500_000;
    /// @dev With this much left, a payment is handed all of `MOST_GAS`: 64/63 of it, and the call itself.
    uint256 internal constant ENOUGH_GAS = 520_000;

    /// @notice Sends `amount` of `token` to `collector`; false if the token refuses, and nothing was moved then.
    /// @dev Reverts if a lack of gas may be the reason. A call that runs out leaves its callers a 64th for each call that
    /// it was deep, so a refusal that left half of the gas is the token's own word, and one that had `MOST_GAS` is too.
    function send(address token, address collector, uint256 amount) internal returns (bool) {
        uint256 gasBefore = gasleft();
        if (Transfers.trySend(token, collector, amount, MOST_GAS)) return true;
        if (gasBefore < ENOUGH_GAS && gasleft() < gasBefore / 2) revert IRouter.TooLittleGas(gasBefore, ENOUGH_GAS);
        return false;
    }
}
