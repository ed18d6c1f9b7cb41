// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {protocolFee} from "../math/FeeMath.sol";
import {estimateOut} from "./Estimate.sol";
import {GasValue} from "./GasValue.sol";
import {Edge} from "./Market.sol";
import {usedEdges} from "./Network.sol";
import {worthOf} from "./Rivals.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice The used edges of a plan, in order, small enough to be walked again and again.
struct Bundle {
    uint256[] edge;
    uint256[] from;
    uint256[] to;
    uint256[] flow;
    uint256[] gas;
    /// What each leg's input is worth in `tokenOut`.
    uint256[] worth;
    uint256 amountIn;
    uint256 tokens;
    uint256 tokenIn;
    uint256 tokenOut;
}

/// @dev Legs that are tried in one round, least worth first, and trials in all: the rest is not worth its gas here.
uint256 constant TRIALS_PER_ROUND = 6;
uint256 constant MAX_TRIALS = 90;

/// @notice Leaves out the legs that do not pay for their gas: as long as the plan without some leg is worth more net of
/// gas, the least worthy leg goes (backward elimination), and what it carried goes in proportion to its neighbours.
/// @param legGas Gas of each edge's leg.
/// @param prices Square roots of the shadow prices per node, Q96 against `tokenOut`.
/// @return kept The flows of the legs kept, the others zero; amounts as they were.
/// @return dropped Whether any leg went.
function prune(
    Search memory search,
    uint256[] memory flows,
    uint256[] memory legGas,
    uint256[] memory prices,
    GasValue memory value
) pure returns (uint256[] memory kept, bool dropped) {
    Bundle memory bundle = _bundle(search, flows, legGas, prices);
    uint256 all = (1 << bundle.edge.length) - 1;
    uint256 alive = _onPaths(bundle, _worthTheirGas(bundle, value));
    if (alive == 0) alive = all;
    (uint256 net,) = _netOf(search, bundle, alive, value);
    for (uint256 trials; trials < MAX_TRIALS; trials += TRIALS_PER_ROUND) {
        (uint256 bestAlive, uint256 bestNet) = _bestWithoutOne(search, bundle, alive, value);
        if (bestAlive == 0 || bestNet <= net) break;
        (alive, net) = (bestAlive, bestNet);
    }
    dropped = alive != all;
    kept = new uint256[](flows.length);
    for (uint256 k; k < bundle.edge.length; ++k) {
        if (alive >> k & 1 == 1) kept[bundle.edge[k]] = bundle.flow[k];
    }
}

/// @dev A leg that carries less than its gas costs cannot pay, whatever it improves.
function _worthTheirGas(Bundle memory bundle, GasValue memory value) pure returns (uint256 alive) {
    for (uint256 k; k < bundle.edge.length; ++k) {
        if (bundle.worth[k] > value.costOf(bundle.gas[k], 1)) alive |= 1 << k;
    }
}

/// @dev Tries to leave out each of the legs that carry least.
function _bestWithoutOne(Search memory search, Bundle memory bundle, uint256 alive, GasValue memory value)
    pure
    returns (uint256 bestAlive, uint256 bestNet)
{
    uint256 untried = alive;
    for (uint256 trial; trial < TRIALS_PER_ROUND && untried != 0; ++trial) {
        uint256 least = _leastWorth(bundle, untried);
        untried &= ~(1 << least);
        (uint256 net, uint256 left) = _netOf(search, bundle, alive & ~(1 << least), value);
        if (left != 0 && (bestAlive == 0 || net > bestNet)) (bestAlive, bestNet) = (left, net);
    }
}

function _leastWorth(Bundle memory bundle, uint256 among) pure returns (uint256 least) {
    uint256 worth = type(uint256).max;
    for (uint256 k; k < bundle.edge.length; ++k) {
        if (among >> k & 1 == 1 && bundle.worth[k] < worth) (least, worth) = (k, bundle.worth[k]);
    }
}

/// @dev Walks the legs that are alive and lie on a path.
/// @return net Output after the protocol fee, less the gas.
/// @return used The legs that were walked; none where nothing connects the two tokens.
function _netOf(Search memory search, Bundle memory bundle, uint256 alive, GasValue memory value)
    pure
    returns (uint256 net, uint256 used)
{
    used = _onPaths(bundle, alive);
    if (used == 0) return (0, 0);
    uint256[] memory wanted = new uint256[](bundle.tokens);
    uint256[] memory held = new uint256[](bundle.tokens);
    for (uint256 k; k < bundle.edge.length; ++k) {
        if (used >> k & 1 == 1) wanted[bundle.from[k]] += bundle.flow[k];
    }
    held[bundle.tokenIn] = bundle.amountIn;
    uint256 gas;
    uint256 legs;
    for (uint256 k; k < bundle.edge.length; ++k) {
        if (used >> k & 1 == 0) continue;
        uint256 from = bundle.from[k];
        uint256 amount = FixedPointMathLib.fullMulDiv(held[from], bundle.flow[k], wanted[from]);
        wanted[from] -= bundle.flow[k];
        held[from] -= amount;
        held[bundle.to[k]] += estimateOut(search.edges[bundle.edge[k]].curve, amount);
        gas += bundle.gas[k];
        ++legs;
    }
    uint256 out = held[bundle.tokenOut];
    net = FixedPointMathLib.zeroFloorSub(out - protocolFee(out), value.costOf(gas, legs));
}

/// @dev Legs from which `tokenOut` is reached and which are reached from `tokenIn`, in their order.
function _onPaths(Bundle memory bundle, uint256 alive) pure returns (uint256 used) {
    uint256 useful = 1 << bundle.tokenOut;
    for (uint256 k = bundle.edge.length; k != 0;) {
        --k;
        if (alive >> k & 1 == 0 || useful >> bundle.to[k] & 1 == 0) continue;
        used |= 1 << k;
        useful |= 1 << bundle.from[k];
    }
    uint256 reached = 1 << bundle.tokenIn;
    for (uint256 k; k < bundle.edge.length; ++k) {
        if (used >> k & 1 == 0) continue;
        if (reached >> bundle.from[k] & 1 == 0) used &= ~(1 << k);
        else reached |= 1 << bundle.to[k];
    }
}

function _bundle(Search memory search, uint256[] memory flows, uint256[] memory legGas, uint256[] memory prices)
    pure
    returns (Bundle memory bundle)
{
    bundle.edge = usedEdges(flows);
    uint256 count = bundle.edge.length;
    (bundle.from, bundle.to) = (new uint256[](count), new uint256[](count));
    (bundle.flow, bundle.gas, bundle.worth) = (new uint256[](count), new uint256[](count), new uint256[](count));
    (bundle.amountIn, bundle.tokens) = (search.amountIn, search.tokens.length);
    (bundle.tokenIn, bundle.tokenOut) = (search.tokenInIndex(), search.tokenOutIndex());
    for (uint256 k; k < count; ++k) {
        uint256 e = bundle.edge[k];
        Edge memory edge = search.edges[e];
        (bundle.from[k], bundle.to[k]) = (search.tokenOfNode(edge.from), search.tokenOfNode(edge.to));
        (bundle.flow[k], bundle.gas[k]) = (flows[e], legGas[e]);
        bundle.worth[k] = worthOf(edge, flows[e], prices);
    }
}
