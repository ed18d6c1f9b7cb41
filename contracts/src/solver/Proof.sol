// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Q96} from "../math/Ratio.sol";
import {at} from "../math/UncheckedArrays.sol";
import {Edge} from "../types/Market.sol";
import {isBeyondRead} from "./Edges.sol";
import {PoolWords} from "./PoolWords.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Amounts from here on are no amounts of any token.
uint256 constant MAX_MOST = 1 << 128;

/// @notice What a bound at these prices leaves out, in units of `tokenOut`, rounded up: what pools may pay beyond what was
/// read of them, where the prices reach there, and what pools may forget to charge. `type(uint256).max` if unknown.
/// @dev At the prices that prove the bound a pool gains by nothing more than what it pays is worth. Pools that round their
/// fee on the input down swap up to a unit free of fee, which no curve draws: it has no length.
/// @param prices Square roots of the shadow prices per node, Q96 against `tokenOut`.
function leftOutOf(Search memory search, uint256[] memory prices) pure returns (uint256 worth) {
    // Whether some token may be reached that no drawn way reaches.
    bool hides;
    for (uint256 token; token < search.rest.length; ++token) {
        uint256 most = at(search.rest, token);
        if (most >= MAX_MOST) return type(uint256).max;
        if (most == 0) continue;
        hides = true;
        // A connector token is worth most before its last two swaps, if it has a price there.
        uint256 price = token == search.tokenOutIndex() ? at(prices, search.sink()) : at(prices, token);
        if (price == 0 && token < search.connectors) price = at(prices, search.layerTwo(token));
        worth += _worthOf(most, price);
    }
    for (uint256 e; e < search.edges.length; ++e) {
        hides = hides || (search.edges[e].curve.open && search.edges[e].curve.drawn() == 0);
    }
    for (uint256 e; e < search.edges.length; ++e) {
        Edge memory edge = search.edges[e];
        if (PoolWords.kindOf(search.pools[edge.pool]).roundsFeeDown()) worth += _worthOf(1, at(prices, edge.from));
        if (at(prices, edge.to) == 0) continue;
        // A bound counts a token without a price as worth nothing: what is drawn out of it would pay whatever it has.
        if (at(prices, edge.from) == 0 && edge.curve.drawn() != 0) {
            if (hides) return type(uint256).max;
            continue;
        }
        if (!isBeyondRead(edge, prices)) continue;
        if (edge.curve.most >= MAX_MOST) return type(uint256).max;
        worth += _worthOf(edge.curve.most, at(prices, edge.to));
    }
    return (worth + Q96 - 1) / Q96;
}

/// @dev In Q96.
function _worthOf(uint256 amount, uint256 price) pure returns (uint256) {
    return FixedPointMathLib.fullMulDivUp(amount * price, price, Q96);
}
