// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Words} from "../libraries/Words.sol";
import {Edge} from "../types/Market.sol";
import {redraw} from "./Edges.sol";
import {PoolWords} from "./PoolWords.sol";
import {Search} from "./Search.sol";

// A route may trade several pairs of a pool of several tokens. Each swap moves the prices of the others, so that legs are priced
// one after another, each on the pool as those before leave it. A split knows nothing of that: it is given curves of each pair as the
// plan's other legs leave it, again and again, until curves and plan agree. What a pool pays for several swaps hardly depends on their
// order, so that such curves have the prices of the best plan.

/// @notice Moves the pools that are other pairs of the contract of a leg. One of which nobody can tell where it is then has no words.
function moveOthers(Search memory search, Edge memory edge, uint256 amountIn) {
    uint256[] memory own = search.pools[edge.pool];
    for (uint256 p; p < search.pools.length; ++p) {
        uint256[] memory pool = search.pools[p];
        if (p == edge.pool || pool.length == 0 || !PoolWords.isShared(pool, own)) continue;
        search.pools[p] = search.afterSwap(pool, edge, amountIn);
    }
}

/// @notice Draws the curves of all pools that the last plan has moved.
/// @param prices Square roots of the shadow prices per node.
/// @return drawn Whether any was.
function drawMoved(Search memory search, uint256[] memory flows, uint256[] memory prices) returns (bool drawn) {
    uint256[][] memory pools = search.pools;
    for (uint256 e; e < flows.length; ++e) {
        Edge memory edge = search.edges[e];
        uint256[] memory moved = search.moved[edge.pool];
        if (moved.length == 0 || Words.isOne(moved, pools[edge.pool])) continue;
        search.pools = search.moved;
        if (redraw(search, edge, flows[e], prices)) drawn = true;
        search.pools = pools;
    }
}
