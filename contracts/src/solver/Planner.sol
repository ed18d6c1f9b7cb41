// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Words} from "../libraries/Words.sol";
import {at} from "../math/UncheckedArrays.sol";
import {Curve, Edge} from "../types/Market.sol";
import {Leg, WHOLE_SHARE} from "../types/Route.sol";
import {AFTER_PLANNING} from "./Budget.sol";
import {dropDeadEnds} from "./DeadEnds.sol";
import {usedEdges} from "./Edges.sol";
import {estimateOut, ratioAfter} from "./Estimate.sol";
import {fit, roomOf} from "./Fitting.sol";
import {PoolWords} from "./PoolWords.sol";
import {dropRivals, worthAt, worthOf} from "./Rivals.sol";
import {Search} from "./Search.sol";
import {moveOthers} from "./Sharing.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Times that a plan is walked through, each time without one more leg.
uint256 constant MAX_WALKS = 6;

/// @dev Legs of the longest single path.
uint256 constant PATH_LEGS = 3;
/// @dev What a leg's price takes, about.
uint256 constant GAS_PER_LEG = 45_000;
/// @dev What it takes, about and for each edge, to lead elsewhere what a pool cannot take.
uint256 constant FIT_GAS = 30_000;

/// @dev A leg that carries less than this part of the trade is dust: what it could add is less than its gas. So is one that
/// carries up to a basis point, `SMALL_DUST` times as much, and pays more than `ABSURD` times what that is worth: no real
/// market is that far off. But not one that pays `FORTUNE` times as much, a thousandth of the trade: the rest of the split
/// counts on that.
uint256 constant DUST_PARTS = 1_000_000;
uint256 constant SMALL_DUST = 100;
uint256 constant ABSURD = 2;
uint256 constant FORTUNE = 1000;
/// @dev If a leg is left out that pays this many times as much, half a basis point of the trade, the input is split again
/// without it: the rest of the split had counted on it.
uint256 constant COUNTED = 50;

/// @dev Impact is measured against a leg's price after this part of its input, the middle of the first thousandth. The very first
/// price may be that of dust, which somebody put in front of a pool's liquidity.
uint256 constant REFERENCE_PARTS = 2000;
/// @dev What a leg's first price may add to the impact, beside what the first half of its input earns on top of the second. A quarter of
/// the impact loosens the floor.
uint256 constant MAX_SPIKE = 4;
/// @dev No price counts as more than 2^16 times what a leg pays, so that nothing overflows.
uint256 constant SPIKE_BITS = 16;
/// @dev A curve that promises no more than this is off by rounding if its pool pays nothing.
uint256 constant ROUNDING_UNITS = 1000;

/// @notice A plan priced with the pools' own integer mathematics.
struct Draft {
    Leg[] legs;
    uint256 legCount;
    uint256 grossOut;
    /// What the same shares would deliver at the prices that impact is measured against.
    uint256 referenceOut;
    uint256 gas;
    /// In how many legs each token in play takes part.
    uint256[] legsWith;
    /// What was led into each edge.
    uint256[] flows;
    /// Gas of each edge's leg; zero if it has none.
    uint256[] edgeGas;
    uint256 hops;
}

/// @dev What is held of each token in play while a draft is walked through.
struct Walk {
    uint256[] held;
    uint256[] atFirst;
    uint256[] hops;
    /// Edges in the order of execution.
    uint256[] order;
    /// Index of the last leg's edge of each token, plus one.
    uint256[] lastEdge;
    /// No token has more than one leg.
    bool isPath;
    /// Shadow prices, and what dust is worth at them.
    uint256[] prices;
    uint256 dust;
}

