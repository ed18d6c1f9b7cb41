// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAdapter} from "../interfaces/IAdapter.sol";
import {IHub} from "../interfaces/IHub.sol";
import {IPricer} from "../interfaces/IPricer.sol";
import {ISampler} from "../interfaces/ISampler.sol";
import {ask} from "../libraries/Answers.sol";
import {freeMemory, release} from "../libraries/Memory.sol";
import {Words} from "../libraries/Words.sol";
import {at, put} from "../math/UncheckedArrays.sol";
import {Pool} from "../types/Market.sol";
import {PreviewOptions} from "../types/Plan.sol";
import {ENABLED_SHIFT, ListedPool, PackedVenue, Tier} from "../types/Venue.sol";
import {keyIn, withKey} from "../venues/Listed.sol";
import {Venues} from "../venues/Venues.sol";
import {
    ATTESTED_PASS,
    Discovery,
    GAS_PER_EDGE,
    GAS_PER_EDGE_WITH_HINTS,
    PLAIN_PASS,
    SECOND_PASS,
    Ways
} from "./Found.sol";
import {HubAnswers} from "./HubAnswers.sol";
import {MAX_IDLE, MAX_LOOKS, leaveIdle, lookIntoIdle, wait} from "./Idle.sol";
import {dropBlind} from "./Ways.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Pools that one search reads at most, and for how many there is always room when hints are read; what is beyond is
/// reported as `truncated`.
uint256 constant MAX_POOLS = 96;
uint256 constant HINT_POOLS = 32;

/// @dev This part of the gas is kept at most for what follows.
uint256 constant KEPT_PARTS = 2;
/// @dev What must be left for reading a pool and drawing it: those that the Hub lists, or an adapter knows, are several calls.
uint256 constant READ_GAS = 60_000;
uint256 constant NAMED_READ_GAS = 150_000;
/// @dev Limits of one question to an adapter: gas, and pools in the answer.
uint256 constant ADAPTER_GAS = 800_000;
uint256 constant ADAPTER_POOLS = 16;

/// @dev Which connector tokens pools lead to from `tokenIn`, and from which to `tokenOut`, a bit each.
struct Reached {
    uint256 afterIn;
    uint256 beforeOut;
    /// Ways from one connector token to another whose derived and listed pools were read, a bit each.
    uint256 read;
}

/// @notice Finds the pools between the tokens in play, and draws their curves: `tokenIn` and `tokenOut` with each other
/// and with every connector token, and connector tokens with each other where a three-hop path can use them.
/// @dev The nearest to the two tokens first, and what hints add after all else: a hint takes nothing from the quote
/// without it. What the gas is not enough for is left out.
/// @param tokens The chain's connector tokens, then hints, then `tokenIn`, then `tokenOut`.
/// @param own How many of them are the chain's connector tokens.
/// @param options Those of the preview. With a gas price, the price of the native token is needed as well.
function discover(
    IHub hub,
    ISampler sampler,
    IPricer pricer,
    address[] memory tokens,
    uint256 own,
    uint256 amountIn,
    PreviewOptions calldata options
) returns (Discovery memory discovery) {
    _begin(discovery, hub, tokens, options);
    (discovery.sampler, discovery.pricer) = (sampler, pricer);
    uint256 connectors = tokens.length - 2;
    discovery.amounts[connectors] = amountIn;
    Reached memory reached;

    discovery.room = MAX_POOLS;
    _probeOwn(discovery, reached, own);
    if (options.gasPrice != 0) _probeNative(discovery, reached, own, hub.wrappedNative());
    lookIntoIdle(discovery);
    if (discovery.adapters != 0) {
        // Anybody can have a registry know a pool, so such pools come last: what they burn is not taken from the others.
        discovery.passes = ATTESTED_PASS;
        _makeRoom(discovery);
        _noteHinted(discovery);
        _probeOwn(discovery, reached, own);
        // Ways between connector tokens to which adapters alone lead.
        discovery.passes = PLAIN_PASS | SECOND_PASS;
        _probeMiddle(discovery, reached, 0, own);
        lookIntoIdle(discovery);
    }
    if (own != connectors) {
        discovery.passes = PLAIN_PASS | ATTESTED_PASS;
        // What is kept for a good split of the plan without hints; there may be no plan without them.
        if (discovery.amounts[connectors + 1] != 0) {
            (discovery.gasPerEdge, discovery.gasKept) = (GAS_PER_EDGE_WITH_HINTS, type(uint256).max);
        }
        _makeRoom(discovery);
        _probeNear(discovery, reached, own, connectors);
        _probeMiddle(discovery, reached, own, connectors);
        lookIntoIdle(discovery);
    }
    leaveIdle(discovery);
    dropBlind(discovery);
}

