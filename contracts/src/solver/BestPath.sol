// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {estimateOut} from "./Estimate.sol";
import {Edge} from "./Market.sol";
import {Search} from "./Search.sol";

/// @notice The path of single pools that pays most for all of the input, of at most `hops` hops.
/// @dev One sweep over the edges in the order of their stages, as on any network without cycles. A path that skips the
/// middle waits at its connector token.
/// @return flows The input on the path's edges, nothing elsewhere; all zero where no such path is.
function bestPathOf(Search memory search, uint256 hops) pure returns (uint256[] memory flows) {
    uint256 nodes = 2 * search.connectors + 2;
    uint256[] memory best = new uint256[](nodes);
    /// Edge that leads to a node, plus one; zero at a layer-two node that was reached by waiting.
    uint256[] memory by = new uint256[](nodes);
    best[search.source()] = search.amountIn;
    bool waited;
    for (uint256 e; e < search.edges.length; ++e) {
        Edge memory edge = search.edges[e];
        if (!waited && edge.from != search.source()) {
            waited = true;
            _wait(search, best);
        }
        bool allowed = hops == 3 || (hops == 2 && edge.from >= search.connectors)
            || (edge.from == search.source() && edge.to == search.sink());
        if (!allowed || best[edge.from] == 0) continue;
        uint256 out = estimateOut(edge.curve, best[edge.from]);
        if (out > best[edge.to]) (best[edge.to], by[edge.to]) = (out, e + 1);
    }
    return _trace(search, best, by);
}

/// @dev What a connector token is reached with by one hop also stands before its last hop.
function _wait(Search memory search, uint256[] memory best) pure {
    for (uint256 a; a < search.connectors; ++a) {
        best[search.layerTwo(a)] = best[a];
    }
}

function _trace(Search memory search, uint256[] memory best, uint256[] memory by)
    pure
    returns (uint256[] memory flows)
{
    flows = new uint256[](search.edges.length);
    uint256 node = search.sink();
    while (node != search.source()) {
        uint256 e = by[node];
        if (e == 0) {
            // Reached by waiting, or not at all.
            if (node < search.connectors || node == search.sink()) return new uint256[](search.edges.length);
            node -= search.connectors;
            continue;
        }
        node = search.edges[e - 1].from;
        flows[e - 1] = best[node];
    }
}
