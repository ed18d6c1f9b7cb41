// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../interfaces/IOptimizer.sol";
import {IPricer} from "../interfaces/IPricer.sol";
import {Words} from "../libraries/Words.sol";
import {TokenGas} from "../math/TokenGas.sol";
import {put} from "../math/UncheckedArrays.sol";
import {GasValue} from "../types/GasValue.sol";
import {Edge} from "../types/Market.sol";
import {AFTER_PLANNING, GAS_AFTER_PER_EDGE, LEG_PARTS} from "./Budget.sol";
import {PoolWords} from "./PoolWords.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Words in front of a pool's own among the arguments of `IPricer.quote`.
uint256 constant POOL_AT = 4;

/// @notice Everything that one search has read and built so far.
struct Search {
    /// Tokens in play: the connector tokens, the hints after them, then `tokenIn`, then `tokenOut`.
    /// A connector token's index is also its first node, where it is reached by one swap.
    address[] tokens;
    uint256 connectors;
    uint256 amountIn;
    IPricer pricer;
    IOptimizer optimizer;
    /// What the search was given.
    uint256 gas;
    /// What the dearest split and the dearest draft so far have taken.
    uint256 splitGas;
    /// What the curves of the last split that pays anything pay of `tokenOut`.
    uint256 promised;
    /// There is not enough of it for all that the plan needs to be read.
    bool isShort;
    uint256 draftGas;
    /// There was no gas for some step, or a plan left what was read: more gas may find a better plan.
    bool isCutShort;
    /// Ranges that may still be read beyond the first ones. Counted and not metered, so that the same state always gives
    /// the same route.
    uint256 rangesLeft;
    /// As `PoolWords`.
    uint256[][] pools;
    /// Sorted by stage, as `IOptimizer` wants them.
    Edge[] edges;
    /// Of each token in play what pools that were left out may pay at most; `type(uint256).max` if unknown.
    uint256[] rest;
    /// A limit on pools, ticks or gas cut the search off.
    bool truncated;
    /// Times that a pool has refused what its curve promised, after which the curve promises less.
    uint256 refusals;
    /// Which edges no split may use any more, because plans left them out that had counted on much of them; and how many.
    bool[] shunned;
    uint256 shunnings;
    /// What gas costs, and what the tokens in play cost more of it than the plainest one. Those in the middle are measured
    /// when a plan with them is, bit by token: `measured`.
    GasValue gasValue;
    TokenGas[] tokenGas;
    uint256 measured;
    /// The most that a single pool pays; zero if none matters.
    uint256 mostOut;
    /// Whether a split wanted legs on several pairs of one pool, what plans with them can pay more at most, gas aside, and whether plans
    /// may have them now.
    bool wantsShared;
    uint256 sharedGain;
    bool shares;
    /// The pools as the last plan's legs on other pairs of them leave them.
    uint256[][] moved;
}

using {
    affords,
    afterSwap,
    gasBefore,
    legGas,
    price,
    shun,
    tokenInIndex,
    tokenOutIndex,
    tokenOfNode,
    layerTwo,
    source,
    sink,
    stageOf
} for Search global;

/// @notice Gas left before a part of the search must end.
/// @param percentAfter One of `Budget`.
function gasBefore(Search memory search, uint256 percentAfter) view returns (uint256) {
    uint256 kept = search.gas * percentAfter / 100 + GAS_AFTER_PER_EDGE * search.edges.length;
    return FixedPointMathLib.zeroFloorSub(gasleft(), kept);
}

/// @notice Whether something that took `gas` once can be done again, and a quarter more. Notes if it cannot.
function affords(Search memory search, uint256 gas, uint256 percentAfter) view returns (bool can) {
    unchecked {
        can = search.gasBefore(percentAfter) > gas + gas / 4;
    }
    if (!can) search.isCutShort = true;
}