function _begin(Discovery memory discovery, IHub hub, address[] memory tokens, PreviewOptions calldata options) {
    (discovery.gasPerEdge, discovery.gasKept) = (GAS_PER_EDGE, gasleft() / KEPT_PARTS);
    uint256 most = MAX_POOLS + 2 * HINT_POOLS + 2 * MAX_LOOKS;
    (discovery.pools, discovery.parts) = (Words.unset(most), new uint256[](most));
    (discovery.edges, discovery.idle) = (Words.unset(2 * most), Words.unset(2 * MAX_IDLE));
    (discovery.venues, discovery.tiers) = HubAnswers.venuesOf(hub);
    discovery.passes = PLAIN_PASS;
    discovery.adapters = _countAdapters(discovery.venues, options.excludedVenues);
    (discovery.hints, discovery.hinted) = (options.pools, new uint256[][](discovery.venues.length));
    discovery.listed = HubAnswers.poolsOf(hub);
    discovery.words = new uint256[][](discovery.listed.length);
    (discovery.tokens, discovery.connectors) = (tokens, tokens.length - 2);
    (discovery.amounts, discovery.rest) = (new uint256[](tokens.length), new uint256[](tokens.length));
    _noteHeld(discovery);
}

/// @dev Switches off the excluded venues, so that nothing of them is read. Returns how many adapters are left.
function _countAdapters(PackedVenue[] memory venues, uint256 excluded) pure returns (uint256 count) {
    for (uint256 v; v < venues.length; ++v) {
        if (excluded >> (v + 1) & 1 == 1) venues[v].settings &= ~(1 << ENABLED_SHIFT);
        else if (venues[v].kind().isAttested()) ++count;
    }
}

/// @dev Room for as many pools again as hints have. Those that were found keep theirs.
function _makeRoom(Discovery memory discovery) pure {
    discovery.settled = discovery.poolCount;
    discovery.room = FixedPointMathLib.max(MAX_POOLS, discovery.poolCount + HINT_POOLS);
}

/// @dev The pools of the two tokens, of each with the chain's connector tokens, and of these.
function _probeOwn(Discovery memory discovery, Reached memory reached, uint256 own) {
    _probe(discovery, discovery.connectors, discovery.connectors + 1, true, false);
    _probeNear(discovery, reached, 0, own);
    _probeMiddle(discovery, reached, 0, own);
}

/// @dev The pools of some connector tokens with `tokenIn` and `tokenOut`.
function _probeNear(Discovery memory discovery, Reached memory reached, uint256 first, uint256 end) {
    uint256 tokenIn = discovery.connectors;
    for (uint256 a = first; a < end; ++a) {
        if (_probe(discovery, tokenIn, a, true, false)) reached.afterIn |= 1 << a;
        if (_probe(discovery, a, tokenIn + 1, true, false)) reached.beforeOut |= 1 << a;
    }
}

/// @dev The pools that sell the native token for what leads to `tokenOut`, unless `tokenIn` buys the native token: then paths of the
/// trade have read them. That `tokenOut` has a pool of the native token is not enough, because it may be dust.
function _probeNative(Discovery memory discovery, Reached memory reached, uint256 own, address native) {
    for (uint256 n; n < own; ++n) {
        if (discovery.tokens[n] != native || reached.afterIn >> n & 1 != 0) continue;
        for (uint256 b; b < own; ++b) {
            if (b != n && reached.beforeOut >> b & 1 != 0) _probe(discovery, n, b, true, false);
        }
    }
}

