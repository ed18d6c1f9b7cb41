// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {GasValue} from "../math/GasValue.sol";
import {CalldataCurve} from "./CalldataCurve.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice The legs of a plan, in their order, small enough to be walked again and again.
struct Bundle {
    /// Where their curves are.
    CalldataCurve[] curve;
    /// Tokens by their nodes of layer 1; `tokenIn` and `tokenOut` follow.
    uint256[] from;
    uint256[] to;
    uint256[] flow;
    uint256[] gas;
    /// What each leg's output is worth in `tokenOut`.
    uint256[] worth;
    uint256 amountIn;
    uint256 connectors;
}

/// @dev Words of each leg in a plan that is to be pruned, and words behind them.
uint256 constant LEG_WORDS = 3;
uint256 constant GAS_WORDS = 3;

/// @dev Legs that are tried in one round, least worth first, and trials in all: the rest is not worth its gas here.
uint256 constant TRIALS_PER_ROUND = 6;
uint256 constant MAX_TRIALS = 90;
/// @dev A leg is dear that takes more than so many times the gas of the cheapest one, such as a pool of hundreds of small
/// ranges.
uint256 constant DEAR_TIMES = 8;

/// @notice Leaves out the legs that do not pay for their gas: as long as the plan without some leg is worth more net of
/// gas, the least worthy leg goes (backward elimination), and what it carried goes in proportion to its neighbors. Legs that
/// take many times the gas of others may go together.
/// @param plan As `IOptimizer.prune` has it.
/// @return kept The flows of the legs kept, the others zero; amounts as they were.
function prune(Bundle memory bundle, uint256[] calldata plan) pure returns (uint256[] memory kept) {
    GasValue memory value = _fill(bundle, plan);
    uint256 count = bundle.flow.length;
    uint256 all = (1 << count) - 1;
    uint256 alive = _onPaths(bundle, _worthTheirGas(bundle, value));
    if (alive == 0) alive = all;
    (int256 net,) = _netOf(bundle, alive, value);
    (alive, net) = _withoutDear(bundle, alive, net, value);
    for (uint256 trials; trials < MAX_TRIALS; trials += TRIALS_PER_ROUND) {
        (uint256 bestAlive, int256 bestNet) = _bestWithoutOne(bundle, alive, value);
        if (bestAlive == 0 || bestNet <= net) break;
        (alive, net) = (bestAlive, bestNet);
    }
    kept = new uint256[](count);
    for (uint256 k; k < count; ++k) {
        if (alive >> k & 1 == 1) kept[k] = bundle.flow[k];
    }
}

function _fill(Bundle memory bundle, uint256[] calldata plan) pure returns (GasValue memory value) {
    uint256 count = bundle.curve.length;
    (bundle.from, bundle.to) = (new uint256[](count), new uint256[](count));
    (bundle.flow, bundle.gas, bundle.worth) = (new uint256[](count), new uint256[](count), new uint256[](count));
    for (uint256 k; k < count; ++k) {
        bundle.from[k] = _tokenOf(bundle, bundle.curve[k].from());
        bundle.to[k] = _tokenOf(bundle, bundle.curve[k].to());
        uint256 at = LEG_WORDS * k;
        (bundle.flow[k], bundle.gas[k], bundle.worth[k]) = (plan[at], plan[at + 1], plan[at + 2]);
    }
    uint256 last = LEG_WORDS * count;
    (value.weiPerGas, value.weiPerLeg, value.sqrtPrice) = (plan[last], plan[last + 1], plan[last + 2]);
}

function _tokenOf(Bundle memory bundle, uint256 node) pure returns (uint256) {
    return node < bundle.connectors ? node : node - bundle.connectors;
}

/// @dev A leg that pays less than its gas costs cannot be worth it, whatever it improves.
function _worthTheirGas(Bundle memory bundle, GasValue memory value) pure returns (uint256 alive) {
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (bundle.worth[k] > value.costOf(bundle.gas[k], 1)) alive |= 1 << k;
    }
}

/// @dev Tries to leave out all dear legs at once: without one of them the others may carry more than is good for them.
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

/// @dev Tries to leave out each of the legs that pay least.
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

/// @dev Walks the legs that are alive and lie on a path.
/// @return net Output after the protocol fee, less the gas.
/// @return used The legs that were walked; none if nothing connects the two tokens.
function _netOf(Bundle memory bundle, uint256 alive, GasValue memory value) pure returns (int256 net, uint256 used) {
    used = _onPaths(bundle, alive);
    if (used == 0) return (0, 0);
    uint256[] memory wanted = new uint256[](bundle.connectors + 2);
    uint256[] memory held = new uint256[](bundle.connectors + 2);
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (used >> k & 1 == 1) wanted[bundle.from[k]] += bundle.flow[k];
    }
    held[bundle.connectors] = bundle.amountIn;
    uint256 gas;
    uint256 legs;
    for (uint256 k; k < bundle.flow.length; ++k) {
        if (used >> k & 1 == 0) continue;
        uint256 from = bundle.from[k];
        uint256 amount = FixedPointMathLib.fullMulDiv(held[from], bundle.flow[k], wanted[from]);
        wanted[from] -= bundle.flow[k];
        held[from] -= amount;
        (uint256 amountOut,,) = bundle.curve[k].quote(bundle.curve[k].first(), amount);
        held[bundle.to[k]] += amountOut;
        gas += bundle.gas[k];
        ++legs;
    }
    net = value.netOf(held[bundle.connectors + 1], gas, legs);
}

/// @dev Legs from which `tokenOut` is reached and which are reached from `tokenIn`, in their order, by at most three swaps:
/// what is left is split again, and no split goes further.
function _onPaths(Bundle memory bundle, uint256 alive) pure returns (uint256 used) {
    uint256 m = bundle.connectors;
    // Bits by node. A token that one swap has bought may wait for the last: it is at both of its nodes.
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
