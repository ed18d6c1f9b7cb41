// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StaticRead} from "../libraries/StaticRead.sol";
import {Route} from "../types/Route.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Gas of a swap without its legs: the transaction, its fixed calldata, the checks, the fee and the payout.
uint256 constant FIXED_GAS = 72_000;
/// @dev Gas of a token that the Router holds between legs; most of it is given back when the balance is zero again.
uint256 constant GAS_PER_MIDDLE_TOKEN = 4_300;
/// @dev What the first units that an account is ever paid of a token cost more.
uint256 constant FIRST_FEE_GAS = 17_100;

/// @notice Gas of the whole `swapExactIn` transaction, for a recipient who holds some of `tokenOut` already.
/// @dev Fitted to receipts of real transactions on used pools; the legs' own gas comes from their venues.
/// @param settlementGas What the Router says that its settlement adds for the route's `tokenOut`.
function estimateGas(Route memory route, uint256 legsGas, uint256 settlementGas) pure returns (uint256) {
    return FIXED_GAS + legsGas + settlementGas + GAS_PER_MIDDLE_TOKEN * _middleTokens(route);
}

/// @notice What paying the fee costs more where its recipient holds nothing of the token yet.
function firstFeeGas(address token, address recipient) view returns (uint256) {
    (bool ok, uint256 balance,) = StaticRead.twoWords(token, IERC20.balanceOf.selector, uint256(uint160(recipient)), 1);
    return ok && balance == 0 ? FIRST_FEE_GAS : 0;
}

function _middleTokens(Route memory route) pure returns (uint256 count) {
    for (uint256 i; i < route.legs.length; ++i) {
        address token = route.legs[i].tokenOut;
        bool known = token == route.tokenOut;
        for (uint256 k; k < i; ++k) {
            known = known || route.legs[k].tokenOut == token;
        }
        if (!known) ++count;
    }
}
