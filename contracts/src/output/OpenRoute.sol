// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../interfaces/IHub.sol";
import {IPricer} from "../interfaces/IPricer.sol";
import {Words} from "../libraries/Words.sol";
import {PriceFloor} from "../math/PriceFloor.sol";
import {PoolWords} from "../solver/PoolWords.sol";
import {POOL_AT} from "../solver/Search.sol";
import {Pool} from "../types/Market.sol";
import {Leg, Route, WHOLE_SHARE} from "../types/Route.sol";
import {PackedVenue, Tier} from "../types/Venue.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {Venues} from "../venues/Venues.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev What one leg's price may take of the gas that is left.
uint256 constant LEG_GAS_PARTS = 8;
/// @dev Places of the two tokens of the route in `OpenRoute`; the tokens between them follow.
uint256 constant TOKEN_IN = 0;
uint256 constant TOKEN_OUT = 1;

/// @notice A route whose pools are read once and priced for many inputs.
struct OpenRoute {
    IPricer pricer;
    /// Arguments of `IPricer.quote` for each leg, all but the amount.
    uint256[][] asks;
    /// Places of the tokens that each leg sells and buys.
    uint256[] from;
    uint256[] to;
    uint256[] shares;
    /// What each leg's key said beside the pool when the route was priced last; see `PriceFloor`.
    uint256[] priceFloors;
    /// Of each leg the key of its pool's pair, and the first leg on the same contract, which may be the leg itself.
    uint256[] keys;
    uint256[] first;
    /// Number of tokens.
    uint256 tokens;
}

using {grossOf, floorLegs} for OpenRoute global;

/// @notice Reads the pools of a route that the Solver has found. False if one of them cannot be read.
/// @param sampler The contract that reads sampled pools.
function openRoute(Route memory route, IHub hub, IPricer pricer, address sampler)
    returns (bool opened, OpenRoute memory open)
{
    uint256 count = route.legs.length;
    open.pricer = pricer;
    (open.asks, open.shares, open.priceFloors) = (new uint256[][](count), new uint256[](count), new uint256[](count));
    (open.from, open.to) = (new uint256[](count), new uint256[](count));
    (open.keys, open.first) = (new uint256[](count), new uint256[](count));
    address[] memory tokens = new address[](count + 2);
    (tokens[TOKEN_IN], tokens[TOKEN_OUT], open.tokens) = (route.tokenIn, route.tokenOut, 2);
    (PackedVenue[] memory venues, Tier[][] memory tiers) = hub.packedVenues();
    for (uint256 i; i < count; ++i) {
        Leg memory leg = route.legs[i];
        (open.from[i], open.to[i]) = (_placeOf(open, tokens, leg.tokenIn), _placeOf(open, tokens, leg.tokenOut));
        open.shares[i] = leg.share;
        Pool memory pool;
        (pool.number, pool.pool, pool.venue) = (leg.venue, leg.pool, venues[leg.venue - 1]);
        pool.sampler = Venues.readerOf(pool.venue, sampler, address(pricer));
        pool.tier = _tierOf(tiers[leg.venue - 1], leg.key);
        bool inOrder = leg.tokenIn < leg.tokenOut;
        (pool.address0, pool.address1) = inOrder ? (leg.tokenIn, leg.tokenOut) : (leg.tokenOut, leg.tokenIn);
        if (!Venues.read(pool)) return (false, open);
        open.asks[i] = _askFor(PoolWords.pack(pool), inOrder);
        open.keys[i] = pool.tier.key;
        open.first[i] = _firstOn(route.legs, i, pool.venue.kind());
    }
    opened = true;
}

