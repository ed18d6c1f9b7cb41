// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../interfaces/IOptimizer.sol";
import {Words} from "../libraries/Words.sol";
import {at, put} from "../math/UncheckedArrays.sol";
import {GAS_WORDS, LEG_WORDS} from "../optimizer/Bundle.sol";
import {GasValue} from "../types/GasValue.sol";
import {Curve, Edge, SEGMENT_WORDS} from "../types/Market.sol";
import {AFTER_PLANNING, AFTER_SPLITTING} from "./Budget.sol";
import {usedEdges} from "./Edges.sol";
import {estimateOut} from "./Estimate.sol";
import {worthAt, worthOf} from "./Rivals.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Words before the arrays: connectors, input, and where the three arrays begin.
uint256 constant HEAD_WORDS = 5;
/// @dev Words of an edge before its segments.
uint256 constant EDGE_WORDS = 3;

/// @dev A split is unfinished whose bound is beyond this part of it, as a shift: 0.6 basis points. The optimizer ends sooner only if
/// its gas runs out.
uint256 constant UNFINISHED_SHIFT = 14;

/// @notice Asks for the best split over the edges in `which`, ascending; those without a curve are left out.
/// @dev Takes up to half of the gas that is left for splitting, because another split may have to follow; all of it if that is not enough
/// for two splits.
/// @return answered False if the gas for it ran out.
/// @return allocation Its flows are those of all edges.
function allocate(Search memory search, uint256[] memory which, uint256[] memory warmPrices)
    returns (bool answered, IOptimizer.Allocation memory allocation)
{
    uint256 before = gasleft();
    _keepDrawn(search, which);
    bytes memory answer;
    (answered, answer) = Words.askOnce({
        target: address(search.optimizer),
        selector: IOptimizer.optimize.selector,
        arguments: argumentsOf(search, which, warmPrices),
        gasCap: _splitCap(search)
    });
    if (answered) allocation = decodeAllocation(answer);
    uint256 amountOut = allocation.amountOut;
    if (amountOut != 0) search.promised = amountOut;
    unchecked {
        // A bound is never below the output.
        if (allocation.upperBound - amountOut > amountOut >> UNFINISHED_SHIFT) search.isCutShort = true;
    }
    uint256[] memory flows = new uint256[](search.edges.length);
    for (uint256 i; i < allocation.flows.length; ++i) {
        put(flows, at(which, i), at(allocation.flows, i));
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
function askPruned(Search memory search, uint256[] memory flows, uint256[] memory legGas, uint256[] memory prices)
    returns (uint256[] memory kept)
{
    uint256[] memory used = usedEdges(flows);
    (bool answered, bytes memory answer) = Words.askOnce({
        target: address(search.optimizer),
        selector: IOptimizer.prune.selector,
        arguments: argumentsOf(search, used, _planOf(search, used, flows, legGas, prices)),
        gasCap: search.gasBefore(AFTER_PLANNING)
    });
    if (!answered) return kept;
    uint256[] memory left = Words.decode(answer);
    uint256[] memory all = new uint256[](flows.length);
    for (uint256 i; i < used.length; ++i) {
        put(all, at(used, i), at(left, i));
        if (at(left, i) == 0) kept = all;
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
    unchecked {
        plan = new uint256[](LEG_WORDS * used.length + GAS_WORDS);
        uint256 next;
        for (uint256 i; i < used.length; ++i) {
            uint256 e = at(used, i);
            Edge memory edge = search.edges[e];
            put(plan, next, at(flows, e));
            put(plan, next + 1, at(legGas, e));
            put(plan, next + 2, worthAt(at(prices, edge.to), estimateOut(edge.curve, at(flows, e))));
            put(plan, next + 3, worthOf(edge, at(flows, e), prices));
            next += LEG_WORDS;
        }
        GasValue memory value = search.gasValue;
        (plan[next], plan[next + 1], plan[next + 2]) = (value.weiPerGas, value.weiPerLeg, value.sqrtPrice);
    }
}

function _keepDrawn(Search memory search, uint256[] memory which) pure {
    uint256 count;
    for (uint256 i; i < which.length; ++i) {
        uint256 e = at(which, i);
        if (search.edges[e].curve.drawn() != 0) put(which, count++, e);
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
    unchecked {
        uint256 length;
        for (uint256 i; i < which.length; ++i) {
            length += EDGE_WORDS + SEGMENT_WORDS * search.edges[at(which, i)].curve.drawn();
        }
        uint256 offsetsAt = HEAD_WORDS + 1 + length;
        uint256 lastAt = offsetsAt + 1 + which.length;
        arguments = new uint256[](lastAt + 1 + last.length);
        put(arguments, 0, search.connectors);
        put(arguments, 1, search.amountIn);
        put(arguments, 2, 32 * HEAD_WORDS);
        put(arguments, 3, 32 * offsetsAt);
        put(arguments, 4, 32 * lastAt);
        put(arguments, HEAD_WORDS, length);
        put(arguments, offsetsAt, which.length);
        put(arguments, lastAt, last.length);
        Words.copy(last, 0, arguments, lastAt + 1, last.length);
        uint256 next = HEAD_WORDS + 1;
        for (uint256 i; i < which.length; ++i) {
            put(arguments, offsetsAt + 1 + i, next - HEAD_WORDS - 1);
            next = _writeEdge(search.edges[at(which, i)], arguments, next);
        }
    }
}

/// @return Where the next edge begins.
function _writeEdge(Edge memory edge, uint256[] memory words, uint256 first) pure returns (uint256) {
    unchecked {
        Curve memory curve = edge.curve;
        put(words, first, edge.from);
        put(words, first + 1, edge.to);
        put(words, first + 2, curve.drawn());
        first += EDGE_WORDS;
        uint256 closed = curve.count * SEGMENT_WORDS;
        Words.copy(curve.segments, 0, words, first, closed);
        first += closed;
        if (curve.drawn() == curve.count) return first;
        put(words, first, curve.tailLiquidity);
        put(words, first + 1, curve.endRatio);
        put(words, first + 2, 1);
        put(words, first + 3, curve.loadedIn);
        put(words, first + 4, curve.loadedOut);
        return first + SEGMENT_WORDS;
    }
}
