// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {INDEX_BITS, listedKey} from "./Listed.sol";

/// @notice The key of an adapter's pool: its address, then the places of the two tokens in the pool, that of the lower address
/// first, as in the key of a listed pool.
function adapterKey(address pool, uint256 index0, uint256 index1) pure returns (uint256) {
    return listedKey(uint160(pool), index0, index1);
}

/// @notice The pool of an adapter's key.
function adapterPool(uint256 key) pure returns (address) {
    return address(uint160(key >> (2 * INDEX_BITS)));
}
