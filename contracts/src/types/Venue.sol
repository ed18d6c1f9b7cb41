// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice A family of pools with the same interface and the same mathematics.
enum VenueKind {
    None,
    UniswapV2,
    UniswapV3,
    Slipstream,
    Algebra,
    UniswapV4,
    Solidly,
    Curve,
    BalancerWeighted,
    BalancerStable
}

/// @notice What a swap on a venue needs to know; two storage slots.
struct Venue {
    VenueKind kind;
    /// Switched off by the owner: no new route uses it and no swap fills on it.
    bool enabled;
    /// Index of the word of the pool's state call (`slot0()`, `globalState()`) that says "not locked"; zero for kinds
    /// without a lock.
    uint8 unlockedWord;
    /// Fee of every pool in pips (3000 is 0.3 %) where the venue has one fee; zero where `key` is the fee.
    uint24 feePips;
    /// Function that the venue's pools call back for their input; zero where they do not.
    bytes4 callback;
    /// Contract that creates the pools by CREATE2, from whose address they are derived; the PoolManager of Uniswap V4.
    address deployer;
    /// Hash of the pools' creation code; on Uniswap V4, which has none, the wrapped native token.
    bytes32 initCodeHash;
}

/// @notice One class of pools of a venue.
struct Tier {
    /// The leg's `key`: the fee in pips on Uniswap V3, the tick spacing on Slipstream, the pool's key on Uniswap V4.
    uint208 key;
    /// Fee in pips; zero where the pool says it.
    uint24 feePips;
    /// Distance of usable ticks; zero where there are none.
    int24 tickSpacing;
}

/// @notice A pool whose address nothing derives, so that the owner lists it.
struct ListedPool {
    /// Number of its venue.
    uint16 venue;
    /// Zero where the pool was removed.
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
