// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, copy, put} from "../math/UncheckedArrays.sol";
import {AMOUNT_BITS} from "./CalldataCurve.sol";
import {mulShift} from "./FixedPoint.sol";
import {Network, PackedEdge} from "./Network.sol";
import {split} from "./Split.sol";
import {Workspace} from "./Workspace.sol";

/// @dev (a,1) counts as waiting for (a,2) when its price is not higher by more than this part.
uint256 constant TIE_SHIFT = 14;

/// @notice How what is held at the nodes is given to their edges.
struct Flow {
    /// Whether every node splits what it really holds by price, instead of in proportion to the demand.
    bool exact;
    /// Per edge: whole base units.
    uint256[] amounts;
    /// Per node: whole base units.
    uint256[] holdings;
    /// Per node of layer 2: what its edges demand at `prices` beyond what other tokens' swaps bring, 32 fractional bits.
    /// Only by waiting can it come.
    uint256[] lacks;
}

/// @notice Turns the demand at `s.prices` into a plan that can be executed: stage by stage, every node gives away all
/// that it really holds.
/// @return amounts Input of each edge.
/// @return amountOut What reaches the target.
function flowForward(Workspace memory s, bool exact) pure returns (uint256[] memory amounts, uint256 amountOut) {
    unchecked {
        Network memory network = s.network;
        amounts = new uint256[](network.edges.length);
        Flow memory flow = Flow(exact, amounts, new uint256[](network.target + 1), _lacks(s));
        copy(s.demand, s.trialDemand);
        put(flow.holdings, network.source, network.amountIn);
        _give(s, flow, network.source);
        for (uint256 node; node < network.source; ++node) {
            _give(s, flow, node);
        }
        amountOut = at(flow.holdings, network.target);
    }
}

function _lacks(Workspace memory s) pure returns (uint256[] memory lacks) {
    unchecked {
        Network memory network = s.network;
        lacks = new uint256[](network.target + 1);
        // Layer 2 comes after layer 1, so that all demand has to be met first and supply to be taken off then.
        for (uint256 k = network.edges.length; k > 0;) {
            PackedEdge edge = network.edgeAt(--k);
            uint256 demand = at(s.demand, k);
            (uint256 from, uint256 to) = (edge.from(), edge.to());
            if (demand == 0 || from == network.source) continue;
            if (to == network.target) {
                put(lacks, from, at(lacks, from) + demand);
            } else {
                (uint256 supply,,) = edge.curve().quote(edge.curve().first(), demand >> AMOUNT_BITS);
                supply <<= AMOUNT_BITS;
                uint256 lack = at(lacks, to);
                put(lacks, to, lack > supply ? lack - supply : 0);
            }
        }
    }
}

/// @dev Gives away what the node holds; `s.trialDemand` are the shares.
function _give(Workspace memory s, Flow memory flow, uint256 node) pure {
    unchecked {
        uint256 holding = at(flow.holdings, node);
        if (holding == 0) return;
        bool paired = s.network.hasPair(node);
        // Waiting takes its share like an edge.
        uint256 waiting;
        if (flow.exact) waiting = split(s, node, holding, paired ? at(flow.lacks, at(s.network.partners, node)) : 0);
        else if (paired) waiting = _lackOfPair(s, flow, node);
        (uint256 total, uint256 best) = _total(s, node);
        if (total + waiting == 0) {
            if (paired) {
                waiting = 1;
            } else {
                put(s.trialDemand, best, 1);
                total = 1;
            }
        }
        if (waiting != 0) {
            uint256 amount = _share(holding, waiting, total + waiting);
            uint256 later = at(s.network.partners, node);
            put(flow.holdings, later, at(flow.holdings, later) + amount);
            holding -= amount;
        }
        if (total != 0) _spread(s, flow, node, holding, total);
    }
}

/// @dev What the later node of the pair lacks, if the two prices are even; a higher price pays better elsewhere.
function _lackOfPair(Workspace memory s, Flow memory flow, uint256 node) pure returns (uint256) {
    unchecked {
        uint256 later = at(s.network.partners, node);
        uint256 laterPrice = at(s.prices, later);
        return at(s.prices, node) > laterPrice + (laterPrice >> TIE_SHIFT) ? 0 : at(flow.lacks, later);
    }
}

/// @dev Gives `holding` to the node's edges by their shares, which sum to `total`.
function _spread(Workspace memory s, Flow memory flow, uint256 node, uint256 holding, uint256 total) pure {
    unchecked {
        Network memory network = s.network;
        for (uint256 k = at(network.begins, node); k < at(network.ends, node); ++k) {
            uint256 weight = at(s.trialDemand, k);
            if (weight == 0) continue;
            // Of what is left, so that the last edge takes all of it.
            uint256 amount = _share(holding, weight, total);
            holding -= amount;
            total -= weight;
            put(flow.amounts, k, amount);
            PackedEdge edge = network.edgeAt(k);
            (uint256 output,,) = edge.curve().quote(edge.curve().first(), amount);
            put(flow.holdings, edge.to(), at(flow.holdings, edge.to()) + output);
        }
    }
}

/// @dev `holding * weight / total`, rounded down; exact if `weight` is `total`.
function _share(uint256 holding, uint256 weight, uint256 total) pure returns (uint256) {
    unchecked {
        if (weight == total) return holding;
        uint256 unit = (total >> 128) + 1;
        return mulShift(holding, ((weight / unit) << 128) / (total / unit), 128);
    }
}

/// @dev Sum of the shares, and the edge with the best price for a first unit.
function _total(Workspace memory s, uint256 node) pure returns (uint256 total, uint256 best) {
    unchecked {
        Network memory network = s.network;
        uint256 bestPrice;
        for (uint256 k = at(network.begins, node); k < at(network.ends, node); ++k) {
            total += at(s.trialDemand, k);
            PackedEdge edge = network.edgeAt(k);
            uint256 price = mulShift(edge.curve().start(), at(s.prices, edge.to()), 96);
            if (price >= bestPrice) (best, bestPrice) = (k, price);
        }
    }
}
