// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Leg, WHOLE_SHARE} from "../types/Route.sol";
import {AFTER_PLANNING} from "./Budget.sol";
import {fit} from "./Fitting.sol";
import {Edge} from "./Market.sol";
import {usedEdges} from "./Network.sol";
import {PoolWords} from "./PoolWords.sol";
import {dropRivals, worthOf} from "./Rivals.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Times that a plan is walked through, each time without one more leg.
uint256 constant MAX_WALKS = 6;

/// @dev Legs of the longest single path.
uint256 constant PATH_LEGS = 3;
/// @dev What a leg's price takes, about.
uint256 constant GAS_PER_LEG = 45_000;
/// @dev What it takes, about and for each edge, to lead elsewhere what a pool cannot take.
uint256 constant FIT_GAS = 30_000;

/// @dev A leg is full where less than this part of what its pool takes is left; so much room is then kept.
uint256 constant FULL_PARTS = 1e6;

/// @notice A plan priced with the pools' own integer mathematics.
struct Draft {
    Leg[] legs;
    uint256 legCount;
    uint256 grossOut;
    /// What the same shares would deliver at the pools' marginal prices before the trade.
    uint256 marginalOut;
    uint256 gas;
    /// Gas of each edge's leg; zero where it has none.
    uint256[] edgeGas;
    uint256 hops;
}

/// @dev What is held of each token in play while a draft is walked through.
struct Walk {
    uint256[] held;
    uint256[] marginal;
    uint256[] hops;
    /// Edges in the order of execution.
    uint256[] order;
    /// Index of the last leg's edge of each token, plus one.
    uint256[] lastEdge;
}

/// @notice Turns flows into legs and walks through them as the Router will, leg by leg with the amounts that are really
/// held, so that the quote is what executes.
/// @dev Where a pool cannot take its input, less is led to it; a leg that pays nothing, or cannot get less, is dropped with
/// what depends on it. The walk then begins again. A second leg on one pool is dropped as well. Changes `flows`. No legs
/// where nothing is left, or where it fails too often: the input is then more than the pools hold.
/// @param prices Square roots of the shadow prices per node.
function draftOf(Search memory search, uint256[] memory flows, uint256[] memory prices)
    view
    returns (Draft memory draft)
{
    uint256 before = gasleft();
    dropRivals(search, flows, prices);
    _dropWhatIsTooMany(search, flows, prices);
    uint256 fitted = flows.length;
    for (uint256 walk; walk < MAX_WALKS; ++walk) {
        if (walk != 0 && !search.affords((before - gasleft()) / walk, AFTER_PLANNING)) break;
        _dropDeadEnds(search, flows);
        uint256 failed;
        (draft, failed) = _walk(search, flows);
        if (failed == flows.length) {
            search.draftGas = FixedPointMathLib.max(search.draftGas, before - gasleft());
            return draft;
        }
        bool may = failed != fitted && search.affords(FIT_GAS * flows.length, AFTER_PLANNING);
        if (may && fit(search, flows)) fitted = failed;
        else flows[failed] = 0;
    }
    Draft memory none;
    none.edgeGas = new uint256[](flows.length);
    return none;
}

/// @dev Drops the legs that are worth least, where there is no gas to price them all.
function _dropWhatIsTooMany(Search memory search, uint256[] memory flows, uint256[] memory prices) view {
    uint256[] memory used = usedEdges(flows);
    uint256 most = FixedPointMathLib.max(search.gasBefore(AFTER_PLANNING) / GAS_PER_LEG, PATH_LEGS);
    if (used.length <= most) return;
    uint256[] memory worths = new uint256[](used.length);
    for (uint256 k; k < used.length; ++k) {
        worths[k] = worthOf(search.edges[used[k]], flows[used[k]], prices);
    }
    for (uint256 count = used.length; count > most; --count) {
        uint256 least;
        for (uint256 k = 1; k < used.length; ++k) {
            if (worths[k] < worths[least]) least = k;
        }
        (worths[least], flows[used[least]]) = (type(uint256).max, 0);
    }
}

/// @dev Drops edges that buy what no later one sells or sell what no earlier one buys, until none is left.
function _dropDeadEnds(Search memory search, uint256[] memory flows) pure {
    bool changed = true;
    while (changed) {
        changed = false;
        // Bit by token: those with a way on, then those with a way in.
        uint256 tokens = 1 << search.tokenOutIndex();
        for (uint256 e = flows.length; e != 0;) {
            if (flows[--e] == 0) continue;
            if (tokens >> search.tokenOfNode(search.edges[e].to) & 1 == 0) (flows[e], changed) = (0, true);
            else tokens |= 1 << search.tokenOfNode(search.edges[e].from);
        }
        tokens = 1 << search.tokenInIndex();
        for (uint256 e; e < flows.length; ++e) {
            if (flows[e] == 0) continue;
            if (tokens >> search.tokenOfNode(search.edges[e].from) & 1 == 0) (flows[e], changed) = (0, true);
            else tokens |= 1 << search.tokenOfNode(search.edges[e].to);
        }
    }
}

