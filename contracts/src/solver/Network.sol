// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Q96} from "../math/Ratio.sol";
import {Venues} from "../venues/Venues.sol";
import {Curve, Edge, Pool, SEGMENT_WORDS} from "./Market.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev V3 ranges read at first; only directions that the plan exhausts are read further.
uint256 constant FIRST_RANGES = 2;
/// @dev Pools between connector tokens are many and seldom used: their price and liquidity come first.
uint256 constant FIRST_MIDDLE_RANGES = 0;

/// @dev Which connector tokens have a pool with `tokenIn`, and which one with `tokenOut`.
struct Reach {
    bool[] fromIn;
    bool[] toOut;
}

/// @notice Turns the pools into the directed edges of the layered network and draws their curves.
function connect(Search memory search) view {
    search.edges = new Edge[](2 * search.poolCount);
    Reach memory reach = _reachOf(search);
    uint256 count;
    for (uint256 stage = 1; stage <= 3; ++stage) {
        for (uint256 p; p < search.poolCount; ++p) {
            if (_addEdge(search, reach, stage, p, true, count)) ++count;
            if (_addEdge(search, reach, stage, p, false, count)) ++count;
        }
    }
    Edge[] memory edges = search.edges;
    assembly ("memory-safe") {
        mstore(edges, count)
    }
}

/// @dev Ratio to which an open curve's tail is thought to go, as a shift: a thousandth of its price there is nothing.
uint256 constant TAIL_SHIFT = 10;

/// @notice Input that the pools of `tokenIn` can take at most; above it no search is worth its gas.
function mostInput(Search memory search) pure returns (uint256 amountIn) {
    for (uint256 e; e < search.edges.length; ++e) {
        Curve memory curve = search.edges[e].curve;
        if (search.edges[e].from != search.source()) continue;
        amountIn += curve.loadedIn;
        // From r to r / 2^s a tail takes a (2^s - 1) / r.
        if (curve.open && curve.endRatio != 0) {
            amountIn += FixedPointMathLib.fullMulDiv(curve.tailLiquidity, Q96, curve.endRatio) << TAIL_SHIFT;
        }
    }
}

/// @notice Writes the curves in the format of `IOptimizer`.
function write(Search memory search) pure returns (uint256[] memory words, uint256[] memory offsets) {
    return writeSome(search, everyEdge(search));
}

/// @notice Writes the curves of the edges in `which`, ascending.
function writeSome(Search memory search, uint256[] memory which)
    pure
    returns (uint256[] memory words, uint256[] memory offsets)
{
    offsets = new uint256[](which.length);
    uint256 length;
    for (uint256 i; i < which.length; ++i) {
        offsets[i] = length;
        length += 3 + SEGMENT_WORDS * _drawn(search.edges[which[i]].curve);
    }
    words = new uint256[](length);
    for (uint256 i; i < which.length; ++i) {
        _writeEdge(search.edges[which[i]], words, offsets[i]);
    }
}

function everyEdge(Search memory search) pure returns (uint256[] memory which) {
    which = new uint256[](search.edges.length);
    for (uint256 e; e < which.length; ++e) {
        which[e] = e;
    }
}

/// @notice The edges with a flow.
function usedEdges(uint256[] memory flows) pure returns (uint256[] memory which) {
    uint256 count;
    for (uint256 e; e < flows.length; ++e) {
        if (flows[e] != 0) ++count;
    }
    which = new uint256[](count);
    count = 0;
    for (uint256 e; e < flows.length; ++e) {
        if (flows[e] != 0) which[count++] = e;
    }
}

/// @notice Reads further the curves whose loaded part the plan or its prices leave.
/// @param prices Square roots of the shadow prices per node; a ratio below a curve's end means that what was not read
/// could matter to the proof.
/// @return extended Whether any curve grew.
function extend(Search memory search, uint256[] memory flows, uint256[] memory prices, uint256 ranges)
    view
    returns (bool extended)
{
    for (uint256 e; e < search.edges.length; ++e) {
        Edge memory edge = search.edges[e];
        if (!_exhausted(edge, flows[e], prices)) continue;
        if (search.rangesLeft < ranges) {
            search.truncated = true;
            return extended;
        }
        search.rangesLeft -= ranges;
        Venues.extend(search.pools[edge.pool], edge.zeroForOne, edge.curve, ranges);
        extended = true;
    }
}

