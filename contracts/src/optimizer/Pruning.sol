// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {costOf, netOf} from "../math/GasValue.sol";
import {GasValue} from "../types/GasValue.sol";
import {CalldataCurve, END, wordAt} from "./CalldataCurve.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

using {costOf, netOf} for GasValue;

/// @notice The legs of a plan in execution order, in a form that is cheap to evaluate many times.
struct Bundle {
    /// The curve of each leg.
    CalldataCurve[] curve;
    /// The token that each leg sells: a connector by its node in layer 1, then `tokenIn`, then `tokenOut`.
    uint256[] from;
    /// The token that each leg buys, numbered in the same way.
    uint256[] to;
    /// Input that the plan gives to each leg.
    uint256[] flow;
    /// Output of each leg in the plan.
    uint256[] paid;
    /// Virtual reserve of each leg's pool in the token sold. Inputs in proportion to their depths move all prices by the same ratio.
    uint256[] depth;
    /// Gas that each leg adds to the swap.
    uint256[] gas;
    /// Value of each leg's output, in `tokenOut`.
    uint256[] worth;
    uint256 amountIn;
    uint256 connectors;
}

/// @dev For each token, sums over the legs that have not been evaluated yet. A token may be both sold and bought in the
/// middle of a plan, so that some of it is still to come when its first leg is evaluated.
struct Sharing {
    /// Amount of the token that is left for the legs that sell it.
    uint256[] held;
    /// Input that the plan gives to the legs that sell it.
    uint256[] wanted;
    /// Depth of the legs that sell it.
    uint256[] depth;
    /// Output in the plan of the legs that buy it.
    uint256[] coming;
}

/// @dev Words for each leg in the plan of `IOptimizer.prune`, and words for the value of gas after the last leg.
uint256 constant LEG_WORDS = 3;
uint256 constant GAS_WORDS = 3;

/// @dev Legs that one round tries, the least worth first, and trials in all rounds. More trials cost more gas than they save.
uint256 constant TRIALS_PER_ROUND = 6;
uint256 constant MAX_TRIALS = 90;
/// @dev How many times a removed leg may come back.
uint256 constant MAX_RETURNS = 4;
/// @dev A leg is dear if it takes more than this many times the gas of the cheapest leg. A pool with hundreds of small ranges is.
uint256 constant DEAR_TIMES = 8;

/// @notice Removes the legs that do not pay for their gas (backward elimination). While the plan is worth more without some leg,
/// net of gas, removes the leg whose absence gains most, and splits its input among the legs that sell the same token. Legs that
/// take many times the gas of others may be removed together. The result depends on the order of removal. So a second order is
/// tried, in which the leg that is worth least always goes first, the better of the two results is kept, and then removed legs may
/// come back.
/// @param plan As in `IOptimizer.prune`.
/// @return kept The input of each leg as in the plan; zero for removed legs.
function prune(Bundle memory bundle, uint256[] calldata plan) pure returns (uint256[] memory kept) {
    GasValue memory value = _fill(bundle, plan);
    uint256 count = bundle.flow.length;
    uint256 worthy = _worthTheirGas(bundle, value);
    if (_onPaths(bundle, worthy) == 0) worthy = (1 << count) - 1;
    uint256 alive = _bestOf(bundle, worthy, value);
    kept = new uint256[](count);
    for (uint256 k; k < count; ++k) {
        if (alive >> k & 1 == 1) kept[k] = bundle.flow[k];
    }
}

/// @dev Returns the legs to keep, out of those in `worthy`. Bit `k` of a set of legs stands for leg `k`.
function _bestOf(Bundle memory bundle, uint256 worthy, GasValue memory value) pure returns (uint256 alive) {
    int256 net;
    (net, alive) = _netOf(bundle, worthy, value);
    (uint256 bestAlive, int256 bestNet) = _leastFirst(bundle, alive, value);
    (alive, net) = _withoutDear(bundle, alive, net, value);
    (alive, net) = _eliminate(bundle, alive, net, value);
    if (bestNet > net) (alive, net) = (bestAlive, bestNet);
    for (uint256 k; k < MAX_RETURNS; ++k) {
        (bestAlive, bestNet) = _bestWithOne(bundle, alive, worthy, value);
        if (bestAlive == 0 || bestNet <= net) break;
        (alive, net) = _eliminate(bundle, bestAlive, bestNet, value);
    }
}

