// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../interfaces/IHub.sol";
import {IPricer} from "../interfaces/IPricer.sol";
import {ISolver} from "../interfaces/ISolver.sol";
import {WHOLE_BPS} from "../math/FeeMath.sol";
import {PreviewOptions} from "../types/Plan.sol";
import {BEYOND_SHIFT, MAX_GROWTH_SHIFT, MAX_INPUT, elasticityBps, leastInput} from "./LeastInput.sol";
import {OpenRoute, openRoute} from "./OpenRoute.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Inputs for which a route is searched, and how many of the searches may find one.
uint256 constant MAX_ROUNDS = 9;
uint256 constant MAX_FINDS = 5;
/// @dev What the reverse search may take of the gas, and as a part of it: it only tells where to begin.
uint256 constant GUESS_GAS = 4_000_000;
uint256 constant GUESS_PARTS = 2;
/// @dev Part of the gas that one search may take, in percent, with hints, and without them while there is no route: what is left
/// is enough for a search of an input that the first one has brought nearer.
uint256 constant HINTED_PERCENT = 33;
uint256 constant PLAIN_PERCENT = 75;
/// @dev An input this close to where the next proof would be, as a part of it: half a basis point.
uint256 constant NEAR_PARTS = 20_000;
/// @dev How much further from the best input a proof is tried if the one before failed.
uint256 constant RETREAT = 4;
/// @dev How far from the best input a proof is tried at least, in 1e-18: a hundredth of a basis point.
uint256 constant LEAST_RETREAT = 1e12;
uint256 constant WAD = 1e18;
uint256 constant UNBOUND = type(uint256).max;

/// @notice A search for the least input that delivers `target`: the question, and what the search has found so far.
struct OutputSearch {
    IHub hub;
    ISolver solver;
    IPricer pricer;
    address sampler;
    address tokenIn;
    address tokenOut;
    /// Gross output that must be reached, and gas that must be left.
    uint256 target;
    uint256 keptGas;
    PreviewOptions options;
    /// The best so far, with its input and what it delivers. No legs if there is none.
    ISolver.Solution best;
    /// No input below this one delivers the target by any routing; zero if not proven.
    uint256 lowerBound;
    /// How far from the best input the last proof was tried, in 1e-18.
    uint256 retreat;
    /// Largest input that delivers nothing, and smallest that no pools take; zero if not known.
    uint256 tooLittle;
    uint256 tooMuch;
    /// Largest input whose route cannot deliver the target, and what it delivers; zero if there is none.
    uint256 shortIn;
    uint256 shortOut;
    uint256 dearest;
    bool truncated;
    bool nothingOut;
    /// Hints cut a search off, so that the rest is searched without them.
    bool plainly;
}

/// @notice Finds the plan of the least input, and a bound below all inputs that deliver the target.
/// @dev The Solver's bound U of an input x comes from shadow prices: U(y) = p y + c, with p and c not negative, bounds the
/// output of every input y. So an x with U(x) below the target proves that no input up to x delivers it, and, because
/// U(y) <= U(x) y / x above x, that no input below x * target / U(x) does. The input for such a proof is a little below the
/// best one: the gap, divided by how fast the output grows with the input.
function searchOutput(OutputSearch memory search) {
    uint256 amountIn = _guess(search);
    uint256 finds;
    for (uint256 round; round < MAX_ROUNDS && finds < MAX_FINDS && amountIn != 0; ++round) {
        // Where there is no route yet, one that is found with less gas than the last search took is better than none.
        bool hasRoute = search.best.route.legs.length != 0;
        if (hasRoute && gasleft() < search.keptGas + search.dearest + search.dearest / 4) {
            search.truncated = true;
            return;
        }
        (bool answered, ISolver.Solution memory found) = _find(search, amountIn);
        if (!answered) {
            search.truncated = true;
            return;
        }
        if (found.route.legs.length == 0) {
            if (hasRoute || found.poolsRead == 0) return;
            amountIn = _elsewhere(search, amountIn, found.nothingOut);
            continue;
        }
        ++finds;
        amountIn = _learn(search, found);
    }
}

