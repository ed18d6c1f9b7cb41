// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPricer} from "../interfaces/IPricer.sol";
import {ISampler} from "../interfaces/ISampler.sol";
import {freeMemory, settle} from "../libraries/Memory.sol";
import {atArray} from "../math/UncheckedArrays.sol";
import {Curve, Pool} from "../types/Market.sol";
import {ListedPool, PackedVenue, Tier} from "../types/Venue.sol";
import {Venues} from "../venues/Venues.sol";
import {CurveWords} from "./CurveWords.sol";
import {estimateOut} from "./Estimate.sol";
import {PoolWords} from "./PoolWords.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Gas that is kept for what follows: splitting and pricing take about so much for each edge, but no more than this
/// part of all is kept for them. Handing over what was found takes so much for each pool.
uint256 constant GAS_KEPT = 250_000;
uint256 constant GAS_PER_EDGE = 110_000;
uint256 constant GAS_PER_POOL = 4_000;
/// @dev Hints are read only if that leaves enough for the best split of everything.
uint256 constant GAS_PER_EDGE_WITH_HINTS = 160_000;

/// @dev V3 ranges read at first; only directions that the plan exhausts are read further.
uint256 constant FIRST_RANGES = 2;
/// @dev Pools between connector tokens are many and seldom used: their price and liquidity come first.
uint256 constant FIRST_MIDDLE_RANGES = 0;

/// @dev Bits of `Discovery.passes`: pools that are derived or listed, those that an adapter knows, and whether they may have been
/// read before, in their other direction.
uint256 constant PLAIN_PASS = 1;
uint256 constant ATTESTED_PASS = 2;
uint256 constant SECOND_PASS = 4;

/// @dev A pool's output is given relative to that of the best single pool, which is `WHOLE_PART`. If the output is not known,
/// `UNKNOWN_PART` stands for it.
uint256 constant WHOLE_PART = 1 << 64;
uint256 constant UNKNOWN_PART = 1 << 44;
/// @dev An output below the best pool's divided by 2^24 is dust.
uint256 constant DUST_SHIFT = 24;

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
    /// What was read of them, in the same order; empty if nothing was yet.
    uint256[][] words;
    ISampler sampler;
    IPricer pricer;
    /// Pools that the caller proposes, in words of the adapters, and what `IAdapter.heldBy` says of them, by venue.
    uint256[] hints;
    uint256[][] hinted;
    /// Adapters among the venues, and which pools are read at the moment, as bits.
    uint256 adapters;
    uint256 passes;
    address[] tokens;
    /// As `PoolWords`, and which part of the best single pool each brings of the token that it is asked for, were it given
    /// everything.
    uint256[][] pools;
    uint256[] parts;
    uint256 poolCount;
    /// Pools that there may be, and the first of them that may make room for another.
    uint256 room;
    uint256 settled;
    /// Directed uses of the pools: the pool's index, doubled, plus one if it sells its first token, and `CurveWords`.
    uint256[][] edges;
    uint256 edgeCount;
    /// What the best single pool so far brings of each token in play, were it given everything; zero if nothing does.
    uint256[] amounts;
    /// Of each token in play what pools that were left out may pay at most; `type(uint256).max` if unknown.
    uint256[] rest;
    /// Pools that pay nothing at their price: see `Idle`.
    uint256[][] idle;
    uint256 idleCount;
    uint256 connectors;
    bool truncated;
    /// Bit by token in play: those that each listed pool holds, in the order of `listed`.
    uint256[] held;
    /// Gas that is kept for each edge, and at most.
    uint256 gasPerEdge;
    uint256 gasKept;
}

using {mayRead, keep, leave} for Discovery global;

/// @notice Whether so much gas is left for one more pool.
function mayRead(Discovery memory discovery, uint256 gas) view returns (bool may) {
    // Numbers of edges and pools are small, and so is what is kept for each.
    unchecked {
        uint256 kept = GAS_KEPT + discovery.gasPerEdge * discovery.edgeCount;
        kept = FixedPointMathLib.min(discovery.gasKept, kept);
        may = gasleft() > kept + GAS_PER_POOL * discovery.poolCount + gas;
    }
    if (!may) discovery.truncated = true;
}