/// @dev The pools of some connector tokens with each other and with those before them.
function _probeMiddle(Discovery memory discovery, Reached memory reached, uint256 first, uint256 end) {
    for (uint256 b = first; b < end; ++b) {
        for (uint256 a; a < b; ++a) {
            bool there = _isWay(discovery, reached, a, b);
            bool back = _isWay(discovery, reached, b, a);
            if (there || back) _probe(discovery, a, b, there, back);
        }
    }
}

/// @dev Whether a path can lead from A to B, and its derived and listed pools, if they are read now, were not read before.
function _isWay(Discovery memory discovery, Reached memory reached, uint256 a, uint256 b) pure returns (bool) {
    if (reached.afterIn >> a & reached.beforeOut >> b & 1 == 0) return false;
    if (discovery.passes == ATTESTED_PASS) return true;
    uint256 way = 1 << (a << 4 | b);
    if (reached.read & way != 0) return false;
    reached.read |= way;
    return true;
}

/// @dev Reads every pool that a venue could have for the pair, and draws it from A to B (`there`) and from B to A
/// (`back`); true if one was found.
function _probe(Discovery memory discovery, uint256 tokenA, uint256 tokenB, bool there, bool back)
    returns (bool found)
{
    Pool memory pool;
    bool inOrder = discovery.tokens[tokenA] < discovery.tokens[tokenB];
    (pool.token0, pool.token1) = inOrder ? (tokenA, tokenB) : (tokenB, tokenA);
    Ways memory ways = inOrder ? Ways(there, back) : Ways(back, there);
    (pool.address0, pool.address1) = (discovery.tokens[pool.token0], discovery.tokens[pool.token1]);
    for (uint256 v; v < discovery.venues.length; ++v) {
        pool.venue = discovery.venues[v];
        uint256 pass = pool.venue.kind().isAttested() ? ATTESTED_PASS : PLAIN_PASS;
        if (discovery.passes & pass == 0 || !pool.venue.isEnabled()) continue;
        if (_probeVenue(discovery, pool, ways, v)) found = true;
    }
    pool.sampler = address(discovery.sampler);
    if (discovery.passes & PLAIN_PASS != 0 && _probeListed(discovery, pool, ways)) found = true;
}

/// @dev Reads the pools of the venue `pool.venue`; true if one was found.
function _probeVenue(Discovery memory discovery, Pool memory pool, Ways memory ways, uint256 v) returns (bool found) {
    pool.number = uint16(v + 1);
    pool.sampler = Venues.readerOf(pool.venue, address(discovery.sampler), address(discovery.pricer));
    Tier[] memory tiers = discovery.tiers[v];
    uint256 count = tiers.length;
    uint256[] memory keys;
    uint256 gas = READ_GAS;
    uint256 start = freeMemory();
    if (pool.venue.kind().isAttested()) {
        gas = NAMED_READ_GAS;
        if (!discovery.mayRead(gas)) return false;
        keys = _keysOf(discovery, pool);
        count = keys.length;
    }
    uint256[] memory none;
    for (uint256 t; t < count && discovery.mayRead(gas); ++t) {
        pool.tier = keys.length == 0 ? tiers[t] : Tier(uint208(keys[t]), 0, 0);
        pool.words = none;
        pool.pool = Venues.derive(pool.venue, pool.address0, pool.address1, pool.tier.key);
        if (_readPool(discovery, pool, ways)) found = true;
    }
    if (!found) release(start);
}

/// @dev Reads a pool; true if it is kept, or waits.
function _readPool(Discovery memory discovery, Pool memory pool, Ways memory ways) returns (bool isKept) {
    uint256 free = freeMemory();
    if (Venues.read(pool)) {
        isKept = Venues.isIdle(pool) ? wait(discovery, pool, ways, free) : discovery.keep(pool, ways, free);
    }
    if (!isKept) release(free);
}

