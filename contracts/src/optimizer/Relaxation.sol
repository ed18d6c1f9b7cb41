// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, put} from "../math/UncheckedArrays.sol";
import {AMOUNT_BITS, Response} from "./CalldataCurve.sol";
import {conductance} from "./DualBound.sol";
import {abs, exp, mulShift} from "./FixedPoint.sol";
import {NONE, Network, PackedEdge} from "./Network.sol";
import {MAX_PRICE, MIN_PRICE, VALUE_BITS, Workspace, worthOf} from "./Workspace.sol";

/// @dev Steps for a node that the seed passes by, and in a sweep over all nodes.
uint256 constant IDLE_STEPS = 10;
uint256 constant SWEEP_STEPS = 10;
/// @dev Excess that counts as none, as a value.
int256 constant IDLE_TOLERANCE = int256(1 << (VALUE_BITS - 14));
int256 constant SWEEP_TOLERANCE = int256(1 << (VALUE_BITS - 22));

/// @dev Excess of a set of nodes that keep the ratio of their prices.
struct Imbalance {
    int256 excess;
    /// The part of it that arises in layer 1.
    int256 layerOneExcess;
    /// What a unit of the logarithm of the worths moves.
    int256 conducted;
}

/// @notice Balances every node that the seed does not use against its neighbors, alone. Its price from the best pool
/// would be that of any dust pool, at which all deep pools into the node seem to earn fortunes.
function relaxIdle(Workspace memory s) view {
    unchecked {
        Network memory network = s.network;
        for (uint256 node; node < network.source && gasleft() > 2 * s.gasKept; ++node) {
            uint256 other = at(network.partners, node);
            if (other == NONE) _relaxUnused(s, node);
            else if (other > node) _relaxIdlePair(s, node, other);
        }
    }
}

function _relaxUnused(Workspace memory s, uint256 node) pure {
    if ((s.seeded >> node) & 1 == 0) _balance(s, 1 << node, IDLE_STEPS, IDLE_TOLERANCE);
}

function _relaxIdlePair(Workspace memory s, uint256 node, uint256 later) pure {
    unchecked {
        uint256 both = (1 << node) | (1 << later);
        if (s.seeded & both == 0) {
            put(s.prices, node, at(s.prices, later));
            int256 layerOneExcess = _balance(s, both, IDLE_STEPS, IDLE_TOLERANCE);
            // Value flows backwards, from (a,2) to (a,1): the two part.
            if (layerOneExcess < 0) {
                _balance(s, 1 << node, IDLE_STEPS, IDLE_TOLERANCE);
                _balance(s, 1 << later, IDLE_STEPS, IDLE_TOLERANCE);
            }
        } else {
            _relaxUnused(s, node);
            _relaxUnused(s, later);
        }
        if (at(s.prices, node) >= at(s.prices, later)) return;
        if ((s.seeded >> node) & 1 == 1) put(s.prices, later, at(s.prices, node));
        else put(s.prices, node, at(s.prices, later));
    }
}

/// @notice Balances every node once, one after another: a way on where the Newton step is of no use.
function sweep(Workspace memory s) pure {
    unchecked {
        Network memory network = s.network;
        _balance(s, 1 << network.source, SWEEP_STEPS, SWEEP_TOLERANCE);
        for (uint256 node; node < network.source; ++node) {
            uint256 other = at(network.partners, node);
            if (other == NONE) _balance(s, 1 << node, SWEEP_STEPS, SWEEP_TOLERANCE);
            else if (other > node) _sweepPair(s, node, other);
        }
    }
}

