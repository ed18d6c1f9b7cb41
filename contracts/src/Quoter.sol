// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DryRun} from "./execution/DryRun.sol";
import {IHub} from "./interfaces/IHub.sol";
import {IQuoter} from "./interfaces/IQuoter.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {ISolver} from "./interfaces/ISolver.sol";
import {currentWitness} from "./libraries/Witnesses.sol";
import {grossForNet, ironFloorOf, protocolFee} from "./math/FeeMath.sol";
import {Plan, PreviewOptions, Verdict} from "./types/Plan.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title Prices the best route
contract Quoter is IQuoter, DryRun {
    IHub public immutable hub;
    ISolver public immutable solver;
    IRouter public immutable router;

    uint256 private constant MAX_HINTS = 4;
    /// @dev What is kept of the gas for a search without hints, if there is three times as much.
    uint256 private constant PLAIN_GAS = 7_500_000;
    /// @dev Part of the gas that an exact preview keeps for its dry run, and the most that it keeps.
    uint256 private constant RUN_PARTS = 4;
    uint256 private constant RUN_GAS = 5_000_000;
    /// @dev Times that a taxed route's numbers are run again until what is quoted is what is delivered.
    uint256 private constant MAX_RUNS = 6;
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
        return _preview(tokenIn, tokenOut, amountIn, options, 0);
    }

    /// @inheritdoc IQuoter
    function previewPlan(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        view
        returns (Plan memory)
    {
        return _preview(tokenIn, tokenOut, amountIn, options, 0);
    }

    /// @inheritdoc IQuoter
    function previewPlanExact(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        returns (Plan memory plan)
    {
        uint256 runGas = FixedPointMathLib.min(gasleft() / RUN_PARTS, RUN_GAS);
        plan = _preview(tokenIn, tokenOut, amountIn, options, runGas);
        if (plan.verdict != Verdict.Executable) return plan;
        for (uint256 run; run < MAX_RUNS; ++run) {
            (uint256 delivered, bytes memory failure) = _dryRun(plan.route, router, hub);
            if (failure.length == 0 && delivered == plan.netOut) return plan;
            if (failure.length != 0) {
                // The floor of an untaxed quote stops a taxed route: a quote of next to nothing lets it through once.
                if (bytes4(failure) != IRouter.BelowFloor.selector || plan.route.grossOut == 1) {
                    plan.verdict = Verdict.DryRunFailed;
                    return plan;
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
        view
        returns (Plan memory plan)
    {
        if (amountIn == 0) revert ZeroAmount();
        if (tokenIn == tokenOut) revert SameToken(tokenIn);
        if (options.connectors.length > MAX_HINTS) revert TooManyConnectors(options.connectors.length, MAX_HINTS);
        plan.witness = currentWitness();
        plan.route.tokenIn = tokenIn;
        plan.route.tokenOut = tokenOut;
        plan.route.amountIn = amountIn;
        plan.verdict = Verdict.NoRoute;
        (plan.upperBound, plan.gapMicroBps) = (NO_BOUND, NO_BOUND);
        if (tokenIn.code.length == 0) plan.verdict = Verdict.TokenInNotContract;
        else if (tokenOut.code.length == 0) plan.verdict = Verdict.TokenOutNotContract;
        else _price(plan, options, kept);
    }

    function _price(Plan memory plan, PreviewOptions memory options, uint256 kept) private view {
        (address tokenIn, address tokenOut) = (plan.route.tokenIn, plan.route.tokenOut);
        ISolver.Solution memory solution = options.connectors.length == 0 || gasleft() < 3 * PLAIN_GAS + kept
            ? solver.findRoute{gas: gasleft() - kept}(tokenIn, tokenOut, plan.route.amountIn, options)
            : _findWithHints(tokenIn, tokenOut, plan.route.amountIn, options, kept);
        plan.truncated = solution.truncated;
        plan.poolsRead = solution.poolsRead;
        if (solution.nothingOut) plan.verdict = Verdict.NothingOut;
        if (solution.route.legs.length == 0) return;

        plan.route = solution.route;
        plan.hops = solution.hops;
        plan.hasSurplus = solution.hasSurplus;
        plan.upperBound = solution.upperBound;
        plan.estGas = solution.gas + router.settlementGas(tokenOut);
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
    ) private view returns (ISolver.Solution memory solution) {
        try solver.findRoute{gas: gasleft() - PLAIN_GAS - kept}(tokenIn, tokenOut, amountIn, options) returns (
            ISolver.Solution memory hinted
        ) {
            if (!hinted.truncated) return hinted;
            solution = hinted;
        } catch {}
        PreviewOptions memory plainly = PreviewOptions(options.gasPrice, new address[](0));
        ISolver.Solution memory plain = solver.findRoute{gas: gasleft() - kept}(tokenIn, tokenOut, amountIn, plainly);
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
