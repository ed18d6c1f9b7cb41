// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AMOUNT_BITS, Response} from "./Curve.sol";
import {mulShift} from "./FixedPoint.sol";
import {Edge, NONE, Network} from "./Network.sol";
import {Search} from "./Search.sol";
import {at, copy, put} from "./Words.sol";

/// @dev Evaluations of a node's edges while its holding is split.
uint256 constant SPLIT_STEPS = 12;
/// @dev What may be left unsplit, as a part of the holding.
uint256 constant SPLIT_SHIFT = 36;
/// @dev (a,1) counts as waiting for (a,2) when its price is not higher by more than this part.
uint256 constant TIE_SHIFT = 14;

/// @notice How what is held at the nodes is given to their edges.
struct Flow {
    /// Whether every node splits what it really holds by price, instead of in proportion to the demand.
    bool exact;
    /// Per edge: whole base units.
    uint256[] amounts;
    /// Per node.
    uint256[] holdings;
}

/// @notice Turns the demand at `s.prices` into a plan that can be executed: stage by stage, every node gives away all
/// that it really holds.
/// @return amounts Input of each edge.
/// @return amountOut What reaches the target.
function flowForward(Search memory s, bool exact) pure returns (uint256[] memory amounts, uint256 amountOut) {
    unchecked {
        Network memory network = s.network;
        amounts = new uint256[](network.edges.length);
        Flow memory flow = Flow(exact, amounts, new uint256[](network.target + 1));
        copy(s.demand, s.trialDemand);
        put(flow.holdings, network.source, network.amountIn);
        _give(s, flow, network.source);
        for (uint256 node; node < network.source; ++node) {
            _give(s, flow, node);
        }
        amountOut = at(flow.holdings, network.target);
    }
}

/// @dev Gives away what the node holds; `s.trialDemand` are the shares.
function _give(Search memory s, Flow memory flow, uint256 node) pure {
    unchecked {
        uint256 holding = at(flow.holdings, node);
        if (holding == 0) return;
        uint256 price = flow.exact ? _split(s, node, holding) : at(s.prices, node);
        (uint256 total, uint256 best) = _total(s, node);
        if (s.network.hasPair(node)) {
            holding -= _wait(s, flow, node, price, total);
        } else if (total == 0) {
            put(s.trialDemand, best, 1);
            total = 1;
        }
        if (holding != 0) _spread(s, flow, node, holding, total);
    }
}

/// @dev Leaves to the later node of the pair what nothing is asked for at the price where the two are even.
/// @return waiting What is left.
function _wait(Search memory s, Flow memory flow, uint256 node, uint256 price, uint256 total)
    pure
    returns (uint256 waiting)
{
    unchecked {
        uint256 later = at(s.network.partners, node);
        uint256 laterPrice = at(s.prices, later);
        uint256 holding = at(flow.holdings, node);
        uint256 wanted = total >> AMOUNT_BITS;
        if (total != 0 && (wanted >= holding || price > laterPrice + (laterPrice >> TIE_SHIFT))) return 0;
        waiting = holding - wanted;
        put(flow.holdings, later, at(flow.holdings, later) + waiting);
    }
}

/// @dev Gives `holding` to the node's edges by their shares, which sum to `total`.
function _spread(Search memory s, Flow memory flow, uint256 node, uint256 holding, uint256 total) pure {
    unchecked {
        Network memory network = s.network;
        for (uint256 k = at(network.begins, node); k < at(network.ends, node); ++k) {
            uint256 weight = at(s.trialDemand, k);
            if (weight == 0) continue;
            // Of what is left, so that the last edge takes all of it.
            uint256 amount = _share(holding, weight, total);
            holding -= amount;
            total -= weight;
            put(flow.amounts, k, amount);
            Edge edge = network.edgeAt(k);
            (uint256 output,,) = edge.curve().quote(edge.curve().first(), amount);
            put(flow.holdings, edge.to(), at(flow.holdings, edge.to()) + output);
        }
    }
}

