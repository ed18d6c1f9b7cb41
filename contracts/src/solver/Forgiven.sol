// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Q96} from "../math/Ratio.sol";
import {Venues} from "../venues/Venues.sol";
import {Edge} from "./Market.sol";
import {PoolWords} from "./PoolWords.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What all pools together may forget to charge, in units of `tokenOut`, rounded up: some round their fee on the
/// input down, so that up to a unit of it is swapped free of fee.
/// @dev No curve draws that: it has no length. At the shadow prices that prove the bound, a pool that is given one unit
/// more gains at most what the unit is worth.
/// @param prices Square roots of the shadow prices per node, Q96 against `tokenOut`.
function forgivenBy(Search memory search, uint256[] memory prices) pure returns (uint256 worth) {
    for (uint256 e; e < search.edges.length; ++e) {
        Edge memory edge = search.edges[e];
        if (!Venues.forgives(PoolWords.kindOf(search.pools[edge.pool]))) continue;
        worth += FixedPointMathLib.fullMulDivUp(prices[edge.from], prices[edge.from], Q96);
    }
    return (worth + Q96 - 1) / Q96;
}