/// @notice What the legs deliver for `amountIn`, to the wei as the Router would fill them; zero if a pool refuses its
/// input, or where that takes too much gas to say.
function grossOf(OpenRoute memory open, uint256 amountIn) returns (uint256) {
    uint256[] memory held = new uint256[](open.tokens);
    held[TOKEN_IN] = amountIn;
    uint256[][] memory asks = Words.listed(open.asks);
    for (uint256 i; i < asks.length; ++i) {
        uint256 from = open.from[i];
        uint256 amount = FixedPointMathLib.fullMulDiv(held[from], open.shares[i], WHOLE_SHARE);
        if (amount == 0) return 0;
        asks[i][2] = amount;
        (bool answered, bytes memory answer) = _ask(open, IPricer.quote.selector, asks[i]);
        if (!answered || !_moveOthers(open, asks, i)) return 0;
        uint256 amountOut;
        (amountOut,, open.priceFloors[i]) = abi.decode(answer, (uint256, uint256, uint256));
        if (amountOut == 0) return 0;
        held[from] -= amount;
        held[open.to[i]] += amountOut;
    }
    return held[TOKEN_OUT];
}

/// @notice Gives each leg the price floor that it has when the route sells `amountIn`. Changes the legs' keys.
function floorLegs(OpenRoute memory open, Leg[] memory legs, uint256 amountIn) {
    uint256 any;
    for (uint256 i; i < legs.length; ++i) {
        any |= open.priceFloors[i];
    }
    if (any == 0 || open.grossOf(amountIn) == 0) return;
    for (uint256 i; i < legs.length; ++i) {
        legs[i].key = PriceFloor.without(legs[i].key) | open.priceFloors[i];
    }
}

/// @dev Moves the pools of later legs on the contract of a leg. False if one cannot be moved.
function _moveOthers(OpenRoute memory open, uint256[][] memory asks, uint256 i) returns (bool) {
    for (uint256 k = i + 1; k < asks.length; ++k) {
        if (open.first[k] != open.first[i]) continue;
        uint256 length = asks[k][POOL_AT - 1];
        uint256[] memory arguments = new uint256[](POOL_AT + 1 + length);
        (arguments[0], arguments[1], arguments[2]) = (32 * POOL_AT, asks[i][1], asks[i][2]);
        (arguments[POOL_AT - 1], arguments[POOL_AT]) = (open.keys[i], length);
        Words.copy(asks[k], POOL_AT, arguments, POOL_AT + 1, length);
        (bool answered, bytes memory answer) = _ask(open, IPricer.afterSwap.selector, arguments);
        if (!answered) return false;
        asks[k] = _askFor(Words.decode(answer), asks[k][1] == 1);
    }
    return true;
}

function _ask(OpenRoute memory open, bytes4 selector, uint256[] memory arguments) returns (bool, bytes memory) {
    return Words.ask({
        target: address(open.pricer), selector: selector, arguments: arguments, gasCap: gasleft() / LEG_GAS_PARTS
    });
}

/// @dev The first leg on the same contract. Pools of two tokens each have their own, whatever keeps them; of the others the key says
/// which it is, without its last bits.
function _firstOn(Leg[] memory legs, uint256 i, VenueKind kind) pure returns (uint256 first) {
    if (kind.isDerived()) return i;
    while (legs[first].venue != legs[i].venue || adapterPool(legs[first].key) != adapterPool(legs[i].key)) ++first;
}

function _placeOf(OpenRoute memory open, address[] memory tokens, address token) pure returns (uint256 place) {
    while (place < open.tokens && tokens[place] != token) ++place;
    if (place == open.tokens) tokens[open.tokens++] = token;
}

/// @dev Of pools that the Hub lists no tier says more than the key.
function _tierOf(Tier[] memory tiers, uint256 key) pure returns (Tier memory) {
    for (uint256 t; t < tiers.length; ++t) {
        if (tiers[t].key == key) return tiers[t];
    }
    return Tier(uint208(key), 0, 0);
}

function _askFor(uint256[] memory words, bool zeroForOne) pure returns (uint256[] memory arguments) {
    arguments = new uint256[](POOL_AT + words.length);
    (arguments[0], arguments[1]) = (32 * (POOL_AT - 1), zeroForOne ? 1 : 0);
    arguments[POOL_AT - 1] = words.length;
    Words.copy(words, 0, arguments, POOL_AT, words.length);
}
