// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPricer} from "../interfaces/IPricer.sol";
import {affords, gasBefore, legGas} from "./Budget.sol";
import {Edge} from "./Market.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice Everything that one search has read and built so far.
struct Search {
    /// Tokens in play: the connector tokens, then `tokenIn`, then `tokenOut`.
    /// A connector token's index is also its first node, where it is reached by one swap.
    address[] tokens;
    uint256 connectors;
    uint256 amountIn;
    IPricer pricer;
    /// What the search was given.
    uint256 gas;
    /// What the dearest split and the dearest draft so far have taken.
    uint256 splitGas;
    /// There is not enough of it for all that the plan needs to be read.
    bool isShort;
    uint256 draftGas;
    /// Ranges that may still be read beyond the first ones. Counted and not metered, so that the same state always gives
    /// the same route.
    uint256 rangesLeft;
    /// As `PoolWords`.
    uint256[][] pools;
    /// Sorted by stage, as `IOptimizer` wants them.
    Edge[] edges;
    /// A limit on pools, ticks or gas cut the search off.
    bool truncated;
}

using {
    affords,
    gasBefore,
    legGas,
    price,
    tokenInIndex,
    tokenOutIndex,
    tokenOfNode,
    layerTwo,
    source,
    sink,
    stageOf
} for Search global;

/// @notice What an edge's pool pays for an input, exactly, and the gas of the leg. Zero where it does not take it, or where
/// that takes too much gas to say.
function price(Search memory search, Edge memory edge, uint256 amountIn) view returns (uint256 amountOut, uint256 gas) {
    uint256 most = FixedPointMathLib.min(search.legGas(), gasleft() / 2);
    try search.pricer.quote{gas: most}(search.pools[edge.pool], edge.zeroForOne, amountIn) returns (
        uint256 out, uint256 itsGas
    ) {
        return (out, itsGas);
    } catch {}
}

function tokenInIndex(Search memory search) pure returns (uint256) {
    return search.connectors;
}

function tokenOutIndex(Search memory search) pure returns (uint256) {
    return search.connectors + 1;
}

/// @notice Node of a connector token before the last swap.
function layerTwo(Search memory search, uint256 token) pure returns (uint256) {
    return search.connectors + token;
}

function source(Search memory search) pure returns (uint256) {
    return 2 * search.connectors;
}

function sink(Search memory search) pure returns (uint256) {
    return 2 * search.connectors + 1;
}

/// @notice Stage of the swaps out of a node: 1 out of `tokenIn`, 2 between connector tokens, 3 into `tokenOut`.
function stageOf(Search memory search, uint256 from) pure returns (uint256) {
    if (from == search.source()) return 1;
    return from < search.connectors ? 2 : 3;
}

/// @notice Index among the tokens in play of the token at a node.
function tokenOfNode(Search memory search, uint256 node) pure returns (uint256) {
    uint256 m = search.connectors;
    if (node < m) return node;
    return node - m;
}
