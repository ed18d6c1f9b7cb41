// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {netOf as netOfGas} from "../math/GasValue.sol";
import {at, clear, put} from "../math/UncheckedArrays.sol";
import {GasValue} from "../types/GasValue.sol";
import {CalldataCurve, END, IN_BEFORE, wordAt} from "./CalldataCurve.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

using {netOfGas} for GasValue;
using {fill, netOf, onPaths, leastWorth, mostWorth} for Bundle global;

/// @notice The legs of a plan in execution order, in a form that is cheap to evaluate many times.
struct Bundle {
    /// The curve of each leg, a `CalldataCurve`.
    uint256[] curve;
    /// The token that each leg sells: a connector by its node in layer 1, then `tokenIn`, then `tokenOut`.
    uint256[] from;
    /// The token that each leg buys, numbered in the same way.
    uint256[] to;
    /// Input that the plan gives to each leg.
    uint256[] flow;
    /// Output of each leg in the plan.
    uint256[] paid;
    /// The segment of each leg's curve that its input in the plan ends in.
    uint256[] segment;
    /// Virtual reserve in the token sold, of each leg's pool in series with the legs that sell what it buys. Inputs in proportion to
    /// their depths move the prices of all ways by the same ratio.
    uint256[] depth;
    /// Gas that each leg adds to the swap.
    uint256[] gas;
    /// Value of each leg's output, in `tokenOut`, and by how much that is more than the value of its input.
    uint256[] worth;
    uint256[] profit;
    /// The legs by what they are worth, the least first.
    uint256[] byWorth;
    uint256 amountIn;
    uint256 connectors;
    /// Of the plan that is evaluated.
    Sharing sharing;
}

/// @dev An evaluation on its way: for each token, sums over the legs that are still to be evaluated. A token may be both sold and
/// bought in the middle of a plan, so that some of it is still to come when its first leg is evaluated.
struct Sharing {
    /// Amount of the token that is left for the legs that sell it.
    uint256[] held;
    /// Input that the plan gives to the legs that sell it.
    uint256[] wanted;
    /// Depth of the legs that sell it.
    uint256[] depth;
    /// Output in the plan of the legs that buy it.
    uint256[] coming;
    /// Gas of the legs that have been evaluated, and their number.
    uint256 gas;
    uint256 legs;
}

/// @dev Words for each leg in the plan of `IOptimizer.prune`, and words for the value of gas after the last leg.
uint256 constant LEG_WORDS = 4;
uint256 constant GAS_WORDS = 3;
/// @dev Depth behind a leg that pays `tokenOut`: more than any reserve.
uint256 constant BOTTOMLESS = 1 << 255;

/// @notice Reads a plan, as `IOptimizer.prune` has it, for the curves of its legs.
/// @return value What gas costs.
function fill(Bundle memory bundle, uint256[] calldata plan) pure returns (GasValue memory value) {
    uint256 count = bundle.curve.length;
    (bundle.from, bundle.to) = (new uint256[](count), new uint256[](count));
    (bundle.flow, bundle.gas, bundle.worth) = (new uint256[](count), new uint256[](count), new uint256[](count));
    bundle.profit = new uint256[](count);
    (bundle.depth, bundle.paid, bundle.segment) = (new uint256[](count), new uint256[](count), new uint256[](count));
    uint256 tokens = bundle.connectors + 2;
    uint256[] memory behind = new uint256[](tokens);
    behind[bundle.connectors + 1] = BOTTOMLESS;
    // Backward, because a leg's depth depends on the legs after it.
    for (uint256 k = count; k != 0;) {
        CalldataCurve curve = CalldataCurve.wrap(bundle.curve[--k]);
        bundle.from[k] = _tokenOf(bundle, curve.from());
        bundle.to[k] = _tokenOf(bundle, curve.to());
        uint256 place = LEG_WORDS * k;
        (bundle.flow[k], bundle.gas[k], bundle.worth[k]) = (plan[place], plan[place + 1], plan[place + 2]);
        bundle.profit[k] = FixedPointMathLib.zeroFloorSub(bundle.worth[k], plan[place + 3]);
        (bundle.paid[k], bundle.depth[k], bundle.segment[k]) = _answerOf(curve, bundle.flow[k], behind[bundle.to[k]]);
        behind[bundle.from[k]] += bundle.depth[k];
    }
    bundle.byWorth = _sorted(bundle.worth);
    Sharing memory sharing = bundle.sharing;
    (sharing.held, sharing.wanted) = (new uint256[](tokens), new uint256[](tokens));
    (sharing.depth, sharing.coming) = (new uint256[](tokens), new uint256[](tokens));
    uint256 last = LEG_WORDS * count;
    (value.weiPerGas, value.weiPerLeg, value.sqrtPrice) = (plan[last], plan[last + 1], plan[last + 2]);
}

