// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, atInt, put} from "../math/UncheckedArrays.sol";
import {evaluate} from "./DualBound.sol";
import {exp, mulShift} from "./FixedPoint.sol";
import {slopeAlong} from "./NewtonStep.sol";
import {WORTHLESS, Workspace, clampPrice} from "./Workspace.sol";

/// @dev Lengths along the step are Q32: 1 is the whole step.
int256 constant WHOLE = 1 << 32;
uint256 constant MAX_TRIES = 10;
/// @dev From this try on any real fall is good enough.
uint256 constant PATIENCE = 7;

/// @notice What is known of the bound along the step: the bound and its slope at both ends of the part where its least
/// value lies. Per unit of length.
struct Bracket {
    int256 low;
    int256 lowBound;
    int256 lowSlope;
    /// Zero as long as no length was too long.
    int256 high;
    int256 highBound;
    int256 highSlope;
}

/// @notice Moves `s.prices` along `s.step` to where the bound is clearly lower, and its slope no longer steep.
/// @dev Along the step the bound is convex, but it can bend sharply where a deep pool begins to trade; mere halving
/// stops in front of such a kink or jumps far beyond it.
/// @param bound At `s.prices`, with `slope` its derivative along the step.
/// @param budget Evaluations that may be spent.
/// @return accepted Whether the prices have moved; if not, `s.excess` is that of a failed trial.
/// @return The bound at `s.prices`.
/// @return spent Evaluations.
function searchLine(Workspace memory s, int256 bound, int256 slope, uint256 budget)
    pure
    returns (bool accepted, int256, uint256 spent)
{
    unchecked {
        Bracket memory bracket = Bracket(0, bound, slope, 0, 0, 0);
        int256 length = WHOLE;
        while (spent < MAX_TRIES && spent < budget) {
            int256 trial = _try(s, length);
            int256 trialSlope = trial == WORTHLESS ? int256(0) : slopeAlong(s);
            // Armijo's rule with a factor of 1/64.
            bool falls = trial <= bound + ((slope * length) >> 38);
            bool flat = bracket.high == 0 || trialSlope > (slope * 3) / 4 || spent >= PATIENCE;
            ++spent;
            if (falls && flat) {
                _accept(s);
                return (true, trial, spent);
            }
            if (falls) {
                (bracket.low, bracket.lowBound, bracket.lowSlope) = (length, trial, trialSlope);
            } else {
                (bracket.high, bracket.highBound, bracket.highSlope) = (length, trial, trialSlope);
            }
            length = _nextLength(bracket);
        }
        if (bracket.low == 0 || spent >= budget) return (false, bound, spent);
        bound = _try(s, bracket.low);
        _accept(s);
        return (true, bound, spent + 1);
    }
}

/// @dev The least point of the simplest convex function through both ends: a line with the lower end's slope up to one
/// kink, then a parabola. Kept off the ends, so that the bracket shrinks.
function _nextLength(Bracket memory bracket) pure returns (int256) {
    unchecked {
        int256 width = bracket.high - bracket.low;
        int256 bend = ((bracket.highSlope - bracket.lowSlope) * width) >> 32;
        int256 fall = (bracket.lowSlope * width) >> 32;
        int256 part = WHOLE / 2;
        if (bend > 0 && bracket.highBound != WORTHLESS) {
            int256 kink = WHOLE - ((2 * (bracket.highBound - bracket.lowBound - fall)) << 32) / bend;
            if (kink < 0) kink = 0;
            if (kink > WHOLE) kink = WHOLE;
            part = kink + ((WHOLE - kink) * -fall) / bend;
        }
        int256 least = WHOLE / (bracket.low == 0 ? int256(30) : int256(8));
        int256 most = (WHOLE * 9) / 10;
        if (part < least) part = least;
        if (part > most) part = most;
        return bracket.low + ((width * part) >> 32);
    }
}

/// @dev Evaluates the bound at prices * exp(length * step / 2), the pairs put in order.
function _try(Workspace memory s, int256 length) pure returns (int256) {
    unchecked {
        uint256 unknowns = s.network.target;
        for (uint256 node; node < unknowns; ++node) {
            uint256 factor = exp((atInt(s.step, node) * length) >> 33);
            put(s.trialPrices, node, clampPrice(mulShift(at(s.prices, node), factor, 64)));
        }
        put(s.trialPrices, unknowns, at(s.prices, unknowns));
        s.raisePairs(s.trialPrices);
        return evaluate(s, s.trialPrices, s.trialDemand);
    }
}

function _accept(Workspace memory s) pure {
    (s.prices, s.trialPrices) = (s.trialPrices, s.prices);
    (s.demand, s.trialDemand) = (s.trialDemand, s.demand);
}
