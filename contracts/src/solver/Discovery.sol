// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../interfaces/IHub.sol";
import {ISampler} from "../interfaces/ISampler.sol";
import {freeMemory, release} from "../libraries/Memory.sol";
import {ListedPool, PackedVenue, Tier} from "../types/Venue.sol";
import {keyIn, withKey} from "../venues/Listed.sol";
import {Venues} from "../venues/Venues.sol";
import {CurveWords} from "./CurveWords.sol";
import {estimateOut} from "./Estimate.sol";
import {Curve, Pool} from "./Market.sol";
import {PoolWords} from "./PoolWords.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Pools that one search reads at most; what is beyond is reported as `truncated`.
uint256 constant MAX_POOLS = 96;

/// @dev Gas that is kept for what follows: splitting and pricing take about so much for each edge, but no more than this
/// part of all is kept for them. Handing over what was found takes so much for each pool.
uint256 constant GAS_KEPT = 250_000;
uint256 constant GAS_PER_EDGE = 110_000;
uint256 constant KEPT_PARTS = 2;
uint256 constant GAS_PER_POOL = 4_000;
/// @dev What must be left for reading a pool and drawing it: those that the Hub lists are several calls.
uint256 constant READ_GAS = 60_000;
uint256 constant LISTED_READ_GAS = 150_000;

/// @dev V3 ranges read at first; only directions that the plan exhausts are read further.
uint256 constant FIRST_RANGES = 2;
/// @dev Pools between connector tokens are many and seldom used: their price and liquidity come first.
uint256 constant FIRST_MIDDLE_RANGES = 0;

/// @dev In which directions a pool is of use.
struct Ways {
    bool zeroForOne;
    bool oneForZero;
}

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
    /// As `PoolWords`.
    uint256[][] pools;
    uint256 poolCount;
    /// Directed uses of the pools: the pool's index, doubled, plus one where it sells its first token, and `CurveWords`.
    uint256[][] edges;
    uint256 edgeCount;
    /// What the best single pool so far brings of each token in play, were it given everything; zero where nothing does.
    uint256[] amounts;
    uint256 connectors;
    bool truncated;
    /// Bit by token in play: those that each listed pool holds, in the order of `listed`.
    uint256[] held;
    /// Gas that is kept at most.
    uint256 gasKept;
}

/// @notice Finds the pools between the tokens in play, and draws their curves: `tokenIn` and `tokenOut` with each other
/// and with every connector token, and connector tokens with each other where a three-hop path can use them.
/// @dev The nearest to the two tokens first; what the gas is not enough for is left out.
/// @param tokens The connector tokens, then `tokenIn`, then `tokenOut`.
/// @param connectors How many of them are connector tokens.
function discover(IHub hub, ISampler sampler, address[] memory tokens, uint256 connectors, uint256 amountIn)
    view
    returns (Discovery memory discovery)
{
    discovery.gasKept = gasleft() / KEPT_PARTS;
    (discovery.pools, discovery.edges) = (new uint256[][](MAX_POOLS), new uint256[][](2 * MAX_POOLS));
    (discovery.venues, discovery.tiers) = hub.packedVenues();
    (discovery.listed, discovery.sampler) = (hub.pools(), sampler);
    discovery.words = new uint256[][](discovery.listed.length);
    (discovery.tokens, discovery.connectors) = (tokens, connectors);
    _noteHeld(discovery);
    (uint256 tokenIn, uint256 tokenOut) = (connectors, connectors + 1);
    discovery.amounts = new uint256[](tokens.length);
    discovery.amounts[tokenIn] = amountIn;
    _probe(discovery, tokenIn, tokenOut, true, false);

    bool[] memory afterIn = new bool[](connectors);
    bool[] memory beforeOut = new bool[](connectors);
    for (uint256 a; a < connectors; ++a) {
        afterIn[a] = _probe(discovery, tokenIn, a, true, false);
        beforeOut[a] = _probe(discovery, a, tokenOut, true, false);
    }
    for (uint256 a; a < connectors; ++a) {
        for (uint256 b = a + 1; b < connectors; ++b) {
            (bool there, bool back) = (afterIn[a] && beforeOut[b], afterIn[b] && beforeOut[a]);
            if (there || back) _probe(discovery, a, b, there, back);
        }
    }
}

