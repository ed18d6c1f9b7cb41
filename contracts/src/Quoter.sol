// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DryRun} from "./execution/DryRun.sol";
import {IHub} from "./interfaces/IHub.sol";
import {IQuoter} from "./interfaces/IQuoter.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {ISolver} from "./interfaces/ISolver.sol";
import {currentWitness} from "./libraries/Witnesses.sol";
import {grossForNet, ironFloorOf, leastGrossFor, protocolFee} from "./math/FeeMath.sol";
import {MAX_INPUT} from "./output/LeastInput.sol";
import {OutputSearch, searchOutput} from "./output/OutputSearch.sol";
import {Plan, PreviewOptions, Verdict} from "./types/Plan.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title Prices the best route
contract Quoter is IQuoter, DryRun {
    IHub public immutable hub;
    ISolver public immutable solver;
    IRouter public immutable router;

    uint256 private constant MAX_HINTS = 4;
    uint256 private constant MAX_POOL_HINTS = 8;
    /// @dev What is kept of the gas for a search without hints, if there is three times as much.
    uint256 private constant PLAIN_GAS = 7_500_000;
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
        search.best.truncated = search.best.truncated || search.truncated;
        _take(plan, search.best);
        if (search.nothingOut && plan.verdict == Verdict.NoRoute) plan.verdict = Verdict.NothingOut;
        uint256 amountIn = plan.route.amountIn;
        if (amountIn == 0 || search.lowerBound == 0) return (plan, lowerBound, gap);
        if (amountIn / MICRO_BPS > search.lowerBound) return (plan, lowerBound, gap);
        lowerBound = FixedPointMathLib.min(search.lowerBound, amountIn);
        gap = FixedPointMathLib.fullMulDivUp(amountIn - lowerBound, MICRO_BPS, lowerBound);
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
        (address tokenIn, address tokenOut) = (plan.route.tokenIn, plan.route.tokenOut);
        ISolver.Solution memory solution = !options.hasHints() || gasleft() < 3 * PLAIN_GAS + kept
            ? solver.findRoute{gas: gasleft() - kept}(tokenIn, tokenOut, plan.route.amountIn, options)
            : _findWithHints(tokenIn, tokenOut, plan.route.amountIn, options, kept);
        _take(plan, solution);
    }

    /// @dev Makes a solution the plan.
    function _take(Plan memory plan, ISolver.Solution memory solution) private view {
        plan.truncated = solution.truncated;
        plan.poolsRead = solution.poolsRead;
        if (solution.nothingOut) plan.verdict = Verdict.NothingOut;
        if (solution.route.legs.length == 0) return;

        plan.route = solution.route;
        plan.hops = solution.hops;
        plan.hasSurplus = solution.hasSurplus;
        plan.upperBound = solution.upperBound;
        plan.estGas = solution.gas + router.settlementGas(plan.route.tokenOut);
        _setGross(plan, solution.route.grossOut);
        plan.verdict = plan.netOut == 0 ? Verdict.NothingOut : Verdict.Executable;
    }

    /// @dev Anybody can create pools for a hinted token, and enough of them cut the search off. Then the route without hints
    /// is found as well, and taken if it pays more. Its bound does not cover the hinted tokens.
    function _findWithHints(
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        PreviewOptions memory options,
        uint256 kept
    ) private returns (ISolver.Solution memory solution) {
        try solver.findRoute{gas: gasleft() - PLAIN_GAS - kept}(tokenIn, tokenOut, amountIn, options) returns (
            ISolver.Solution memory hinted
        ) {
            if (!hinted.truncated) return hinted;
            solution = hinted;
        } catch {}
        ISolver.Solution memory plain =
            solver.findRoute{gas: gasleft() - kept}(tokenIn, tokenOut, amountIn, options.withoutHints());
        if (solution.route.legs.length != 0 && solution.route.grossOut >= plain.route.grossOut) return solution;
        (plain.truncated, plain.upperBound) = (true, NO_BOUND);
        return plain;
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
        plan.netOut = grossOut - plan.protocolFee;
        plan.ironFloor = ironFloorOf(grossOut, plan.route.impactBps);
    }
}
