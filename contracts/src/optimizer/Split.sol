// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, put} from "../math/UncheckedArrays.sol";
import {AMOUNT_BITS, Response} from "./CalldataCurve.sol";
import {mulShift} from "./FixedPoint.sol";
import {Network, PackedEdge} from "./Network.sol";
import {MIN_PRICE, Workspace} from "./Workspace.sol";

/// @dev Evaluations of a node's edges while its holding is split.
uint256 constant SPLIT_STEPS = 12;
/// @dev What may be left unsplit, as a part of the holding.
uint256 constant SPLIT_SHIFT = 36;

/// @dev A node whose holding is being split. Amounts carry 32 fractional bits.
struct Holder {
    uint256 node;
    /// The later node of the pair, if it lacks anything, and its price; zero if not.
    uint256 later;
    uint256 laterPrice;
    uint256 wanted;
    /// What the later node lacks at its price, and what its edges then demand in all.
    uint256 lack;
    uint256 laterDemand;
    /// Prices between which the demand meets what is wanted; zero if unknown.
    uint256 low;
    uint256 high;
}

/// @notice Splits what a node really holds among its edges: finds the price at which they demand just that, the prices of
/// the nodes behind them unchanged. Their demand goes to `s.trialDemand`.
/// @param lack What the later node of the pair lacks, 32 fractional bits; zero if there is none.
/// @return waiting What should wait, likewise.
/// @dev As a function of 1 / price the demand is made of straight lines, so that Newton's method is exact once the
/// segments are right. At the later node's price demand jumps by what that node lacks; below, the two are one.
function split(Workspace memory s, uint256 node, uint256 holding, uint256 lack) pure returns (uint256 waiting) {
    unchecked {
        Holder memory holder;
        holder.node = node;
        holder.wanted = holding << AMOUNT_BITS;
        if (lack != 0) {
            holder.later = at(s.network.partners, node);
            holder.laterPrice = at(s.prices, holder.later);
            holder.lack = lack;
            (holder.laterDemand,) = _demandAt(s, holder.later, holder.laterPrice);
        }
        uint256 price = at(s.prices, node);
        uint256 best;
        uint256 least = type(uint256).max;
        for (uint256 k; k < SPLIT_STEPS; ++k) {
            uint256 total;
            uint256 reserves;
            (total, waiting, reserves) = _ask(s, holder, price);
            uint256 wanted = holder.wanted;
            uint256 error = total > wanted ? total - wanted : wanted - total;
            if (error < least) (best, least) = (price, error);
            if (error <= wanted >> SPLIT_SHIFT) break;
            if (total > wanted) holder.low = price;
            else holder.high = price;
            uint256 next = _follow(price, reserves, reserves + wanted - total);
            if (next != price) next = _narrow(holder, price, next);
            // As near as prices can tell.
            if (next == price) break;
            price = next;
        }
        if (price != best) (, waiting,) = _ask(s, holder, best);
    }
}

/// @dev What is demanded of the holder at a price, waiting included.
function _ask(Workspace memory s, Holder memory holder, uint256 price)
    pure
    returns (uint256 total, uint256 waiting, uint256 reserves)
{
    unchecked {
        (total, reserves) = _demandAt(s, holder.node, price);
        if (holder.laterPrice == 0 || price > holder.laterPrice) return (total, 0, reserves);
        if (price == holder.laterPrice) {
            if (holder.wanted > total) waiting = holder.wanted - total;
            if (waiting > holder.lack) waiting = holder.lack;
        } else {
            (uint256 laterDemand, uint256 laterReserves) = _demandAt(s, holder.later, price);
            waiting = holder.lack + laterDemand - holder.laterDemand;
            reserves += laterReserves;
        }
        total += waiting;
    }
}

/// @dev `price * reserves / wantedReserves`, kept within a factor of 4; zero if that has no meaning.
function _follow(uint256 price, uint256 reserves, uint256 wantedReserves) pure returns (uint256) {
    unchecked {
        if (reserves >> 190 != 0 || wantedReserves >> 190 != 0) return 0;
        if (wantedReserves <= reserves >> 2) return price << 2;
        if (wantedReserves >> 2 >= reserves) return price >> 2;
        return mulShift(price, (reserves << 64) / wantedReserves, 64);
    }
}

/// @dev Keeps the next price between the known ones, and stops at the later node's price on the way past it.
function _narrow(Holder memory holder, uint256 price, uint256 next) pure returns (uint256) {
    unchecked {
        (uint256 low, uint256 high) = (holder.low, holder.high);
        if ((low != 0 && next <= low) || (high != 0 && next >= high)) {
            if (low == 0) next = price - (price >> 3);
            else if (high == 0) next = price + (price >> 3);
            else next = (low + high) >> 1;
        }
        uint256 later = holder.laterPrice;
        if ((price > later && next < later) || (price < later && next > later)) next = later;
        return next < MIN_PRICE ? MIN_PRICE : next;
    }
}

/// @dev Demand of the node's edges at the given price.
/// @return total 32 fractional bits.
/// @return reserves Virtual input reserves of the segments where demand answers to the price, likewise.
function _demandAt(Workspace memory s, uint256 node, uint256 price) pure returns (uint256 total, uint256 reserves) {
    unchecked {
        Network memory network = s.network;
        Response memory response = s.response;
        for (uint256 k = at(network.begins, node); k < at(network.ends, node); ++k) {
            PackedEdge edge = network.edgeAt(k);
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
