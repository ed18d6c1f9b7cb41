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
    (uint256[] memory best, uint256[] memory by) = _sweep(search, search.source(), search.amountIn, hops);
    return _trace(search, best, by);
}

/// @notice What a path of single pools pays at most for `amountIn` of the token at a node.
function mostFrom(Search memory search, uint256 node, uint256 amountIn) pure returns (uint256) {
    (uint256[] memory best,) = _sweep(search, node, amountIn, 3);
    return best[search.sink()];
}

/// @return best What each node is reached with at most.
/// @return by Edge that leads to it, plus one; zero at a layer-two node that was reached by waiting.
function _sweep(Search memory search, uint256 start, uint256 amountIn, uint256 hops)
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
        bool allowed = hops == 3 || (hops == 2 && edge.from >= search.connectors)
            || (edge.from == search.source() && edge.to == search.sink());
        if (!allowed || best[edge.from] == 0) continue;
        uint256 out = estimateOut(edge.curve, best[edge.from]);
        if (out > best[edge.to]) (best[edge.to], by[edge.to]) = (out, e + 1);
    }
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