/// @notice Draws a pool and keeps it, if it has anything to draw. If there is no room, the pool that brings least makes
/// room, or this one is left out.
/// @param place Where memory was free before what only this pool needs was written: what is kept of it is moved there.
function keep(Discovery memory discovery, Pool memory pool, Ways memory ways, uint256 place) returns (bool isKept) {
    uint256[] memory there;
    uint256[] memory back;
    uint256 part;
    if (ways.zeroForOne) (there, part) = _draw(discovery, pool, true);
    if (ways.oneForZero) {
        uint256 partBack;
        (back, partBack) = _draw(discovery, pool, false);
        part = FixedPointMathLib.max(part, partBack);
    }
    if (there.length + back.length == 0) return false;
    // The Hub's owner chose those, and other pairs may refer to them.
    if (pool.venue.kind().isListed()) part = type(uint256).max;
    uint256 at = discovery.poolCount;
    if (at >= discovery.room) {
        discovery.truncated = true;
        at = _leastOf(discovery, part);
        if (at == discovery.poolCount) return false;
        _forget(discovery, at);
    } else {
        ++discovery.poolCount;
    }
    pool.first = _firstOf(discovery, pool, at);
    uint256[] memory packed = PoolWords.pack(pool);
    there = settle(there, place);
    back = settle(back, freeMemory());
    (discovery.pools[at], discovery.parts[at]) = (settle(packed, freeMemory()), part);
    if (there.length != 0) _addEdge(discovery, there, at << 1 | 1);
    if (back.length != 0) _addEdge(discovery, back, at << 1);
    return true;
}

/// @notice Notes that a pool which could pay up to `most` of a token is left out.
function leave(Discovery memory discovery, uint256 token, uint256 most) pure {
    discovery.rest[token] = FixedPointMathLib.saturatingAdd(discovery.rest[token], most);
}

/// @dev One direction of a pool; nothing if it has none to draw, if it could not be drawn, or if what it has is
/// dust.
function _draw(Discovery memory discovery, Pool memory pool, bool zeroForOne)
    returns (uint256[] memory words, uint256 part)
{
    (uint256 from, uint256 to) = zeroForOne ? (pool.token0, pool.token1) : (pool.token1, pool.token0);
    Curve memory curve;
    curve.expected = discovery.amounts[from];
    bool isMiddle = from < discovery.connectors && to < discovery.connectors;
    Venues.extend(pool, zeroForOne, curve, isMiddle ? FIRST_MIDDLE_RANGES : FIRST_RANGES);
    if (curve.drawn() == 0) {
        if (!curve.open) return (words, 0);
        // Only what can be read further is worth its place; nobody knows what the others pay.
        if (curve.endRatio == 0) {
            discovery.leave(to, curve.most);
            discovery.truncated = true;
            return (words, 0);
        }
    }
    part = UNKNOWN_PART;
    if (curve.expected != 0) {
        uint256 brings = estimateOut(curve, curve.expected);
        if (_leaveDust(discovery, pool, curve, zeroForOne, brings, to)) return (words, 0);
        uint256 best = FixedPointMathLib.max(discovery.amounts[to], 1);
        part = FixedPointMathLib.fullMulDiv(FixedPointMathLib.min(brings, best), WHOLE_PART, best);
        discovery.amounts[to] = FixedPointMathLib.max(discovery.amounts[to], brings);
    }
    words = CurveWords.pack(curve, 1);
}

/// @dev Leaves out what brings next to nothing and holds no more: splitting over it costs more gas than it can be worth.
function _leaveDust(
    Discovery memory discovery,
    Pool memory pool,
    Curve memory curve,
    bool zeroForOne,
    uint256 brings,
    uint256 to
) view returns (bool isDust) {
    uint256 least = discovery.amounts[to] >> DUST_SHIFT;
    if (brings >= least || pool.venue.kind().isSampled()) return false;
    uint256 most = curve.open ? Venues.mostOf(pool, zeroForOne) : curve.loadedOut + curve.count;
    isDust = most < least;
    if (isDust) discovery.leave(to, most);
}

function _addEdge(Discovery memory discovery, uint256[] memory words, uint256 use) pure {
    words[0] = use;
    discovery.edges[discovery.edgeCount++] = words;
}

/// @dev The pool that brings the least part and less than this; the number of pools if none does.
function _leastOf(Discovery memory discovery, uint256 part) pure returns (uint256 at) {
    at = discovery.poolCount;
    for (uint256 p = discovery.settled; p < discovery.poolCount; ++p) {
        if (discovery.parts[p] < part) (at, part) = (p, discovery.parts[p]);
    }
}

/// @dev Takes the edges of a pool away.
function _forget(Discovery memory discovery, uint256 pool) pure {
    uint256 count;
    for (uint256 e; e < discovery.edgeCount; ++e) {
        if (discovery.edges[e][0] >> 1 != pool) discovery.edges[count++] = discovery.edges[e];
    }
    discovery.edgeCount = count;
}

/// @dev Pools that are derived have two tokens only, so that they are seldom read before. One contract may keep many of them.
function _firstOf(Discovery memory discovery, Pool memory pool, uint256 at) pure returns (uint256 first) {
    bool isDerived = pool.venue.kind().isDerived();
    if (isDerived && discovery.passes & SECOND_PASS == 0) return at;
    uint256 own = PoolWords.contractOf(pool);
    unchecked {
        for (first = 0; first < at; ++first) {
            uint256[] memory words = atArray(discovery.pools, first);
            if (PoolWords.contractOf(words) != own) continue;
            (uint256 token0, uint256 token1) = PoolWords.tokensOf(words);
            if (!isDerived || (token0 == pool.token0 && token1 == pool.token1)) return first;
        }
    }
}
