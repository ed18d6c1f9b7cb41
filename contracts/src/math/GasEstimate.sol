// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StaticRead} from "../libraries/StaticRead.sol";
import {Route} from "../types/Route.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Gas of a swap without its legs: the transaction, its fixed calldata, the checks, the fee and the payout.
uint256 constant FIXED_GAS = 81_500;
/// @dev Gas of a token that the Router holds between legs; most of it is given back when the balance is zero again.
uint256 constant GAS_PER_MIDDLE_TOKEN = 6_000;
/// @dev What the first units that the fee recipient is ever paid of a token cost more.
uint256 constant FIRST_FEE_GAS = 17_100;

/// @notice Gas of the whole `swapExactIn` transaction, for a recipient who holds some of `tokenOut` already.
/// @dev Fitted to receipts of real transactions on used pools; the legs' own gas comes from their venues.
function estimateGas(Route memory route, uint256 legsGas, address feeRecipient) view returns (uint256 gas) {
    gas = FIXED_GAS + legsGas + GAS_PER_MIDDLE_TOKEN * _middleTokens(route);
    (bool ok, uint256 balance,) =
        StaticRead.twoWords(route.tokenOut, IERC20.balanceOf.selector, uint256(uint160(feeRecipient)), 1);
    if (ok && balance == 0) gas += FIRST_FEE_GAS;
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
