// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHub} from "./interfaces/IHub.sol";
import {IOptimizer} from "./interfaces/IOptimizer.sol";
import {ISolver} from "./interfaces/ISolver.sol";
import {bestPoolOf} from "./solver/BestPool.sol";
import {discover} from "./solver/Discovery.sol";
import {FIRST_RANGES, anyExhausted, connect, extend, write} from "./solver/Network.sol";
import {Draft, draftOf} from "./solver/Planner.sol";
import {Search} from "./solver/Search.sol";
import {PreviewOptions} from "./types/Plan.sol";

/// @title Finds the route
contract Solver is ISolver {
    IHub public immutable hub;
    IOptimizer public immutable optimizer;

    /// @dev Connector tokens in play at most: the chain's own and the caller's hints.
    uint256 private constant MAX_CONNECTORS = 9;
    /// @dev Times that curves are read further and the split is computed again.
    uint256 private constant MAX_ROUNDS = 5;
    /// @dev Each time, that many times more ranges are read of what was exhausted.
    uint256 private constant RANGES_FACTOR = 4;
    /// @dev Share of the bound that covers the rounding of drawn curves, as a shift.
    uint256 private constant BOUND_MARGIN_SHIFT = 28;

    constructor(IHub hub_, IOptimizer optimizer_) {
        hub = hub_;
        optimizer = optimizer_;
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

        Search memory search;
        search.amountIn = amountIn;
        search.venues = hub.venues();
        _putInPlay(search, tokenIn, tokenOut, options.connectors);
        discover(search);
        solution.poolsRead = search.poolCount;
        connect(search);
        if (search.edges.length == 0) return solution;

        IOptimizer.Allocation memory allocation = _allocate(search);
        solution.truncated = search.truncated;
        if (allocation.amountOut == 0) return solution;
        Draft memory draft = draftOf(search, allocation.flows);
        draft = _notBelowBestPool(search, draft, solution);
        _write(solution, draft, allocation.upperBound);
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
            ranges *= RANGES_FACTOR;
            if (!extend(search, allocation.flows, allocation.prices, ranges)) return allocation;
            warmPrices = allocation.prices;
        }
    }

    /// @dev A single pool is taken where it pays more than the plan.
    function _notBelowBestPool(Search memory search, Draft memory draft, Solution memory solution)
        private
        view
        returns (Draft memory)
    {
        (uint256 edge, uint256 amountOut) = bestPoolOf(search, draft.grossOut);
        solution.hasSurplus = draft.grossOut > amountOut + amountOut / 10_000;
        if (amountOut <= draft.grossOut) return draft;
        uint256[] memory flows = new uint256[](search.edges.length);
        flows[edge] = search.amountIn;
        return draftOf(search, flows);
    }

    function _write(Solution memory solution, Draft memory draft, uint256 upperBound) private pure {
        solution.route.legs = draft.legs;
        solution.route.grossOut = draft.grossOut;
        if (draft.marginalOut > draft.grossOut) {
            solution.route.impactBps = (draft.marginalOut - draft.grossOut) * 10_000 / draft.marginalOut;
        }
        upperBound += (upperBound >> BOUND_MARGIN_SHIFT) + draft.legs.length;
        solution.upperBound = upperBound > draft.grossOut ? upperBound : draft.grossOut;
        solution.legsGas = draft.gas;
        solution.hops = draft.hops;
    }
}
