// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHub} from "./interfaces/IHub.sol";
import {IOptimizer} from "./interfaces/IOptimizer.sol";
import {IPricer} from "./interfaces/IPricer.sol";
import {ISolver} from "./interfaces/ISolver.sol";
import {protocolFee} from "./math/FeeMath.sol";
import {sqrtRatio} from "./math/Ratio.sol";
import {bestPathOf} from "./solver/BestPath.sol";
import {bestPoolOf} from "./solver/BestPool.sol";
import {forgivenBy} from "./solver/Forgiven.sol";
import {GasValue, gasValueOf} from "./solver/GasValue.sol";
import {
    FIRST_RANGES,
    anyExhausted,
    connect,
    extend,
    mostInput,
    usedEdges,
    write,
    writeSome
} from "./solver/Network.sol";
import {Draft, draftOf} from "./solver/Planner.sol";
import {prune} from "./solver/Pruning.sol";
import {dropRivals} from "./solver/Rivals.sol";
import {Search} from "./solver/Search.sol";
import {PreviewOptions} from "./types/Plan.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title Finds the route
contract Solver is ISolver {
    IHub public immutable hub;
    IOptimizer public immutable optimizer;
    IPricer public immutable pricer;

    /// @dev Connector tokens in play at most: the chain's own and the caller's hints.
    uint256 private constant MAX_CONNECTORS = 9;
    /// @dev Times that curves are read further and the split is computed again.
    uint256 private constant MAX_ROUNDS = 5;
    /// @dev Ranges that one direction of a pool is read further by at once, and all together in one search: nodes cap
    /// calls, and a range costs about 12k gas.
    uint256 private constant RANGES_AT_ONCE = 64;
    uint256 private constant MAX_RANGES = 320;
    /// @dev Each time, that many times more ranges are read of what was exhausted.
    uint256 private constant RANGES_FACTOR = 4;
    /// @dev Times that legs which do not pay for their gas are left out and the rest is split again.
    uint256 private constant MAX_PRUNINGS = 2;
    /// @dev Times that legs on one pool are told apart and the rest is split again.
    uint256 private constant MAX_CONTESTS = 2;
    /// @dev Inputs that the optimizer takes; no pool holds more.
    uint256 private constant MAX_AMOUNT = type(uint128).max;
    /// @dev Share of the bound that covers the rounding of drawn curves, as a shift.
    uint256 private constant BOUND_MARGIN_SHIFT = 28;

    constructor(IHub hub_, IOptimizer optimizer_, IPricer pricer_) {
        hub = hub_;
        optimizer = optimizer_;
        pricer = pricer_;
    }

    /// @inheritdoc ISolver
    function findRoute(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        view
        returns (Solution memory solution)
    {
        solution.route.tokenIn = tokenIn;
        solution.route.tokenOut = tokenOut;
        solution.route.amountIn = amountIn;

        if (amountIn > MAX_AMOUNT) return solution;
        Search memory search;
        search.amountIn = amountIn;
        search.pricer = pricer;
        search.rangesLeft = MAX_RANGES;
        _putInPlay(search, tokenIn, tokenOut, options.connectors);
        (search.pools, search.truncated) = pricer.findPools(hub, search.tokens, search.connectors);
        search.poolCount = search.pools.length;
        solution.poolsRead = search.poolCount;
        connect(search);
        if (mostInput(search) < amountIn) return solution;

        IOptimizer.Allocation memory allocation = _allocate(search);
        solution.truncated = search.truncated;
        if (allocation.amountOut == 0) return solution;
        _withoutRivals(search, allocation);
        Draft memory draft = draftOf(search, allocation.flows, allocation.prices);
        if (options.gasPrice != 0) draft = _netOfGas(search, draft, allocation, options.gasPrice);
        if (draft.legs.length == 0) draft = draftOf(search, bestPathOf(search, 3), allocation.prices);
        draft = _notBelowBestPool(search, draft, allocation.prices, solution);
        _write(solution, draft, _withMargin(search, draft, allocation));
    }

    /// @dev Connector tokens, hints, `tokenIn`, `tokenOut`, each once.
    function _putInPlay(Search memory search, address tokenIn, address tokenOut, address[] calldata hints)
        private
        view
    {
        address[] memory connectorTokens = hub.connectorTokens();
        address[] memory tokens = new address[](connectorTokens.length + hints.length + 2);
        uint256 count;
        for (uint256 i; i < connectorTokens.length + hints.length && count < MAX_CONNECTORS; ++i) {
            address token = i < connectorTokens.length ? connectorTokens[i] : hints[i - connectorTokens.length];
            if (token == tokenIn || token == tokenOut || token == address(0)) continue;
            bool known;
            for (uint256 k; k < count; ++k) {
                known = known || tokens[k] == token;
            }
            if (!known) tokens[count++] = token;
        }
        search.connectors = count;
        (tokens[count], tokens[count + 1]) = (tokenIn, tokenOut);
        assembly ("memory-safe") {
            mstore(tokens, add(count, 2))
        }
        search.tokens = tokens;
    }

    /// @dev Splits the input, and reads further what the split or its proof exhausts, until nothing is.
    function _allocate(Search memory search) private view returns (IOptimizer.Allocation memory allocation) {
        uint256 ranges = FIRST_RANGES;
        uint256[] memory warmPrices;
        for (uint256 round = 1;; ++round) {
            (uint256[] memory words, uint256[] memory offsets) = write(search);
            allocation = optimizer.optimize(search.connectors, search.amountIn, words, offsets, warmPrices);
            if (allocation.amountOut == 0) return allocation;
            if (round == MAX_ROUNDS) {
                if (anyExhausted(search, allocation.flows, allocation.prices)) search.truncated = true;
                return allocation;
            }
            ranges = FixedPointMathLib.min(ranges * RANGES_FACTOR, RANGES_AT_ONCE);
            if (!extend(search, allocation.flows, allocation.prices, ranges)) return allocation;
            warmPrices = allocation.prices;
        }
    }

    /// @dev The best net of gas among the plan, what is left of it when legs that do not pay for their gas are left out,
    /// and the best path of each length.
    function _netOfGas(
        Search memory search,
        Draft memory draft,
        IOptimizer.Allocation memory allocation,
        uint256 gasPrice
    ) private view returns (Draft memory best) {
        uint256 rate = sqrtRatio(draft.grossOut, search.amountIn);
        GasValue memory value = gasValueOf(search, hub.wrappedNative(), gasPrice, allocation.prices, rate);
        best = draft;
        uint256[] memory flows = allocation.flows;
        for (uint256 round; round < MAX_PRUNINGS; ++round) {
            bool dropped;
            (flows, dropped) = prune(search, flows, draft.edgeGas, allocation.prices, value);
            if (!dropped) break;
            flows = _splitAgain(search, usedEdges(flows));
            draft = draftOf(search, flows, allocation.prices);
            best = _better(best, draft, value);
        }
        for (uint256 hops = 1; hops <= 3; ++hops) {
            best = _better(best, draftOf(search, bestPathOf(search, hops), allocation.prices), value);
        }
    }

    /// @dev Where the split puts two legs on one pool, splits again with the better one alone.
    function _withoutRivals(Search memory search, IOptimizer.Allocation memory allocation) private view {
        for (uint256 round; round < MAX_CONTESTS; ++round) {
            uint256[] memory allowed = dropRivals(search, allocation.flows, allocation.prices);
            if (allowed.length == 0) return;
            allocation.flows = _splitAgain(search, allowed);
        }
    }

    /// @dev The best split over some edges; where they lead nowhere, the best path.
    function _splitAgain(Search memory search, uint256[] memory which) private view returns (uint256[] memory split) {
        (uint256[] memory words, uint256[] memory offsets) = writeSome(search, which);
        IOptimizer.Allocation memory allocation =
            optimizer.optimize(search.connectors, search.amountIn, words, offsets, new uint256[](0));
        if (allocation.amountOut == 0) return bestPathOf(search, 3);
        split = new uint256[](search.edges.length);
        for (uint256 i; i < allocation.flows.length; ++i) {
            split[which[i]] = allocation.flows[i];
        }
    }

    function _better(Draft memory a, Draft memory b, GasValue memory value) private pure returns (Draft memory) {
        return _netOf(b, value) > _netOf(a, value) ? b : a;
    }

    function _netOf(Draft memory draft, GasValue memory value) private pure returns (uint256) {
        uint256 netOut = draft.grossOut - protocolFee(draft.grossOut);
        return FixedPointMathLib.zeroFloorSub(netOut, value.costOf(draft.gas, draft.legs.length));
    }

    /// @dev A single pool is taken where it pays more than the plan.
    function _notBelowBestPool(
        Search memory search,
        Draft memory draft,
        uint256[] memory prices,
        Solution memory solution
    ) private view returns (Draft memory) {
        (uint256 edge, uint256 amountOut) = bestPoolOf(search, draft.grossOut);
        solution.hasSurplus = draft.grossOut > amountOut + amountOut / 10_000;
        if (amountOut <= draft.grossOut) return draft;
        uint256[] memory flows = new uint256[](search.edges.length);
        flows[edge] = search.amountIn;
        return draftOf(search, flows, prices);
    }

    /// @dev With what rounding can add to a routing: of drawn curves, of outputs, and of fees that round down.
    function _withMargin(Search memory search, Draft memory draft, IOptimizer.Allocation memory allocation)
        private
        pure
        returns (uint256)
    {
        uint256 margin = (allocation.upperBound >> BOUND_MARGIN_SHIFT) + draft.legs.length;
        margin += forgivenBy(search, allocation.prices);
        return FixedPointMathLib.saturatingAdd(allocation.upperBound, margin);
    }

    function _write(Solution memory solution, Draft memory draft, uint256 upperBound) private pure {
        solution.route.legs = draft.legs;
        solution.route.grossOut = draft.grossOut;
        if (draft.marginalOut > draft.grossOut) {
            solution.route.impactBps = (draft.marginalOut - draft.grossOut) * 10_000 / draft.marginalOut;
        }
        solution.upperBound = upperBound > draft.grossOut ? upperBound : draft.grossOut;
        solution.legsGas = draft.gas;
        solution.hops = draft.hops;
    }
}
