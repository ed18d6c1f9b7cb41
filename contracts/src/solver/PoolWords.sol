// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Words} from "../libraries/Words.sol";
import {at, put} from "../math/UncheckedArrays.sol";
import {Pool} from "../types/Market.sol";
import {PackedVenue, Tier} from "../types/Venue.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {adapterPool} from "../venues/AdapterKey.sol";

/// @title Pools as words
/// @notice How pools travel between the contracts of a search: the words below, then what a sampled kind keeps. As a
/// struct each would be checked member by member, which costs more than many pools take to be read.
library PoolWords {
    uint256 private constant SETTINGS = 0;
    uint256 private constant INIT_CODE_HASH = 1;
    /// @dev Number of the venue, first pool, tokens (16 bits each), fee and tick spacing of the tier (24), from the lowest
    /// bit on.
    uint256 private constant NUMBERS = 2;
    uint256 private constant KEY = 3;
    uint256 private constant ADDRESS = 4;
    uint256 private constant TOKEN0 = 5;
    uint256 private constant TOKEN1 = 6;
    uint256 private constant STATE = 7;
    uint256 private constant SAMPLER = 10;
    uint256 private constant HEAD = 11;

    function pack(Pool memory pool) internal pure returns (uint256[] memory words) {
        words = new uint256[](HEAD + pool.words.length);
        put(words, SETTINGS, pool.venue.settings);
        put(words, INIT_CODE_HASH, uint256(pool.venue.initCodeHash));
        uint256 numbers = uint256(pool.number) | pool.first << 16 | pool.token0 << 32 | pool.token1 << 48
            | uint256(pool.tier.feePips) << 64 | uint256(uint24(pool.tier.tickSpacing)) << 88;
        put(words, NUMBERS, numbers);
        put(words, KEY, pool.tier.key);
        put(words, ADDRESS, uint160(pool.pool));
        put(words, TOKEN0, uint160(pool.address0));
        put(words, TOKEN1, uint160(pool.address1));
        put(words, STATE, pool.state[0]);
        put(words, STATE + 1, pool.state[1]);
        put(words, STATE + 2, pool.state[2]);
        put(words, SAMPLER, uint160(pool.sampler));
        Words.copy(pool.words, 0, words, HEAD, pool.words.length);
    }

    /// @dev Reverts if words are missing.
    function unpack(uint256[] memory words) internal pure returns (Pool memory pool) {
        pool.venue = PackedVenue(words[SETTINGS], bytes32(words[INIT_CODE_HASH]));
        uint256 numbers = words[NUMBERS];
        (pool.number, pool.first) = (uint16(numbers), uint16(numbers >> 16));
        (pool.token0, pool.token1) = (uint16(numbers >> 32), uint16(numbers >> 48));
        pool.tier = Tier(uint208(words[KEY]), uint24(numbers >> 64), int24(uint24(numbers >> 88)));
        pool.pool = address(uint160(words[ADDRESS]));
        (pool.address0, pool.address1) = (address(uint160(words[TOKEN0])), address(uint160(words[TOKEN1])));
        for (uint256 i; i < 3; ++i) {
            pool.state[i] = words[STATE + i];
        }
        pool.sampler = address(uint160(words[SAMPLER]));
        pool.words = new uint256[](words.length - HEAD);
        Words.copy(words, HEAD, pool.words, 0, pool.words.length);
    }

    function kindOf(uint256[] memory words) internal pure returns (VenueKind) {
        return VenueKind.wrap(uint8(words[SETTINGS]));
    }

    /// @notice Index of the first pool read that is the same contract.
    function firstOf(uint256[] memory words) internal pure returns (uint256) {
        return uint16(words[NUMBERS] >> 16);
    }

    /// @notice The contract that keeps a pool's tokens. Words with the same one are other uses of the pool: for other tokens, or as
    /// another venue knows it.
    function contractOf(uint256[] memory words) internal pure returns (uint256) {
        return _contractOf(VenueKind.wrap(uint8(at(words, SETTINGS))), at(words, ADDRESS), at(words, KEY));
    }

    /// @notice The same of a pool that is not packed yet.
    function contractOf(Pool memory pool) internal pure returns (uint256) {
        return _contractOf(pool.venue.kind(), uint160(pool.pool), pool.tier.key);
    }

    /// @notice Whether both are pools of one contract and one venue: a swap on one moves the other.
    function isShared(uint256[] memory words, uint256[] memory other) internal pure returns (bool) {
        // The number of the venue and the first pool are the lowest 32 bits.
        return uint32(words[NUMBERS] ^ other[NUMBERS]) == 0;
    }

    /// @notice Indexes of the two tokens among those in play.
    function tokensOf(uint256[] memory words) internal pure returns (uint256 token0, uint256 token1) {
        return (uint16(words[NUMBERS] >> 32), uint16(words[NUMBERS] >> 48));
    }

    /// @notice What a leg says of its pool.
    function identify(uint256[] memory words) internal pure returns (uint16 venue, address pool, uint256 key) {
        return (uint16(words[NUMBERS]), address(uint160(words[ADDRESS])), words[KEY]);
    }

    /// @dev An adapter stands for many pools, and its keys tell them apart.
    function _contractOf(VenueKind kind, uint256 pool, uint256 key) private pure returns (uint256) {
        return kind.isAttested() ? uint160(adapterPool(key)) : pool;
    }
}
