// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @notice What `account` has of `token`. A token that does not answer is an error, never a balance of zero.
function balanceOf(address token, address account) view returns (uint256) {
    (bool answered, uint256 amount) = SafeTransferLib.checkBalanceOf(token, account);
    if (!answered) revert IRouter.UnreadableBalance(token);
    return amount;
}
