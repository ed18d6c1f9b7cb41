// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../interfaces/IOptimizer.sol";
import {Words} from "../libraries/Words.sol";
import {AFTER_SPLITTING} from "./Budget.sol";
import {Curve, Edge, SEGMENT_WORDS} from "./Market.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Words before the arrays: connectors, input, and where the three arrays begin.
uint256 constant HEAD_WORDS = 5;
/// @dev Words of an edge before its segments.
uint256 constant EDGE_WORDS = 3;

/// @notice Asks for the best split over the edges in `which`, ascending; those without a curve are left out.
/// @dev Takes up to half of the gas that is left for splitting: another split may have to follow.
/// @return answered False where the gas for it ran out.
/// @return allocation Its flows are those of all edges.
function allocate(Search memory search, IOptimizer optimizer, uint256[] memory which, uint256[] memory warmPrices)
    view
    returns (bool answered, IOptimizer.Allocation memory allocation)
{
    uint256 before = gasleft();
    _keepDrawn(search, which);
    bytes memory answer;
    (answered, answer) = Words.ask({
        target: address(optimizer),
        selector: IOptimizer.optimize.selector,
        arguments: argumentsOf(search, which, warmPrices),
        gasCap: search.gasBefore(AFTER_SPLITTING) / 2
    });
    if (answered) allocation = abi.decode(answer, (IOptimizer.Allocation));
    uint256[] memory flows = new uint256[](search.edges.length);
    for (uint256 i; i < allocation.flows.length; ++i) {
        flows[which[i]] = allocation.flows[i];
    }
    allocation.flows = flows;
    search.splitGas = FixedPointMathLib.max(search.splitGas, before - gasleft());
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

/// @notice The arguments of `IOptimizer.optimize`, word by word as the ABI has them.
function argumentsOf(Search memory search, uint256[] memory which, uint256[] memory warmPrices)
    pure
    returns (uint256[] memory arguments)
{
    uint256 length;
    for (uint256 i; i < which.length; ++i) {
        length += EDGE_WORDS + SEGMENT_WORDS * search.edges[which[i]].curve.drawn();
    }
    uint256 offsetsAt = HEAD_WORDS + 1 + length;
    uint256 warmAt = offsetsAt + 1 + which.length;
    arguments = new uint256[](warmAt + 1 + warmPrices.length);
    (arguments[0], arguments[1]) = (search.connectors, search.amountIn);
    (arguments[2], arguments[3], arguments[4]) = (32 * HEAD_WORDS, 32 * offsetsAt, 32 * warmAt);
    (arguments[HEAD_WORDS], arguments[offsetsAt], arguments[warmAt]) = (length, which.length, warmPrices.length);
    Words.copy(warmPrices, 0, arguments, warmAt + 1, warmPrices.length);
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
