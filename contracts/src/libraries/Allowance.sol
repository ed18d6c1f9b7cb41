// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";
import {balanceOf} from "./Balance.sol";
import {Payment} from "./Payment.sol";
import {Transfers} from "./Transfers.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @title Payments to venues that take their input by allowance
/// @notice The input comes to this contract first, and the venue may take exactly that, within this leg alone.
library Allowance {
    /// @notice Brings the payment here and allows `spender` what arrived.
    /// @return amount What arrived: less than the payment if the token taxes transfers.
    function grant(Payment memory payment, address spender) internal returns (uint256 amount) {
        amount = payment.amount;
        if (payment.payer != address(this)) {
            uint256 before = balanceOf(payment.token, address(this));
            Transfers.collect(payment.token, payment.payer, address(this), amount);
            amount = balanceOf(payment.token, address(this)) - before;
        }
        SafeTransferLib.safeApproveWithRetry(payment.token, spender, amount);
    }

    /// @notice Reverts unless the venue has taken all of it, so that no allowance outlives the leg.
    function demandUsedUp(Payment memory payment, address spender, uint256 amount) internal view {
        uint256 left = IERC20(payment.token).allowance(address(this), spender);
        if (left != 0) revert IRouter.PartialFill(payment.pool, amount, left < amount ? amount - left : 0);
    }
}
