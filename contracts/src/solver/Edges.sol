// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../interfaces/IOptimizer.sol";
import {IPricer} from "../interfaces/IPricer.sol";
import {Words} from "../libraries/Words.sol";
import {Q96} from "../math/Ratio.sol";
import {at, atArray, put} from "../math/UncheckedArrays.sol";
import {Curve, Edge} from "../types/Market.sol";
import {AFTER_SPLITTING} from "./Budget.sol";
import {CurveWords} from "./CurveWords.sol";
import {PoolWords} from "./PoolWords.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Parts of a price that it may fall before what is read must be read further.
uint256 constant SLACK_PARTS = 32;

/// @dev What is worth less than this part of the trade, as a shift, is not read.
uint256 constant DUST_SHIFT = 20;
/// @dev Ranges that cost as much as to read across a gap.
uint256 constant GAP_RANGES = 28;
/// @dev Ranges that are kept for the curves that the plan leaves: anybody can create pools that may matter.
uint256 constant KEPT_RANGES = 160;
/// @dev Ranges that a path's curves are read further by.
uint256 constant PATH_RANGES = 8;
/// @dev Words of the arguments of `IPricer.extend` before the arrays.
uint256 constant EXTEND_WORDS = 4;

/// @notice Puts the directed uses of the pools into the layered network, in the order of their stages.
/// @param drawn As `IFinder.findMarket` has them.
function connect(Search memory search, uint256[][] memory drawn) pure {
    (search.edges, search.shunned) = (new Edge[](drawn.length), new bool[](drawn.length));
    uint256 count;
    for (uint256 stage = 1; stage <= 3; ++stage) {
        for (uint256 i; i < drawn.length; ++i) {
            uint256 use = at(atArray(drawn, i), 0);
            (uint256 tokenFrom, uint256 tokenTo) = _tokensOf(search, use);
            if (_stageBetween(search, tokenFrom, tokenTo) != stage) continue;
            Edge memory edge = search.edges[count++];
            (edge.pool, edge.zeroForOne) = (use >> 1, use & 1 == 1);
            edge.from = stage == 1 ? search.source() : stage == 2 ? tokenFrom : search.layerTwo(tokenFrom);
            if (tokenTo == search.tokenOutIndex()) edge.to = search.sink();
            else edge.to = stage == 1 ? tokenTo : search.layerTwo(tokenTo);
            CurveWords.unpack(atArray(drawn, i), 1, edge.curve);
        }
    }
}

/// @dev Index of the token sold and of the token bought.
function _tokensOf(Search memory search, uint256 use) pure returns (uint256, uint256) {
    (uint256 token0, uint256 token1) = PoolWords.tokensOf(atArray(search.pools, use >> 1));
    return use & 1 == 1 ? (token0, token1) : (token1, token0);
}

/// @dev 1 out of `tokenIn`, 2 between connector tokens, 3 into `tokenOut`.
function _stageBetween(Search memory search, uint256 tokenFrom, uint256 tokenTo) pure returns (uint256) {
    if (tokenFrom == search.tokenInIndex()) return 1;
    return tokenTo == search.tokenOutIndex() ? 3 : 2;
}

/// @notice Leaves out the pools between connector tokens.
function dropMiddle(Search memory search) pure {
    uint256 count;
    for (uint256 e; e < search.edges.length; ++e) {
        Edge memory edge = search.edges[e];
        if (search.stageOf(edge.from) != 2) search.edges[count++] = edge;
    }
    Edge[] memory edges = search.edges;
    assembly ("memory-safe") {
        mstore(edges, count)
    }
}

/// @dev Ratio to which an open curve's tail is thought to go, as a shift: a thousandth of its price there is nothing.
uint256 constant TAIL_SHIFT = 10;

/// @notice Input that the pools of `tokenIn` can take at most; above it no search is worth its gas. Nobody knows where a pool
/// was read to a gap.
function mostInput(Search memory search) pure returns (uint256 amountIn) {
    for (uint256 e; e < search.edges.length; ++e) {
        Edge memory edge = search.edges[e];
        if (edge.from != search.source()) continue;
        Curve memory curve = edge.curve;
        amountIn += curve.loadedIn;
        if (!curve.open) continue;
        if (curve.tailLiquidity == 0 || curve.endRatio == 0) return type(uint256).max;
        // From r to r / 2^s a tail takes a (2^s - 1) / r.
        amountIn += FixedPointMathLib.fullMulDiv(curve.tailLiquidity, Q96, curve.endRatio) << TAIL_SHIFT;
    }
}

