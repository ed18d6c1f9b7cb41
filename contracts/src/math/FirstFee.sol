// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StaticRead} from "../libraries/StaticRead.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev What the first units that an account is ever paid of a token cost more.
uint256 constant FIRST_FEE_GAS = 17_100;

/// @notice What paying the fee costs more where its recipient holds nothing of the token yet.
function firstFeeGas(address token, address recipient) view returns (uint256) {
    (bool ok, uint256 balance,) = StaticRead.twoWords(token, IERC20.balanceOf.selector, uint256(uint160(recipient)), 1);
    return ok && balance == 0 ? FIRST_FEE_GAS : 0;
}