/// @dev What the output could be sold for, made larger by twice the impact: of a pool of constant product exactly that.
function _guess(OutputSearch memory search) returns (uint256) {
    try search.solver.findRoute{gas: FixedPointMathLib.min(GUESS_GAS, gasleft() / GUESS_PARTS)}(
        search.tokenOut,
        search.tokenIn,
        search.target,
        PreviewOptions(0, search.options.connectors, search.options.excludedVenues, search.options.pools)
    ) returns (
        ISolver.Solution memory sold
    ) {
        if (sold.route.legs.length != 0) {
            uint256 kept = FixedPointMathLib.zeroFloorSub(WHOLE_BPS, 2 * sold.route.impactBps);
            kept = FixedPointMathLib.max(kept, WHOLE_BPS / 10);
            return FixedPointMathLib.min(MAX_INPUT, sold.route.grossOut * WHOLE_BPS / kept + 1);
        }
    } catch {}
    return search.target;
}

/// @dev Anybody can create pools for a hinted token. A search that they cut off is repeated without hints, as are all that
/// follow, so it may take a part of the gas only.
function _find(OutputSearch memory search, uint256 amountIn) returns (bool answered, ISolver.Solution memory found) {
    bool isPlain = search.plainly || !search.options.hasHints();
    (answered, found) = _ask(search, amountIn, isPlain);
    if (isPlain || (answered && !found.truncated)) return (answered, found);
    (search.plainly, search.truncated) = (true, true);
    (bool again, ISolver.Solution memory plain) = _ask(search, amountIn, true);
    if (again && plain.route.grossOut >= found.route.grossOut) return (true, plain);
}

function _ask(OutputSearch memory search, uint256 amountIn, bool isPlain)
    returns (bool answered, ISolver.Solution memory found)
{
    uint256 before = gasleft();
    if (before <= search.keptGas) return (false, found);
    PreviewOptions memory options = isPlain ? search.options.withoutHints() : search.options;
    uint256 gas = before - search.keptGas;
    if (!isPlain) gas = gas * HINTED_PERCENT / 100;
    else if (search.best.route.legs.length == 0) gas = gas * PLAIN_PERCENT / 100;
    try search.solver.findRoute{gas: gas}(search.tokenIn, search.tokenOut, amountIn, options) returns (
        ISolver.Solution memory solution
    ) {
        (answered, found) = (true, solution);
    } catch {}
    search.dearest = FixedPointMathLib.max(search.dearest, before - gasleft());
    // Its bound does not cover the hints.
    if (search.plainly) found.upperBound = UNBOUND;
}

/// @dev Another input where this one has no route: between one that is too little and one that is too much.
function _elsewhere(OutputSearch memory search, uint256 amountIn, bool isTooLittle) pure returns (uint256) {
    search.nothingOut = isTooLittle;
    if (isTooLittle) search.tooLittle = amountIn;
    else search.tooMuch = amountIn;
    return _middle(search);
}

/// @dev The geometric middle, as far as both ends are known.
function _middle(OutputSearch memory search) pure returns (uint256 middle) {
    if (search.tooMuch == 0) return FixedPointMathLib.min(MAX_INPUT, search.tooLittle) << 20;
    middle = FixedPointMathLib.sqrt(FixedPointMathLib.max(1, search.tooLittle)) * FixedPointMathLib.sqrt(search.tooMuch);
    if (middle <= search.tooLittle || middle >= search.tooMuch) middle = 0;
}