/// @return draft The priced plan.
/// @return failed Index of the first edge that cannot be a leg; the number of edges where all can.
function _walk(Search memory search, uint256[] memory flows) view returns (Draft memory draft, uint256 failed) {
    Walk memory walk = _begin(search, flows, draft);
    for (uint256 i; i < walk.order.length; ++i) {
        uint256 e = walk.order[i];
        // What is left then is for a path.
        if (walk.order.length > PATH_LEGS && search.gasBefore(AFTER_PLANNING) == 0) return (draft, e);
        if (!_step(search, walk, draft, e, flows[e])) return (draft, e);
    }
    Leg[] memory legs = draft.legs;
    uint256 legCount = draft.legCount;
    assembly ("memory-safe") {
        mstore(legs, legCount)
    }
    uint256 out = search.tokenOutIndex();
    (draft.grossOut, draft.marginalOut, draft.hops) = (walk.held[out], walk.marginal[out], walk.hops[out]);
    return (draft, flows.length);
}

function _begin(Search memory search, uint256[] memory flows, Draft memory draft) pure returns (Walk memory walk) {
    uint256 tokens = search.tokens.length;
    (walk.held, walk.marginal) = (new uint256[](tokens), new uint256[](tokens));
    (walk.hops, walk.lastEdge) = (new uint256[](tokens), new uint256[](tokens));
    uint256 tokenIn = search.tokenInIndex();
    (walk.held[tokenIn], walk.marginal[tokenIn]) = (search.amountIn, search.amountIn);
    walk.order = _orderOf(search, flows);
    for (uint256 i; i < walk.order.length; ++i) {
        walk.lastEdge[search.tokenOfNode(search.edges[walk.order[i]].from)] = walk.order[i] + 1;
    }
    draft.legs = new Leg[](walk.order.length);
    draft.edgeGas = new uint256[](flows.length);
}

/// @dev By stage, and within a stage first the legs that use up all that their pool takes: the last leg of a token gets
/// what rounding leaves over, so it must have room.
function _orderOf(Search memory search, uint256[] memory flows) pure returns (uint256[] memory order) {
    order = usedEdges(flows);
    for (uint256 i = 1; i < order.length; ++i) {
        uint256 e = order[i];
        if (!_isFull(search.edges[e], flows[e])) continue;
        uint256 at = i;
        while (at != 0 && _mayFollow(search, flows, e, order[at - 1])) {
            order[at] = order[at - 1];
            --at;
        }
        order[at] = e;
    }
}

/// @dev Whether an edge of the same stage with room stands before a full one.
function _mayFollow(Search memory search, uint256[] memory flows, uint256 full, uint256 other) pure returns (bool) {
    return search.stageOf(search.edges[other].from) == search.stageOf(search.edges[full].from)
        && !_isFull(search.edges[other], flows[other]);
}

function _isFull(Edge memory edge, uint256 flow) pure returns (bool) {
    return !edge.curve.open && flow >= edge.curve.loadedIn - edge.curve.loadedIn / FULL_PARTS;
}

/// @dev One leg. False where its pool pays nothing for it.
function _step(Search memory search, Walk memory walk, Draft memory draft, uint256 e, uint256 flow)
    view
    returns (bool)
{
    Edge memory edge = search.edges[e];
    (uint256 from, uint256 to) = (search.tokenOfNode(edge.from), search.tokenOfNode(edge.to));
    (uint256 amount, uint256 share) = _shareOf(walk, edge, e, from, flow);
    if (amount == 0 || (!edge.curve.open && amount > edge.curve.loadedIn)) return false;
    (uint256 amountOut, uint256 gas) = search.price(edge, amount);
    if (amountOut == 0) return false;

    walk.held[from] -= amount;
    walk.held[to] += amountOut;
    _stepMarginal(walk, from, to, share, edge.curve.startRatio);
    if (walk.hops[from] + 1 > walk.hops[to]) walk.hops[to] = walk.hops[from] + 1;
    draft.gas += gas;
    draft.edgeGas[e] = gas;
    Leg memory leg = draft.legs[draft.legCount++];
    (leg.venue, leg.pool, leg.key) = PoolWords.identify(search.pools[edge.pool]);
    (leg.tokenIn, leg.tokenOut, leg.share) = (search.tokens[from], search.tokens[to], share);
    return true;
}

/// @dev The whole holding for the last leg of a token, and where the plan wants more than is held.
function _shareOf(Walk memory walk, Edge memory edge, uint256 e, uint256 token, uint256 flow)
    pure
    returns (uint256 amount, uint256 share)
{
    uint256 held = walk.held[token];
    if (_isFull(edge, flow)) flow = edge.curve.loadedIn - edge.curve.loadedIn / FULL_PARTS;
    if (walk.lastEdge[token] == e + 1 || flow >= held) return (held, WHOLE_SHARE);
    share = FixedPointMathLib.fullMulDiv(flow, WHOLE_SHARE, held);
    amount = FixedPointMathLib.fullMulDiv(held, share, WHOLE_SHARE);
}

/// @dev The same share at the pool's marginal price before the trade, which is the square of its start ratio.
function _stepMarginal(Walk memory walk, uint256 from, uint256 to, uint256 share, uint256 ratio) pure {
    uint256 amount = FixedPointMathLib.fullMulDiv(walk.marginal[from], share, WHOLE_SHARE);
    walk.marginal[from] -= amount;
    uint256 price = FixedPointMathLib.fullMulDiv(ratio, ratio, 1 << 64);
    walk.marginal[to] += FixedPointMathLib.fullMulDiv(amount, price, 1 << 128);
}
