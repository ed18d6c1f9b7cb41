// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAdapter} from "../interfaces/IAdapter.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {sortTokens} from "../libraries/Create2.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @notice A swap whose input has arrived.
struct Sale {
    address pool;
    uint256 key;
    address tokenIn;
    address tokenOut;
    uint256 amountIn;
    address to;
}

/// @title What adapters have in common
/// @notice Which pools there are for a pair, and that the input of a swap has arrived. The registry's own part is left to the
/// contract that inherits this.
abstract contract Adapter is IAdapter, ReentrancyGuardTransient {
    /// @dev Pools of a pair that are taken from the registry. More than that come as hints.
    uint256 internal constant MAX_FOUND = 8;

    /// @inheritdoc IAdapter
    address public immutable registry;

    constructor(address registry_) {
        registry = registry_;
    }

    /// @inheritdoc IAdapter
    function keysOf(address tokenA, address tokenB, uint256[] calldata hints)
        external
        view
        returns (uint256[] memory keys)
    {
        if (tokenA == tokenB) return keys;
        (address token0, address token1) = sortTokens(tokenA, tokenB);
        address[] memory found = _poolsOf(token0, token1);
        keys = new uint256[](found.length + hints.length);
        uint256 count;
        for (uint256 i; i < found.length; ++i) {
            count = _add(keys, count, found[i], token0, token1);
        }
        for (uint256 i; i < hints.length; ++i) {
            if (hints[i] >> 160 == 0) count = _add(keys, count, address(uint160(hints[i])), token0, token1);
        }
        assembly ("memory-safe") {
            mstore(keys, count)
        }
    }

    /// @inheritdoc IAdapter
    function swap(uint256 key, address tokenIn, address tokenOut, uint256 amountIn, address to)
        external
        nonReentrant
        returns (uint256 amountOut)
    {
        uint256 arrived = balanceOf(tokenIn, address(this));
        if (arrived < amountIn || arrived == 0) revert NotPaid(tokenIn, amountIn, arrived);
        return _swap(
            Sale({
                pool: adapterPool(key),
                key: key,
                tokenIn: tokenIn,
                tokenOut: tokenOut,
                amountIn: amountIn == 0 ? arrived : amountIn,
                to: to
            })
        );
    }

    /// @dev At most `MAX_FOUND` pools that the registry lists for the pair. Must not revert, whatever is answered.
    function _poolsOf(address token0, address token1) internal view virtual returns (address[] memory);

    /// @dev The key of a pool, which anybody may have named; zero unless the registry vouches for it. Must not revert.
    function _keyOf(address pool, address token0, address token1) internal view virtual returns (uint256);

    /// @dev Reverts with `NotInRegistry` unless the registry vouches for the sale's key and tokens. Then sells all of the input,
    /// pays `sale.to`, and leaves no allowance.
    function _swap(Sale memory sale) internal virtual returns (uint256 amountOut);

    /// @dev Writes the pool's key at `count` unless the pool is there already or is not the registry's.
    /// @return The count afterwards.
    function _add(uint256[] memory keys, uint256 count, address pool, address token0, address token1)
        private
        view
        returns (uint256)
    {
        for (uint256 i; i < count; ++i) {
            if (adapterPool(keys[i]) == pool) return count;
        }
        uint256 key = _keyOf(pool, token0, token1);
        if (key == 0) return count;
        keys[count] = key;
        return count + 1;
    }
}
