// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, put} from "../math/UncheckedArrays.sol";
import {CalldataCurve} from "./CalldataCurve.sol";

/// @dev Marks the absence of a node or an edge.
uint256 constant NONE = type(uint8).max;

/// @notice The part of the network that lies on some way from `tokenIn` to `tokenOut`, its nodes numbered anew: layer
/// 1, layer 2, source, target. There are as many unknown prices as nodes before the target.
struct Network {
    uint256 amountIn;
    /// Nodes of layer 1 have the numbers below.
    uint256 layerOne;
    uint256 source;
    uint256 target;
    /// Each node's number in the caller's numbering.
    uint256[] names;
    /// Edges by their `from`: those of the source, of layer 1, of layer 2. Packed, see `PackedEdge`.
    uint256[] edges;
    /// The edges out of node k are `begins[k]` to `ends[k] - 1`.
    uint256[] begins;
    uint256[] ends;
    /// For a node (a,1) the node (a,2) that may wait for, and the reverse; `NONE` if there is none.
    uint256[] partners;
}

/// @notice An edge in one word: place of its curve, number in the caller's order, from (8 bits), to (8 bits).
type PackedEdge is uint256;

using {from, to, index, curve} for PackedEdge global;

function from(PackedEdge edge) pure returns (uint256) {
    return (PackedEdge.unwrap(edge) >> 8) & 0xff;
}

function to(PackedEdge edge) pure returns (uint256) {
    return PackedEdge.unwrap(edge) & 0xff;
}

function index(PackedEdge edge) pure returns (uint256) {
    return (PackedEdge.unwrap(edge) >> 16) & 0xffff;
}

function curve(PackedEdge edge) pure returns (CalldataCurve) {
    return CalldataCurve.wrap(PackedEdge.unwrap(edge) >> 32);
}

using {edgeAt, hasPair} for Network global;

function edgeAt(Network memory network, uint256 k) pure returns (PackedEdge) {
    return PackedEdge.wrap(at(network.edges, k));
}

/// @dev Whether the node may pass value on by waiting.
function hasPair(Network memory network, uint256 node) pure returns (bool) {
    return node < network.layerOne && at(network.partners, node) != NONE;
}

/// @notice Edges, as places in the calldata with their numbers in the caller's order, and the nodes in the caller's
/// numbering that matter.
struct Reading {
    uint256 connectors;
    uint256[] curves;
    uint256[] indices;
    /// Bit per node: on some way from `tokenIn` to `tokenOut`.
    uint256 live;
}

/// @notice Leaves out what no flow can pass and numbers the rest.
/// @return network Without edges if nothing connects the two tokens.
function connect(Reading memory reading, uint256 amountIn) pure returns (Network memory network) {
    unchecked {
        reading.live = _reachable(reading) & _useful(reading);
        uint256 m = reading.connectors;
        if ((reading.live >> (2 * m)) & 3 != 3) return network;

        network.amountIn = amountIn;
        uint256[] memory numbers = _number(network, reading);
        _place(network, reading, numbers);
    }
}

/// @dev Nodes that value from `tokenIn` can get to.
function _reachable(Reading memory reading) pure returns (uint256 mask) {
    unchecked {
        uint256 m = reading.connectors;
        mask = 1 << (2 * m);
        for (uint256 k; k < reading.curves.length; ++k) {
            CalldataCurve c = CalldataCurve.wrap(at(reading.curves, k));
            // Past the first stage layer 1 is complete, and what has reached it may wait.
            if (c.from() != 2 * m) mask |= (mask & ((1 << m) - 1)) << m;
            if ((mask >> c.from()) & 1 == 1) mask |= 1 << c.to();
        }
    }
}

/// @dev Nodes from which value can get to `tokenOut`.
function _useful(Reading memory reading) pure returns (uint256 mask) {
    unchecked {
        uint256 m = reading.connectors;
        mask = 2 << (2 * m);
        for (uint256 k = reading.curves.length; k > 0; --k) {
            CalldataCurve c = CalldataCurve.wrap(at(reading.curves, k - 1));
            // Before the last stage layer 2 is complete.
            if (c.from() < m || c.from() == 2 * m) mask |= (mask >> m) & ((1 << m) - 1);
            if ((mask >> c.to()) & 1 == 1) mask |= 1 << c.from();
        }
    }
}

/// @dev Numbers the live nodes in the order of their names; returns the number of each name.
function _number(Network memory network, Reading memory reading) pure returns (uint256[] memory numbers) {
    unchecked {
        uint256 m = reading.connectors;
        numbers = new uint256[](2 * m + 2);
        uint256[] memory names = new uint256[](2 * m + 2);
        uint256 count;
        for (uint256 name; name < 2 * m + 2; ++name) {
            if (name == m) network.layerOne = count;
            if ((reading.live >> name) & 1 == 0) continue;
            numbers[name] = count;
            names[count++] = name;
        }
        assembly ("memory-safe") {
            mstore(names, count)
        }
        (network.names, network.source, network.target) = (names, count - 2, count - 1);

        network.partners = new uint256[](count);
        for (uint256 k; k < count; ++k) {
            network.partners[k] = NONE;
        }
        for (uint256 a; a < m; ++a) {
            if ((reading.live >> a) & (reading.live >> (a + m)) & 1 == 0) continue;
            network.partners[numbers[a]] = numbers[a + m];
            network.partners[numbers[a + m]] = numbers[a];
        }
    }
}

/// @dev Puts the live edges in the order of the node they leave.
function _place(Network memory network, Reading memory reading, uint256[] memory numbers) pure {
    unchecked {
        uint256[] memory counts = new uint256[](network.names.length);
        uint256 total;
        for (uint256 k; k < reading.curves.length; ++k) {
            CalldataCurve c = CalldataCurve.wrap(at(reading.curves, k));
            if ((reading.live >> c.from()) & (reading.live >> c.to()) & 1 == 0) continue;
            ++counts[numbers[c.from()]];
            ++total;
        }
        network.edges = new uint256[](total);
        network.begins = new uint256[](network.names.length);
        network.ends = new uint256[](network.names.length);
        // The source has the highest number and the first edges.
        uint256 next = counts[network.source];
        for (uint256 node; node < network.source; ++node) {
            network.begins[node] = network.ends[node] = next;
            next += counts[node];
        }
        for (uint256 k; k < reading.curves.length; ++k) {
            CalldataCurve c = CalldataCurve.wrap(at(reading.curves, k));
            if ((reading.live >> c.from()) & (reading.live >> c.to()) & 1 == 0) continue;
            uint256 start = numbers[c.from()];
            uint256 word =
                (CalldataCurve.unwrap(c) << 32) | (at(reading.indices, k) << 16) | (start << 8) | numbers[c.to()];
            put(network.edges, network.ends[start]++, word);
        }
    }
}
