// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Route} from "./Route.sol";

/// @notice Where and when an answer was computed.
struct Witness {
    uint256 chainId;
    /// The chain's own height: on Arbitrum ArbSys's number, elsewhere `block.number`.
    uint256 blockNumber;
    /// Unix seconds.
    uint256 timestamp;
    /// Hash of the block before `blockNumber`.
    bytes32 parentHash;
}

/// @notice Why a plan can or cannot be executed.
enum Verdict {
    /// Every leg was priced against live state and the net output reaches the floor.
    Executable,
    /// None of the pools that were read connect the two tokens, or those that do cannot take this amount.
    NoRoute,
    /// `tokenIn` holds no code.
    TokenInNotContract,
    /// `tokenOut` holds no code.
    TokenOutNotContract,
    /// Pools connect the two tokens, but the output rounds to zero.
    NothingOut,
    /// A dry run of the legs (`previewPlanExact`) failed.
    DryRunFailed,
    /// A dry run of the legs delivered less than the floor: `tokenIn` or `tokenOut` taxes transfers.
    BelowFloor
}

/// @notice Options of a preview. The default is zero and empty.
struct PreviewOptions {
    /// Gas price in wei; legs that do not pay for their gas are left out. Zero ignores gas.
    uint256 gasPrice;
    /// Up to four more tokens that the route may pass through. They only add candidates.
    address[] connectors;
    /// Venues that the route may not use: bit `n` stands for the venue with number `n`. Unknown numbers are ignored.
    uint256 excludedVenues;
    /// Up to eight pools that no contract lists by their pair, in words of the venues' adapters: the pool's address, or its id
    /// on Uniswap V4. They only add candidates: each adapter decides which of them are its venue's.
    uint256[] pools;
}

using {hasHints, withoutHints} for PreviewOptions global;

/// @notice Whether the caller proposes tokens or pools.
function hasHints(PreviewOptions memory options) pure returns (bool) {
    return options.connectors.length + options.pools.length != 0;
}

/// @notice The same, without the tokens and pools that the caller proposes.
function withoutHints(PreviewOptions memory options) pure returns (PreviewOptions memory plainly) {
    (plainly.gasPrice, plainly.excludedVenues) = (options.gasPrice, options.excludedVenues);
}

/// @notice A route with all its numbers. Amounts are in base units of `route.tokenOut`.
struct Plan {
    Route route;
    Verdict verdict;
    /// `floor(grossOut * 28 / 10_000)`.
    uint256 protocolFee;
    /// `grossOut - protocolFee`.
    uint256 netOut;
    /// Lowest net output that the Router accepts for this route, whatever minimum the caller passes.
    uint256 ironFloor;
    /// No routing of at most three hops over the pools that were read, each swapped on once, delivers more than this,
    /// before the protocol fee; what the plan delivers, if that is more because it trades several pairs of one pool.
    /// `type(uint256).max` if no bound is claimed: part of a pool that could matter was not read,
    /// or the best provable bound is more than 10^10 times the output. If pools with hooks were read, it holds only if they pay no
    /// more than the curves through their samples.
    uint256 upperBound;
    /// `upperBound / grossOut - 1` in millionths of a basis point, rounded up; `type(uint256).max` if no bound is claimed.
    uint256 gapMicroBps;
    /// Gas of the whole `swapExactIn` transaction.
    uint256 estGas;
    /// Legs on the longest path.
    uint256 hops;
    /// The route beats the best single-pool route by at least one basis point.
    bool hasSurplus;
    /// A limit on pools, ticks or gas ended the search early.
    bool truncated;
    /// Number of pools whose state the search used.
    uint256 poolsRead;
    Witness witness;
}
