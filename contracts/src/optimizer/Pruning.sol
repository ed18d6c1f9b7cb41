// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {costOf} from "../math/GasValue.sol";
import {atInt} from "../math/UncheckedArrays.sol";
import {GasValue} from "../types/GasValue.sol";
import {Bundle} from "./Bundle.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

using {costOf} for GasValue;

/// @dev The legs that earn less than their gas, a bit each; the most that the absence of each saves, and the sum of these. Others are
/// never removed: a split that is optimal at some prices pays less without some legs, by at least their profits at these prices.
struct Removable {
    uint256 legs;
    uint256[] saving;
    uint256 all;
}

/// @dev What the absence of each leg gains.
struct Trials {
    int256[] gain;
    /// The legs that are left without it.
    uint256[] left;
    /// The legs that were tried, and those that were tried since the last one was removed; a bit each.
    uint256 known;
    uint256 current;
}

/// @dev Legs that one round tries, the least worth first, and trials in all rounds. More trials cost more gas than they save.
uint256 constant TRIALS_PER_ROUND = 6;
uint256 constant MAX_TRIALS = 60;
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
    GasValue memory value = bundle.fill(plan);
    uint256 count = bundle.flow.length;
    Removable memory removable;
    uint256 worthy = _assess(bundle, removable, value);
    if (bundle.onPaths(worthy) == 0) worthy = (1 << count) - 1;
    uint256 alive = _bestOf(bundle, worthy, removable, value);
    kept = new uint256[](count);
    for (uint256 k; k < count; ++k) {
        if (alive >> k & 1 == 1) kept[k] = bundle.flow[k];
    }
}

/// @dev Returns the legs to keep, out of those in `worthy`. Bit `k` of a set of legs stands for leg `k`.
function _bestOf(Bundle memory bundle, uint256 worthy, Removable memory removable, GasValue memory value)
    pure
    returns (uint256 alive)
{
    int256 net;
    (net, alive) = bundle.netOf(worthy, value);
    (uint256 bestAlive, int256 bestNet) = _leastFirst(bundle, alive, net, removable, value);
    (alive, net) = _withoutDear(bundle, alive, net, value);
    (alive, net) = _eliminate(bundle, alive, net, removable.legs, value);
    if (bestNet > net) (alive, net) = (bestAlive, bestNet);
    for (uint256 k; k < MAX_RETURNS; ++k) {
        (bestAlive, bestNet) = _bestWithOne(bundle, alive, worthy, value);
        if (bestAlive == 0 || bestNet <= net) break;
        (alive, net) = _eliminate(bundle, bestAlive, bestNet, removable.legs, value);
    }
}

/// @return worthy Without the legs whose output is worth no more than their gas: these never pay.
function _assess(Bundle memory bundle, Removable memory removable, GasValue memory value)
    pure
    returns (uint256 worthy)
{
    removable.saving = new uint256[](bundle.flow.length);
    for (uint256 k; k < bundle.flow.length; ++k) {
        uint256 cost = value.costOf(bundle.gas[k], 1);
        if (bundle.worth[k] > cost) worthy |= 1 << k;
        uint256 saving = FixedPointMathLib.zeroFloorSub(cost, bundle.profit[k]);
        if (saving == 0) continue;
        (removable.saving[k], removable.all) = (saving, removable.all + saving);
        removable.legs |= 1 << k;
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
    (int256 netCheap, uint256 used) = bundle.netOf(cheap, value);
    return used != 0 && netCheap > net ? (used, netCheap) : (alive, net);
}

/// @dev Removes one leg after another while that raises the output net of gas: of the `TRIALS_PER_ROUND` that are worth least, the
/// one whose absence gains most. Each removal makes the remaining legs worth more. So leaving a leg out hardly ever gains more than it
/// did in an earlier trial: after a removal, only the leg that promised most is tried again. Before the end, all of them are.
function _eliminate(Bundle memory bundle, uint256 alive, int256 net, uint256 removable, GasValue memory value)
    pure
    returns (uint256, int256)
{
    Trials memory trials = Trials(new int256[](bundle.flow.length), new uint256[](bundle.flow.length), 0, 0);
    uint256 among = _leastFew(bundle, alive & removable);
    for (uint256 count; among != 0 && count < MAX_TRIALS;) {
        uint256 k = _mostPromising(bundle, trials, among);
        if (trials.current >> k & 1 == 0) {
            _try(bundle, trials, alive, net, k, value);
            ++count;
        } else if (trials.gain[k] > 0) {
            (alive, net) = (trials.left[k], net + trials.gain[k]);
            (among, trials.current) = (_leastFew(bundle, alive & removable), 0);
        } else if (among & ~trials.current == 0) {
            break;
        } else {
            trials.known = trials.current;
        }
    }
    return (alive, net);
}

/// @dev Evaluates the plan without leg `k`.
function _try(Bundle memory bundle, Trials memory trials, uint256 alive, int256 net, uint256 k, GasValue memory value)
    pure {
    (int256 without, uint256 left) = bundle.netOf(alive & ~(1 << k), value);
    trials.gain[k] = left == 0 ? type(int256).min : without - net;
    trials.left[k] = left;
    trials.known |= 1 << k;
    trials.current |= 1 << k;
}

/// @dev The leg among some of which nothing is known, or whose absence has gained most.
function _mostPromising(Bundle memory bundle, Trials memory trials, uint256 among) pure returns (uint256 best) {
    unchecked {
        uint256 untried = among & ~trials.known;
        if (untried != 0) return bundle.leastWorth(untried);
        best = bundle.leastWorth(among);
        for (uint256 left = among & ~(1 << best); left != 0;) {
            uint256 k = bundle.leastWorth(left);
            left &= ~(1 << k);
            if (atInt(trials.gain, k) > atInt(trials.gain, best)) best = k;
        }
    }
}

/// @dev The `TRIALS_PER_ROUND` legs that are worth least.
function _leastFew(Bundle memory bundle, uint256 alive) pure returns (uint256 few) {
    for (uint256 count; count < TRIALS_PER_ROUND && alive != few; ++count) {
        few |= 1 << bundle.leastWorth(alive & ~few);
    }
}

/// @dev Removes the removable leg that is worth least again and again, and returns the best set of legs on the way. The end is where
/// what the others save does not make up for what was lost.
function _leastFirst(Bundle memory bundle, uint256 alive, int256 net, Removable memory removable, GasValue memory value)
    pure
    returns (uint256 bestAlive, int256 bestNet)
{
    (bestAlive, bestNet) = (alive, net);
    uint256 rest = removable.all;
    while (alive & removable.legs != 0 && net + int256(rest) > bestNet) {
        uint256 least = bundle.leastWorth(alive & removable.legs);
        rest -= removable.saving[least];
        (net, alive) = bundle.netOf(alive & ~(1 << least), value);
        if (alive != 0 && net > bestNet) (bestAlive, bestNet) = (alive, net);
    }
}

/// @dev Tries to bring back one removed leg: each of the `TRIALS_PER_ROUND` that are worth most.
function _bestWithOne(Bundle memory bundle, uint256 alive, uint256 worthy, GasValue memory value)
    pure
    returns (uint256 bestAlive, int256 bestNet)
{
    uint256 untried = worthy & ~alive;
    for (uint256 trial; trial < TRIALS_PER_ROUND && untried != 0; ++trial) {
        uint256 most = bundle.mostWorth(untried);
        untried &= ~(1 << most);
        (int256 net, uint256 left) = bundle.netOf(alive | 1 << most, value);
        if (bestAlive == 0 || net > bestNet) (bestAlive, bestNet) = (left, net);
    }
}
