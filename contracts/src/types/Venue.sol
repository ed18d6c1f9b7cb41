// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VenueKind} from "./VenueKind.sol";

/// @notice What a swap on a venue needs to know, as the owner writes it; see `PackedVenue`.
struct Venue {
    VenueKind kind;
    /// Switched off by the owner: no new route uses it and no swap fills on it.
    bool enabled;
    /// Index of the word of the pool's state call (`slot0()`, `globalState()`) that says "not locked"; zero for kinds
    /// without a lock.
    uint8 unlockedWord;
    /// Fee of every pool in pips (3000 is 0.3 %) where the venue has one fee; zero if `key` is the fee.
    uint24 feePips;
    /// Function that the venue's pools call back for their input; zero if they do not.
    bytes4 callback;
    /// Contract that creates the pools by CREATE2, from whose address they are derived; the PoolManager of Uniswap V4.
    address deployer;
    /// Hash of the pools' creation code; on Uniswap V4, which has none, the wrapped native token.
    bytes32 initCodeHash;
}

/// @notice A venue in two words, as it is stored and handed on: members of their own would be checked one by one.
struct PackedVenue {
    /// Kind (8 bits), enabled and stopped (8, one for each), word of the lock (8), fee in pips (24), callback (32), deployer (160), number of the
    /// shared creation code (16), from the lowest bit on.
    uint256 settings;
    bytes32 initCodeHash;
}

using {packed} for Venue global;
using {kind, isEnabled, unlockedWord, feePips, callback, deployer, unpacked} for PackedVenue global;

/// @dev Venues that a Hub ever takes: readers walk all of them, and numbers, from one on, are never given twice.
uint256 constant MAX_VENUE_NUMBER = 64;

uint256 constant ENABLED_SHIFT = 8;
/// @dev Set in a Router's word alone: the swaps of its generation are stopped.
uint256 constant STOPPED_SHIFT = 9;
uint256 constant UNLOCKED_SHIFT = 16;
uint256 constant FEE_SHIFT = 24;
uint256 constant CALLBACK_SHIFT = 48;
uint256 constant DEPLOYER_SHIFT = 80;
uint256 constant CODE_SHIFT = 240;

function packed(Venue memory venue) pure returns (PackedVenue memory) {
    uint256 settings = uint256(VenueKind.unwrap(venue.kind)) | uint256(venue.unlockedWord) << UNLOCKED_SHIFT
        | uint256(venue.feePips) << FEE_SHIFT | uint256(uint32(venue.callback)) << CALLBACK_SHIFT
        | uint256(uint160(venue.deployer)) << DEPLOYER_SHIFT;
    if (venue.enabled) settings |= 1 << ENABLED_SHIFT;
    return PackedVenue(settings, venue.initCodeHash);
}

function unpacked(PackedVenue memory venue) pure returns (Venue memory) {
    return Venue({
        kind: venue.kind(),
        enabled: venue.isEnabled(),
        unlockedWord: uint8(venue.unlockedWord()),
        feePips: uint24(venue.feePips()),
        callback: venue.callback(),
        deployer: venue.deployer(),
        initCodeHash: venue.initCodeHash
    });
}

function kind(PackedVenue memory venue) pure returns (VenueKind) {
    return VenueKind.wrap(uint8(venue.settings));
}

function isEnabled(PackedVenue memory venue) pure returns (bool) {
    return venue.settings >> ENABLED_SHIFT & 1 == 1;
}

/// @notice Whether a Router that keeps this word of a venue may fill there: it is enabled, and nothing is stopped.
function isOpen(uint256 settings) pure returns (bool) {
    return settings >> ENABLED_SHIFT & 3 == 1;
}

function unlockedWord(PackedVenue memory venue) pure returns (uint256) {
    return uint8(venue.settings >> UNLOCKED_SHIFT);
}

function feePips(PackedVenue memory venue) pure returns (uint256) {
    return uint24(venue.settings >> FEE_SHIFT);
}

function callback(PackedVenue memory venue) pure returns (bytes4) {
    return bytes4(uint32(venue.settings >> CALLBACK_SHIFT));
}

function deployer(PackedVenue memory venue) pure returns (address) {
    return address(uint160(venue.settings >> DEPLOYER_SHIFT));
}

/// @notice One class of pools of a venue.
struct Tier {
    /// The leg's `key`: the fee in pips on Uniswap V3, the tick spacing on Slipstream, the pool's key on Uniswap V4.
    uint208 key;
    /// Fee in pips; zero if the pool says it.
    uint24 feePips;
    /// Distance of usable ticks; zero if there are none.
    int24 tickSpacing;
}

/// @notice A pool whose address nothing derives, so that the owner lists it.
struct ListedPool {
    /// Number of its venue.
    uint16 venue;
    /// Zero if the pool was removed.
    address pool;
    /// In the order in which the pool counts them.
    address[] tokens;
}

/// @notice A venue as the owner writes it and as readers see it.
struct VenueConfig {
    /// Short name, ASCII, padded with zeros: "uniswap-v3".
    bytes32 id;
    address factory;
    Venue venue;
    /// At least one; a venue without tiers has a single one with `key` zero.
    Tier[] tiers;
}