/// @dev The keys of the pools that the venue's adapter knows for the pair.
function _keysOf(Discovery memory discovery, Pool memory pool) view returns (uint256[] memory) {
    uint256[] memory hints = _hintsFor(discovery, pool);
    bytes memory question = abi.encodeCall(IAdapter.keysOf, (pool.address0, pool.address1, hints));
    return _askAdapter(discovery, pool.sampler, ADAPTER_POOLS, question);
}

/// @dev The hints at pools that hold both tokens, as far as the venue's adapter can tell.
function _hintsFor(Discovery memory discovery, Pool memory pool) pure returns (uint256[] memory hints) {
    uint256[] memory held = discovery.hinted[pool.number - 1];
    if (held.length == 0) return held;
    uint256 pair = 1 << pool.token0 | 1 << pool.token1;
    hints = new uint256[](held.length);
    uint256 count;
    unchecked {
        for (uint256 i; i < held.length; ++i) {
            if (at(held, i) & pair == pair) put(hints, count++, discovery.hints[i]);
        }
    }
    assembly ("memory-safe") {
        mstore(hints, count)
    }
}

/// @dev Has each adapter tell once which of the tokens in play the hints hold: pairs are many.
function _noteHinted(Discovery memory discovery) view {
    if (discovery.hints.length == 0) return;
    address[] memory inPlay = discovery.tokens;
    uint256[] memory tokens;
    // Addresses in memory are words.
    assembly ("memory-safe") {
        tokens := inPlay
    }
    for (uint256 v; v < discovery.venues.length; ++v) {
        PackedVenue memory venue = discovery.venues[v];
        if (!venue.kind().isAttested() || !venue.isEnabled()) continue;
        discovery.hinted[v] = _askAdapter(
            discovery,
            venue.deployer(),
            discovery.hints.length,
            abi.encodeWithSelector(IAdapter.heldBy.selector, discovery.hints, tokens)
        );
    }
}

/// @dev At most `most` words of the array that an adapter answers. None if it fails, which counts as `truncated`.
function _askAdapter(Discovery memory discovery, address adapter, uint256 most, bytes memory data)
    view
    returns (uint256[] memory words)
{
    // An offset, the number of words, and the words.
    uint256[] memory answer = ask(adapter, FixedPointMathLib.min(ADAPTER_GAS, gasleft() / 2), most + 2, data);
    if (answer.length < 2 || answer[0] != 32) {
        discovery.truncated = true;
        return words;
    }
    assembly ("memory-safe") {
        let count := sub(mload(answer), 2)
        words := add(answer, 64)
        if gt(mload(words), count) { mstore(words, count) }
    }
}

/// @dev Reads the listed pools that hold both tokens of `pool`; true if one was found.
function _probeListed(Discovery memory discovery, Pool memory pool, Ways memory ways) returns (bool found) {
    for (uint256 i; i < discovery.listed.length; ++i) {
        if ((discovery.held[i] >> pool.token0) & (discovery.held[i] >> pool.token1) & 1 == 0) continue;
        if (!discovery.mayRead(NAMED_READ_GAS)) return found;
        ListedPool memory listed = discovery.listed[i];
        (, uint256 key) = keyIn(listed, i + 1, pool.address0, pool.address1);
        (pool.number, pool.pool) = (listed.venue, listed.pool);
        (pool.venue, pool.tier) = (discovery.venues[listed.venue - 1], Tier(uint208(key), 0, 0));
        if (!_readListed(discovery, pool, i)) continue;
        if (discovery.keep(pool, ways, freeMemory())) found = true;
    }
}

/// @dev A listed pool is read once for all its pairs: it may have turned hostile, and what it burns then, or what it takes
/// to find that it cannot be priced, is not spent again.
function _readListed(Discovery memory discovery, Pool memory pool, uint256 i) returns (bool) {
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