/// @dev Reads every pool that a venue could have for the pair, and draws it from A to B (`there`) and from B to A
/// (`back`); true where one was found.
function _probe(Discovery memory discovery, uint256 tokenA, uint256 tokenB, bool there, bool back)
    view
    returns (bool found)
{
    Pool memory pool;
    uint256[] memory none;
    pool.sampler = discovery.sampler;
    bool inOrder = discovery.tokens[tokenA] < discovery.tokens[tokenB];
    (pool.token0, pool.token1) = inOrder ? (tokenA, tokenB) : (tokenB, tokenA);
    Ways memory ways = inOrder ? Ways(there, back) : Ways(back, there);
    (pool.address0, pool.address1) = (discovery.tokens[pool.token0], discovery.tokens[pool.token1]);
    for (uint256 v; v < discovery.venues.length; ++v) {
        PackedVenue memory venue = discovery.venues[v];
        if (!venue.isEnabled()) continue;
        (pool.number, pool.venue) = (uint16(v + 1), venue);
        Tier[] memory tiers = discovery.tiers[v];
        for (uint256 t; t < tiers.length; ++t) {
            if (!_mayRead(discovery, READ_GAS)) return found;
            (pool.tier, pool.words) = (tiers[t], none);
            pool.pool = Venues.derive(venue, pool.address0, pool.address1, pool.tier.key);
            uint256 free = freeMemory();
            if (!Venues.read(pool)) {
                release(free);
                continue;
            }
            found = true;
            if (!_keep(discovery, pool, ways)) return true;
        }
    }
    if (discovery.listed.length != 0 && _probeListed(discovery, pool, ways)) found = true;
}

/// @dev Reads the listed pools that hold both tokens of `pool`; true where one was found.
function _probeListed(Discovery memory discovery, Pool memory pool, Ways memory ways) view returns (bool found) {
    for (uint256 i; i < discovery.listed.length; ++i) {
        if ((discovery.held[i] >> pool.token0) & (discovery.held[i] >> pool.token1) & 1 == 0) continue;
        if (!_mayRead(discovery, LISTED_READ_GAS)) return found;
        ListedPool memory listed = discovery.listed[i];
        (, uint256 key) = keyIn(listed, i + 1, pool.address0, pool.address1);
        (pool.number, pool.pool) = (listed.venue, listed.pool);
        (pool.venue, pool.tier) = (discovery.venues[listed.venue - 1], Tier(uint208(key), 0, 0));
        if (!_readListed(discovery, pool, i)) continue;
        found = true;
        if (!_keep(discovery, pool, ways)) return true;
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
    discovery.held[i] = 0;
    return false;
}

/// @dev Once, because pairs are many. Nothing for pools that are not to be read.
function _noteHeld(Discovery memory discovery) pure {
    discovery.held = new uint256[](discovery.listed.length);
    for (uint256 i; i < discovery.listed.length; ++i) {
        ListedPool memory listed = discovery.listed[i];
        if (listed.pool == address(0) || !discovery.venues[listed.venue - 1].isEnabled()) continue;
        for (uint256 k; k < listed.tokens.length; ++k) {
            for (uint256 t; t < discovery.tokens.length; ++t) {
                if (discovery.tokens[t] == listed.tokens[k]) discovery.held[i] |= 1 << t;
            }
        }
    }
}

/// @dev Whether so much gas is left for one more pool.
function _mayRead(Discovery memory discovery, uint256 gas) view returns (bool may) {
    uint256 kept = FixedPointMathLib.min(discovery.gasKept, GAS_KEPT + GAS_PER_EDGE * discovery.edgeCount);
    may = gasleft() > kept + GAS_PER_POOL * discovery.poolCount + gas;
    if (!may) discovery.truncated = true;
}

/// @dev False where the search is full.
function _keep(Discovery memory discovery, Pool memory pool, Ways memory ways) view returns (bool) {
    if (discovery.poolCount == MAX_POOLS) {
        discovery.truncated = true;
        return false;
    }
    pool.first = _firstOf(discovery, pool);
    discovery.pools[discovery.poolCount++] = PoolWords.pack(pool);
    if (ways.zeroForOne) _draw(discovery, pool, true);
    if (ways.oneForZero) _draw(discovery, pool, false);
    return true;
}

/// @dev Draws one direction of the pool found last.
function _draw(Discovery memory discovery, Pool memory pool, bool zeroForOne) view {
    (uint256 from, uint256 to) = zeroForOne ? (pool.token0, pool.token1) : (pool.token1, pool.token0);
    Curve memory curve;
    curve.expected = discovery.amounts[from];
    bool isMiddle = from < discovery.connectors && to < discovery.connectors;
    Venues.extend(pool, zeroForOne, curve, isMiddle ? FIRST_MIDDLE_RANGES : FIRST_RANGES);
    if (curve.drawn() == 0) return;
    uint256[] memory words = CurveWords.pack(curve, 1);
    words[0] = (discovery.poolCount - 1) << 1 | (zeroForOne ? 1 : 0);
    discovery.edges[discovery.edgeCount++] = words;
    if (curve.expected == 0) return;
    discovery.amounts[to] = FixedPointMathLib.max(discovery.amounts[to], estimateOut(curve, curve.expected));
}

/// @dev Only listed pools can have been read before, for other tokens.
function _firstOf(Discovery memory discovery, Pool memory pool) pure returns (uint256 first) {
    first = discovery.poolCount;
    if (!Venues.isListed(pool.venue.kind())) return first;
    for (uint256 p; p < discovery.poolCount; ++p) {
        if (discovery.pools[p][PoolWords.ADDRESS] == uint160(pool.pool)) return p;
    }
}
