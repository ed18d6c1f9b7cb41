// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, put} from "../math/UncheckedArrays.sol";
import {Edge} from "../types/Market.sol";
import {readPath} from "./Edges.sol";
import {estimateOut} from "./Estimate.sol";
import {Search} from "./Search.sol";

/// @dev Times that a path is looked for among curves that are read further.
uint256 constant MAX_READINGS = 4;

/// @notice The path of single pools that pays most for all of the input: of two hops, or with `hops` 3 of any number.
/// @return flows The input on the path's edges, nothing elsewhere; all zero if no such path is.
/// @dev One sweep over the edges in the order of their stages, as on any network without cycles. A path that skips the
/// middle waits at its connector token.
function bestPathOf(Search memory search, uint256 hops) pure returns (uint256[] memory flows) {
    (flows,) = _pathBetween(search, search.source(), search.sink(), search.amountIn, hops, true);
}

/// @notice What a path of single pools pays at most for `amountIn` of the token at a node.
function mostFrom(Search memory search, uint256 node, uint256 amountIn) pure returns (uint256) {
    (uint256[] memory best,) = _sweep(search, node, amountIn, 3, false);
    return at(best, search.sink());
}

/// @notice What a path of single pools brings at most from one node to another, by what was read of its pools: what is
/// thought to follow costs whoever draws it nothing.
/// @dev Reads the best path's curves further where it leaves what was read, some times.
function mostRead(Search memory search, uint256 start, uint256 end, uint256 amountIn) returns (uint256 most) {
    uint256[] memory flows;
    for (uint256 round; round < MAX_READINGS; ++round) {
        (flows, most) = _pathBetween(search, start, end, amountIn, 3, false);
        if (!readPath(search, flows)) return most;
    }
}

/// @notice Whether pools connect the two tokens, but so small an input brings nothing.
/// @dev Half of it, because a unit that the curves promise may be rounded off by the pools.
function isDust(Search memory search) pure returns (bool) {
    return mostFrom(search, search.source(), search.amountIn / 2) == 0
        && mostFrom(search, search.source(), type(uint128).max) != 0;
}

/// @param whole Whether pools that cannot take all of an input are passed by.
/// @return best What each node is reached with at most.
/// @return by Edge that leads to it, plus one; zero at a layer-two node that was reached by waiting.
function _sweep(Search memory search, uint256 start, uint256 amountIn, uint256 hops, bool whole)
    pure
    returns (uint256[] memory best, uint256[] memory by)
{
    uint256 nodes = 2 * search.connectors + 2;
    (best, by) = (new uint256[](nodes), new uint256[](nodes));
    best[start] = amountIn;
    bool waited;
    for (uint256 e; e < search.edges.length; ++e) {
        Edge memory edge = search.edges[e];
        if (!waited && edge.from != search.source()) {
            waited = true;
            _wait(search, best);
        }
        // Two hops without the direct pools: one that pays most but takes much gas must not hide a path that takes less.
        // Of these edges only those from source to sink connect numbers that differ in the last bit alone.
        bool allowed = hops == 3 || (edge.from >= search.connectors && (edge.from ^ edge.to) != 1);
        uint256 held = at(best, edge.from);
        if (!allowed || held == 0 || (whole && !edge.curve.hasTail() && held > edge.curve.loadedIn)) continue;
        uint256 out = estimateOut(edge.curve, held);
        if (out > at(best, edge.to)) {
            put(best, edge.to, out);
            put(by, edge.to, e + 1);
        }
    }
    if (!waited) _wait(search, best);
}

/// @dev What a connector token is reached with by one hop also stands before its last hop.
function _wait(Search memory search, uint256[] memory best) pure {
    for (uint256 a; a < search.connectors; ++a) {
        best[search.layerTwo(a)] = at(best, a);
    }
}

/// @return flows The input on the edges of the best path between two nodes.
/// @return most What it brings.
function _pathBetween(Search memory search, uint256 start, uint256 end, uint256 amountIn, uint256 hops, bool whole)
    pure
    returns (uint256[] memory flows, uint256 most)
{
    (uint256[] memory best, uint256[] memory by) = _sweep(search, start, amountIn, hops, whole);
    (flows, most) = (new uint256[](search.edges.length), at(best, end));
    for (uint256 node = end; node != start;) {
        uint256 e = at(by, node);
        if (e == 0) {
            // Reached by waiting, or not at all.
            if (node < search.connectors || node == search.sink()) return (new uint256[](search.edges.length), 0);
            node -= search.connectors;
            continue;
        }
        node = search.edges[e - 1].from;
        flows[e - 1] = at(best, node);
    }
}
