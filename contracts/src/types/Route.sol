// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @dev A share of 1e18 is the whole of what the Router holds of a token.
uint256 constant WHOLE_SHARE = 1e18;

/// @notice One swap on one pool.
struct Leg {
    /// Number of the venue in the chain's Hub.
    uint16 venue;
    /// The pool's contract; derived again by the Router from `venue`, the two tokens and `key`.
    address pool;
    address tokenIn;
    address tokenOut;
    /// What tells the pools of one venue and one pair apart: the fee in pips on Uniswap V3, zero on Uniswap V2; see
    /// `Tier`. Of a pool with hooks it also holds the least price at which the leg may be filled; see `PriceFloor`.
    uint256 key;
    /// Part of the Router's holding of `tokenIn` at this point of the route that the leg swaps, in 1e-18, rounded
    /// down to base units. The last leg of a token has `WHOLE_SHARE`.
    uint256 share;
}

/// @notice An executable plan: legs in the order of execution, and the numbers that it was quoted with.
struct Route {
    address tokenIn;
    address tokenOut;
    /// Input that the route was quoted for, in base units of `tokenIn`.
    uint256 amountIn;
    /// What the legs deliver at the quote, before the protocol fee, in base units of `tokenOut`.
    uint256 grossOut;
    /// Price impact at the quote, 0 to 10_000.
    uint256 impactBps;
    Leg[] legs;
}
