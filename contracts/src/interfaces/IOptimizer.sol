// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Splits an input over a network of pools
/// @notice Pure mathematics: no pool is called. The network is layered, so that at most three hops are possible and no
/// cycle is: `tokenIn -> (a,1) -> (b,2) -> tokenOut`, with free waiting `(a,1) -> (a,2)`.
/// @dev Nodes, with `m` connector tokens: `(a,1)` is `a`, `(a,2)` is `m + a`, `tokenIn` is `2m`, `tokenOut` is `2m + 1`.
///
/// An edge is one pool in one direction. With r the square root of the marginal output per unit of input, the fee
/// included, in Q96, its curve is a list of constant-product segments, best price first:
///
///     x(r) = inBefore  + liquidity (1/r - 1/start)       start >= r >= end
///     y(r) = outBefore + liquidity (start - r)
///
/// In `edges` it is written as `[from, to, segmentCount, (liquidity, start, end, inBefore, outBefore) * segmentCount]`;
/// `offsets[e]` is the index of edge e's first word. Edges are sorted by stage: out of `tokenIn`, then from layer 1 to
/// layer 2, then into `tokenOut`. A curve whose pool has more liquidity than was loaded ends in a segment with
/// `end == 1`, the virtual tail: a flow that ends there says that more must be loaded.
interface IOptimizer {
    /// @notice More connector tokens than the network can take.
    error TooManyConnectors(uint256 given, uint256 limit);
    /// @notice Edge `edge` has no segment, leads between nodes that no edge may join, stands behind an edge of a later
    /// stage, or reaches beyond the end of `edges`.
    error BadEdge(uint256 edge);

    /// @notice A feasible plan and the proof of how good it is.
    struct Allocation {
        /// Amount into each edge, in the order of `offsets`; zero where unused.
        uint256[] flows;
        /// What the plan delivers on the given segments.
        uint256 amountOut;
        /// No routing over the given edges delivers more.
        uint256 upperBound;
        /// Square roots of the shadow prices per node, Q96 against `tokenOut`; what a warm start takes.
        uint256[] prices;
    }

    /// @param connectors The number m of connector tokens, at most 9.
    /// @param amountIn In base units of `tokenIn`, not zero.
    /// @param warmPrices `prices` of an earlier allocation over the same nodes, or empty.
    /// @return Empty `flows` and zero `amountOut` where nothing connects the two tokens.
    function optimize(
        uint256 connectors,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        uint256[] calldata warmPrices
    ) external pure returns (Allocation memory);
}