/// @notice The number of every edge that a split may use.
function everyEdge(Search memory search) pure returns (uint256[] memory) {
    uint256[] memory may = new uint256[](search.edges.length);
    for (uint256 e; e < may.length; ++e) {
        if (!search.shunned[e]) put(may, e, 1);
    }
    return usedEdges(may);
}

/// @notice The edges with a flow.
function usedEdges(uint256[] memory flows) pure returns (uint256[] memory which) {
    which = new uint256[](flows.length);
    uint256 count;
    for (uint256 e; e < flows.length; ++e) {
        if (at(flows, e) != 0) put(which, count++, e);
    }
    assembly ("memory-safe") {
        mstore(which, count)
    }
}

/// @notice Reads further the curves whose loaded part the plan or its prices leave; first those that the plan leaves,
/// because what may be read in all is limited.
/// @dev Prices are square roots of the shadow prices per node; a ratio below a curve's end means that what was not read
/// could matter to the proof.
/// @return extended Whether any curve grew.
function extend(Search memory search, IOptimizer.Allocation memory allocation, uint256 ranges) returns (bool extended) {
    bool[] memory done = new bool[](search.edges.length);
    for (uint256 k; k < 2 * done.length; ++k) {
        uint256 e = k % done.length;
        Edge memory edge = search.edges[e];
        if (done[e]) continue;
        bool leaves = _leaves(edge, at(allocation.flows, e));
        if (!(k < done.length ? leaves : leaves || _mayMatter(edge, allocation))) continue;
        search.isShort = !search.affords(search.splitGas / 2, AFTER_SPLITTING);
        if (search.rangesLeft <= (leaves ? 0 : KEPT_RANGES) || search.isShort) {
            search.truncated = true;
            return extended;
        }
        (edge.curve.expected, edge.curve.until) = (0, _needed(edge, allocation.prices));
        (bool answered, bool grown) = _readOn(search, edge, FixedPointMathLib.min(ranges, search.rangesLeft));
        if (!answered) return extended;
        (done[e], extended) = (true, extended || grown);
    }
}

/// @notice Reads further the curves of which flows leave what was read; true if any do, and there was gas for it.
function readPath(Search memory search, uint256[] memory flows) returns (bool read) {
    for (uint256 e; e < flows.length; ++e) {
        Edge memory edge = search.edges[e];
        if (!edge.curve.open || at(flows, e) <= edge.curve.loadedIn) continue;
        (edge.curve.expected, edge.curve.until) = (0, 0);
        (bool answered, bool grown) = _readOn(search, edge, PATH_RANGES);
        if (!answered) return false;
        read = read || grown;
    }
}

/// @dev Whether what was not read of a pool may be worth a trade, or a proof.
function _mayMatter(Edge memory edge, IOptimizer.Allocation memory allocation) pure returns (bool) {
    if (!isBeyondRead(edge, allocation.prices)) return false;
    if (edge.curve.most >= type(uint128).max) return true;
    uint256 price = at(allocation.prices, edge.to);
    if (price == 0) return true;
    uint256 worth = FixedPointMathLib.fullMulDiv(edge.curve.most * price, price, 1 << 192);
    return worth > allocation.amountOut >> DUST_SHIFT;
}

/// @dev Only what was read counts, and gaps that were read across: a curve that ends here had less than was asked for, one
/// that is sampled is drawn no further than prices reach, and one that cannot be read further is no reason to split again.
/// @return answered False if the gas ran out.
/// @return grown Whether anything was read.
function _readOn(Search memory search, Edge memory edge, uint256 ranges) returns (bool answered, bool grown) {
    Curve memory curve = edge.curve;
    (uint256 count, int256 tick) = (curve.count, curve.cursorTick);
    bool isInGap = !curve.hasTail();
    answered = _draw(search, edge, ranges);
    if (!answered) {
        (search.isShort, search.truncated) = (true, true);
        return (false, false);
    }
    grown = curve.count != count || curve.cursorTick != tick || !curve.open;
    if (!grown) return (true, false);
    bool isSampled = PoolWords.kindOf(search.pools[edge.pool]).isSampled();
    if (!curve.open || isSampled) ranges = FixedPointMathLib.min(ranges, curve.count - count + 1);
    if (isInGap && !isSampled) ranges += GAP_RANGES;
    search.rangesLeft = FixedPointMathLib.zeroFloorSub(search.rangesLeft, ranges);
}

