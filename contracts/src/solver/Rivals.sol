// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Q96} from "../math/Ratio.sol";
import {at} from "../math/UncheckedArrays.sol";
import {Edge} from "../types/Market.sol";
import {usedEdges} from "./Edges.sol";
import {PoolWords} from "./PoolWords.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What an edge's flow is worth in `tokenOut`.
/// @param prices Square roots of the shadow prices per node, Q96 against `tokenOut`.
function worthOf(Edge memory edge, uint256 flow, uint256[] memory prices) pure returns (uint256) {
    return worthAt(at(prices, edge.from), flow);
}

/// @notice What an amount is worth at a price, rounded down.
/// @param sqrtPrice Its square root, Q96.
function worthAt(uint256 sqrtPrice, uint256 amount) pure returns (uint256) {
    return FixedPointMathLib.fullMulDiv(FixedPointMathLib.fullMulDiv(amount, sqrtPrice, Q96), sqrtPrice, Q96);
}

/// @notice Leaves each pool the one leg that is worth most, because a swap moves all prices of its pool. Where plans may share
/// pools of several tokens, one leg for each pair of them.
/// @dev Changes `flows`, and notes whether a split wanted to share.
/// @return allowed The edges that a split without these rivals may use. Empty if there were none.
function dropRivals(Search memory search, uint256[] memory flows, uint256[] memory prices)
    pure
    returns (uint256[] memory allowed)
{
    // Per pool: its best edge, plus one.
    uint256[] memory best = new uint256[](search.pools.length);
    // A bit for each: there are at most 192.
    uint256 contested;
    for (uint256 e; e < flows.length; ++e) {
        if (at(flows, e) == 0) continue;
        Edge memory edge = search.edges[e];
        uint256 pool = _contestedBy(search, edge);
        uint256 rival = at(best, pool);
        if (rival == 0) {
            best[pool] = e + 1;
            continue;
        }
        contested |= 1 << pool;
        if (edge.pool != search.edges[rival - 1].pool) search.wantsShared = true;
        uint256 loser = e;
        if (worthOf(edge, at(flows, e), prices) > worthOf(search.edges[rival - 1], at(flows, rival - 1), prices)) {
            (best[pool], loser) = (e + 1, rival - 1);
        }
        flows[loser] = 0;
    }
    if (contested == 0) return allowed;
    allowed = new uint256[](flows.length);
    for (uint256 e; e < flows.length; ++e) {
        uint256 pool = _contestedBy(search, search.edges[e]);
        if (!search.shunned[e] && (contested >> pool & 1 == 0 || at(best, pool) == e + 1)) allowed[e] = 1;
    }
    return usedEdges(allowed);
}

/// @dev What may have one leg only: the pool of two tokens, or the pool of several tokens with all its pairs, unless plans may
/// share it.
function _contestedBy(Search memory search, Edge memory edge) pure returns (uint256) {
    uint256[] memory pool = search.pools[edge.pool];
    return search.shares && !PoolWords.kindOf(pool).isDerived() ? edge.pool : PoolWords.firstOf(pool);
}
