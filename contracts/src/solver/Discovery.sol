// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../interfaces/IHub.sol";
import {ISampler} from "../interfaces/ISampler.sol";
import {ListedPool, PackedVenue, Tier} from "../types/Venue.sol";
import {keyIn, withKey} from "../venues/Listed.sol";
import {Venues} from "../venues/Venues.sol";
import {Pool} from "./Market.sol";

/// @dev Pools that one search reads at most; what is beyond is reported as `truncated`.
uint256 constant MAX_POOLS = 96;

/// @dev A discovery on its way.
struct Discovery {
    PackedVenue[] venues;
    /// Theirs, in the same order.
    Tier[][] tiers;
    ListedPool[] listed;
    /// What was read of them, in the same order; empty where nothing was yet.
    uint256[][] words;
    ISampler sampler;
    address[] tokens;
    Pool[] pools;
    uint256 poolCount;
    bool truncated;
}

/// @notice Finds the pools between the tokens in play: `tokenIn` and `tokenOut` with each other and with every
/// connector token, and connector tokens with each other where a three-hop path can use them.
/// @param tokens The connector tokens, then `tokenIn`, then `tokenOut`.
/// @param connectors How many of them are connector tokens.
function discover(IHub hub, ISampler sampler, address[] memory tokens, uint256 connectors)
    view
    returns (Pool[] memory pools, bool)
{
    Discovery memory discovery;
    pools = new Pool[](MAX_POOLS);
    (discovery.venues, discovery.tiers) = hub.packedVenues();
    (discovery.listed, discovery.sampler) = (hub.pools(), sampler);
    discovery.words = new uint256[][](discovery.listed.length);
    (discovery.tokens, discovery.pools) = (tokens, pools);
    (uint256 tokenIn, uint256 tokenOut) = (connectors, connectors + 1);
    _probe(discovery, tokenIn, tokenOut);

    bool[] memory afterIn = new bool[](connectors);
    bool[] memory beforeOut = new bool[](connectors);
    for (uint256 a; a < connectors; ++a) {
        afterIn[a] = _probe(discovery, tokenIn, a);
        beforeOut[a] = _probe(discovery, a, tokenOut);
    }
    for (uint256 a; a < connectors; ++a) {
        for (uint256 b = a + 1; b < connectors; ++b) {
            if ((afterIn[a] && beforeOut[b]) || (afterIn[b] && beforeOut[a])) _probe(discovery, a, b);
        }
    }
    uint256 count = discovery.poolCount;
    assembly ("memory-safe") {
        mstore(pools, count)
    }
    return (pools, discovery.truncated);
}

/// @dev Reads every pool that a venue could have for the pair; true where one was found.
function _probe(Discovery memory discovery, uint256 tokenA, uint256 tokenB) view returns (bool found) {
    Pool memory pool;
    pool.sampler = discovery.sampler;
    (pool.token0, pool.token1) =
        discovery.tokens[tokenA] < discovery.tokens[tokenB] ? (tokenA, tokenB) : (tokenB, tokenA);
    (pool.address0, pool.address1) = (discovery.tokens[pool.token0], discovery.tokens[pool.token1]);
    for (uint256 v; v < discovery.venues.length; ++v) {
        PackedVenue memory venue = discovery.venues[v];
        if (!venue.isEnabled()) continue;
        (pool.number, pool.venue) = (uint16(v + 1), venue);
        Tier[] memory tiers = discovery.tiers[v];
        for (uint256 t; t < tiers.length; ++t) {
            pool.tier = tiers[t];
            pool.pool = Venues.derive(venue, pool.address0, pool.address1, pool.tier.key);
            if (!Venues.read(pool)) continue;
            found = true;
            if (!_keep(discovery, pool)) return true;
        }
    }
    if (discovery.listed.length != 0 && _probeListed(discovery, pool)) found = true;
}

/// @dev Reads the listed pools that hold both tokens of `pool`; true where one was found.
function _probeListed(Discovery memory discovery, Pool memory pool) view returns (bool found) {
    for (uint256 i; i < discovery.listed.length; ++i) {
        ListedPool memory listed = discovery.listed[i];
        if (listed.pool == address(0) || !discovery.venues[listed.venue - 1].isEnabled()) continue;
        (bool holds, uint256 key) = keyIn(listed, i + 1, pool.address0, pool.address1);
        if (!holds) continue;
        (pool.number, pool.pool) = (listed.venue, listed.pool);
        (pool.venue, pool.tier) = (discovery.venues[listed.venue - 1], Tier(uint208(key), 0, 0));
        if (!_readListed(discovery, pool, i)) continue;
        found = true;
        if (!_keep(discovery, pool)) return true;
    }
}

/// @dev A listed pool is read once for all its pairs: it may have turned hostile, and what it burns then, or what it takes
/// to find that it cannot be priced, is not spent again.
function _readListed(Discovery memory discovery, Pool memory pool, uint256 i) view returns (bool) {
    uint256[] memory words = discovery.words[i];
    if (words.length != 0) {
        pool.words = withKey(words, pool.tier.key);
        return true;
    }
    if (Venues.read(pool)) {
        discovery.words[i] = pool.words;
        return true;
    }
    discovery.listed[i].pool = address(0);
    return false;
}

/// @dev False where the search is full.
function _keep(Discovery memory discovery, Pool memory pool) pure returns (bool) {
    if (discovery.poolCount == MAX_POOLS) {
        discovery.truncated = true;
        return false;
    }
    pool.first = _firstOf(discovery, pool);
    discovery.pools[discovery.poolCount++] = _copy(pool);
    return true;
}

/// @dev Only listed pools can have been read before, for other tokens.
function _firstOf(Discovery memory discovery, Pool memory pool) pure returns (uint256 first) {
    first = discovery.poolCount;
    if (!Venues.isListed(pool.venue.kind())) return first;
    for (uint256 p; p < discovery.poolCount; ++p) {
        if (discovery.pools[p].pool == pool.pool) return p;
    }
}

/// @dev With a state of its own: the next pool is read into the same one.
function _copy(Pool memory pool) pure returns (Pool memory) {
    return Pool({
        number: pool.number,
        venue: pool.venue,
        tier: pool.tier,
        pool: pool.pool,
        first: pool.first,
        token0: pool.token0,
        token1: pool.token1,
        address0: pool.address0,
        address1: pool.address1,
        state: [pool.state[0], pool.state[1], pool.state[2]],
        sampler: pool.sampler,
        words: pool.words
    });
}
