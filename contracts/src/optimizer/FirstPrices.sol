// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, clear, put} from "../math/UncheckedArrays.sol";
import {mulShift} from "./FixedPoint.sol";
import {Network, PackedEdge} from "./Network.sol";
import {UNIT_PRICE, Workspace, clampPrice} from "./Workspace.sol";

/// @notice Prices that fit the seed, from the target backwards: a node that the seed passes is worth what its best
/// used edge still pays, any other node what its best edge would pay for a first unit.
function priceFromSeed(Workspace memory s) pure {
    unchecked {
        Network memory network = s.network;
        clear(s.prices);
        put(s.prices, network.target, UNIT_PRICE);
        s.seeded = 0;
        bool waited;
        for (uint256 k = network.edges.length; k > 0;) {
            PackedEdge edge = network.edgeAt(--k);
            uint256 from = edge.from();
            if (!waited && (from < network.layerOne || from == network.source)) {
                waited = true;
                _priceByWaiting(s);
            }
            _offer(s, k, edge, from);
        }
        for (uint256 node; node < network.target; ++node) {
            s.setPrice(node, at(s.prices, node));
        }
        s.raisePairs(s.prices);
    }
}

/// @dev Raises the price of the node that the edge leaves to what the edge pays there.
function _offer(Workspace memory s, uint256 k, PackedEdge edge, uint256 from) pure {
    unchecked {
        uint256 amount = at(s.seed, k);
        uint256 ratio = edge.curve().start();
        if (amount != 0) (, ratio,) = edge.curve().quote(edge.curve().first(), amount);
        uint256 price = mulShift(ratio, at(s.prices, edge.to()), 96);
        bool seeded = (s.seeded >> from) & 1 == 1;
        bool better = price > at(s.prices, from);
        if (amount != 0) {
            if (better || !seeded) put(s.prices, from, price);
            s.seeded |= 1 << from;
        } else if (better && !seeded) {
            put(s.prices, from, price);
        }
    }
}

/// @dev Starts layer 1 at the prices of layer 2, which are complete by then.
function _priceByWaiting(Workspace memory s) pure {
    unchecked {
        Network memory network = s.network;
        for (uint256 node; node < network.layerOne; ++node) {
            if (!network.hasPair(node)) continue;
            put(s.prices, node, at(s.prices, at(network.partners, node)));
            s.seeded |= s.waited & (1 << node);
        }
    }
}

/// @notice Prices of an earlier optimization over the same nodes, in the caller's numbering.
function priceFrom(Workspace memory s, uint256[] memory earlier) pure {
    unchecked {
        Network memory network = s.network;
        for (uint256 node; node < network.target; ++node) {
            uint256 price = earlier[at(network.names, node)];
            if (price != 0) put(s.prices, node, clampPrice(price));
        }
        s.raisePairs(s.prices);
    }
}