function _fill(Bundle memory bundle, uint256[] calldata plan) pure returns (GasValue memory value) {
    uint256 count = bundle.curve.length;
    (bundle.from, bundle.to) = (new uint256[](count), new uint256[](count));
    (bundle.flow, bundle.gas, bundle.worth) = (new uint256[](count), new uint256[](count), new uint256[](count));
    (bundle.depth, bundle.paid) = (new uint256[](count), new uint256[](count));
    for (uint256 k; k < count; ++k) {
        bundle.from[k] = _tokenOf(bundle, bundle.curve[k].from());
        bundle.to[k] = _tokenOf(bundle, bundle.curve[k].to());
        uint256 at = LEG_WORDS * k;
        (bundle.flow[k], bundle.gas[k], bundle.worth[k]) = (plan[at], plan[at + 1], plan[at + 2]);
        (bundle.paid[k], bundle.depth[k]) = _answerOf(bundle.curve[k], bundle.flow[k]);
    }
    uint256 last = LEG_WORDS * count;
    (value.weiPerGas, value.weiPerLeg, value.sqrtPrice) = (plan[last], plan[last + 1], plan[last + 2]);
}

/// @return paid What a pool pays for an input.
/// @return depth The virtual reserve after the input, plus one. One for a pool at the end of its curve, which takes no more.
function _answerOf(CalldataCurve curve, uint256 flow) pure returns (uint256 paid, uint256 depth) {
    uint256 ratio;
    uint256 segment;
    (paid, ratio, segment) = curve.quote(curve.first(), flow);
    if (ratio <= wordAt(segment + END)) return (paid, 1);
    depth = FixedPointMathLib.min((wordAt(segment) << 96) / ratio, type(uint128).max) + 1;
}

function _tokenOf(Bundle memory bundle, uint256 node) pure returns (uint256) {
    return node < bundle.connectors ? node : node - bundle.connectors;
}

/// @dev Leaves out the legs whose output is worth no more than their gas: these never pay.
function _worthTheirGas(Bundle memory bundle, GasValue memory value) pure returns (uint256 alive) {
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (bundle.worth[k] > value.costOf(bundle.gas[k], 1)) alive |= 1 << k;
    }
}

/// @dev Tries to remove all dear legs at once. Removing only one may look bad, because its input goes to the other dear legs.
function _withoutDear(Bundle memory bundle, uint256 alive, int256 net, GasValue memory value)
    pure
    returns (uint256, int256)
{
    uint256 least = type(uint256).max;
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (alive >> k & 1 == 1 && bundle.gas[k] < least) least = bundle.gas[k];
    }
    uint256 cheap = alive;
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (bundle.gas[k] / DEAR_TIMES > least) cheap &= ~(1 << k);
    }
    if (cheap == alive) return (alive, net);
    (int256 netCheap, uint256 used) = _netOf(bundle, cheap, value);
    return used != 0 && netCheap > net ? (used, netCheap) : (alive, net);
}

/// @dev Removes one leg after another while that raises the output net of gas.
function _eliminate(Bundle memory bundle, uint256 alive, int256 net, GasValue memory value)
    pure
    returns (uint256, int256)
{
    for (uint256 trials; trials < MAX_TRIALS; trials += TRIALS_PER_ROUND) {
        (uint256 bestAlive, int256 bestNet) = _bestWithoutOne(bundle, alive, value);
        if (bestAlive == 0 || bestNet <= net) break;
        (alive, net) = (bestAlive, bestNet);
    }
    return (alive, net);
}

/// @dev Removes the leg that is worth least until none is left, and returns the best set of legs on the way.
function _leastFirst(Bundle memory bundle, uint256 alive, GasValue memory value)
    pure
    returns (uint256 bestAlive, int256 bestNet)
{
    bestNet = type(int256).min;
    while (alive != 0) {
        (int256 net, uint256 left) = _netOf(bundle, alive, value);
        if (left != 0 && net > bestNet) (bestAlive, bestNet) = (left, net);
        alive = left & ~(1 << _leastWorth(bundle, left));
    }
}

/// @dev Tries to bring back one removed leg: each of the `TRIALS_PER_ROUND` that are worth most.
function _bestWithOne(Bundle memory bundle, uint256 alive, uint256 worthy, GasValue memory value)
    pure
    returns (uint256 bestAlive, int256 bestNet)
{
    uint256 untried = worthy & ~alive;
    for (uint256 trial; trial < TRIALS_PER_ROUND && untried != 0; ++trial) {
        uint256 most = _mostWorth(bundle, untried);
        untried &= ~(1 << most);
        (int256 net, uint256 left) = _netOf(bundle, alive | 1 << most, value);
        if (bestAlive == 0 || net > bestNet) (bestAlive, bestNet) = (left, net);
    }
}

