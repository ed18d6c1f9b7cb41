// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Splits an input over a network of pools
/// @notice Pure mathematics: no pool is called. The network is layered, so that a route has at most three hops and no
/// cycle: `tokenIn -> (a,1) -> (b,2) -> tokenOut`, with free waiting `(a,1) -> (a,2)`.
/// @dev Nodes, with `m` connector tokens: `(a,1)` is `a`, `(a,2)` is `m + a`, `tokenIn` is `2m`, `tokenOut` is `2m + 1`.
///
/// An edge is one pool in one direction. With r the square root of the marginal output per unit of input, the fee
/// included, in Q96, its curve is a list of constant-product segments, best price first:
///
///     x(r) = inBefore  + liquidity (1/r - 1/start)       start >= r >= end
///     y(r) = outBefore + liquidity (start - r)
///
/// `edges` holds it as `[from, to, segmentCount, (liquidity, start, end, inBefore, outBefore) * segmentCount]`;
/// `offsets[e]` is the index of edge e's first word. Edges are sorted by stage: out of `tokenIn`, then from layer 1 to
/// layer 2, then into `tokenOut`. A curve whose pool has more liquidity than was loaded ends in a segment with
/// `end == 1`, the virtual tail: a flow that ends there says that more must be loaded. Input beyond the end of a curve
/// without a tail delivers nothing; if a trade exceeds all liquidity, the plan may hold such input.
///
/// Domain: `liquidity` below 2^126, 1 <= end < start < 2^160, liquidity * start below 2^248 (a virtual output reserve
/// below 2^152), `inBefore` below 2^160, `outBefore` below 2^152, both zero in the first segment, and no segment starts
/// above the end of the one before. An edge with a segment outside is left out: it has no flow, and no bound is
/// claimed. Inside, nothing overflows. `inBefore` and `outBefore` may be off by one unit of rounding per earlier segment.
interface IOptimizer {
    /// @notice More connector tokens than the network can take.
    error TooManyConnectors(uint256 given, uint256 limit);
    /// @notice The amount exceeds 128 bits.
    error AmountTooLarge(uint256 given, uint256 limit);
    /// @notice Edge `edge` has no segment, joins nodes that no edge may join, follows an edge of a later stage, reaches
    /// beyond the end of `edges`, or is one of more than 65,535.
    error BadEdge(uint256 edge);

    /// @notice A feasible plan, and the bound that proves how good it is.
    struct Allocation {
        /// Amount into each edge, in the order of `offsets`; zero if unused. Every node passes on all it receives, except
        /// what would deliver nothing.
        uint256[] flows;
        /// What the plan delivers on the given segments.
        uint256 amountOut;
        /// No routing over the given edges delivers more, rounded up. `type(uint256).max` if no prices with a sensible
        /// bound were found, or if an edge is outside of the domain.
        uint256 upperBound;
        /// Square roots of the nodes' shadow prices in `tokenOut`, Q96; a warm start takes them. Zero for nodes on no path
        /// from `tokenIn` to `tokenOut`.
        uint256[] prices;
    }

    /// @notice Splits `amountIn` for the largest output, and proves how much more any split could deliver.
    /// @dev If the gas is not enough for the best split, the plan is worse and the bound wider, but both hold.
    /// @dev Warning: the bound holds for the curves given. If a pool pays more than its curve says, it proves nothing.
    /// @param connectors The number m of connector tokens, at most 9.
    /// @param amountIn In base units of `tokenIn`, below 2^128; zero delivers nothing.
    /// @param warmPrices `prices` of an earlier allocation over the same nodes, to save work; they do not change the
    /// result. An empty array, or any other count than 2m + 2, is a cold start.
    /// @return Empty `flows` and zero `amountOut` if nothing connects the two tokens or nothing is delivered. The bound is
    /// zero if nothing connects them.
    function optimize(
        uint256 connectors,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        uint256[] calldata warmPrices
    ) external view returns (Allocation memory);

    /// @notice Leaves out the legs of a plan that do not pay for their gas. As long as the plan is worth more, net of gas,
    /// without one of the legs that pay least, that leg is removed and its neighbors carry its amount.
    /// @param edges The edges of the plan's legs, in their order; at most 255.
    /// @param plan Four words for each leg: its input, its gas, and the values of its output and of its input in `tokenOut`.
    /// Then the gas price in wei, further wei for each leg, and the square root of a wei's price in `tokenOut`, Q96.
    /// @return kept The inputs of the legs that stay, unchanged; zero for the others.
    function prune(
        uint256 connectors,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        uint256[] calldata plan
    ) external pure returns (uint256[] memory kept);
}
