// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../interfaces/IOptimizer.sol";
import {Words} from "../libraries/Words.sol";
import {GAS_WORDS, LEG_WORDS} from "../optimizer/Bundle.sol";
import {GasValue} from "../types/GasValue.sol";
import {Curve, Edge, SEGMENT_WORDS} from "../types/Market.sol";
import {AFTER_PLANNING, AFTER_SPLITTING} from "./Budget.sol";
import {usedEdges} from "./Edges.sol";
import {estimateOut} from "./Estimate.sol";
import {worthAt} from "./Rivals.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Words before the arrays: connectors, input, and where the three arrays begin.
uint256 constant HEAD_WORDS = 5;
/// @dev Words of an edge before its segments.
uint256 constant EDGE_WORDS = 3;

/// @notice Asks for the best split over the edges in `which`, ascending; those without a curve are left out.
/// @dev Takes up to half of the gas that is left for splitting, because another split may have to follow; all of it if that is not enough
/// for two splits.
/// @return answered False if the gas for it ran out.
/// @return allocation Its flows are those of all edges.
function allocate(Search memory search, IOptimizer optimizer, uint256[] memory which, uint256[] memory warmPrices)
    returns (bool answered, IOptimizer.Allocation memory allocation)
{
    uint256 before = gasleft();
    _keepDrawn(search, which);
    bytes memory answer;
    (answered, answer) = Words.askOnce({
        target: address(optimizer),
        selector: IOptimizer.optimize.selector,
        arguments: argumentsOf(search, which, warmPrices),
        gasCap: _splitCap(search)
    });
    if (answered) allocation = decodeAllocation(answer);
    search.promised = allocation.amountOut;
    uint256[] memory flows = new uint256[](search.edges.length);
    for (uint256 i; i < allocation.flows.length; ++i) {
        flows[which[i]] = allocation.flows[i];
    }
    allocation.flows = flows;
    if (allocation.prices.length == 0) allocation.prices = new uint256[](2 * search.connectors + 2);
    search.splitGas = FixedPointMathLib.max(search.splitGas, before - gasleft());
}

function _splitCap(Search memory search) view returns (uint256) {
    uint256 gas = search.gasBefore(AFTER_SPLITTING);
    return gas / 2 < search.splitGas ? gas : gas / 2;
}

/// @notice `abi.decode(answer, (IOptimizer.Allocation))`, in place: the arrays stay in `answer`.
/// @dev Of the optimizer's answers alone, because nothing is checked.
function decodeAllocation(bytes memory answer) pure returns (IOptimizer.Allocation memory allocation) {
    // Behind one word: where the flows are, two numbers, and where the prices are.
    assembly ("memory-safe") {
        let head := add(answer, 64)
        mcopy(allocation, head, 128)
        mstore(allocation, add(head, mload(head)))
        mstore(add(allocation, 96), add(head, mload(add(head, 96))))
    }
}

/// @notice Asks for what is left of a plan without the legs that do not pay for their gas.
/// @param legGas Gas of each edge's leg.
/// @param prices Square roots of the shadow prices per node.
/// @return kept Its flows; none if every leg stays, or if the gas for it ran out.
function askPruned(
    Search memory search,
    IOptimizer optimizer,
    uint256[] memory flows,
    uint256[] memory legGas,
    uint256[] memory prices
) returns (uint256[] memory kept) {
    uint256[] memory used = usedEdges(flows);
    (bool answered, bytes memory answer) = Words.askOnce({
        target: address(optimizer),
        selector: IOptimizer.prune.selector,
        arguments: argumentsOf(search, used, _planOf(search, used, flows, legGas, prices)),
        gasCap: search.gasBefore(AFTER_PLANNING)
    });
    if (!answered) return kept;
    uint256[] memory left = Words.decode(answer);
    uint256[] memory all = new uint256[](flows.length);
    for (uint256 i; i < used.length; ++i) {
        all[used[i]] = left[i];
        if (left[i] == 0) kept = all;
    }
}

/// @dev As `IOptimizer.prune` wants it.
function _planOf(
    Search memory search,
    uint256[] memory used,
    uint256[] memory flows,
    uint256[] memory legGas,
    uint256[] memory prices
) pure returns (uint256[] memory plan) {
    plan = new uint256[](LEG_WORDS * used.length + GAS_WORDS);
    uint256 at;
    for (uint256 i; i < used.length; ++i) {
        uint256 e = used[i];
        Edge memory edge = search.edges[e];
        uint256 pays = worthAt(prices[edge.to], estimateOut(edge.curve, flows[e]));
        (plan[at], plan[at + 1], plan[at + 2]) = (flows[e], legGas[e], pays);
        at += LEG_WORDS;
    }
    GasValue memory value = search.gasValue;
    (plan[at], plan[at + 1], plan[at + 2]) = (value.weiPerGas, value.weiPerLeg, value.sqrtPrice);
}

function _keepDrawn(Search memory search, uint256[] memory which) pure {
    uint256 count;
    for (uint256 i; i < which.length; ++i) {
        if (search.edges[which[i]].curve.drawn() != 0) which[count++] = which[i];
    }
    assembly ("memory-safe") {
        mstore(which, count)
    }
}

/// @notice The arguments of `IOptimizer.optimize` and of `prune`, word by word as the ABI has them.
/// @param last The last array: prices of a warm start, or a plan.
function argumentsOf(Search memory search, uint256[] memory which, uint256[] memory last)
    pure
    returns (uint256[] memory arguments)
{
    uint256 length;
    for (uint256 i; i < which.length; ++i) {
        length += EDGE_WORDS + SEGMENT_WORDS * search.edges[which[i]].curve.drawn();
    }
    uint256 offsetsAt = HEAD_WORDS + 1 + length;
    uint256 lastAt = offsetsAt + 1 + which.length;
    arguments = new uint256[](lastAt + 1 + last.length);
    (arguments[0], arguments[1]) = (search.connectors, search.amountIn);
    (arguments[2], arguments[3], arguments[4]) = (32 * HEAD_WORDS, 32 * offsetsAt, 32 * lastAt);
    (arguments[HEAD_WORDS], arguments[offsetsAt], arguments[lastAt]) = (length, which.length, last.length);
    Words.copy(last, 0, arguments, lastAt + 1, last.length);
    uint256 at = HEAD_WORDS + 1;
    for (uint256 i; i < which.length; ++i) {
        arguments[offsetsAt + 1 + i] = at - HEAD_WORDS - 1;
        at = _writeEdge(search.edges[which[i]], arguments, at);
    }
}

/// @return Where the next edge begins.
function _writeEdge(Edge memory edge, uint256[] memory words, uint256 at) pure returns (uint256) {
    Curve memory curve = edge.curve;
    (words[at], words[at + 1], words[at + 2]) = (edge.from, edge.to, curve.drawn());
    at += EDGE_WORDS;
    uint256 closed = curve.count * SEGMENT_WORDS;
    Words.copy(curve.segments, 0, words, at, closed);
    at += closed;
    if (curve.drawn() == curve.count) return at;
    (words[at], words[at + 1], words[at + 2]) = (curve.tailLiquidity, curve.endRatio, 1);
    (words[at + 3], words[at + 4]) = (curve.loadedIn, curve.loadedOut);
    return at + SEGMENT_WORDS;
}