/// @dev Tries to remove one leg: each of the `TRIALS_PER_ROUND` that are worth least.
function _bestWithoutOne(Bundle memory bundle, uint256 alive, GasValue memory value)
    pure
    returns (uint256 bestAlive, int256 bestNet)
{
    uint256 untried = alive;
    for (uint256 trial; trial < TRIALS_PER_ROUND && untried != 0; ++trial) {
        uint256 least = _leastWorth(bundle, untried);
        untried &= ~(1 << least);
        (int256 net, uint256 left) = _netOf(bundle, alive & ~(1 << least), value);
        if (left != 0 && (bestAlive == 0 || net > bestNet)) (bestAlive, bestNet) = (left, net);
    }
}

function _leastWorth(Bundle memory bundle, uint256 among) pure returns (uint256 least) {
    uint256 worth = type(uint256).max;
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (among >> k & 1 == 1 && bundle.worth[k] < worth) (least, worth) = (k, bundle.worth[k]);
    }
}

function _mostWorth(Bundle memory bundle, uint256 among) pure returns (uint256 most) {
    uint256 worth;
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (among >> k & 1 == 1 && bundle.worth[k] >= worth) (most, worth) = (k, bundle.worth[k]);
    }
}

/// @dev Evaluates the plan with only the legs in `alive` that lie on a path. Each gets its input in the plan, and a part of the
/// surplus or shortfall of its token, counting what is still to come, in proportion to its depth.
/// @return net Output after the protocol fee, less the cost of gas.
/// @return used The legs that were evaluated; none if no path connects the two tokens.
function _netOf(Bundle memory bundle, uint256 alive, GasValue memory value) pure returns (int256 net, uint256 used) {
    used = _onPaths(bundle, alive);
    if (used == 0) return (0, 0);
    uint256 tokens = bundle.connectors + 2;
    Sharing memory sharing =
        Sharing(new uint256[](tokens), new uint256[](tokens), new uint256[](tokens), new uint256[](tokens));
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (used >> k & 1 == 0) continue;
        sharing.wanted[bundle.from[k]] += bundle.flow[k];
        sharing.depth[bundle.from[k]] += bundle.depth[k];
        sharing.coming[bundle.to[k]] += bundle.paid[k];
    }
    sharing.held[bundle.connectors] = bundle.amountIn;
    uint256 gas;
    uint256 legs;
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (used >> k & 1 == 0) continue;
        uint256 amount = _take(sharing, bundle.from[k], bundle.flow[k], bundle.depth[k]);
        (uint256 amountOut,,) = bundle.curve[k].quote(bundle.curve[k].first(), amount);
        sharing.held[bundle.to[k]] += amountOut;
        sharing.coming[bundle.to[k]] -= bundle.paid[k];
        gas += bundle.gas[k];
        ++legs;
    }
    net = value.netOf(sharing.held[bundle.connectors + 1], gas, legs);
}

/// @dev Takes one leg's share of what is left of `token`, which the leg sells. The last leg takes all of it.
function _take(Sharing memory sharing, uint256 token, uint256 flow, uint256 depth) pure returns (uint256 amount) {
    (uint256 held, uint256 wanted) = (sharing.held[token], sharing.wanted[token]);
    if (wanted == flow) {
        amount = held;
    } else {
        uint256 given = held + sharing.coming[token];
        uint256 change =
            FixedPointMathLib.fullMulDiv(FixedPointMathLib.dist(given, wanted), depth, sharing.depth[token]);
        amount = given < wanted ? FixedPointMathLib.zeroFloorSub(flow, change) : flow + change;
        amount = FixedPointMathLib.min(amount, held);
    }
    (sharing.held[token], sharing.wanted[token]) = (held - amount, wanted - flow);
    sharing.depth[token] -= depth;
}

/// @dev The legs on paths from `tokenIn` to `tokenOut` that follow the order of the plan and have at most three swaps: the remaining
/// legs are split again, and splits are no longer than that.
function _onPaths(Bundle memory bundle, uint256 alive) pure returns (uint256 used) {
    uint256 m = bundle.connectors;
    // One bit per node. A token that the first swap buys may be sold by the second or the third, so that it is at both of its nodes.
    uint256 useful = 1 << (2 * m + 1);
    for (uint256 k = bundle.flow.length; k != 0;) {
        --k;
        if (alive >> k & 1 == 0 || useful >> bundle.curve[k].to() & 1 == 0) continue;
        used |= 1 << k;
        useful |= 1 << bundle.curve[k].from() | 1 << bundle.from[k];
    }
    uint256 reached = 1 << (2 * m);
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (used >> k & 1 == 0) continue;
        uint256 to = bundle.curve[k].to();
        if (reached >> bundle.curve[k].from() & 1 == 0) used &= ~(1 << k);
        else reached |= 1 << to | 1 << (to + m);
    }
}
