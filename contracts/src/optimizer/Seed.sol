// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, clear, put} from "../math/UncheckedArrays.sol";
import {Network, PackedEdge} from "./Network.sol";
import {Workspace} from "./Workspace.sol";

/// @dev Stands in `Walk.arrivals` for arrival by waiting.
uint256 constant BY_WAITING = type(uint256).max;

/// @dev Working memory of the seed.
struct Walk {
    /// Per node: the most of its token that the current part can be turned into, and the edge that brings it.
    uint256[] amounts;
    uint256[] arrivals;
    /// Per edge: what its seeded amount delivers, and the segment where that ends.
    uint256[] delivered;
    uint256[] segments;
}

/// @notice Splits the input into equal parts and sends each along the path that is best given the parts before.
/// Writes the amounts to `s.seed`.
/// @return amountOut What the parts deliver together. Parts that would deliver nothing are not spent.
function sow(Workspace memory s, uint256 parts) pure returns (uint256 amountOut) {
    unchecked {
        Network memory network = s.network;
        uint256 edges = network.edges.length;
        Walk memory walk = Walk(
            new uint256[](network.target + 1),
            new uint256[](network.target + 1),
            new uint256[](edges),
            new uint256[](edges)
        );
        for (uint256 k; k < edges; ++k) {
            put(walk.segments, k, network.edgeAt(k).curve().first());
        }
        clear(s.seed);
        s.waited = 0;

        uint256 part = network.amountIn / parts;
        uint256 firstPart = network.amountIn - part * (parts - 1);
        for (uint256 k; k < parts; ++k) {
            uint256 amount = k == 0 ? firstPart : part;
            if (amount == 0) break;
            _explore(s, walk, amount);
            uint256 gain = at(walk.amounts, network.target);
            // A part can be too small for a single unit of output where the whole is not.
            if (gain == 0) return k == 0 && parts > 1 ? sow(s, 1) : amountOut;
            amountOut += gain;
            _commit(s, walk);
        }
    }
}

/// @dev The best amount at every node; edges come in the order of the stages.
function _explore(Workspace memory s, Walk memory walk, uint256 amount) pure {
    unchecked {
        Network memory network = s.network;
        clear(walk.amounts);
        put(walk.amounts, network.source, amount);
        bool waited;
        for (uint256 k; k < network.edges.length; ++k) {
            PackedEdge edge = network.edgeAt(k);
            uint256 from = edge.from();
            if (!waited && from != network.source) {
                waited = true;
                _wait(network, walk);
            }
            uint256 input = at(walk.amounts, from);
            if (input == 0) continue;
            (uint256 output,,) = edge.curve().quote(at(walk.segments, k), at(s.seed, k) + input);
            output -= at(walk.delivered, k);
            if (output > at(walk.amounts, edge.to())) {
                put(walk.amounts, edge.to(), output);
                put(walk.arrivals, edge.to(), k);
            }
        }
    }
}

/// @dev Lets what has reached layer 1 wait for the last stage.
function _wait(Network memory network, Walk memory walk) pure {
    unchecked {
        for (uint256 node; node < network.layerOne; ++node) {
            if (!network.hasPair(node)) continue;
            uint256 later = at(network.partners, node);
            put(walk.amounts, later, at(walk.amounts, node));
            put(walk.arrivals, later, BY_WAITING);
        }
    }
}

/// @dev Walks the best path back from the target and adds its amounts to the seed.
function _commit(Workspace memory s, Walk memory walk) pure {
    unchecked {
        Network memory network = s.network;
        uint256 node = network.target;
        while (node != network.source) {
            uint256 k = at(walk.arrivals, node);
            if (k == BY_WAITING) {
                node = at(network.partners, node);
                s.waited |= 1 << node;
                continue;
            }
            PackedEdge edge = network.edgeAt(k);
            node = edge.from();
            uint256 amount = at(s.seed, k) + at(walk.amounts, node);
            (uint256 output,, uint256 segment) = edge.curve().quote(at(walk.segments, k), amount);
            put(s.seed, k, amount);
            put(walk.delivered, k, output);
            put(walk.segments, k, segment);
        }
    }
}
