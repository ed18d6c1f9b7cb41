// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {WHOLE_BPS} from "../math/FeeMath.sol";
import {OpenRoute} from "./OpenRoute.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Times that a route is priced for another input.
uint256 constant MAX_PRICINGS = 64;
/// @dev Steps between two inputs that trust the output to be smooth.
uint256 constant SMOOTH_TURNS = 5;
/// @dev Two inputs this close, as a shift, are as good as one: less than a ten-thousandth of a basis point.
uint256 constant CLOSE_SHIFT = 27;
/// @dev How far a step goes beyond the input that it aims at, as a shift: so that the target is between two inputs soon.
uint256 constant BEYOND_SHIFT = 6;
/// @dev Part of its price that a trade of any impact keeps for the next unit at least, in basis points; and as a shift.
uint256 constant LEAST_ELASTICITY = 500;
uint256 constant ELASTICITY_SHIFT = 5;
/// @dev A route that delivers less than this part of the target, as a shift, tells nothing about the input for all of it.
uint256 constant MAX_GROWTH_SHIFT = 64;
/// @dev Inputs from here on are not tried; no pool holds more.
uint256 constant MAX_INPUT = type(uint128).max;

/// @dev Inputs between which the target lies, with what the route delivers for them. Zero if not known yet.
struct Bracket {
    /// Delivers less than the target.
    uint256 low;
    uint256 lowOut;
    /// Delivers the target or more.
    uint256 high;
    uint256 highOut;
    /// Steps that were made to one side of the target.
    uint256 strides;
    /// Steps that were made between the two.
    uint256 turns;
}

/// @notice The least input for which a route delivers `target`, up to a ten-thousandth of a basis point or one unit.
/// @param amountIn An input for which the route delivers `grossOut`, neither zero.
/// @param impactBps Its price impact, which tells how fast the output grows with the input.
/// @param keptGas What is left of the gas at least.
/// @return least Zero if the route cannot deliver the target.
/// @return leastOut What it delivers.
function leastInput(
    OpenRoute memory open,
    uint256 target,
    uint256 amountIn,
    uint256 grossOut,
    uint256 impactBps,
    uint256 keptGas
) returns (uint256 least, uint256 leastOut) {
    Bracket memory bracket;
    _note(bracket, target, amountIn, grossOut);
    uint256 dearest;
    for (uint256 k; k < MAX_PRICINGS && !_isDone(bracket, target); ++k) {
        uint256 next = _next(bracket, target, impactBps);
        if (next == 0 || next > MAX_INPUT || gasleft() < keptGas + 2 * dearest) break;
        uint256 before = gasleft();
        uint256 out = open.grossOf(next);
        // Pools that refuse more than what they have taken already: no more is to be had.
        if (out == 0 && next > bracket.low && bracket.high == 0) break;
        _note(bracket, target, next, out);
        dearest = FixedPointMathLib.max(dearest, before - gasleft());
    }
    return (bracket.high, bracket.highOut);
}

function elasticityBps(uint256 impactBps) pure returns (uint256) {
    return FixedPointMathLib.max(LEAST_ELASTICITY, FixedPointMathLib.zeroFloorSub(WHOLE_BPS, impactBps));
}

function _note(Bracket memory bracket, uint256 target, uint256 amountIn, uint256 out) pure {
    if (out < target) (bracket.low, bracket.lowOut) = (amountIn, out);
    else (bracket.high, bracket.highOut) = (amountIn, out);
}

function _isDone(Bracket memory bracket, uint256 target) pure returns (bool) {
    if (bracket.high == 0) return false;
    if (bracket.high - bracket.low <= _close(bracket.high)) return true;
    // So little output more than the target is no more input than that, whatever the impact.
    uint256 close = target >> CLOSE_SHIFT + ELASTICITY_SHIFT;
    return close != 0 && bracket.highOut - target <= close;
}

function _close(uint256 amountIn) pure returns (uint256) {
    return FixedPointMathLib.max(1, amountIn >> CLOSE_SHIFT);
}

/// @dev The input to try next; zero if there is none.
function _next(Bracket memory bracket, uint256 target, uint256 impactBps) pure returns (uint256) {
    if (bracket.high == 0) return _up(bracket, target, impactBps);
    if (bracket.low == 0) return _down(bracket, target, impactBps);
    return _between(bracket, target);
}

function _up(Bracket memory bracket, uint256 target, uint256 impactBps) pure returns (uint256) {
    if (bracket.lowOut <= target >> MAX_GROWTH_SHIFT) return 0;
    uint256 step = FixedPointMathLib.fullMulDiv(bracket.low, target - bracket.lowOut, bracket.lowOut);
    return bracket.low + _stride(bracket, bracket.low, step, impactBps);
}

function _down(Bracket memory bracket, uint256 target, uint256 impactBps) pure returns (uint256) {
    uint256 step = FixedPointMathLib.fullMulDiv(bracket.high, bracket.highOut - target, bracket.highOut);
    step = _stride(bracket, bracket.high, step, impactBps);
    return step < bracket.high ? bracket.high - step : bracket.high / 2;
}

/// @dev A step in proportion, lengthened by the impact, and a little further; twice as far each time that was not enough.
function _stride(Bracket memory bracket, uint256 amountIn, uint256 step, uint256 impactBps) pure returns (uint256) {
    step = FixedPointMathLib.min(step, MAX_INPUT) * WHOLE_BPS / elasticityBps(impactBps);
    return (step + (step >> BEYOND_SHIFT) + (amountIn >> CLOSE_SHIFT) + 1) << bracket.strides++;
}

/// @dev The chord finds a smooth output at once, and then the next smaller input shows that there is no better one. Outputs
/// of few units are a staircase: then the middle.
function _between(Bracket memory bracket, uint256 target) pure returns (uint256) {
    (uint256 low, uint256 high) = (bracket.low, bracket.high);
    uint256 turn = bracket.turns++;
    if (turn == 1) return high - _close(high);
    if (turn < SMOOTH_TURNS && turn % 2 == 0) {
        uint256 width = bracket.highOut - bracket.lowOut;
        uint256 chord = low + FixedPointMathLib.fullMulDivUp(high - low, target - bracket.lowOut, width);
        if (chord < high) return chord;
    }
    return low + (high - low) / 2;
}