/// @notice What pricing one leg may take: one that steps through more than that is not worth its gas.
function legGas(Search memory search) pure returns (uint256) {
    return search.gas / LEG_PARTS;
}

/// @notice What `IPricer.quote` answers for an input of an edge. Zeros if that takes too much gas to say.
function price(Search memory search, Edge memory edge, uint256 amountIn)
    returns (uint256 amountOut, uint256 gas, uint256 priceFloor)
{
    (bool answered, bytes memory answer) =
        _askPricer(search, IPricer.quote.selector, search.pools[edge.pool], edge, amountIn, POOL_AT);
    if (!answered) {
        search.isCutShort = true;
        return (0, 0, 0);
    }
    // abi.decode(answer, (uint256, uint256, uint256)), of the Pricer's answers alone.
    uint256[3] memory words;
    assembly ("memory-safe") {
        words := add(answer, 32)
    }
    return (words[0], words[1], words[2]);
}

/// @notice What `IPricer.afterSwap` answers for a swap on an edge whose pool is the same contract. Empty if that takes too much gas
/// to say.
/// @param pool The words of the pool that is moved.
function afterSwap(Search memory search, uint256[] memory pool, Edge memory by, uint256 amountIn)
    returns (uint256[] memory moved)
{
    (bool answered, bytes memory answer) =
        _askPricer(search, IPricer.afterSwap.selector, pool, by, amountIn, POOL_AT + 1);
    if (answered) return Words.decode(answer);
}

/// @param poolAt Number of the arguments, the last of which, behind the input, is the key of the edge's pool.
function _askPricer(
    Search memory search,
    bytes4 selector,
    uint256[] memory pool,
    Edge memory edge,
    uint256 amountIn,
    uint256 poolAt
) returns (bool, bytes memory) {
    unchecked {
        uint256[] memory arguments = new uint256[](poolAt + pool.length);
        put(arguments, 0, 32 * (poolAt - 1));
        put(arguments, 1, edge.zeroForOne ? 1 : 0);
        put(arguments, 2, amountIn);
        (,, uint256 key) = PoolWords.identify(search.pools[edge.pool]);
        put(arguments, POOL_AT - 1, key);
        put(arguments, poolAt - 1, pool.length);
        Words.copy(pool, 0, arguments, poolAt, pool.length);
        return Words.askOnce({
            target: address(search.pricer), selector: selector, arguments: arguments, gasCap: _priceCap(search)
        });
    }
}

/// @dev What one price may take. It leaves the gas of the last steps, unless that would leave it next to nothing.
function _priceCap(Search memory search) view returns (uint256) {
    return
        FixedPointMathLib.min(search.legGas(), FixedPointMathLib.max(search.gasBefore(AFTER_PLANNING), gasleft() / 4));
}

/// @notice No split may use an edge any more.
function shun(Search memory search, uint256 e) pure {
    search.shunned[e] = true;
    ++search.shunnings;
}

function tokenInIndex(Search memory search) pure returns (uint256) {
    return search.connectors;
}

function tokenOutIndex(Search memory search) pure returns (uint256) {
    return search.connectors + 1;
}

/// @notice Node of a connector token before the last swap.
function layerTwo(Search memory search, uint256 token) pure returns (uint256) {
    return search.connectors + token;
}

function source(Search memory search) pure returns (uint256) {
    return 2 * search.connectors;
}

function sink(Search memory search) pure returns (uint256) {
    return 2 * search.connectors + 1;
}

/// @notice Stage of the swaps out of a node: 1 out of `tokenIn`, 2 between connector tokens, 3 into `tokenOut`.
function stageOf(Search memory search, uint256 from) pure returns (uint256) {
    if (from == search.source()) return 1;
    return from < search.connectors ? 2 : 3;
}

/// @notice Index among the tokens in play of the token at a node.
function tokenOfNode(Search memory search, uint256 node) pure returns (uint256) {
    uint256 m = search.connectors;
    if (node < m) return node;
    return node - m;
}
