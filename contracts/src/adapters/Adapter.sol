// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {sortTokens} from "../libraries/Create2.sol";
import {adapterKey, adapterPool} from "../venues/AdapterKey.sol";
import {AdapterBase} from "./AdapterBase.sol";

/// @notice A swap whose input has arrived.
struct Sale {
    address pool;
    uint256 key;
    address tokenIn;
    address tokenOut;
    uint256 amountIn;
    address to;
}

/// @title What adapters share whose pools are contracts
/// @notice A hint is a pool's address.
/// @dev A new adapter writes `_poolsOf`, `_tokensOf`, `_keyOf`, `_swap` and its part of `ISampler`. `SampledAdapter`, `CurveAdapter` and
/// `Converter` write some of these for it.
abstract contract Adapter is AdapterBase {
    /// @dev Most pools of a pair that an adapter takes from its registry. Others can come as hints.
    uint256 internal constant MAX_FOUND = 8;

    constructor(address registry_) AdapterBase(registry_) {}

    /// @dev At most `MAX_FOUND` pools that the registry lists for the pair. Must not revert, whatever the registry answers.
    function _poolsOf(address token0, address token1) internal view virtual returns (address[] memory);

    /// @dev The key of a pool that anybody may have named; zero unless the registry vouches for the pool. Must not revert.
    function _keyOf(address pool, address token0, address token1) internal view virtual returns (uint256);

    /// @dev The tokens of a pool that anybody may have named. They need not be true, because `_keyOf` is asked afterwards. None if
    /// `_poolsOf` has all pools of a pair. Must not revert.
    function _tokensOf(address pool) internal view virtual returns (address[] memory);

    /// @dev Reverts with `NotInRegistry` unless the registry vouches for the sale's key and tokens; `_attest` does that for a pair
    /// that has one key. Then sells all of the input, pays `sale.to`, and leaves no allowance.
    function _swap(Sale memory sale) internal virtual returns (uint256 amountOut);

    /// @dev Reverts with `NotInRegistry` unless the sale's key is the one that `_keyOf` gives for its pool and tokens.
    /// @return zeroForOne Whether the token sold has the lower address of the two.
    function _attest(Sale memory sale) internal view returns (bool zeroForOne) {
        (address token0, address token1) = sortTokens(sale.tokenIn, sale.tokenOut);
        uint256 key = _keyOf(sale.pool, token0, token1);
        if (key == 0 || key != sale.key) revert NotInRegistry(sale.pool);
        return sale.tokenIn == token0;
    }

    /// @dev The key of a pool of these tokens for two of them; zero unless both are there.
    function _keyAmong(address pool, address[] memory tokens, address token0, address token1)
        internal
        pure
        returns (uint256)
    {
        (uint256 i, uint256 j) = (tokens.length, tokens.length);
        for (uint256 k; k < tokens.length; ++k) {
            if (tokens[k] == token0) i = k;
            if (tokens[k] == token1) j = k;
        }
        return i == tokens.length || j == tokens.length ? 0 : adapterKey(pool, i, j);
    }

    function _listed(address token0, address token1) internal view override returns (uint256[] memory words) {
        address[] memory pools = _poolsOf(token0, token1);
        // Addresses in memory are words.
        assembly ("memory-safe") {
            words := pools
        }
    }

    function _tokensIn(uint256 hint) internal view override returns (address[] memory tokens) {
        if (hint >> 160 == 0) return _tokensOf(address(uint160(hint)));
    }

    function _isOf(uint256 key, uint256 hint) internal pure override returns (bool) {
        return uint160(adapterPool(key)) == hint;
    }

    function _keyFor(uint256 hint, address token0, address token1) internal view override returns (uint256) {
        return hint >> 160 == 0 ? _keyOf(address(uint160(hint)), token0, token1) : 0;
    }

    function _sell(uint256 key, address tokenIn, address tokenOut, uint256 amountIn, address to)
        internal
        override
        returns (uint256 amountOut)
    {
        return _swap(Sale(adapterPool(key), key, tokenIn, tokenOut, amountIn, to));
    }
}
