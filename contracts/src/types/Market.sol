// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PackedVenue, Tier} from "./Venue.sol";

/// @notice A pool as the search sees it: where it is, between which tokens in play, and its state at this block.
struct Pool {
    /// Number of its venue in the Hub.
    uint16 number;
    PackedVenue venue;
    Tier tier;
    address pool;
    /// Index of the first entry for the same contract. A pool of two tokens has its own index; a pool of several tokens has
    /// an entry for each pair.
    uint256 first;
    /// Indexes of its two tokens among the tokens in play; `token0` has the lower address.
    uint256 token0;
    uint256 token1;
    /// Their addresses.
    address address0;
    address address1;
    /// What its venue stored at the first read: reserves of V2; price, fees and liquidity of V3.
    uint256[3] state;
    /// The contract that reads it, or prices it as well, and what it keeps there for that; sampled kinds and Algebra only.
    address sampler;
    uint256[] words;
}

/// @notice One pool in one direction, as constant-product segments, best price first.
/// @dev Segments and ratios are those of `IOptimizer`: five words each, ratios in Q96. `CurveWords` depends on the order.
struct Curve {
    /// Room for `segments.length / 5` segments, of which `count` are written.
    uint256[] segments;
    uint256 count;
    /// More liquidity may follow after the last segment. It is drawn as a tail with `tailLiquidity`; if that is zero, reading
    /// ended in a gap and no tail is drawn.
    bool open;
    uint256 tailLiquidity;
    /// An open curve pays at most this much beyond what was read; `type(uint256).max` if unknown.
    uint256 most;
    /// Input and output up to the end of the last segment, and the ratio there.
    uint256 loadedIn;
    uint256 loadedOut;
    uint256 endRatio;
    /// Ratio before the trade: the square root of the marginal price, fee included.
    uint256 startRatio;
    /// Input that the trade may sell here, zero if unknown; and the ratio below which reading can stop, zero for no limit.
    /// A sampled curve with both is drawn finely around the input.
    uint256 expected;
    uint256 until;
    /// Where the venue continues to read; only the venue knows its meaning.
    uint256 cursor;
    int256 cursorTick;
}

/// @notice A directed use of a pool in the layered network of `IOptimizer`.
struct Edge {
    /// Index into the pools.
    uint256 pool;
    bool zeroForOne;
    /// Nodes of the network.
    uint256 from;
    uint256 to;
    Curve curve;
}

using {drawn, hasTail} for Curve global;

uint256 constant SEGMENT_WORDS = 5;

/// @notice Segments that the optimizer sees, the tail included.
function drawn(Curve memory curve) pure returns (uint256) {
    return curve.hasTail() ? curve.count + 1 : curve.count;
}

/// @notice Whether a tail is drawn where reading ended.
function hasTail(Curve memory curve) pure returns (bool) {
    return curve.open && curve.tailLiquidity != 0;
}
