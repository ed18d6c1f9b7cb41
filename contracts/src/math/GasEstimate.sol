// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StaticRead} from "../libraries/StaticRead.sol";
import {Route} from "../types/Route.sol";
import {TokenGas, tokenGas} from "./TokenGas.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Gas of a swap without its legs: the transaction, its fixed calldata, the checks, the fee and the payout.
uint256 constant FIXED_GAS = 70_000;
/// @dev Gas of a token that the Router holds between legs; most of it is given back when the balance is zero again.
uint256 constant GAS_PER_MIDDLE_TOKEN = 6_900;
/// @dev Balances read in the time of the two payments and of the reads around them.
uint256 constant PAYOUT_CALLS = 7;
/// @dev What the first units that an account is ever paid of a token cost more.
uint256 constant FIRST_FEE_GAS = 17_100;

/// @notice Gas of a `swapExactIn` transaction but for that of its legs and for what a Router's settlement adds to it,
/// for a recipient who holds some of `tokenOut` already.
/// @dev Fitted to receipts of real transactions on used pools and tokens as plain as wrapped ether; what others cost more
/// is measured.
/// @param sold What the route's `tokenIn` costs more.
/// @param bought What its `tokenOut` does.
function estimateGas(Route memory route, TokenGas memory sold, TokenGas memory bought) view returns (uint256 gas) {
    gas = FIXED_GAS + sold.times(_legsWith(route, route.tokenIn)) + bought.times(_legsWith(route, route.tokenOut))
        + PAYOUT_CALLS * bought.call;
    for (uint256 i; i < route.legs.length; ++i) {
        if (_isMetBefore(route, i)) continue;
        address token = route.legs[i].tokenOut;
        gas += GAS_PER_MIDDLE_TOKEN + tokenGas(token).times(_legsWith(route, token));
    }
}

/// @notice What paying the fee costs more where its recipient holds nothing of the token yet.
function firstFeeGas(address token, address recipient) view returns (uint256) {
    (bool ok, uint256 balance,) = StaticRead.twoWords(token, IERC20.balanceOf.selector, uint256(uint160(recipient)), 1);
    return ok && balance == 0 ? FIRST_FEE_GAS : 0;
}

/// @dev Whether a leg's `tokenOut` is the route's, or that of an earlier leg.
function _isMetBefore(Route memory route, uint256 index) pure returns (bool) {
    address token = route.legs[index].tokenOut;
    for (uint256 i; i < index; ++i) {
        if (route.legs[i].tokenOut == token) return true;
    }
    return token == route.tokenOut;
}

function _legsWith(Route memory route, address token) pure returns (uint256 count) {
    for (uint256 i; i < route.legs.length; ++i) {
        if (route.legs[i].tokenIn == token || route.legs[i].tokenOut == token) ++count;
    }
}
