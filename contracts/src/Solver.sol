// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IFinder} from "./interfaces/IFinder.sol";
import {IHub} from "./interfaces/IHub.sol";
import {IOptimizer} from "./interfaces/IOptimizer.sol";
import {IPricer} from "./interfaces/IPricer.sol";
import {ISolver} from "./interfaces/ISolver.sol";
import {StaticRead} from "./libraries/StaticRead.sol";
import {costOf, netOf} from "./math/GasValue.sol";
import {TokenGas} from "./math/TokenGas.sol";
import {askMarket} from "./solver/AskMarket.sol";
import {bestPathOf, isDust} from "./solver/BestPath.sol";
import {bestPoolOf} from "./solver/BestPool.sol";
import {AFTER_PLANNING} from "./solver/Budget.sol";
import {withoutDear} from "./solver/DearLegs.sol";
import {
    closeAll,
    connect,
    drawAround,
    dropMiddle,
    everyEdge,
    extend,
    leavesRead,
    mostInput,
    usedEdges
} from "./solver/Edges.sol";
import {FIRST_RANGES} from "./solver/Found.sol";
import {gasValueOf} from "./solver/GasValue.sol";
import {MarketParts, MarketWords} from "./solver/MarketWords.sol";
import {Draft, draftOf} from "./solver/Planner.sol";
import {leftOutOf} from "./solver/Proof.sol";
import {allocate, askPruned} from "./solver/Question.sol";
import {dropRivals} from "./solver/Rivals.sol";
import {gasOf, noteGas, routeGas} from "./solver/RouteGas.sol";
import {Search} from "./solver/Search.sol";
import {drawMoved} from "./solver/Sharing.sol";
import {GasValue} from "./types/GasValue.sol";
import {PreviewOptions} from "./types/Plan.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

using {costOf, netOf} for GasValue;

