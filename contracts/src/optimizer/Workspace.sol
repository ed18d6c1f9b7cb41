// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, put} from "../math/UncheckedArrays.sol";
import {Response} from "./CalldataCurve.sol";
import {mulShift} from "./FixedPoint.sol";
import {Network} from "./Network.sol";

/// @dev Price of `tokenOut` in itself: 1 in Q96.
uint256 constant UNIT_PRICE = 1 << 96;
/// @dev Prices stay in this range, for their squares must fit a word and their quotients must mean something. Tokens of
/// 6 and 18 decimals whose values differ by twelve orders of magnitude lie within.
uint256 constant MIN_PRICE = 1 << 32;
uint256 constant MAX_PRICE = (1 << 143) - 1;

/// @dev Values above cannot be summed and multiplied safely; prices that lead there are given up.
uint256 constant MAX_VALUE = 1 << 176;
/// @dev The bound at such prices.
int256 constant WORTHLESS = type(int256).max;

/// @dev Values are counted so finely that the output has this many bits.
uint256 constant VALUE_BITS = 104;

/// @notice Working memory of one optimization.
/// @dev A price is the square root of what one unit of a node's token is worth in `tokenOut`, Q96; its square is the
/// worth, Q160. A value is an amount times its worth: units of `tokenOut` times 2**valueBits.
struct Workspace {
    Network network;
    uint256 valueBits;
    /// Gas that is kept for turning prices into a plan: the descent ends where less is left.
    uint256 gasKept;
    /// Per node.
    uint256[] prices;
    uint256[] trialPrices;
    uint256[] savedPrices;
    uint256[] worths;
    /// Value that flows into a node less what flows out, at the prices last evaluated.
    int256[] excess;
    /// Per edge: what it takes at `prices` and at `trialPrices`, 32 fractional bits.
    uint256[] demand;
    uint256[] trialDemand;
    /// Per edge: the segment of the last visit.
    uint256[] segments;
    /// Second derivatives of the bound by the logarithms of the worths; upper triangle, row by row.
    int256[] hessian;
    /// The same while it is factorised.
    int256[] factor;
    /// Right-hand side of the Newton system, then the step of the logarithms of the worths, Q64.
    int256[] step;
    /// Per edge: amounts of the seed.
    uint256[] seed;
    /// Bit per node: the seed passes through it, or waits in it.
    uint256 seeded;
    uint256 waited;
    Response response;
}

using {valueOf, setPrice, raisePairs} for Workspace global;

function newWorkspace(Network memory network) pure returns (Workspace memory s) {
    unchecked {
        s.network = network;
        uint256 nodes = network.target + 1;
        uint256 unknowns = network.target;
        uint256 edges = network.edges.length;
        s.prices = new uint256[](nodes);
        s.trialPrices = new uint256[](nodes);
        s.savedPrices = new uint256[](nodes);
        s.worths = new uint256[](nodes);
        s.excess = new int256[](nodes);
        s.demand = new uint256[](edges);
        s.trialDemand = new uint256[](edges);
        s.segments = new uint256[](edges);
        s.hessian = new int256[](unknowns * unknowns);
        s.factor = new int256[](unknowns * unknowns);
        s.step = new int256[](unknowns);
        s.seed = new uint256[](edges);
        for (uint256 k; k < edges; ++k) {
            s.segments[k] = network.edgeAt(k).curve().first();
        }
    }
}

/// @notice Value of an amount with 32 fractional bits, rounded down; at most `MAX_VALUE`.
function valueOf(Workspace memory s, uint256 worth, uint256 amount) pure returns (uint256 value) {
    unchecked {
        value = mulShift(worth, amount, 192 - s.valueBits);
        if (value > MAX_VALUE) value = MAX_VALUE;
    }
}

/// @notice The square of a price, Q160.
function worthOf(uint256 price) pure returns (uint256) {
    return mulShift(price, price, 32);
}

function setPrice(Workspace memory s, uint256 node, uint256 price) pure {
    put(s.prices, node, clampPrice(price));
}

function clampPrice(uint256 price) pure returns (uint256) {
    if (price < MIN_PRICE) return MIN_PRICE;
    return price > MAX_PRICE ? MAX_PRICE : price;
}

/// @notice Raises (a,1) to (a,2) where it lies below: waiting is free, so value never falls by it.
function raisePairs(Workspace memory s, uint256[] memory prices) pure {
    unchecked {
        Network memory network = s.network;
        for (uint256 node; node < network.layerOne; ++node) {
            if (!network.hasPair(node)) continue;
            uint256 later = at(prices, at(network.partners, node));
            if (at(prices, node) < later) put(prices, node, later);
        }
    }
}
