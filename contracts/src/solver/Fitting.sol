// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at} from "../math/UncheckedArrays.sol";
import {Edge} from "../types/Market.sol";
import {usedEdges} from "./Edges.sol";
import {estimateOut, inputFor} from "./Estimate.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev A token overflows again when what was kept from it overflows another.
uint256 constant MAX_POURS = 12;
/// @dev Room that is left in pools that are full, for rounding: this part of them.
uint256 constant SPARE_PARTS = 1e6;

/// @dev A plan as its legs are filled, by the estimates of their curves.
struct Pouring {
    /// Edges of the legs, in their order; what the plan puts into each, what each may get, and what it gets.
    uint256[] edge;
    uint256[] flow;
    uint256[] room;
    uint256[] given;
    /// Per token in play: what is held, and the node from which its last legs lead.
    uint256[] held;
    uint256[] last;
}

/// @notice What a leg of an edge gets at most, some of it left for rounding.
function roomOf(Edge memory edge) pure returns (uint256) {
    return edge.curve.hasTail() ? type(uint256).max : edge.curve.loadedIn - edge.curve.loadedIn / SPARE_PARTS;
}

/// @notice Keeps from pools what they cannot take, as early on the way as it can go elsewhere: where a trade takes nearly
/// all there is, a split may hold more of a token than its pools take. Changes `flows`.
/// @return fits False if no pool is full, or all of them are.
function fit(Search memory search, uint256[] memory flows) pure returns (bool fits) {
    Pouring memory pouring = _begin(search, flows);
    for (uint256 k; k < MAX_POURS; ++k) {
        (uint256 token, uint256 taken, uint256 held) = _pour(search, pouring);
        if (taken == held) {
            for (uint256 i; i < pouring.edge.length; ++i) {
                flows[pouring.edge[i]] = at(pouring.given, i);
            }
            return true;
        }
        if (token == search.tokenInIndex()) return false;
        _narrow(search, pouring, token, taken, held);
    }
    return false;
}

function _begin(Search memory search, uint256[] memory flows) pure returns (Pouring memory pouring) {
    pouring.edge = usedEdges(flows);
    uint256 count = pouring.edge.length;
    (pouring.flow, pouring.room) = (new uint256[](count), new uint256[](count));
    (pouring.given, pouring.last) = (new uint256[](count), new uint256[](search.tokens.length));
    for (uint256 i; i < count; ++i) {
        Edge memory edge = search.edges[at(pouring.edge, i)];
        pouring.flow[i] = at(flows, at(pouring.edge, i));
        pouring.last[search.tokenOfNode(edge.from)] = edge.from;
        pouring.room[i] = roomOf(edge);
    }
}

/// @dev Fills the legs in their order, each with its planned input; the last legs of a token share the rest of it. Stops at
/// the first token of which more is left than its last legs have room for, and returns zeros if there is none.
/// @return token The token at which it stopped.
/// @return taken The part of `held` that its last legs have room for.
/// @return held The amount left for its last legs.
function _pour(Search memory search, Pouring memory pouring) pure returns (uint256 token, uint256 taken, uint256 held) {
    pouring.held = new uint256[](search.tokens.length);
    pouring.held[search.tokenInIndex()] = search.amountIn;
    for (uint256 i; i < pouring.edge.length; ++i) {
        Edge memory edge = search.edges[at(pouring.edge, i)];
        token = search.tokenOfNode(edge.from);
        held = at(pouring.held, token);
        if (edge.from != at(pouring.last, token)) {
            taken = FixedPointMathLib.min(FixedPointMathLib.min(at(pouring.flow, i), at(pouring.room, i)), held);
            (pouring.given[i], held) = (taken, taken);
            pouring.held[token] -= taken;
        } else if (held != 0) {
            // The first of the last legs: they share it.
            taken = _share(search, pouring, edge.from, held);
            if (taken < held) return (token, taken, held);
            pouring.held[token] = 0;
        }
        pouring.held[search.tokenOfNode(edge.to)] += estimateOut(edge.curve, at(pouring.given, i));
    }
    return (0, 0, 0);
}

/// @dev Shares `held` among the legs that lead from a node, by their flows; none gets more than it has room for.
function _share(Search memory search, Pouring memory pouring, uint256 node, uint256 held) pure returns (uint256 taken) {
    for (bool first = true;; first = false) {
        uint256 weight;
        for (uint256 i; i < pouring.edge.length; ++i) {
            if (search.edges[at(pouring.edge, i)].from != node) continue;
            if (first) pouring.given[i] = 0;
            if (at(pouring.given, i) < at(pouring.room, i)) weight += at(pouring.flow, i);
        }
        uint256 rest = held - taken;
        if (weight == 0 || rest == 0) return taken;
        for (uint256 i; i < pouring.edge.length; ++i) {
            if (search.edges[at(pouring.edge, i)].from != node) continue;
            uint256 share = FixedPointMathLib.fullMulDivUp(rest, at(pouring.flow, i), weight);
            share = FixedPointMathLib.min(
                share, FixedPointMathLib.min(held - taken, at(pouring.room, i) - at(pouring.given, i))
            );
            pouring.given[i] += share;
            taken += share;
        }
    }
}

/// @dev Keeps from the legs that buy `token` what would be more than `taken` of it, from each the same part. But if that is
/// most of it, from the one that buys most: a pool with an absurd price may buy thousands of times as much as all others.
function _narrow(Search memory search, Pouring memory pouring, uint256 token, uint256 taken, uint256 held) pure {
    uint256 most;
    uint256 largest;
    for (uint256 i; i < pouring.edge.length; ++i) {
        Edge memory edge = search.edges[at(pouring.edge, i)];
        if (search.tokenOfNode(edge.to) != token) continue;
        uint256 bought = estimateOut(edge.curve, at(pouring.given, i));
        if (taken >= held / 2) _limit(search, pouring, i, FixedPointMathLib.fullMulDiv(bought, taken, held));
        else if (bought > most) (largest, most) = (i, bought);
    }
    if (most != 0) _limit(search, pouring, largest, FixedPointMathLib.zeroFloorSub(most, held - taken));
}

/// @dev Leaves a leg no room to buy more than `most`, which is less than it buys.
function _limit(Search memory search, Pouring memory pouring, uint256 i, uint256 most) pure {
    uint256 room = inputFor(search.edges[at(pouring.edge, i)].curve, most);
    pouring.room[i] = room - room / SPARE_PARTS;
}
