// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, clearInt, increase, put, putInt} from "../math/UncheckedArrays.sol";
import {AMOUNT_BITS, Response} from "./CalldataCurve.sol";
import {mulShift} from "./FixedPoint.sol";
import {Network, PackedEdge} from "./Network.sol";
import {MAX_VALUE, WORTHLESS, Workspace, worthOf} from "./Workspace.sol";

/// @notice Value of the Lagrange dual at `prices`: the input's worth plus what every pool would earn by trading at
/// them. No flow through the network delivers more, whatever the prices, if only (a,1) is not below (a,2).
/// @param demand Is written: the input of each edge at these prices.
/// @return bound A value, rounded up; `WORTHLESS` if a pool's trade has no sensible value, and then `excess` and
/// `hessian` are not complete.
/// @dev Fills `s.excess`, the derivatives of the bound by the logarithms of the worths, and `s.hessian`: the Laplacian
/// of a resistor network in which an edge conducts liquidity * price(from) * price(to) / 2.
function evaluate(Workspace memory s, uint256[] memory prices, uint256[] memory demand) pure returns (int256 bound) {
    unchecked {
        Network memory network = s.network;
        clearInt(s.excess);
        clearInt(s.hessian);
        for (uint256 node; node <= network.target; ++node) {
            put(s.worths, node, worthOf(at(prices, node)));
        }
        bound = int256(s.valueOf(at(s.worths, network.source), network.amountIn << AMOUNT_BITS)) + 1;
        putInt(s.excess, network.source, bound);
        if (bound > int256(MAX_VALUE)) return WORTHLESS;
        for (uint256 k; k < network.edges.length; ++k) {
            int256 surplus = _trade(s, prices, demand, k);
            if (surplus == WORTHLESS) return WORTHLESS;
            bound += surplus;
        }
    }
}

/// @dev What the edge earns at the prices.
function _trade(Workspace memory s, uint256[] memory prices, uint256[] memory demand, uint256 k)
    pure
    returns (int256 surplus)
{
    unchecked {
        PackedEdge edge = s.network.edgeAt(k);
        uint256 ratio = (at(prices, edge.from()) << 96) / at(prices, edge.to());
        if (ratio >= edge.curve().start()) {
            put(demand, k, 0);
            return 0;
        }
        Response memory response = s.response;
        edge.curve().respond(at(s.segments, k), ratio, response);
        put(s.segments, k, response.segment);
        put(demand, k, response.amountIn);

        uint256 paid = s.valueOf(at(s.worths, edge.from()), response.amountIn);
        uint256 earned = s.valueOf(at(s.worths, edge.to()), response.amountOut) + 1;
        if (paid >= MAX_VALUE || earned >= MAX_VALUE) return WORTHLESS;
        increase(s.excess, edge.from(), -int256(paid));
        increase(s.excess, edge.to(), int256(earned));
        if (response.liquidity != 0) _conduct(s, prices, edge, response.liquidity);
        return int256(earned) - int256(paid);
    }
}

/// @dev Adds the edge's conductance to the Laplacian.
function _conduct(Workspace memory s, uint256[] memory prices, PackedEdge edge, uint256 liquidity) pure {
    unchecked {
        (uint256 from, uint256 to) = (edge.from(), edge.to());
        int256 g = int256(conductance(s, liquidity, at(prices, from), at(prices, to)));
        uint256 unknowns = s.network.target;
        increase(s.hessian, from * unknowns + from, g);
        if (to == unknowns) return;
        increase(s.hessian, to * unknowns + to, g);
        increase(s.hessian, from < to ? from * unknowns + to : to * unknowns + from, -g);
    }
}

/// @notice `liquidity * priceFrom * priceTo / 2`: what a unit of the logarithm of a worth moves, as a value.
function conductance(Workspace memory s, uint256 liquidity, uint256 priceFrom, uint256 priceTo)
    pure
    returns (uint256 value)
{
    unchecked {
        value = mulShift(mulShift(liquidity, priceFrom, 64), priceTo, 129 - s.valueBits);
        if (value > MAX_VALUE) value = MAX_VALUE;
    }
}
