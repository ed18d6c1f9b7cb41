// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ListedPool, VenueConfig} from "../types/Venue.sol";

/// @dev A listed pool's key: its number in the Hub's list, and the places of its two tokens in the pool, that of the
/// lower address first.
uint256 constant INDEX_BITS = 4;
/// @dev Tokens that a listed pool may have.
uint256 constant MAX_LISTED_TOKENS = 8;

/// @notice Nothing but who keeps the pools: they say their fees themselves.
function isValidListed(VenueConfig calldata config) pure returns (bool) {
    return config.tiers.length == 0 && config.venue.initCodeHash == 0 && config.venue.feePips == 0
        && config.venue.unlockedWord == 0;
}

function listedKey(uint256 number, uint256 index0, uint256 index1) pure returns (uint256) {
    return number << (2 * INDEX_BITS) | index0 << INDEX_BITS | index1;
}

function numberOf(uint256 key) pure returns (uint256) {
    return key >> (2 * INDEX_BITS);
}

/// @notice The key of pool `number` for two tokens, that of the lower address first, where it has both.
function keyIn(ListedPool memory listed, uint256 number, address token0, address token1)
    pure
    returns (bool holds, uint256 key)
{
    uint256 n = listed.tokens.length;
    (uint256 index0, uint256 index1) = (n, n);
    for (uint256 i; i < n; ++i) {
        if (listed.tokens[i] == token0) index0 = i;
        if (listed.tokens[i] == token1) index1 = i;
    }
    return (index0 != n && index1 != n, listedKey(number, index0, index1));
}

/// @notice Places of the token sold and the token bought.
function indexesOf(uint256 key, bool zeroForOne) pure returns (uint256, uint256) {
    (uint256 index0, uint256 index1) = (key >> INDEX_BITS & 15, key & 15);
    return zeroForOne ? (index0, index1) : (index1, index0);
}

/// @notice A listed pool's words for other two of its tokens. The key is the first word, and all else is of the whole pool.
function withKey(uint256[] memory words, uint256 key) pure returns (uint256[] memory copy) {
    copy = new uint256[](words.length);
    copy[0] = key;
    for (uint256 i = 1; i < words.length; ++i) {
        copy[i] = words[i];
    }
}