function _sweepPair(Workspace memory s, uint256 node, uint256 later) pure {
    unchecked {
        if (at(s.prices, node) == at(s.prices, later)) {
            int256 layerOneExcess = _balance(s, (1 << node) | (1 << later), SWEEP_STEPS, SWEEP_TOLERANCE);
            if (layerOneExcess >= 0) return;
        }
        _balance(s, 1 << node, SWEEP_STEPS, SWEEP_TOLERANCE);
        if (at(s.prices, node) < at(s.prices, later)) put(s.prices, node, at(s.prices, later));
        _balance(s, 1 << later, SWEEP_STEPS, SWEEP_TOLERANCE);
        if (at(s.prices, node) < at(s.prices, later)) put(s.prices, later, at(s.prices, node));
    }
}

/// @dev Moves the prices of a set of nodes together until the set is in balance: Newton's method for one unknown, held
/// in a bracket once both sides are known.
/// @param nodes Bit per node.
/// @return layerOneExcess Of the last evaluation.
function _balance(Workspace memory s, uint256 nodes, uint256 steps, int256 tolerance)
    pure
    returns (int256 layerOneExcess)
{
    unchecked {
        uint256 lead;
        while ((nodes >> lead) & 1 == 0) ++lead;
        uint256 low;
        uint256 high;
        for (uint256 k; k < steps; ++k) {
            Imbalance memory found = _imbalance(s, nodes);
            layerOneExcess = found.layerOneExcess;
            uint256 size = abs(found.excess);
            if (size <= uint256(tolerance)) break;

            uint256 price = at(s.prices, lead);
            if (found.excess > 0) high = price;
            else low = price;
            // A quarter of the excess as damping keeps the step within 4.
            int256 step = -(found.excess << 64) / (found.conducted + int256(size >> 2) + 1);
            uint256 next = mulShift(price, exp(step / 2), 64);
            if (low != 0 && high != 0 && (next <= low || next >= high)) {
                next = high > 16 * low ? low * 4 : (low + high) >> 1;
                if (next == low || high - low < 2) break;
            }
            _multiplyPrices(s, nodes, (next << 64) / price);
        }
    }
}

function _multiplyPrices(Workspace memory s, uint256 nodes, uint256 factor) pure {
    unchecked {
        for (uint256 node; node < s.network.target; ++node) {
            if ((nodes >> node) & 1 == 1) s.setPrice(node, mulShift(at(s.prices, node), factor, 64));
        }
    }
}

/// @dev Evaluates only the edges that touch the set.
function _imbalance(Workspace memory s, uint256 nodes) pure returns (Imbalance memory found) {
    unchecked {
        Network memory network = s.network;
        if ((nodes >> network.source) & 1 == 1) {
            uint256 worth = worthOf(at(s.prices, network.source));
            found.excess = int256(s.valueOf(worth, network.amountIn << AMOUNT_BITS));
        }
        for (uint256 k; k < network.edges.length; ++k) {
            PackedEdge edge = network.edgeAt(k);
            if (((nodes >> edge.from()) | (nodes >> edge.to())) & 1 == 1) _addTrade(s, nodes, k, edge, found);
        }
    }
}

function _addTrade(Workspace memory s, uint256 nodes, uint256 k, PackedEdge edge, Imbalance memory found) pure {
    unchecked {
        uint256 priceFrom = at(s.prices, edge.from());
        uint256 priceTo = at(s.prices, edge.to());
        uint256 ratio = (priceFrom << 96) / priceTo;
        if (ratio >= edge.curve().start()) return;
        Response memory response = s.response;
        edge.curve().respond(at(s.segments, k), ratio, response);
        put(s.segments, k, response.segment);

        int256 value;
        uint256 node = edge.from();
        if ((nodes >> node) & 1 == 1) {
            value = -int256(s.valueOf(worthOf(priceFrom), response.amountIn));
        } else {
            node = edge.to();
            value = int256(s.valueOf(worthOf(priceTo), response.amountOut));
        }
        found.excess += value;
        if (node < s.network.layerOne) found.layerOneExcess += value;
        if (response.liquidity != 0) found.conducted += int256(conductance(s, response.liquidity, priceFrom, priceTo));
    }
}