/// @notice Turns flows into legs and walks through them as the Router will, leg by leg with the amounts that are really
/// held, so that the quote is what executes.
/// @dev If a pool cannot take its input, less is led to it; a leg that pays nothing, or cannot get less, is dropped with
/// what depends on it. The walk then begins again. Dust and rivals are dropped as well. Changes `flows`,
/// the curves of pools that refuse what these promise, and which edges are shunned. No legs if nothing is left, or if it
/// fails too often: the input is then more than the pools hold.
/// @param prices Square roots of the shadow prices per node.
function draftOf(Search memory search, uint256[] memory flows, uint256[] memory prices) returns (Draft memory draft) {
    uint256 before = gasleft();
    dropRivals(search, flows, prices);
    _dropLeast(search, flows, prices);
    uint256 fitted = flows.length;
    for (uint256 walk; walk < MAX_WALKS; ++walk) {
        if (walk != 0 && !search.affords((before - gasleft()) / walk, AFTER_PLANNING)) break;
        dropDeadEnds(search, flows);
        uint256 failed;
        (draft, failed) = _walkShared(search, flows, prices);
        if (failed == flows.length) {
            search.draftGas = FixedPointMathLib.max(search.draftGas, before - gasleft());
            return draft;
        }
        uint256 pays = _paysOf(search.edges[failed], at(flows, failed), prices);
        bool may = failed != fitted && search.affords(FIT_GAS * flows.length, AFTER_PLANNING);
        if (may && fit(search, flows)) fitted = failed;
        else flows[failed] = 0;
        if (at(flows, failed) == 0 && pays >= COUNTED * _dustOf(search, prices)) search.shun(failed);
    }
    Draft memory none;
    (none.edgeGas, none.flows) = (new uint256[](flows.length), new uint256[](flows.length));
    return none;
}

/// @dev Drops dust, and the legs that are worth least, if there is no gas to price them all.
function _dropLeast(Search memory search, uint256[] memory flows, uint256[] memory prices) view {
    uint256[] memory used = usedEdges(flows);
    uint256 most = FixedPointMathLib.max(search.gasBefore(AFTER_PLANNING) / GAS_PER_LEG, PATH_LEGS);
    uint256 dust = _dustOf(search, prices);
    uint256[] memory worths = new uint256[](used.length);
    uint256 count = used.length;
    for (uint256 k; k < used.length; ++k) {
        Edge memory edge = search.edges[at(used, k)];
        worths[k] = worthOf(edge, at(flows, at(used, k)), prices);
        uint256 pays = _paysOf(edge, at(flows, at(used, k)), prices);
        if (pays >= FORTUNE * dust || (at(worths, k) >= dust && !_isAbsurd(at(worths, k), pays, dust))) {
            worths[k] = pays;
            continue;
        }
        if (pays >= COUNTED * dust) search.shun(at(used, k));
        (worths[k], flows[used[k]]) = (type(uint256).max, 0);
        --count;
    }
    for (; count > most; --count) {
        search.isCutShort = true;
        uint256 least;
        for (uint256 k = 1; k < used.length; ++k) {
            if (at(worths, k) < at(worths, least)) least = k;
        }
        (worths[least], flows[used[least]]) = (type(uint256).max, 0);
    }
}

/// @dev What a leg that is dust carries. If a pool of dust has an absurd price and takes more at it, all of the trade seems to be worth
/// more than what the legs pay.
function _dustOf(Search memory search, uint256[] memory prices) pure returns (uint256) {
    uint256 worth = worthAt(at(prices, search.source()), search.amountIn);
    return FixedPointMathLib.min(search.promised, worth) / DUST_PARTS;
}

/// @dev Whether no market has such a price. Of a leg that carries much nobody can tell: it may be most of the trade.
function _isAbsurd(uint256 carries, uint256 pays, uint256 dust) pure returns (bool) {
    return carries < SMALL_DUST * dust && pays > ABSURD * carries;
}

/// @dev What a leg pays, by its curve.
function _paysOf(Edge memory edge, uint256 flow, uint256[] memory prices) pure returns (uint256) {
    return worthAt(at(prices, edge.to), estimateOut(edge.curve, flow));
}

/// @dev `_walk`. If plans may share pools, its legs move each other's: `search.moved` has them afterwards, and `search.pools` is as before.
function _walkShared(Search memory search, uint256[] memory flows, uint256[] memory prices)
    returns (Draft memory draft, uint256 failed)
{
    uint256[][] memory pools = search.pools;
    if (search.shares) search.pools = Words.listed(pools);
    (draft, failed) = _walk(search, flows, prices);
    (search.moved, search.pools) = (search.pools, pools);
}

