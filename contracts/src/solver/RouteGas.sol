// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPricer} from "../interfaces/IPricer.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {TokenGas} from "../math/TokenGas.sol";
import {Search} from "./Search.sol";

/// @dev Gas of a swap without its legs: the transaction, its fixed calldata, the checks, the fee and the payout.
uint256 constant FIXED_GAS = 66_000;
/// @dev Gas of a token between legs: the mean of those that the Router holds, which cost more, and of those that go straight
/// into the next pool.
uint256 constant GAS_PER_MIDDLE_TOKEN = 4_200;
/// @dev Balances read in the time of the two payments and of the reads around them.
uint256 constant PAYOUT_CALLS = 7;

/// @notice Gas of a `swapExactIn` transaction but for what a Router's settlement adds to it, for a recipient who holds some
/// of `tokenOut` already.
/// @dev Fitted to receipts of real transactions on used pools and tokens as plain as wrapped ether; what others cost more
/// is measured.
/// @param legsGas What filling the legs takes.
/// @param legsWith In how many legs each token in play takes part.
function routeGas(Search memory search, uint256 legsGas, uint256[] memory legsWith) view returns (uint256 gas) {
    gas = FIXED_GAS + legsGas;
    for (uint256 t; t < legsWith.length; ++t) {
        if (legsWith[t] == 0) continue;
        measure(search, t);
        gas += search.tokenGas[t].times(legsWith[t]);
        if (t == search.tokenOutIndex()) gas += PAYOUT_CALLS * search.tokenGas[t].call;
        else if (t != search.tokenInIndex()) gas += GAS_PER_MIDDLE_TOKEN;
    }
}

/// @notice Measures a token in play. Once, and best before anything reads it.
function measure(Search memory search, uint256 token) view {
    if (search.measured >> token & 1 == 1) return;
    noteGas(search, token, gasOf(search, search.tokens[token]));
}

/// @notice What a token costs more gas than the plainest one.
function gasOf(Search memory search, address token) view returns (TokenGas memory gas) {
    (gas.once, gas.call) = StaticRead.own(address(search.pricer), IPricer.tokenGas.selector, uint160(token));
}

/// @notice Notes what a token in play was measured to cost.
function noteGas(Search memory search, uint256 token, TokenGas memory gas) pure {
    search.measured |= 1 << token;
    search.tokenGas[token] = gas;
}
