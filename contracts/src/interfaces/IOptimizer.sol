// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Splits an input over a network of pools
/// @notice Mathematics alone: no pool is called. The network is layered, so that at most three hops are possible and no
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
/// `end == 1`, the virtual tail: a flow that ends there says that more must be loaded. Input beyond the end of a curve
/// without a tail delivers nothing; where a trade exceeds all there is, the plan may hold such input.
///
/// Domain: `liquidity` below 2^126, 1 <= end < start < 2^160, liquidity * start below 2^248 (a virtual output reserve
/// below 2^152), `inBefore` below 2^160, `outBefore` below 2^152, both zero in the first segment, and no segment starts
/// above the end of the one before. An edge with a segment outside is left out: it has no flow, and there is no bound.
/// Within, nothing overflows. `inBefore` and `outBefore` may be rounded by one unit for each segment before.
interface IOptimizer {
    /// @notice More connector tokens than the network can take.
    error TooManyConnectors(uint256 given, uint256 limit);
    /// @notice The amount exceeds 128 bits.
    error AmountTooLarge(uint256 given, uint256 limit);
    /// @notice Edge `edge` has no segment, leads between nodes that no edge may join, stands behind an edge of a later
    /// stage, reaches beyond the end of `edges`, or is one of more than 65,535.
    error BadEdge(uint256 edge);

    /// @notice A feasible plan and the proof of how good it is.
    struct Allocation {
        /// Amount into each edge, in the order of `offsets`; zero where unused. Every node gives away what it receives,
        /// save what would deliver nothing.
        uint256[] flows;
        /// What the plan delivers on the given segments.
        uint256 amountOut;
        /// No routing over the given edges delivers more, rounded up. The largest number where prices with a sensible
        /// bound were not found, or where an edge is outside of the domain.
        uint256 upperBound;
        /// Square roots of the shadow prices per node, Q96 against `tokenOut`; what a warm start takes. Zero for nodes on
        /// no way from `tokenIn` to `tokenOut`.
        uint256[] prices;
    }

    /// @notice Splits `amountIn` so that the most arrives, and proves how much more could.
    /// @dev Where the gas is not enough for the best split, the plan is worse and the bound wider, but both hold.
    /// @dev Warning: the bound holds for the curves given. If a pool pays more than its curve says, it proves nothing.
    /// @param connectors The number m of connector tokens, at most 9.
    /// @param amountIn In base units of `tokenIn`, below 2^128; nothing comes of zero.
    /// @param warmPrices `prices` of an earlier allocation over the same nodes; anything but 2m + 2 numbers, and empty
    /// above all, is a cold start. They save work, and do not change what is found.
    /// @return Empty `flows` and zero `amountOut` where nothing connects the two tokens or nothing is delivered; then the
    /// bound is zero where nothing connects them.
    function optimize(
        uint256 connectors,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        uint256[] calldata warmPrices
    ) external view returns (Allocation memory);

    /// @notice Leaves out the legs of a plan that do not pay for their gas: as long as the plan without one of those that
    /// carry least is worth more net of gas, that one goes, and its neighbours carry what it carried.
    /// @param edges Those of the plan's legs, in their order; at most 255.
    /// @param plan Three words for each leg: its input, its gas, and what its input is worth in `tokenOut`. Then wei for
    /// a unit of gas, wei for a leg besides, and the square root of a wei's price in `tokenOut`, Q96.
    /// @return kept The inputs of the legs that stay, the others zero; amounts as they were.
    function prune(
        uint256 connectors,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        uint256[] calldata plan
    ) external pure returns (uint256[] memory kept);
}