/// @return draft The priced plan.
/// @return failed Index of the first edge that cannot be a leg; the number of edges if all can.
function _walk(Search memory search, uint256[] memory flows, uint256[] memory prices)
    returns (Draft memory draft, uint256 failed)
{
    Walk memory walk = _begin(search, flows, draft);
    (walk.prices, walk.dust) = (prices, _dustOf(search, prices));
    for (uint256 i; i < walk.order.length; ++i) {
        uint256 e = at(walk.order, i);
        // What is left then is for a path.
        if (walk.order.length > PATH_LEGS && search.gasBefore(AFTER_PLANNING) == 0) return (draft, e);
        if (!_step(search, walk, draft, e, at(flows, e))) return (draft, e);
    }
    Leg[] memory legs = draft.legs;
    uint256 legCount = draft.legCount;
    assembly ("memory-safe") {
        mstore(legs, legCount)
    }
    uint256 out = search.tokenOutIndex();
    (draft.grossOut, draft.referenceOut, draft.hops) = (at(walk.held, out), at(walk.atFirst, out), at(walk.hops, out));
    return (draft, flows.length);
}

function _begin(Search memory search, uint256[] memory flows, Draft memory draft) pure returns (Walk memory walk) {
    uint256 tokens = search.tokens.length;
    (walk.held, walk.atFirst) = (new uint256[](tokens), new uint256[](tokens));
    (walk.hops, walk.lastEdge) = (new uint256[](tokens), new uint256[](tokens));
    uint256 tokenIn = search.tokenInIndex();
    (walk.held[tokenIn], walk.atFirst[tokenIn]) = (search.amountIn, search.amountIn);
    (walk.order, walk.isPath) = (_orderOf(search, flows), true);
    for (uint256 i; i < walk.order.length; ++i) {
        uint256 token = search.tokenOfNode(search.edges[at(walk.order, i)].from);
        if (at(walk.lastEdge, token) != 0) walk.isPath = false;
        walk.lastEdge[token] = at(walk.order, i) + 1;
    }
    draft.legs = new Leg[](walk.order.length);
    (draft.edgeGas, draft.legsWith, draft.flows) = (new uint256[](flows.length), new uint256[](tokens), flows);
}

/// @dev By stage, and within a stage those with the least room first: the last leg of a token gets what is left over, which
/// is not quite what was planned.
function _orderOf(Search memory search, uint256[] memory flows) pure returns (uint256[] memory order) {
    order = usedEdges(flows);
    for (uint256 i = 1; i < order.length; ++i) {
        uint256 e = at(order, i);
        uint256 slack = _slackOf(search.edges[e], at(flows, e));
        uint256 stage = search.stageOf(search.edges[e].from);
        uint256 place = i;
        for (; place != 0; --place) {
            Edge memory other = search.edges[at(order, place - 1)];
            if (search.stageOf(other.from) != stage || _slackOf(other, at(flows, at(order, place - 1))) <= slack) {
                break;
            }
            order[place] = at(order, place - 1);
        }
        order[place] = e;
    }
}

/// @dev What an edge's pool takes on top of its flow.
function _slackOf(Edge memory edge, uint256 flow) pure returns (uint256) {
    return edge.curve.hasTail() ? type(uint256).max : FixedPointMathLib.zeroFloorSub(edge.curve.loadedIn, flow);
}

/// @dev One leg. False where its pool pays nothing for it.
function _step(Search memory search, Walk memory walk, Draft memory draft, uint256 e, uint256 flow) returns (bool) {
    Edge memory edge = search.edges[e];
    (uint256 from, uint256 to) = (search.tokenOfNode(edge.from), search.tokenOfNode(edge.to));
    (uint256 amount, uint256 share) = _shareOf(walk, edge, e, from, flow);
    if (amount == 0 || (!edge.curve.hasTail() && amount > edge.curve.loadedIn)) return false;
    if (search.pools[edge.pool].length == 0) return false;
    (uint256 amountOut, uint256 gas) = _priceNext(search, draft, edge, amount);
    if (amountOut == 0) {
        _cutBack(search, edge, amount);
        return false;
    }

    if (search.shares) moveOthers(search, edge, amount);
    walk.held[from] -= amount;
    walk.held[to] += amountOut;
    uint256 part = FixedPointMathLib.fullMulDiv(at(walk.atFirst, from), share, WHOLE_SHARE);
    walk.atFirst[from] -= part;
    walk.atFirst[to] += FixedPointMathLib.fullMulDiv(part, _referenceOf(walk, edge, amount, amountOut), amount);
    ++draft.legsWith[from];
    ++draft.legsWith[to];
    if (at(walk.hops, from) + 1 > at(walk.hops, to)) walk.hops[to] = at(walk.hops, from) + 1;
    draft.gas += gas;
    draft.edgeGas[e] = gas;
    Leg memory leg = draft.legs[draft.legCount++];
    (leg.tokenIn, leg.tokenOut, leg.share) = (search.tokens[from], search.tokens[to], share);
    return true;
}

