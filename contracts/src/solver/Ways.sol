// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, atArray} from "../math/UncheckedArrays.sol";
import {CurveWords} from "./CurveWords.sol";
import {Discovery} from "./Found.sol";
import {PoolWords} from "./PoolWords.sol";

/// @dev Bit by token: those that one swap reaches from `tokenIn` and those that at most two reach; those from which one
/// leads to `tokenOut`, and at most two.
struct Reach {
    uint256 byOne;
    uint256 byTwo;
    uint256 oneLeft;
    uint256 twoLeft;
}

/// @notice Leaves out the edges of which nothing could be drawn and that lie on no way of at most three swaps.
function dropBlind(Discovery memory discovery) pure {
    Reach memory reach;
    reach.twoLeft = reach.oneLeft = 1 << (discovery.connectors + 1);
    _follow(discovery, reach);
    (reach.byTwo, reach.twoLeft) = (reach.byOne, reach.oneLeft);
    _follow(discovery, reach);
    uint256 count;
    for (uint256 e; e < discovery.edgeCount; ++e) {
        uint256[] memory words = atArray(discovery.edges, e);
        if (CurveWords.isDrawn(words, 1) || _isOnWay(discovery, reach, words[0])) discovery.edges[count++] = words;
    }
    discovery.edgeCount = count;
}

/// @dev Notes what each edge reaches and from where.
function _follow(Discovery memory discovery, Reach memory reach) pure {
    uint256 tokenIn = discovery.connectors;
    for (uint256 e; e < discovery.edgeCount; ++e) {
        (uint256 from, uint256 to) = _tokensOf(discovery, at(atArray(discovery.edges, e), 0));
        if (from == tokenIn) reach.byOne |= 1 << to;
        else if (to > tokenIn) reach.oneLeft |= 1 << from;
        else if (reach.byOne >> from & 1 != 0) reach.byTwo |= 1 << to;
        if (from < tokenIn && reach.oneLeft >> to & 1 != 0) reach.twoLeft |= 1 << from;
    }
}

function _isOnWay(Discovery memory discovery, Reach memory reach, uint256 use) pure returns (bool) {
    (uint256 from, uint256 to) = _tokensOf(discovery, use);
    if (from == discovery.connectors) return reach.twoLeft >> to & 1 != 0;
    if (to > discovery.connectors) return reach.byTwo >> from & 1 != 0;
    return reach.byOne >> from & reach.oneLeft >> to & 1 != 0;
}

function _tokensOf(Discovery memory discovery, uint256 use) pure returns (uint256, uint256) {
    (uint256 token0, uint256 token1) = PoolWords.tokensOf(atArray(discovery.pools, use >> 1));
    return use & 1 == 1 ? (token0, token1) : (token1, token0);
}
