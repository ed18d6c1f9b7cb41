// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {freeMemory, release, settle} from "../libraries/Memory.sol";
import {Pool} from "../types/Market.sol";
import {Venues} from "../venues/Venues.sol";
import {DUST_SHIFT, Discovery, Ways} from "./Found.sol";
import {PoolWords} from "./PoolWords.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

// A pool of concentrated liquidity may have none at its price, and some far from it. Anybody can create such pools by the
// hundred, empty or next to it, so that they wait: they take no room, and those that hold most are looked into first.

/// @dev `MAX_IDLE` pools wait at most. Each call of `lookIntoIdle` draws up to `MAX_LOOKS` of them, for `LOOK_GAS` each.
uint256 constant MAX_IDLE = 128;
uint256 constant MAX_LOOKS = 16;
uint256 constant LOOK_GAS = 180_000;

/// @dev Words of an idle pool before its `PoolWords`: whether it waits still, in which directions it is of use (bits 0 and
/// 1), what it may pay at most in each, and the larger part of the trade that this is.
uint256 constant WAYS = 0;
uint256 constant THERE = 1;
uint256 constant BACK = 2;
uint256 constant PART = 3;

/// @notice Lets an idle pool wait. False if it holds nothing that it could pay.
/// @param place As in `Discovery.keep`.
function wait(Discovery memory discovery, Pool memory pool, Ways memory ways, uint256 place) view returns (bool waits) {
    uint256[] memory idle = new uint256[](4);
    if (ways.zeroForOne) idle[THERE] = Venues.mostOf(pool, true);
    if (ways.oneForZero) idle[BACK] = Venues.mostOf(pool, false);
    if (idle[THERE] | idle[BACK] == 0) return false;
    idle[WAYS] = (idle[THERE] == 0 ? 0 : 1) | (idle[BACK] == 0 ? 0 : 2);
    idle[PART] = FixedPointMathLib.max(
        _partOf(discovery, idle[THERE], pool.token1), _partOf(discovery, idle[BACK], pool.token0)
    );
    if (idle[PART] == 0 || discovery.idleCount == MAX_IDLE) {
        if (idle[PART] != 0) discovery.truncated = true;
        _leaveBoth(discovery, idle, pool.token0, pool.token1);
        return true;
    }
    uint256[] memory packed = PoolWords.pack(pool);
    discovery.idle[discovery.idleCount] = settle(idle, place);
    discovery.idle[MAX_IDLE + discovery.idleCount++] = settle(packed, freeMemory());
    return true;
}

/// @notice Looks into what waits: in turns into the pool that holds the largest part of the trade, and into the first one
/// of which nobody knows.
function lookIntoIdle(Discovery memory discovery) {
    for (uint256 k; k < MAX_LOOKS; ++k) {
        uint256 i = _next(discovery, k % 2 == 0);
        if (i == MAX_IDLE) i = _next(discovery, k % 2 != 0);
        if (i == MAX_IDLE || !discovery.mayRead(LOOK_GAS)) return;
        uint256 free = freeMemory();
        Pool memory pool = PoolWords.unpack(discovery.idle[MAX_IDLE + i]);
        uint256 ways = discovery.idle[i][WAYS];
        discovery.idle[i][WAYS] = 0;
        discovery.room = discovery.poolCount + 1;
        if (!discovery.keep(pool, Ways(ways & 1 != 0, ways & 2 != 0), free)) release(free);
    }
}

/// @notice Leaves out what waits still.
function leaveIdle(Discovery memory discovery) pure {
    for (uint256 i; i < discovery.idleCount; ++i) {
        uint256[] memory idle = discovery.idle[i];
        if (idle[WAYS] == 0) continue;
        discovery.truncated = true;
        (uint256 token0, uint256 token1) = PoolWords.tokensOf(discovery.idle[MAX_IDLE + i]);
        _leaveBoth(discovery, idle, token0, token1);
    }
}

function _leaveBoth(Discovery memory discovery, uint256[] memory idle, uint256 token0, uint256 token1) pure {
    discovery.leave(token1, idle[THERE]);
    discovery.leave(token0, idle[BACK]);
}

/// @dev Which part of the trade an amount is, at most all of it; of a token that nothing is known to bring, the amount
/// itself. `type(uint256).max` if nobody knows the amount.
function _partOf(Discovery memory discovery, uint256 most, uint256 token) pure returns (uint256) {
    uint256 whole = discovery.amounts[token];
    if (most == 0) return 0;
    if (most >= 1 << 128) return type(uint256).max;
    return FixedPointMathLib.min(whole == 0 ? most : (most << DUST_SHIFT) / whole, 1 << DUST_SHIFT);
}

/// @dev The pool that waits and holds the largest part, or the first of which nobody knows; `MAX_IDLE` where none is.
function _next(Discovery memory discovery, bool isKnown) pure returns (uint256 at) {
    at = MAX_IDLE;
    uint256 largest;
    for (uint256 i; i < discovery.idleCount; ++i) {
        uint256[] memory idle = discovery.idle[i];
        if (idle[WAYS] == 0 || (idle[PART] != type(uint256).max) != isKnown) continue;
        if (!isKnown) return i;
        if (idle[PART] > largest) (at, largest) = (i, idle[PART]);
    }
}
