// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StaticRead} from "../libraries/StaticRead.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Gas of reading a balance of the plainest token (wrapped ether), around the call: read before, and how much more
/// the first time, because of one slot (EIP-2929).
uint256 constant PLAIN_CALL_GAS = 740;
uint256 constant PLAIN_FIRST_GAS = 2_000;

/// @notice What a token costs more than the plainest one: a proxy, a slot that says whether it is paused.
struct TokenGas {
    /// Once in a transaction.
    uint256 once;
    /// Each time that a balance is read; a transfer is about twice as much.
    uint256 call;
}

using {times} for TokenGas global;

/// @dev Balances read in the time of what a leg does with one of its tokens: a transfer and one or two reads.
uint256 constant CALLS_PER_LEG = 4;

/// @notice Of a token that takes part in `legs` legs.
function times(TokenGas memory gas, uint256 legs) pure returns (uint256) {
    return gas.once + CALLS_PER_LEG * gas.call * legs;
}

/// @notice Measures a token by reading a balance twice. What was read of it before in the same call is not counted.
/// @dev A hostile token is cut off by the cap on reads. Its account counts as touched, as it may or may not have been.
function tokenGas(address token) view returns (TokenGas memory gas) {
    if (token.code.length == 0) return gas;
    uint256 first = _read(token);
    uint256 again = _read(token);
    if (first > again + PLAIN_FIRST_GAS) gas.once = _rounded(first - again - PLAIN_FIRST_GAS);
    if (again > PLAIN_CALL_GAS) gas.call = _rounded(again - PLAIN_CALL_GAS);
}

/// @dev To hundreds: what is finer depends on how this file was compiled.
function _rounded(uint256 gas) pure returns (uint256) {
    return (gas + 50) / 100 * 100;
}

function _read(address token) view returns (uint256) {
    uint256 before = gasleft();
    StaticRead.twoWords(token, IERC20.balanceOf.selector, uint256(uint160(token)), 1);
    return before - gasleft();
}
