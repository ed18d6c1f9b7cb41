// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Route} from "../types/Route.sol";

/// @dev Gas of a swap without its legs: the transaction, its fixed calldata, the checks, the fee and the payout.
uint256 constant FIXED_GAS = 90_000;
/// @dev Gas of a leg's own calldata and bookkeeping, beside the swap on its pool.
uint256 constant GAS_PER_LEG = 6_000;

/// @notice Gas of the whole `swapExactIn` transaction, for balances that are not zero before.
function estimateGas(Route memory route, uint256 legsGas) pure returns (uint256) {
    return FIXED_GAS + GAS_PER_LEG * route.legs.length + legsGas;
}