/// @notice Whether some curve still ends before the plan or its prices do.
function anyExhausted(Search memory search, uint256[] memory flows, uint256[] memory prices) pure returns (bool) {
    for (uint256 e; e < search.edges.length; ++e) {
        if (_exhausted(search.edges[e], flows[e], prices)) return true;
    }
    return false;
}

function _exhausted(Edge memory edge, uint256 flow, uint256[] memory prices) pure returns (bool) {
    Curve memory curve = edge.curve;
    if (!curve.open) return false;
    if (flow > curve.loadedIn) return true;
    // A node without a price lies on no path.
    if (prices[edge.from] == 0 || prices[edge.to] == 0) return false;
    return (prices[edge.from] << 96) / prices[edge.to] < curve.endRatio;
}

function _reachOf(Search memory search) pure returns (Reach memory reach) {
    uint256 m = search.connectors;
    (reach.fromIn, reach.toOut) = (new bool[](m), new bool[](m));
    for (uint256 p; p < search.poolCount; ++p) {
        (uint256 a, uint256 b) = (search.pools[p].token0, search.pools[p].token1);
        if (a >= m) (a, b) = (b, a);
        if (a >= m) continue;
        if (b == search.tokenInIndex()) reach.fromIn[a] = true;
        if (b == search.tokenOutIndex()) reach.toOut[a] = true;
    }
}

/// @dev Draws one direction of a pool at place `at` of the edges, if it belongs to the stage.
function _addEdge(Search memory search, Reach memory reach, uint256 stage, uint256 p, bool zeroForOne, uint256 at)
    view
    returns (bool)
{
    Pool memory pool = search.pools[p];
    (uint256 tokenFrom, uint256 tokenTo) = zeroForOne ? (pool.token0, pool.token1) : (pool.token1, pool.token0);
    if (_stageOf(search, reach, tokenFrom, tokenTo) != stage) return false;

    Edge memory edge = search.edges[at];
    (edge.pool, edge.zeroForOne) = (p, zeroForOne);
    edge.from = stage == 1 ? search.source() : stage == 2 ? tokenFrom : search.layerTwo(tokenFrom);
    if (tokenTo == search.tokenOutIndex()) edge.to = search.sink();
    else edge.to = stage == 1 ? tokenTo : search.layerTwo(tokenTo);
    Venues.extend(pool, zeroForOne, edge.curve, stage == 2 ? FIRST_MIDDLE_RANGES : FIRST_RANGES);
    if (_drawn(edge.curve) != 0) return true;
    search.edges[at] = _emptyEdge();
    return false;
}

function _emptyEdge() pure returns (Edge memory edge) {}

/// @dev 1 out of `tokenIn`, 2 between connector tokens that a path can join, 3 into `tokenOut`, 0 of no use.
function _stageOf(Search memory search, Reach memory reach, uint256 tokenFrom, uint256 tokenTo) pure returns (uint256) {
    if (tokenTo == search.tokenInIndex() || tokenFrom == search.tokenOutIndex()) return 0;
    if (tokenFrom == search.tokenInIndex()) return 1;
    if (tokenTo == search.tokenOutIndex()) return 3;
    return reach.fromIn[tokenFrom] && reach.toOut[tokenTo] ? 2 : 0;
}

/// @dev Segments that the optimizer sees of a curve, the tail included.
function _drawn(Curve memory curve) pure returns (uint256) {
    return curve.open && curve.tailLiquidity != 0 ? curve.count + 1 : curve.count;
}

function _writeEdge(Edge memory edge, uint256[] memory words, uint256 at) pure {
    Curve memory curve = edge.curve;
    uint256 drawn = _drawn(curve);
    words[at] = edge.from;
    words[at + 1] = edge.to;
    words[at + 2] = drawn;
    at += 3;
    uint256 closed = curve.count * SEGMENT_WORDS;
    uint256[] memory segments = curve.segments;
    for (uint256 i; i < closed; ++i) {
        words[at + i] = segments[i];
    }
    if (drawn == curve.count) return;
    at += closed;
    words[at] = curve.tailLiquidity;
    words[at + 1] = curve.endRatio;
    words[at + 2] = 1;
    words[at + 3] = curve.loadedIn;
    words[at + 4] = curve.loadedOut;
}