/// @param behind Depth of the legs that sell what the pool pays: with a shallow pool behind it, a deep one is a shallow way.
/// @return paid What a pool pays for an input.
/// @return depth The depth after the input, plus one. One for a pool at the end of its curve, which takes no more.
/// @return segment The segment that the input ends in.
function _answerOf(CalldataCurve curve, uint256 flow, uint256 behind)
    pure
    returns (uint256 paid, uint256 depth, uint256 segment)
{
    uint256 ratio;
    (paid, ratio, segment) = curve.quote(curve.first(), flow);
    if (ratio <= wordAt(segment + END)) return (paid, 1, segment);
    uint256 liquidity = wordAt(segment);
    depth = FixedPointMathLib.min((liquidity << 96) / ratio, type(uint128).max);
    // In series, as reserves of the token between: the one bought here and the one sold behind.
    depth = FixedPointMathLib.fullMulDiv(depth, behind, behind + (liquidity * ratio >> 96) + 1) + 1;
}

/// @dev Indices by their words, the least first; equal ones in their order.
function _sorted(uint256[] memory words) pure returns (uint256[] memory order) {
    order = new uint256[](words.length);
    for (uint256 k; k < words.length; ++k) {
        uint256 place = k;
        for (; place != 0 && words[order[place - 1]] > words[k]; --place) {
            order[place] = order[place - 1];
        }
        order[place] = k;
    }
}

function _tokenOf(Bundle memory bundle, uint256 node) pure returns (uint256) {
    return node < bundle.connectors ? node : node - bundle.connectors;
}

/// @notice The leg among some that is worth least.
function leastWorth(Bundle memory bundle, uint256 among) pure returns (uint256 least) {
    unchecked {
        uint256[] memory byWorth = bundle.byWorth;
        for (uint256 rank; rank < byWorth.length; ++rank) {
            least = at(byWorth, rank);
            if (among >> least & 1 == 1) return least;
        }
    }
}

/// @notice The leg among some that is worth most.
function mostWorth(Bundle memory bundle, uint256 among) pure returns (uint256 most) {
    unchecked {
        uint256[] memory byWorth = bundle.byWorth;
        for (uint256 rank = byWorth.length; rank != 0;) {
            most = at(byWorth, --rank);
            if (among >> most & 1 == 1) return most;
        }
    }
}

/// @notice Evaluates the plan with only the legs in `alive` that lie on a path. Each gets its input in the plan, and a part of the
/// surplus or shortfall of its token, counting what is still to come, in proportion to its depth.
/// @return net Output after the protocol fee, less the cost of gas.
/// @return used The legs that were evaluated; none if no path connects the two tokens.
function netOf(Bundle memory bundle, uint256 alive, GasValue memory value) pure returns (int256 net, uint256 used) {
    unchecked {
        used = bundle.onPaths(alive);
        if (used == 0) return (0, 0);
        Sharing memory sharing = bundle.sharing;
        _begin(bundle, sharing, used);
        for (uint256 k; used >> k != 0; ++k) {
            if (used >> k & 1 == 1) _evaluate(bundle, sharing, k);
        }
        net = value.netOfGas(at(sharing.held, bundle.connectors + 1), sharing.gas, sharing.legs);
    }
}

