// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VenueConfig} from "../types/Venue.sol";
import {Venues} from "../venues/Venues.sol";
import {Pool} from "./Market.sol";
import {Search} from "./Search.sol";

/// @dev Pools that one search reads at most; what is beyond is reported as `truncated`.
uint256 constant MAX_POOLS = 96;

/// @notice Finds the pools between the tokens in play: `tokenIn` and `tokenOut` with each other and with every
/// connector token, and connector tokens with each other where a three-hop path can use them.
function discover(Search memory search) view {
    search.pools = new Pool[](MAX_POOLS);
    uint256 tokenIn = search.tokenInIndex();
    uint256 tokenOut = search.tokenOutIndex();
    _probe(search, tokenIn, tokenOut);

    uint256 m = search.connectors;
    bool[] memory afterIn = new bool[](m);
    bool[] memory beforeOut = new bool[](m);
    for (uint256 a; a < m; ++a) {
        afterIn[a] = _probe(search, tokenIn, a);
        beforeOut[a] = _probe(search, a, tokenOut);
    }
    for (uint256 a; a < m; ++a) {
        for (uint256 b = a + 1; b < m; ++b) {
            if ((afterIn[a] && beforeOut[b]) || (afterIn[b] && beforeOut[a])) _probe(search, a, b);
        }
    }
}

/// @dev Reads every pool that a venue could have for the pair; true where one was found.
function _probe(Search memory search, uint256 tokenA, uint256 tokenB) view returns (bool found) {
    Pool memory pool;
    (pool.token0, pool.token1) = search.tokens[tokenA] < search.tokens[tokenB] ? (tokenA, tokenB) : (tokenB, tokenA);
    for (uint256 v; v < search.venues.length; ++v) {
        VenueConfig memory config = search.venues[v];
        if (!config.venue.enabled) continue;
        (pool.number, pool.venue) = (uint16(v + 1), config.venue);
        for (uint256 t; t < config.tiers.length; ++t) {
            pool.tier = config.tiers[t];
            pool.pool =
                Venues.derive(config.venue, search.tokens[pool.token0], search.tokens[pool.token1], pool.tier.key);
            if (!Venues.read(pool)) continue;
            found = true;
            if (search.poolCount == MAX_POOLS) {
                search.truncated = true;
                return true;
            }
            search.pools[search.poolCount++] = _copy(pool);
        }
    }
}

/// @dev With a state of its own: the next pool is read into the same one.
function _copy(Pool memory pool) pure returns (Pool memory) {
    return Pool({
        number: pool.number,
        venue: pool.venue,
        tier: pool.tier,
        pool: pool.pool,
        token0: pool.token0,
        token1: pool.token1,
        state: [pool.state[0], pool.state[1], pool.state[2]]
    });
}