/// @title Finds the route
contract Solver is ISolver {
    IHub public immutable hub;
    IOptimizer public immutable optimizer;
    /// @inheritdoc ISolver
    IPricer public immutable pricer;
    /// @inheritdoc ISolver
    IFinder public immutable finder;

    /// @dev Times that curves are read further and the split is computed again.
    uint256 private constant MAX_ROUNDS = 5;
    /// @dev Ranges that one direction of a pool is read further by at once, and all together in one search: nodes cap
    /// calls, and a range costs about 12k gas.
    uint256 private constant RANGES_AT_ONCE = 64;
    uint256 private constant MAX_RANGES = 480;
    /// @dev Each time, that many times more ranges are read of what was exhausted.
    uint256 private constant RANGES_FACTOR = 4;
    /// @dev Times that legs which do not pay for their gas are left out and the rest is split again.
    uint256 private constant MAX_PRUNINGS = 4;
    /// @dev Times that the input is split again without legs that the split before had counted on.
    uint256 private constant MAX_SHUNNINGS = 2;
    /// @dev Times that legs on one pool are told apart and the rest is split again.
    uint256 private constant MAX_CONTESTS = 2;
    /// @dev Times that curves are drawn around a plan, and what it must pay less than they say for that, as a shift: 0.15
    /// basis points.
    uint256 private constant MAX_REDRAWINGS = 2;
    uint256 private constant LOOSE_SHIFT = 16;
    /// @dev Gas that a further leg takes at least.
    uint256 private constant GAS_PER_LEG_MORE = 80_000;
    /// @dev One basis point is one part of this many.
    uint256 private constant BPS = 10_000;
    /// @dev Inputs that the optimizer takes; no pool holds more.
    uint256 private constant MAX_AMOUNT = type(uint128).max;
    /// @dev Share of the bound that covers the rounding of drawn curves, as a shift.
    uint256 private constant BOUND_MARGIN_SHIFT = 28;

    constructor(IHub hub_, IOptimizer optimizer_, IPricer pricer_, IFinder finder_) {
        hub = hub_;
        optimizer = optimizer_;
        pricer = pricer_;
        finder = finder_;
    }

    /// @inheritdoc ISolver
    function findRoute(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        returns (Solution memory solution)
    {
        solution.route.tokenIn = tokenIn;
        solution.route.tokenOut = tokenOut;
        solution.route.amountIn = amountIn;

        solution.truncated = true;
        if (amountIn > MAX_AMOUNT) return solution;
        Search memory search;
        search.gas = gasleft();
        search.amountIn = amountIn;
        (search.pricer, search.optimizer) = (pricer, optimizer);
        search.rangesLeft = MAX_RANGES;
        // Before anything reads them, because tokens are measured best then.
        TokenGas memory sold = gasOf(search, tokenIn);
        TokenGas memory bought = gasOf(search, tokenOut);
        _readMarket(search, askMarket(finder, hub));
        noteGas(search, search.tokenInIndex(), sold);
        noteGas(search, search.tokenOutIndex(), bought);
        solution.poolsRead = search.pools.length;
        solution.truncated = search.truncated;
        if (mostInput(search) < amountIn) return solution;

        IOptimizer.Allocation memory allocation = _allocate(search);
        Draft memory draft = _orWithoutShunned(search, allocation, _planned(search, allocation));
        uint256 most = FixedPointMathLib.zeroFloorSub(allocation.upperBound, draft.grossOut);
        if (search.wantsShared) search.sharedGain = most;
        if (options.gasPrice != 0) {
            (uint256 native,) = StaticRead.own(address(hub), IHub.wrappedNative.selector, 0);
            search.gasValue =
                gasValueOf(search, address(uint160(native)), options.gasPrice, draft.grossOut, draft.referenceOut);
            draft = _netOfGas(search, draft, allocation.prices);
        }
        draft = _orBestPool(search, draft, allocation.prices);
        draft = _orShared(search, draft, allocation.prices);
        unchecked {
            solution.hasSurplus = draft.grossOut > search.mostOut + search.mostOut / BPS;
        }
        solution.truncated = search.truncated;
        if (draft.legs.length == 0) {
            solution.nothingOut = isDust(search);
            if (search.isCutShort) solution.truncated = true;
        } else {
            _write(solution, search, draft, _withMargin(draft, allocation));
        }
    }

    function _readMarket(Search memory search, bytes memory words) private pure {
        MarketParts memory market = MarketWords.unpack(words);
        (search.tokens, search.connectors) = (market.tokens, market.tokens.length - 2);
        search.tokenGas = new TokenGas[](market.tokens.length);
        (search.rest, search.truncated, search.pools) = (market.rest, market.truncated, market.pools);
        connect(search, market.edges);
    }

    /// @dev Splits the input, and reads further what the split or its proof exhausts, until nothing is.
    function _allocate(Search memory search) private returns (IOptimizer.Allocation memory) {
        (bool answered, IOptimizer.Allocation memory first) = allocate(search, everyEdge(search), new uint256[](0));
        if (!answered) return _simpler(search);
        first = _readAndSplit(search, first);
        if (_prove(search, first) == type(uint256).max) search.truncated = true;
        return first;
    }

    /// @dev Adds to the bound what it leaves out: the largest number where nothing is proven.
    function _prove(Search memory search, IOptimizer.Allocation memory allocation)
        private
        pure
        returns (uint256 bound)
    {
        bound = FixedPointMathLib.saturatingAdd(allocation.upperBound, leftOutOf(search, allocation.prices));
        allocation.upperBound = bound;
    }

    /// @dev Another split over all edges, and what follows it; no output if there is none.
    function _splitAndRead(Search memory search, uint256[] memory warmPrices)
        private
        returns (IOptimizer.Allocation memory allocation)
    {
        (, allocation) = allocate(search, everyEdge(search), warmPrices);
        if (allocation.amountOut != 0) allocation = _readAndSplit(search, allocation);
    }

    /// @dev The split when nothing is exhausted any more, or the last for which there was gas.
    function _readAndSplit(Search memory search, IOptimizer.Allocation memory allocation)
        private
        returns (IOptimizer.Allocation memory)
    {
        uint256 ranges = FIRST_RANGES;
        for (uint256 round = 1; round < MAX_ROUNDS; ++round) {
            ranges = FixedPointMathLib.min(ranges * RANGES_FACTOR, RANGES_AT_ONCE);
            if (!extend(search, allocation, ranges)) break;
            (bool answered, IOptimizer.Allocation memory next) = allocate(search, everyEdge(search), allocation.prices);
            if (!answered || (next.amountOut == 0 && allocation.amountOut != 0)) {
                (search.isShort, search.truncated) = (true, true);
                break;
            }
            allocation = next;
        }
        return allocation;
    }

    /// @dev If the gas for splitting ran out: the split without pools between connector tokens, if there is gas for it.
    function _simpler(Search memory search) private returns (IOptimizer.Allocation memory allocation) {
        (search.isShort, search.truncated) = (true, true);
        dropMiddle(search);
        (, allocation) = allocate(search, everyEdge(search), new uint256[](0));
        allocation.upperBound = type(uint256).max;
    }

    /// @dev The plan that pays most, gas aside. If a split leads to none, the best path whose pools do not refuse it.
    function _planned(Search memory search, IOptimizer.Allocation memory allocation)
        private
        returns (Draft memory draft)
    {
        if (allocation.amountOut == 0) {
            allocation.upperBound = type(uint256).max;
        } else {
            bool leaves = leavesRead(search, allocation.flows);
            if (leaves) search.isCutShort = true;
            // A plan beyond what was read is dear to price, and may pay nothing.
            if (!leaves || !search.isShort) draft = _settled(search, allocation);
            if (!leaves) {
                draft = _drawnAround(search, allocation, draft);
            } else if (search.affords(search.isShort ? 0 : _again(search), AFTER_PLANNING)) {
                draft = _withinRead(search, allocation, draft);
            }
        }
        uint256 refusals = type(uint256).max;
        while (draft.legs.length == 0 && search.refusals != refusals) {
            if (refusals != type(uint256).max && search.gasBefore(AFTER_PLANNING) == 0) break;
            refusals = search.refusals;
            draft = draftOf(search, bestPathOf(search, 3), allocation.prices);
        }
    }

    /// @dev If legs were left out that the split had counted on, the best plan without them may pay more. Changes the
    /// prices to those of the plan that does.
    function _orWithoutShunned(Search memory search, IOptimizer.Allocation memory allocation, Draft memory draft)
        private
        returns (Draft memory)
    {
        uint256 shunnings;
        for (uint256 round; round < MAX_SHUNNINGS && search.shunnings != shunnings; ++round) {
            shunnings = search.shunnings;
            if (!search.affords(_again(search), AFTER_PLANNING)) break;
            IOptimizer.Allocation memory other = _splitAndRead(search, new uint256[](0));
            if (other.amountOut == 0) break;
            Draft memory next = _planned(search, other);
            if (next.grossOut > draft.grossOut) (draft, allocation.prices) = (next, other.prices);
        }
        return draft;
    }

    /// @dev The split as a plan; where pools refuse what their curves promise, of what these promise then.
    function _settled(Search memory search, IOptimizer.Allocation memory allocation)
        private
        returns (Draft memory best)
    {
        uint256 refusals = search.refusals;
        best = _draftOf(search, allocation);
        while (search.refusals != refusals && search.affords(_again(search), AFTER_PLANNING)) {
            refusals = search.refusals;
            (allocation.flows, allocation.amountOut) = _splitAgain(search, allocation.flows, everyEdge(search));
            best = _larger(best, _draftOf(search, allocation));
        }
    }

    /// @dev The best net of gas among the plan, what is left of it when legs that do not pay for their gas are left out,
    /// what a split without its dear legs leads to, and the best paths of two and of three hops.
    function _netOfGas(Search memory search, Draft memory best, uint256[] memory prices)
        private
        returns (Draft memory)
    {
        // Before pruning, which may remove a dear leg together with one that would pay for its gas without it.
        Draft memory all = best;
        Draft memory draft = best;
        for (uint256 round; round < MAX_PRUNINGS && search.affords(_again(search), AFTER_PLANNING); ++round) {
            uint256[] memory flows = askPruned(search, draft.flows, draft.edgeGas, prices);
            uint256[] memory which = flows.length == 0 ? withoutDear(search, all) : usedEdges(flows);
            if (which.length == 0) break;
            (flows,) = _splitAgain(search, flows, which);
            draft = draftOf(search, flows, prices);
            best = _better(search, best, draft);
        }
        for (uint256 hops = 2; hops <= 3 && search.affords(search.draftGas, AFTER_PLANNING); ++hops) {
            best = _better(search, best, draftOf(search, bestPathOf(search, hops), prices));
        }
        return best;
    }

    /// @dev What a split and its draft take.
    function _again(Search memory search) private pure returns (uint256) {
        return search.splitGas / 2 + search.draftGas;
    }

    function _draftOf(Search memory search, IOptimizer.Allocation memory allocation) private returns (Draft memory) {
        _withoutRivals(search, allocation);
        return draftOf(search, allocation.flows, allocation.prices);
    }

    /// @dev If a plan pays less than its curves say, they are drawn around it, and the input is split again. Changes
    /// `best` to the least bound with its prices.
    function _drawnAround(Search memory search, IOptimizer.Allocation memory best, Draft memory draft)
        private
        returns (Draft memory)
    {
        for (uint256 round; round < MAX_REDRAWINGS; ++round) {
            if (best.amountOut <= draft.grossOut + (draft.grossOut >> LOOSE_SHIFT)) break;
            if (!search.affords(2 * _again(search), AFTER_PLANNING) || !drawAround(search, draft.flows, best.prices)) {
                break;
            }
            IOptimizer.Allocation memory next = _splitAndRead(search, best.prices);
            if (next.amountOut == 0) break;
            // Beyond the end of what was read nothing is proven.
            if (leavesRead(search, next.flows) || _prove(search, next) == type(uint256).max) break;
            if (next.upperBound < best.upperBound && search.refusals + search.shunnings == 0) {
                (best.upperBound, best.prices) = (next.upperBound, next.prices);
            }
            Draft memory nextDraft = _draftOf(search, next);
            best.amountOut = next.amountOut;
            draft = _larger(draft, nextDraft);
        }
        return draft;
    }

    /// @dev What lies beyond the parts that were read may not be there: the best split within them is tried as well.
    function _withinRead(Search memory search, IOptimizer.Allocation memory allocation, Draft memory draft)
        private
        returns (Draft memory)
    {
        closeAll(search);
        (, IOptimizer.Allocation memory within) = allocate(search, everyEdge(search), allocation.prices);
        if (within.amountOut != 0) allocation.flows = within.flows;
        return _larger(draft, _draftOf(search, allocation));
    }

    /// @dev If the split puts two legs on one pool, splits again with the better one alone.
    function _withoutRivals(Search memory search, IOptimizer.Allocation memory allocation) private {
        for (uint256 round; round < MAX_CONTESTS; ++round) {
            uint256[] memory allowed = dropRivals(search, allocation.flows, allocation.prices);
            if (allowed.length == 0 || !search.affords(search.splitGas / 2, AFTER_PLANNING)) return;
            (allocation.flows, allocation.amountOut) = _splitAgain(search, allocation.flows, allowed);
        }
    }

    /// @dev The best split over some edges, and what it pays by their curves; where there is none, and no gas for one, as
    /// it was.
    function _splitAgain(Search memory search, uint256[] memory flows, uint256[] memory which)
        private
        returns (uint256[] memory, uint256 amountOut)
    {
        (, IOptimizer.Allocation memory allocation) = allocate(search, which, new uint256[](0));
        if (allocation.amountOut == 0) return (flows, 0);
        return (allocation.flows, allocation.amountOut);
    }

    /// @dev The second one if both pay the same: its curves are drawn more finely, and impact is measured on them.
    function _larger(Draft memory a, Draft memory b) private pure returns (Draft memory) {
        return b.grossOut < a.grossOut ? a : b;
    }

    /// @dev The one that is worth more net of gas.
    function _better(Search memory search, Draft memory a, Draft memory b) private view returns (Draft memory) {
        if (a.legs.length == 0 || b.legs.length == 0) return _larger(a, b);
        return _netOf(search, b) > _netOf(search, a) ? b : a;
    }

    function _netOf(Search memory search, Draft memory draft) private view returns (int256) {
        return search.gasValue.netOf(draft.grossOut, routeGas(search, draft.gas, draft.legsWith), draft.legs.length);
    }

    /// @dev A single pool is taken if it is worth more than the plan.
    function _orBestPool(Search memory search, Draft memory draft, uint256[] memory prices)
        private
        returns (Draft memory)
    {
        uint256 least;
        unchecked {
            least = FixedPointMathLib.zeroFloorSub(
                draft.grossOut - draft.grossOut / BPS, search.gasValue.costOf(draft.gas, draft.legs.length)
            );
        }
        (uint256 edge, uint256 mostOut) = bestPoolOf(search, least);
        search.mostOut = mostOut;
        if (mostOut <= draft.grossOut && search.gasValue.sqrtPrice == 0) return draft;
        if (edge == search.edges.length) return draft;
        uint256[] memory flows = new uint256[](search.edges.length);
        flows[edge] = search.amountIn;
        return _better(search, draft, draftOf(search, flows, prices));
    }

    /// @dev The plan, or a better one that trades several pairs of one pool. It is searched only if a split wanted that, and if the bound
    /// leaves room for more than a further leg costs.
    function _orShared(Search memory search, Draft memory best, uint256[] memory prices)
        private
        returns (Draft memory)
    {
        uint256 least =
            (best.grossOut >> LOOSE_SHIFT) + search.gasValue.costOf(GAS_PER_LEG_MORE, 1);
        if (search.sharedGain <= least) return best;
        search.shares = true;
        Draft memory draft = draftOf(search, best.flows, prices);
        uint256 before;
        while (draft.grossOut > before + least && search.affords(2 * _again(search), AFTER_PLANNING)) {
            before = draft.grossOut;
            if (!drawMoved(search, draft.flows, prices)) return best;
            (uint256[] memory flows,) = _splitAgain(search, draft.flows, everyEdge(search));
            draft = draftOf(search, flows, prices);
            best = _better(search, best, draft);
        }
        return search.gasValue.sqrtPrice == 0 ? best : _better(search, best, _netOfGas(search, draft, prices));
    }

    /// @dev With what rounding can add to a routing: of drawn curves, and of outputs.
    function _withMargin(Draft memory draft, IOptimizer.Allocation memory allocation) private pure returns (uint256) {
        unchecked {
            uint256 margin = (allocation.upperBound >> BOUND_MARGIN_SHIFT) + draft.legs.length;
            return FixedPointMathLib.saturatingAdd(allocation.upperBound, margin);
        }
    }

    function _write(Solution memory solution, Search memory search, Draft memory draft, uint256 upperBound)
        private
        view
    {
        solution.route.legs = draft.legs;
        solution.route.grossOut = draft.grossOut;
        unchecked {
            solution.route.impactBps =
                FixedPointMathLib.zeroFloorSub(draft.referenceOut, draft.grossOut) * BPS / draft.referenceOut;
        }
        solution.upperBound = upperBound > draft.grossOut ? upperBound : draft.grossOut;
        (solution.gas, solution.gasValue) = (routeGas(search, draft.gas, draft.legsWith), search.gasValue);
        (solution.hops, solution.cutShort) = (draft.hops, search.isCutShort);
    }
}