/// @dev Draws the edge's curve further. False if the gas ran out.
function _draw(Search memory search, Edge memory edge, uint256 ranges) returns (bool answered) {
    unchecked {
        uint256[] memory pool = search.pools[edge.pool];
        uint256 curveAt = EXTEND_WORDS + 1 + pool.length;
        uint256[] memory arguments = CurveWords.pack(edge.curve, curveAt + 1);
        put(arguments, 0, 32 * EXTEND_WORDS);
        put(arguments, 1, edge.zeroForOne ? 1 : 0);
        put(arguments, 2, 32 * curveAt);
        put(arguments, 3, ranges);
        put(arguments, EXTEND_WORDS, pool.length);
        put(arguments, curveAt, arguments.length - curveAt - 1);
        Words.copy(pool, 0, arguments, EXTEND_WORDS + 1, pool.length);
        bytes memory answer;
        (answered, answer) = Words.askOnce({
            target: address(search.pricer),
            selector: IPricer.extend.selector,
            arguments: arguments,
            gasCap: search.gasBefore(AFTER_SPLITTING)
        });
        if (answered) CurveWords.unpack(Words.decode(answer), 0, edge.curve);
    }
}

/// @notice Draws the sampled curves that the plan uses anew, finely around what the plan puts into them.
/// @param prices Square roots of the shadow prices per node: as far as they reach.
/// @return drawn Whether any was.
function drawAround(Search memory search, uint256[] memory flows, uint256[] memory prices) returns (bool drawn) {
    for (uint256 e; e < flows.length; ++e) {
        // What is drawn without samples is exact.
        if (at(flows, e) != 0 && redraw(search, search.edges[e], at(flows, e), prices)) drawn = true;
    }
}

/// @notice Draws an edge's curve anew, finely around what a plan puts into it, if it is drawn through samples. It stays as it is if
/// that fails.
function redraw(Search memory search, Edge memory edge, uint256 flow, uint256[] memory prices) returns (bool) {
    Curve memory before = edge.curve;
    if (before.cursor == 0 || !PoolWords.kindOf(search.pools[edge.pool]).isSampled()) return false;
    edge.curve = _blank(flow, _needed(edge, prices));
    if (_draw(search, edge, before.cursor) && edge.curve.loadedIn >= flow) return true;
    edge.curve = before;
    return false;
}

function _blank(uint256 expected, uint256 until) pure returns (Curve memory curve) {
    (curve.expected, curve.until) = (expected, until);
}

/// @dev Ratio that a curve is read down to; a little lower than its nodes' prices say, because they move.
function _needed(Edge memory edge, uint256[] memory prices) pure returns (uint256 ratio) {
    if (at(prices, edge.to) == 0) return 0;
    ratio = (at(prices, edge.from) << 96) / at(prices, edge.to);
    return ratio - ratio / SLACK_PARTS;
}

/// @notice Ends every curve where reading ended.
function closeAll(Search memory search) pure {
    for (uint256 e; e < search.edges.length; ++e) {
        search.edges[e].curve.open = false;
    }
}

/// @notice Whether the plan goes beyond what was read of some pool.
function leavesRead(Search memory search, uint256[] memory flows) pure returns (bool) {
    for (uint256 e; e < flows.length; ++e) {
        if (_leaves(search.edges[e], at(flows, e))) return true;
    }
    return false;
}

/// @dev Whether the flow goes beyond what was read of its pool. Where reading ended in a gap no split leads further: what
/// is more is rounding.
function _leaves(Edge memory edge, uint256 flow) pure returns (bool) {
    return edge.curve.hasTail() && flow > edge.curve.loadedIn;
}

/// @notice Whether the prices of a pool's two tokens lie beyond what was read of it.
/// @dev A node without a price lies on no way that was drawn; it may lie on one over a pool of which nothing could be drawn
/// yet. Those that lie on no way at all the Finder has left out.
function isBeyondRead(Edge memory edge, uint256[] memory prices) pure returns (bool) {
    Curve memory curve = edge.curve;
    if (!curve.open) return false;
    if (at(prices, edge.from) == 0 || at(prices, edge.to) == 0) return curve.drawn() == 0;
    return (at(prices, edge.from) << 96) / at(prices, edge.to) < curve.endRatio;
}