/// @dev Sums up what the legs in `used` want before any is evaluated.
function _begin(Bundle memory bundle, Sharing memory sharing, uint256 used) pure {
    unchecked {
        // An evaluation leaves nothing in the other sums: each leg takes its own part out.
        clear(sharing.held);
        (sharing.gas, sharing.legs) = (0, 0);
        for (uint256 k; used >> k != 0; ++k) {
            if (used >> k & 1 == 0) continue;
            uint256 token = at(bundle.from, k);
            put(sharing.wanted, token, at(sharing.wanted, token) + at(bundle.flow, k));
            put(sharing.depth, token, at(sharing.depth, token) + at(bundle.depth, k));
            token = at(bundle.to, k);
            put(sharing.coming, token, at(sharing.coming, token) + at(bundle.paid, k));
        }
        put(sharing.held, bundle.connectors, bundle.amountIn);
    }
}

function _evaluate(Bundle memory bundle, Sharing memory sharing, uint256 k) pure {
    unchecked {
        uint256 amount = _take(sharing, at(bundle.from, k), at(bundle.flow, k), at(bundle.depth, k));
        CalldataCurve curve = CalldataCurve.wrap(at(bundle.curve, k));
        // Most legs get more than in the plan, so that the segment where they ended there is nearer than the first one.
        uint256 segment = at(bundle.segment, k);
        if (amount < wordAt(segment + IN_BEFORE)) segment = curve.first();
        (uint256 amountOut,,) = curve.quote(segment, amount);
        uint256 token = at(bundle.to, k);
        put(sharing.held, token, at(sharing.held, token) + amountOut);
        put(sharing.coming, token, at(sharing.coming, token) - at(bundle.paid, k));
        sharing.gas += at(bundle.gas, k);
        ++sharing.legs;
    }
}

/// @dev Takes the part of `token` that one leg sells. The last leg that sells the token takes whatever is left.
function _take(Sharing memory sharing, uint256 token, uint256 flow, uint256 depth) pure returns (uint256 amount) {
    unchecked {
        (uint256 held, uint256 wanted) = (at(sharing.held, token), at(sharing.wanted, token));
        uint256 deep = at(sharing.depth, token);
        if (wanted == flow) {
            amount = held;
        } else {
            uint256 given = held + at(sharing.coming, token);
            uint256 change = FixedPointMathLib.fullMulDiv(FixedPointMathLib.dist(given, wanted), depth, deep);
            amount = given < wanted ? FixedPointMathLib.zeroFloorSub(flow, change) : flow + change;
            amount = FixedPointMathLib.min(amount, held);
        }
        put(sharing.held, token, held - amount);
        put(sharing.wanted, token, wanted - flow);
        put(sharing.depth, token, deep - depth);
    }
}

/// @notice The legs on paths from `tokenIn` to `tokenOut` that follow the order of the plan and have at most three swaps: the remaining
/// legs are split again, and splits are no longer than that.
function onPaths(Bundle memory bundle, uint256 alive) pure returns (uint256 used) {
    unchecked {
        uint256 m = bundle.connectors;
        // One bit per node. A token that the first swap buys may be sold by the second or the third, so that it is at both of its
        // nodes.
        uint256 useful = 1 << (2 * m + 1);
        for (uint256 k = bundle.curve.length; k != 0;) {
            if (alive >> --k & 1 == 0) continue;
            CalldataCurve curve = CalldataCurve.wrap(at(bundle.curve, k));
            if (useful >> curve.to() & 1 == 0) continue;
            used |= 1 << k;
            useful |= 1 << curve.from() | 1 << at(bundle.from, k);
        }
        uint256 reached = 1 << (2 * m);
        for (uint256 k; used >> k != 0; ++k) {
            if (used >> k & 1 == 0) continue;
            CalldataCurve curve = CalldataCurve.wrap(at(bundle.curve, k));
            if (reached >> curve.from() & 1 == 0) used &= ~(1 << k);
            else reached |= 1 << curve.to() | 1 << (curve.to() + m);
        }
    }
}
