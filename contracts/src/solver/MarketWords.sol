// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Words} from "../libraries/Words.sol";

/// @notice What a search begins with.
struct MarketParts {
    /// The chain's connector tokens, the hints, `tokenIn`, `tokenOut`; each once.
    address[] tokens;
    /// Of each of them what pools that were left out may pay at most; `type(uint256).max` if unknown.
    uint256[] rest;
    /// Arrays of `PoolWords`, with indexes into `tokens`.
    uint256[][] pools;
    /// Arrays: the pool's index, doubled, plus one if it sells its token of the lower address; then `CurveWords`.
    uint256[][] edges;
    /// There were more pools than a search reads, or than the gas was enough for.
    bool truncated;
}

/// @title A market as words
/// @notice How it travels from the Finder to the Solver: arrays joined by `Words`, first whether it is truncated, the number
/// of pools, and the tokens; then the rest, the pools, an empty array, and the edges.
library MarketWords {
    uint256 private constant TOKENS_AT = 2;
    uint256 private constant POOLS_AT = 2;

    function pack(MarketParts memory market, uint256 pools, uint256 edges) internal pure returns (bytes memory) {
        uint256[] memory head = new uint256[](TOKENS_AT + market.tokens.length);
        (head[0], head[1]) = (market.truncated ? 1 : 0, pools);
        for (uint256 i; i < market.tokens.length; ++i) {
            head[TOKENS_AT + i] = uint160(market.tokens[i]);
        }
        uint256[][] memory all = Words.unset(POOLS_AT + pools + 1 + edges);
        (all[0], all[1]) = (head, market.rest);
        for (uint256 i; i < pools; ++i) {
            all[POOLS_AT + i] = market.pools[i];
        }
        for (uint256 i; i < edges; ++i) {
            all[POOLS_AT + pools + 1 + i] = market.edges[i];
        }
        all[POOLS_AT + pools] = new uint256[](0);
        return Words.join(all, all.length);
    }

    /// @dev In place: the words of each array in front of another become the other's length.
    function unpack(bytes memory joined) internal pure returns (MarketParts memory market) {
        uint256[][] memory all = Words.split(joined);
        uint256[] memory head = all[0];
        (market.truncated, market.rest) = (head[0] != 0, all[1]);
        address[] memory tokens;
        uint256[][] memory pools;
        uint256[][] memory edges;
        assembly ("memory-safe") {
            let count := mload(add(head, 64))
            tokens := add(head, 64)
            mstore(tokens, sub(mload(head), 2))
            edges := add(add(all, 96), shl(5, count))
            mstore(edges, sub(sub(mload(all), 3), count))
            pools := add(all, 64)
            mstore(pools, count)
        }
        (market.tokens, market.pools, market.edges) = (tokens, pools, edges);
    }
}
