// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DryRun} from "./execution/DryRun.sol";
import {IHub} from "./interfaces/IHub.sol";
import {IQuoter} from "./interfaces/IQuoter.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {ISolver} from "./interfaces/ISolver.sol";
import {currentWitness} from "./libraries/Witnesses.sol";
import {allowanceBps, grossForNet, ironFloorOf, leastGrossFor, protocolFee} from "./math/FeeMath.sol";
import {netOf} from "./math/GasValue.sol";
import {PriceFloor} from "./math/PriceFloor.sol";
import {MAX_INPUT} from "./output/LeastInput.sol";
import {OutputSearch, searchOutput} from "./output/OutputSearch.sol";
import {GasValue} from "./types/GasValue.sol";
import {Plan, PreviewOptions, Verdict} from "./types/Plan.sol";
import {Route} from "./types/Route.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

using {netOf} for GasValue;

/// @title Prices the best route
contract Quoter is IQuoter, DryRun {
    IHub public immutable hub;
    ISolver public immutable solver;
    IRouter public immutable router;

    uint256 private constant MAX_HINTS = 4;
    uint256 private constant MAX_POOL_HINTS = 8;
    /// @dev Part of the gas for a first search with hints, and the gas below which it would only be cut off. The search without
    /// them may take the rest.
    uint256 private constant TRY_PARTS = 6;
    uint256 private constant LEAST_TRY_GAS = 18_000_000;
    /// @dev What a last search with hints leaves for the answer, whatever the search takes.
    uint256 private constant FINISH_GAS = 150_000;
    /// @dev With a bound within this part of it, as a shift, a plan is proven: 0.08 basis points. With one within the other part, 1.2
    /// basis points, more gas may hardly find a better one.
    uint256 private constant PROVEN_SHIFT = 17;
    uint256 private constant LOOSE_SHIFT = 13;
    /// @dev Part of the gas that an exact preview keeps for its dry run, and the most that it keeps.
    uint256 private constant RUN_PARTS = 4;
    uint256 private constant RUN_GAS = 5_000_000;
    /// @dev Times that a taxed route's numbers are run again until what is quoted is what is delivered.
    uint256 private constant MAX_RUNS = 6;
    /// @dev What a search by output leaves of the gas for its answer.
    uint256 private constant ANSWER_GAS = 500_000;
    /// @dev Millionths of a basis point in the whole.
    uint256 private constant MICRO_BPS = 1e10;

    /// @dev Bound and gap where no bound is claimed.
    uint256 private constant NO_BOUND = type(uint256).max;

    constructor(IHub hub_, ISolver solver_, IRouter router_) {
        hub = hub_;
        solver = solver_;
        router = router_;
    }

    /// @inheritdoc IQuoter
    function previewPlan(address tokenIn, address tokenOut, uint256 amountIn) external view returns (Plan memory) {
        PreviewOptions memory options;
        return _asView(_preview)(tokenIn, tokenOut, amountIn, options, 0);
    }

    /// @inheritdoc IQuoter
    function previewPlan(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        view
        returns (Plan memory)
    {
        return _asView(_preview)(tokenIn, tokenOut, amountIn, options, 0);
    }

    /// @inheritdoc IQuoter
    function previewPlanExact(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        returns (Plan memory plan)
    {
        plan = _preview(tokenIn, tokenOut, amountIn, options, _runGas());
        _run(plan);
    }

    /// @inheritdoc IQuoter
    function previewPlanForOutput(address tokenIn, address tokenOut, uint256 amountOut, PreviewOptions calldata options)
        external
        view
        returns (Plan memory, uint256, uint256)
    {
        return _asView(_previewForOutput)(tokenIn, tokenOut, amountOut, options, ANSWER_GAS);
    }

    /// @inheritdoc IQuoter
    function previewPlanForOutputExact(
        address tokenIn,
        address tokenOut,
        uint256 amountOut,
        PreviewOptions calldata options
    ) external returns (Plan memory plan, uint256 lowerBound, uint256 inputGapMicroBps) {
        (plan, lowerBound, inputGapMicroBps) = _previewForOutput(tokenIn, tokenOut, amountOut, options, _runGas());
        _run(plan);
        if (plan.verdict == Verdict.Executable && plan.netOut < amountOut) plan.verdict = Verdict.BelowFloor;
    }

    /// @dev A search only calls what undoes itself, so that it leaves nothing behind. Called by a contract that allows nothing else
    /// (`STATICCALL`), it leaves out the pools that are priced by executing them.
    function _asView(function(address, address, uint256, PreviewOptions memory, uint256)
            internal returns (Plan memory) preview)
        private
        pure
        returns (function(address, address, uint256, PreviewOptions memory, uint256)
                internal
                view returns (Plan memory) same)
    {
        assembly ("memory-safe") {
            same := preview
        }
    }

    /// @dev The same for what has a bound of the input.
    function _asView(function(address, address, uint256, PreviewOptions memory, uint256)
            internal returns (
                Plan memory,
                uint256,
                uint256
            ) preview)
        private
        pure
        returns (function(address, address, uint256, PreviewOptions memory, uint256)
                internal
                view returns (Plan memory, uint256, uint256) same)
    {
        assembly ("memory-safe") {
            same := preview
        }
    }

    /// @dev What an exact preview keeps of the gas for its dry run.
    function _runGas() private view returns (uint256) {
        return FixedPointMathLib.min(gasleft() / RUN_PARTS, RUN_GAS);
    }

    /// @dev Runs an executable plan, until its numbers are what is delivered.
    function _run(Plan memory plan) private {
        if (plan.verdict != Verdict.Executable) return;
        for (uint256 run; run < MAX_RUNS; ++run) {
            (uint256 delivered, bytes memory failure) = _dryRun(plan.route, router, hub);
            if (failure.length == 0 && delivered == plan.netOut) return;
            if (failure.length != 0) {
                // The floor of an untaxed quote stops a taxed route: a quote of next to nothing lets it through once.
                if (bytes4(failure) != IRouter.BelowFloor.selector || plan.route.grossOut == 1) {
                    plan.verdict = Verdict.DryRunFailed;
                    return;
                }
                delivered = 1;
            }
            _setGross(plan, grossForNet(delivered));
        }
        // A token that never delivers twice the same.
        plan.verdict = Verdict.DryRunFailed;
    }

    /// @param kept Gas that is left when it is done.
    function _preview(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions memory options, uint256 kept)
        private
        returns (Plan memory plan)
    {
        plan = _begin(tokenIn, tokenOut, amountIn, options);
        plan.route.amountIn = amountIn;
        if (plan.verdict == Verdict.NoRoute) _price(plan, options, kept);
    }

    function _previewForOutput(
        address tokenIn,
        address tokenOut,
        uint256 amountOut,
        PreviewOptions memory options,
        uint256 keptGas
    ) private returns (Plan memory plan, uint256 lowerBound, uint256 gap) {
        plan = _begin(tokenIn, tokenOut, amountOut, options);
        (lowerBound, gap) = (NO_BOUND, NO_BOUND);
        // No pool holds more.
        if (plan.verdict != Verdict.NoRoute || amountOut > MAX_INPUT) return (plan, lowerBound, gap);
        OutputSearch memory search;
        (search.hub, search.solver, search.pricer) = (hub, solver, solver.pricer());
        (search.sampler, search.keptGas) = (address(solver.finder().sampler()), keptGas);
        (search.tokenIn, search.tokenOut, search.options) = (tokenIn, tokenOut, options);
        search.target = leastGrossFor(amountOut);
        searchOutput(search);
        if (search.truncated) search.best.truncated = true;
        _take(plan, search.best);
        if (search.nothingOut && plan.verdict == Verdict.NoRoute) plan.verdict = Verdict.NothingOut;
        uint256 amountIn = plan.route.amountIn;
        if (amountIn == 0 || search.lowerBound == 0) return (plan, lowerBound, gap);
        if (amountIn / MICRO_BPS > search.lowerBound) return (plan, lowerBound, gap);
        lowerBound = FixedPointMathLib.min(search.lowerBound, amountIn);
        unchecked {
            gap = FixedPointMathLib.fullMulDivUp(amountIn - lowerBound, MICRO_BPS, lowerBound);
        }
    }

    /// @return plan With the verdict `NoRoute` if a route may be searched.
    function _begin(address tokenIn, address tokenOut, uint256 amount, PreviewOptions memory options)
        private
        view
        returns (Plan memory plan)
    {
        if (amount == 0) revert ZeroAmount();
        if (tokenIn == tokenOut) revert SameToken(tokenIn);
        if (options.connectors.length > MAX_HINTS) revert TooManyConnectors(options.connectors.length, MAX_HINTS);
        if (options.pools.length > MAX_POOL_HINTS) revert TooManyPools(options.pools.length, MAX_POOL_HINTS);
        plan.witness = currentWitness();
        plan.route.tokenIn = tokenIn;
        plan.route.tokenOut = tokenOut;
        plan.verdict = Verdict.NoRoute;
        (plan.upperBound, plan.gapMicroBps) = (NO_BOUND, NO_BOUND);
        if (tokenIn.code.length == 0) plan.verdict = Verdict.TokenInNotContract;
        else if (tokenOut.code.length == 0) plan.verdict = Verdict.TokenOutNotContract;
    }

    function _price(Plan memory plan, PreviewOptions memory options, uint256 kept) private {
        _take(plan, options.hasHints() ? _findWithHints(plan, options, kept) : _find(plan, options, kept));
    }

    /// @dev Makes a solution the plan.
    function _take(Plan memory plan, ISolver.Solution memory solution) private view {
        plan.truncated = solution.truncated;
        plan.poolsRead = solution.poolsRead;
        if (solution.nothingOut) plan.verdict = Verdict.NothingOut;
        if (solution.route.legs.length == 0) return;

        plan.route = solution.route;
        _lowerPriceFloors(plan.route);
        plan.hops = solution.hops;
        plan.hasSurplus = solution.hasSurplus;
        plan.upperBound = solution.upperBound;
        plan.estGas = solution.gas + router.settlementGas(plan.route.tokenOut);
        _setGross(plan, solution.route.grossOut);
        plan.verdict = Verdict.Executable;
    }

    /// @dev A single leg may pay less than quoted by as much as the whole route may.
    function _lowerPriceFloors(Route memory route) private pure {
        uint256 bps = allowanceBps(route.impactBps);
        for (uint256 i; i < route.legs.length; ++i) {
            route.legs[i].key = PriceFloor.lowered(route.legs[i].key, bps);
        }
    }

    /// @dev Anybody can create pools for a hinted token: they cut the search off, and lead it to a worse plan. So a plan with
    /// hints is the answer at once only if its own bound proves that it can hardly be worse than the one without. Otherwise
    /// the route without hints is found, as if there were none, then that with hints if more gas may make it a better one, and the
    /// one that is worth more is taken.
    function _findWithHints(Plan memory plan, PreviewOptions memory options, uint256 kept)
        private
        returns (ISolver.Solution memory hinted)
    {
        hinted.truncated = true;
        // Bounds ignore gas: where gas has a price, none proves that a plan is the better one.
        if (options.gasPrice == 0 && _gasBefore(kept) > LEAST_TRY_GAS) {
            hinted = _tryHints(plan, options, gasleft() - _gasBefore(kept) / TRY_PARTS);
            if (hinted.route.grossOut != 0 && !_isLoose(hinted, PROVEN_SHIFT)) return hinted;
        }
        ISolver.Solution memory plain = _find(plan, options.withoutHints(), kept);
        ISolver.Solution memory best = _worthier(plain, hinted, plain);
        if (_isLoose(hinted, LOOSE_SHIFT) && (hinted.truncated || hinted.cutShort)) {
            ISolver.Solution memory again = _tryHints(plan, options, kept + FINISH_GAS);
            best = _worthier(best, again, plain);
            if (hinted.truncated || !again.truncated) hinted = again;
        }
        // The bound of a search that was not cut off holds for the pools of hints and for all others. No other search knows what
        // those pay that it has not read.
        best.upperBound = hinted.truncated ? NO_BOUND : FixedPointMathLib.max(hinted.upperBound, best.route.grossOut);
        if (!hinted.truncated) best.poolsRead = hinted.poolsRead;
        best.truncated = hinted.truncated;
        return best;
    }

    /// @param kept Gas that is left when it is done.
    function _find(Plan memory plan, PreviewOptions memory options, uint256 kept)
        private
        returns (ISolver.Solution memory)
    {
        (address tokenIn, address tokenOut) = (plan.route.tokenIn, plan.route.tokenOut);
        return solver.findRoute{gas: _gasBefore(kept)}(tokenIn, tokenOut, plan.route.amountIn, options);
    }

    /// @dev The same for a search that may fail: it has no legs then, and counts as cut off.
    function _tryHints(Plan memory plan, PreviewOptions memory options, uint256 kept)
        private
        returns (ISolver.Solution memory found)
    {
        (address tokenIn, address tokenOut) = (plan.route.tokenIn, plan.route.tokenOut);
        found.truncated = true;
        try solver.findRoute{gas: _gasBefore(kept)}(tokenIn, tokenOut, plan.route.amountIn, options) returns (
            ISolver.Solution memory solution
        ) {
            found = solution;
        } catch {}
    }

    function _gasBefore(uint256 kept) private view returns (uint256) {
        return FixedPointMathLib.zeroFloorSub(gasleft(), kept);
    }

    /// @dev Whether some routing may pay more by more than this part, as a shift.
    function _isLoose(ISolver.Solution memory solution, uint256 shift) private pure returns (bool) {
        uint256 grossOut = solution.route.grossOut;
        unchecked {
            // A bound is never below the output.
            return solution.truncated || solution.upperBound - grossOut > grossOut >> shift;
        }
    }

    /// @dev The second one if it is worth as much net of gas. Gas is priced by the plain search: pools of hints price none.
    function _worthier(ISolver.Solution memory a, ISolver.Solution memory b, ISolver.Solution memory plain)
        private
        pure
        returns (ISolver.Solution memory)
    {
        if (b.route.legs.length == 0) return a;
        if (a.route.legs.length == 0) return b;
        GasValue memory value = plain.gasValue;
        int256 worthOfA = value.netOf(a.route.grossOut, a.gas, a.route.legs.length);
        return value.netOf(b.route.grossOut, b.gas, b.route.legs.length) >= worthOfA ? b : a;
    }

    /// @dev In millionths of a basis point, rounded up. A bound of more than 10^10 times the output proves nothing, and is
    /// not claimed.
    function _setGap(Plan memory plan, uint256 grossOut) private pure {
        if (plan.upperBound / MICRO_BPS > grossOut) {
            (plan.upperBound, plan.gapMicroBps) = (NO_BOUND, NO_BOUND);
        } else {
            uint256 more = FixedPointMathLib.zeroFloorSub(plan.upperBound, grossOut);
            plan.gapMicroBps = more == 0 ? 0 : FixedPointMathLib.fullMulDivUp(more, MICRO_BPS, grossOut);
        }
    }

    /// @dev Everything that follows from what the legs deliver.
    function _setGross(Plan memory plan, uint256 grossOut) private pure {
        plan.route.grossOut = grossOut;
        _setGap(plan, grossOut);
        plan.protocolFee = protocolFee(grossOut);
        unchecked {
            // A fee is a part of it.
            plan.netOut = grossOut - plan.protocolFee;
        }
        plan.ironFloor = ironFloorOf(grossOut, plan.route.impactBps);
    }
}
