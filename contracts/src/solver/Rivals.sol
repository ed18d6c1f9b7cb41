// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Q96} from "../math/Ratio.sol";
import {Edge} from "../types/Market.sol";
import {usedEdges} from "./Edges.sol";
import {PoolWords} from "./PoolWords.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What an edge's flow is worth in `tokenOut`.
/// @param prices Square roots of the shadow prices per node, Q96 against `tokenOut`.
function worthOf(Edge memory edge, uint256 flow, uint256[] memory prices) pure returns (uint256) {
    return worthAt(prices[edge.from], flow);
}

/// @notice What an amount is worth at a price, rounded down.
/// @param sqrtPrice Its square root, Q96.
function worthAt(uint256 sqrtPrice, uint256 amount) pure returns (uint256) {
    return FixedPointMathLib.fullMulDiv(FixedPointMathLib.fullMulDiv(amount, sqrtPrice, Q96), sqrtPrice, Q96);
}

/// @notice Leaves each pool the one leg that is worth most. A swap moves all prices of its pool, so that a second leg on
/// it, the other way or between other tokens of it, would not be paid what was quoted.
/// @dev Changes `flows`.
/// @return allowed The edges that a split without these rivals may use. Empty if there were none.
function dropRivals(Search memory search, uint256[] memory flows, uint256[] memory prices)
    pure
    returns (uint256[] memory allowed)
{
    // Per pool: its best edge, plus one.
    uint256[] memory best = new uint256[](search.pools.length);
    bool[] memory contested = new bool[](search.pools.length);
    bool any;
    for (uint256 e; e < flows.length; ++e) {
        if (flows[e] == 0) continue;
        Edge memory edge = search.edges[e];
        uint256 pool = PoolWords.firstOf(search.pools[edge.pool]);
        uint256 rival = best[pool];
        if (rival == 0) {
            best[pool] = e + 1;
            continue;
        }
        (any, contested[pool]) = (true, true);
        uint256 loser = e;
        if (worthOf(edge, flows[e], prices) > worthOf(search.edges[rival - 1], flows[rival - 1], prices)) {
            (best[pool], loser) = (e + 1, rival - 1);
        }
        flows[loser] = 0;
    }
    if (!any) return allowed;
    allowed = new uint256[](flows.length);
    for (uint256 e; e < flows.length; ++e) {
        uint256 pool = PoolWords.firstOf(search.pools[search.edges[e].pool]);
        if (!search.shunned[e] && (!contested[pool] || best[pool] == e + 1)) allowed[e] = 1;
    }
    return usedEdges(allowed);
}