/// @dev `holding * weight / total`, rounded down; exact where `weight` is `total`.
function _share(uint256 holding, uint256 weight, uint256 total) pure returns (uint256) {
    unchecked {
        if (weight == total) return holding;
        uint256 unit = (total >> 128) + 1;
        return mulShift(holding, ((weight / unit) << 128) / (total / unit), 128);
    }
}

/// @dev Sum of the shares, and the edge with the best price for a first unit.
function _total(Search memory s, uint256 node) pure returns (uint256 total, uint256 best) {
    unchecked {
        Network memory network = s.network;
        uint256 bestPrice;
        for (uint256 k = at(network.begins, node); k < at(network.ends, node); ++k) {
            total += at(s.trialDemand, k);
            Edge edge = network.edgeAt(k);
            uint256 price = mulShift(edge.curve().start(), at(s.prices, edge.to()), 96);
            if (price >= bestPrice) (best, bestPrice) = (k, price);
        }
    }
}

/// @dev Finds the price of the node at which its edges demand what it holds; their demand goes to `s.trialDemand`. As a
/// function of 1 / price the demand is made of straight lines, so that Newton's method is exact once the segments are
/// right.
/// @return price Not below that of the later node of a pair: what is too much at that price waits.
function _split(Search memory s, uint256 node, uint256 holding) pure returns (uint256 price) {
    unchecked {
        uint256 least = s.network.hasPair(node) ? at(s.prices, at(s.network.partners, node)) : 1;
        uint256 wanted = holding << AMOUNT_BITS;
        uint256 low;
        uint256 high;
        price = at(s.prices, node);
        for (uint256 k; k < SPLIT_STEPS; ++k) {
            (uint256 total, uint256 reserves) = _demandAt(s, node, price);
            uint256 error = total > wanted ? total - wanted : wanted - total;
            if (error <= wanted >> SPLIT_SHIFT) break;
            if (total > wanted) low = price;
            else if (price == least) break;
            else high = price;

            uint256 next = _nextPrice(price, reserves, reserves + wanted - total);
            if ((low != 0 && next <= low) || (high != 0 && next >= high)) {
                if (low == 0) next = price - (price >> 3);
                else if (high == 0) next = price + (price >> 3);
                else next = (low + high) >> 1;
                if (next == price) break;
            }
            price = next < least ? least : next;
        }
    }
}

/// @dev `price * reserves / wantedReserves`, kept within a factor of 4; zero where that has no meaning.
function _nextPrice(uint256 price, uint256 reserves, uint256 wantedReserves) pure returns (uint256) {
    unchecked {
        if (reserves >> 190 != 0 || wantedReserves >> 190 != 0) return 0;
        if (wantedReserves <= reserves >> 2) return price << 2;
        if (wantedReserves >> 2 >= reserves) return price >> 2;
        return mulShift(price, (reserves << 64) / wantedReserves, 64);
    }
}

/// @dev Demand of the node's edges at the given price.
/// @return total 32 fractional bits.
/// @return reserves Virtual input reserves of the segments where demand answers to the price.
function _demandAt(Search memory s, uint256 node, uint256 price) pure returns (uint256 total, uint256 reserves) {
    unchecked {
        Network memory network = s.network;
        Response memory response = s.response;
        for (uint256 k = at(network.begins, node); k < at(network.ends, node); ++k) {
            Edge edge = network.edgeAt(k);
            uint256 ratio = (price << 96) / at(s.prices, edge.to());
            if (ratio >= edge.curve().start()) {
                put(s.trialDemand, k, 0);
                continue;
            }
            edge.curve().respond(at(s.segments, k), ratio, response);
            put(s.segments, k, response.segment);
            put(s.trialDemand, k, response.amountIn);
            total += response.amountIn;
            reserves += (response.liquidity << (96 + AMOUNT_BITS)) / (ratio + 1);
        }
    }
}