/// @dev Prices the draft's next leg exactly, and writes its pool and its price floor into it. It is a leg only if the pool pays.
function _priceNext(Search memory search, Draft memory draft, Edge memory edge, uint256 amount)
    returns (uint256 amountOut, uint256 gas)
{
    Leg memory leg = draft.legs[draft.legCount];
    uint256 priceFloor;
    (amountOut, gas, priceFloor) = search.price(edge, amount);
    (leg.venue, leg.pool, leg.key) = PoolWords.identify(search.pools[edge.pool]);
    leg.key |= priceFloor;
}

/// @dev The whole holding for the last leg of a token, and where the plan wants more than is held.
function _shareOf(Walk memory walk, Edge memory edge, uint256 e, uint256 token, uint256 flow)
    pure
    returns (uint256 amount, uint256 share)
{
    uint256 held = at(walk.held, token);
    flow = FixedPointMathLib.min(flow, roomOf(edge));
    if (at(walk.lastEdge, token) == e + 1 || flow >= held) return (held, WHOLE_SHARE);
    share = FixedPointMathLib.fullMulDiv(flow, WHOLE_SHARE, held);
    amount = FixedPointMathLib.fullMulDiv(held, share, WHOLE_SHARE);
}

/// @dev What a leg's input would bring at the price of its first thousandth; an absurd price says nothing of the market.
/// Less if only some of the leg was priced like that: what the impact grows by then is bounded by what the first half of the input
/// earns beyond the second, so that no pool loosens the floor by more than it adds to the output. Halves are compared, and not prices,
/// because drawn curves tell amounts far better than prices.
function _referenceOf(Walk memory walk, Edge memory edge, uint256 amountIn, uint256 amountOut)
    pure
    returns (uint256 first)
{
    uint256 carries = worthOf(edge, amountIn, walk.prices);
    if (_isAbsurd(carries, worthAt(at(walk.prices, edge.to), amountOut), walk.dust)) return amountOut;
    Curve memory curve = edge.curve;
    first = worthAt(ratioAfter(curve, amountIn / REFERENCE_PARTS), amountIn);
    unchecked {
        uint256 rest = estimateOut(curve, amountIn) - estimateOut(curve, amountIn - amountIn / 2);
        // Where the pool pays less than the curve says, the first half does.
        uint256 half = FixedPointMathLib.zeroFloorSub(amountOut, rest);
        if (first <= amountOut || half <= rest) return amountOut;
        // As much as on one segment of constant product whose halves pay that.
        uint256 most =
            FixedPointMathLib.fullMulDiv(amountOut, half, FixedPointMathLib.max(rest, (half >> SPIKE_BITS) + 1));
        if (!walk.isPath) most = FixedPointMathLib.min(most, amountOut + MAX_SPIKE * (half - rest));
        return FixedPointMathLib.min(first, most);
    }
}

/// @dev A pool does not take what its curve promises. Beyond what was read of it the curve ends then; if the pool does not
/// even take what was read, nothing is left.
function _cutBack(Search memory search, Edge memory edge, uint256 amountIn) pure {
    Curve memory none;
    if (estimateOut(edge.curve, amountIn) <= ROUNDING_UNITS) return;
    if (amountIn <= edge.curve.loadedIn || edge.curve.count == 0) edge.curve = none;
    edge.curve.open = false;
    ++search.refusals;
}
