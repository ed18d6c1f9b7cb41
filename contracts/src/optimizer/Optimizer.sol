// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IOptimizer} from "../interfaces/IOptimizer.sol";
import {at, copy, put} from "../math/UncheckedArrays.sol";
import {Bundle} from "./Bundle.sol";
import {CalldataCurve} from "./CalldataCurve.sol";
import {descend} from "./Descent.sol";
import {priceFrom, priceFromSeed} from "./FirstPrices.sol";
import {flowForward} from "./Forward.sol";
import {Network, Reading, connect} from "./Network.sol";
import {prune as pruned} from "./Pruning.sol";
import {relaxIdle} from "./Relaxation.sol";
import {sow} from "./Seed.sol";
import {VALUE_BITS, WORTHLESS, Workspace, newWorkspace} from "./Workspace.sol";

/// @title Splits an input over a network of pools by shadow prices
/// @dev One price per token instead of one amount per path. For any prices, the input's worth plus what every pool would
/// earn by trading at them is an upper bound on all routings (Lagrange duality); at its least, the pools' trades are the
/// best flow. A greedy seed gives first prices, damped Newton steps lower the bound, and a pass through the network turns
/// the trades into a plan. The literature: Diamandis, Resnick, Chitra, Angeris, "An Efficient Algorithm for Optimal
/// Routing Through Constant Function Market Makers" (2023).
contract Optimizer is IOptimizer {
    uint256 internal constant MAX_CONNECTORS = 9;
    uint256 internal constant MAX_EDGES = type(uint16).max;
    uint256 internal constant MAX_LEGS = type(uint8).max;
    uint256 internal constant MAX_AMOUNT = type(uint128).max;
    /// @dev Equal parts of the seed: of the first, of one from known prices, and of a second that is tried where the
    /// first has left a gap. About one real trade in two hundred needs the second.
    uint256 internal constant FIRST_PARTS = 4;
    uint256 internal constant WARM_PARTS = 1;
    uint256 internal constant SECOND_PARTS = 12;
    /// @dev Gaps that are too wide: for a second attempt 1.2 bps, for splitting each node exactly 0.00015 bps.
    uint256 internal constant SECOND_SHIFT = 13;
    uint256 internal constant EXACT_SHIFT = 26;
    /// @dev Part of the gas given that the descent leaves for what follows it.
    uint256 internal constant KEPT_PARTS = 3;
    /// @dev Gap of so many base units is never too wide.
    uint256 internal constant GAP_UNITS = 2;

    /// @dev The best that was found.
    struct Best {
        uint256[] amounts;
        uint256 amountOut;
        uint256 upperBound;
        uint256[] prices;
        /// Some edge was left out, of which nobody knows what it would add.
        bool isPartial;
    }

    /// @inheritdoc IOptimizer
    function optimize(
        uint256 connectors,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        uint256[] calldata warmPrices
    ) external view returns (Allocation memory allocation) {
        if (amountIn > MAX_AMOUNT) revert AmountTooLarge(amountIn, MAX_AMOUNT);
        Best memory best;
        Network memory network;
        {
            Reading memory reading = _read(connectors, edges, offsets);
            best.isPartial = reading.curves.length != offsets.length;
            network = connect(reading, amountIn);
        }
        if (best.isPartial) allocation.upperBound = type(uint256).max;
        if (network.edges.length == 0 || amountIn == 0) return allocation;

        Workspace memory s = newWorkspace(network);
        s.gasKept = gasleft() / KEPT_PARTS;
        best.amounts = new uint256[](network.edges.length);
        best.prices = new uint256[](network.target + 1);
        best.upperBound = type(uint256).max;
        if (warmPrices.length == 2 * connectors + 2) _attempt(s, best, WARM_PARTS, warmPrices);
        else _attempt(s, best, FIRST_PARTS, new uint256[](0));
        if (_gapAbove(best, SECOND_SHIFT) && gasleft() > 2 * s.gasKept) {
            _attempt(s, best, SECOND_PARTS, new uint256[](0));
        }
        return _named(network, best, offsets.length, 2 * connectors + 2);
    }

    /// @inheritdoc IOptimizer
    function prune(
        uint256 connectors,
        uint256 amountIn,
        uint256[] calldata edges,
        uint256[] calldata offsets,
        uint256[] calldata plan
    ) external pure returns (uint256[] memory) {
        Reading memory reading = _read(connectors, edges, offsets);
        uint256 count = reading.curves.length;
        // What the optimizer leaves out is no leg.
        if (count != offsets.length || count > MAX_LEGS) revert BadEdge(count);
        Bundle memory bundle;
        (bundle.connectors, bundle.amountIn, bundle.curve) = (connectors, amountIn, reading.curves);
        return pruned(bundle, plan);
    }

    /// @dev Places of the curves in the calldata. Later code reads and writes memory unchecked, and multiplies unchecked,
    /// by what is checked here.
    function _read(uint256 connectors, uint256[] calldata edges, uint256[] calldata offsets)
        internal
        pure
        returns (Reading memory reading)
    {
        if (connectors > MAX_CONNECTORS) revert TooManyConnectors(connectors, MAX_CONNECTORS);
        if (offsets.length > MAX_EDGES) revert BadEdge(MAX_EDGES);
        uint256 base;
        // The place of `edges[0]`, which Solidity has no name for.
        assembly ("memory-safe") {
            base := edges.offset
        }
        reading.connectors = connectors;
        uint256[] memory curves = new uint256[](offsets.length);
        uint256[] memory indices = new uint256[](offsets.length);
        uint256 count;
        uint256 stageBefore;
        for (uint256 k; k < offsets.length; ++k) {
            stageBefore = _check(connectors, edges, offsets[k], k, stageBefore);
            CalldataCurve curve = CalldataCurve.wrap(base + 32 * offsets[k]);
            if (!curve.isDrawable()) continue;
            (curves[count], indices[count]) = (CalldataCurve.unwrap(curve), k);
            ++count;
        }
        assembly ("memory-safe") {
            mstore(curves, count)
        }
        (reading.curves, reading.indices) = (curves, indices);
    }

    /// @dev Returns the stage of edge k.
    function _check(uint256 connectors, uint256[] calldata edges, uint256 offset, uint256 k, uint256 stageBefore)
        internal
        pure
        returns (uint256 stage)
    {
        if (offset >= edges.length || edges.length - offset < 8) revert BadEdge(k);
        uint256 segments = edges[offset + 2];
        if (segments == 0 || segments > (edges.length - offset - 3) / 5) revert BadEdge(k);
        stage = _stageOf(connectors, edges[offset], edges[offset + 1]);
        if (stage < stageBefore || stage > 2) revert BadEdge(k);
    }

    /// @dev 0 out of `tokenIn`, 1 between the layers, 2 into `tokenOut`; 3 is no edge of the network.
    function _stageOf(uint256 m, uint256 from, uint256 to) internal pure returns (uint256) {
        if (from == 2 * m) return to < m || to == 2 * m + 1 ? 0 : 3;
        if (from < m) return to >= m && to < 2 * m && to != from + m ? 1 : 3;
        return from < 2 * m && to == 2 * m + 1 ? 2 : 3;
    }

    /// @dev One run from a seed of so many parts to a plan; `best` is kept up to date.
    function _attempt(Workspace memory s, Best memory best, uint256 parts, uint256[] memory warmPrices) internal view {
        uint256 seedOut = sow(s, parts);
        if (best.upperBound == type(uint256).max) s.valueBits = _valueBits(seedOut);
        _keep(best, s.seed, seedOut);

        priceFromSeed(s);
        if (warmPrices.length == 0) relaxIdle(s);
        else priceFrom(s, warmPrices);
        int256 bound = descend(s);
        if (bound == WORTHLESS) return;

        uint256 upperBound = ((uint256(bound) - 1) >> s.valueBits) + 1;
        if (upperBound < best.upperBound) {
            best.upperBound = upperBound;
            copy(s.prices, best.prices);
        }
        (uint256[] memory amounts, uint256 amountOut) = flowForward(s, false);
        _keep(best, amounts, amountOut);
        if (_gapAbove(best, EXACT_SHIFT) && gasleft() > s.gasKept / 2) {
            (amounts, amountOut) = flowForward(s, true);
            _keep(best, amounts, amountOut);
        }
    }

    function _keep(Best memory best, uint256[] memory amounts, uint256 amountOut) internal pure {
        if (amountOut <= best.amountOut) return;
        best.amountOut = amountOut;
        copy(amounts, best.amounts);
    }

    /// @dev Whether the output may be improved by more than the given part of it.
    function _gapAbove(Best memory best, uint256 shift) internal pure returns (bool) {
        return best.upperBound > best.amountOut + (best.amountOut >> shift) + GAP_UNITS;
    }

    /// @dev How often the output is doubled until it has `VALUE_BITS` bits.
    function _valueBits(uint256 amountOut) internal pure returns (uint256 bits) {
        while (bits < VALUE_BITS && amountOut << bits < 1 << VALUE_BITS) ++bits;
    }

    /// @dev The best in the caller's numbering.
    function _named(Network memory network, Best memory best, uint256 edges, uint256 nodes)
        internal
        pure
        returns (Allocation memory allocation)
    {
        allocation.upperBound = best.isPartial ? type(uint256).max : best.upperBound;
        allocation.amountOut = best.amountOut;
        if (best.amountOut == 0) return allocation;
        allocation.flows = new uint256[](edges);
        for (uint256 k; k < best.amounts.length; ++k) {
            put(allocation.flows, network.edgeAt(k).index(), at(best.amounts, k));
        }
        allocation.prices = new uint256[](nodes);
        for (uint256 k; k < best.prices.length; ++k) {
            put(allocation.prices, at(network.names, k), at(best.prices, k));
        }
    }
}