/// @dev What a route and its bound tell. Returns the input to search for next; zero if there is nothing to gain.
function _learn(OutputSearch memory search, ISolver.Solution memory found) returns (uint256) {
    (uint256 amountIn, uint256 grossOut) = (found.route.amountIn, found.route.grossOut);
    bool proves = found.upperBound < search.target;
    if (proves) {
        uint256 bound = FixedPointMathLib.fullMulDivUp(amountIn, search.target, found.upperBound);
        search.lowerBound = FixedPointMathLib.max(search.lowerBound, bound);
    }
    uint256 retreat = _retreatOf(found);
    _polish(search, found);
    if (search.best.route.legs.length == 0) {
        search.nothingOut = false;
        return grossOut < search.target ? _further(search, found) : 0;
    }
    uint256 best = search.best.route.amountIn;
    // Nothing is delivered for nothing.
    if (best == 1) search.lowerBound = 1;
    bool failed = !proves && search.retreat != 0 && amountIn < best;
    search.retreat = failed ? FixedPointMathLib.max(retreat, RETREAT * search.retreat) : retreat;
    if (search.retreat >= WAD) return 0;
    uint256 next = FixedPointMathLib.zeroFloorSub(best, FixedPointMathLib.mulDivUp(best, search.retreat, WAD));
    // Nearer to the best input the proof would gain little.
    uint256 near = FixedPointMathLib.max(best / NEAR_PARTS, best - next);
    return proves && amountIn + near >= next ? 0 : next;
}

/// @dev More input, if even more of it on this route does not deliver the target: up to eight times as much, and as much as
/// the target takes if the output goes on growing as it did last. Zero if it does not grow.
function _further(OutputSearch memory search, ISolver.Solution memory found) pure returns (uint256 next) {
    (uint256 amountIn, uint256 grossOut) = (found.route.amountIn, found.route.grossOut);
    if (grossOut <= search.shortOut) return 0;
    uint256 missing = search.target - grossOut;
    if (search.shortIn == 0 || amountIn <= search.shortIn) {
        uint256 step = FixedPointMathLib.fullMulDiv(amountIn, FixedPointMathLib.min(missing, 7 * grossOut), grossOut);
        step = step * WHOLE_BPS / elasticityBps(found.route.impactBps);
        next = amountIn + FixedPointMathLib.min(step + (step >> BEYOND_SHIFT) + 1, 7 * amountIn);
    } else {
        uint256 grown = grossOut - search.shortOut;
        if (grown <= missing >> MAX_GROWTH_SHIFT) return 0;
        next = amountIn + 2 * FixedPointMathLib.fullMulDiv(amountIn - search.shortIn, missing, grown) + 1;
    }
    (search.tooLittle, search.shortIn, search.shortOut) = (amountIn, amountIn, grossOut);
    if (search.tooMuch != 0 && next >= search.tooMuch) return _middle(search);
    return next > MAX_INPUT ? 0 : next;
}

/// @dev Twice the gap over how fast the output grows with the input.
function _retreatOf(ISolver.Solution memory found) pure returns (uint256) {
    if (found.upperBound == UNBOUND) return LEAST_RETREAT;
    uint256 more = FixedPointMathLib.zeroFloorSub(found.upperBound, found.route.grossOut);
    uint256 gap =
        FixedPointMathLib.fullMulDivUp(FixedPointMathLib.min(more, found.route.grossOut), WAD, found.route.grossOut);
    return LEAST_RETREAT + 2 * gap * WHOLE_BPS / elasticityBps(found.route.impactBps);
}

/// @dev The least input for which this route delivers the target; kept if it is less than the best.
function _polish(OutputSearch memory search, ISolver.Solution memory found) {
    uint256 impactBps = found.route.impactBps;
    (uint256 amountIn, uint256 grossOut) = (found.route.amountIn, found.route.grossOut);
    (bool opened, OpenRoute memory open) = openRoute(found.route, search.hub, search.pricer, search.sampler);
    (uint256 least, uint256 leastOut) = (0, 0);
    if (opened) {
        (least, leastOut) = leastInput(open, search.target, amountIn, grossOut, impactBps, search.keptGas);
    } else if (grossOut >= search.target) {
        (least, leastOut) = (amountIn, grossOut);
    }
    if (least == 0) return;
    if (search.best.route.legs.length != 0 && least >= search.best.route.amountIn) return;
    // It is a bound of less input too, and in proportion of more.
    if (found.upperBound > MAX_INPUT) found.upperBound = UNBOUND;
    else if (least > amountIn) found.upperBound = FixedPointMathLib.fullMulDivUp(found.upperBound, least, amountIn);
    if (opened) open.floorLegs(found.route.legs, least);
    (found.route.amountIn, found.route.grossOut) = (least, leastOut);
    search.best = found;
}
