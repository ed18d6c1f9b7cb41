// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAdapter} from "../interfaces/IAdapter.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {sortTokens} from "../libraries/Create2.sol";
import {PriceFloor} from "../math/PriceFloor.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title What all adapters share
/// @notice `keysOf` gathers the pools of a pair, each once. `swap` checks that its input has arrived and that the
/// pool pays what the price floor demands, and cannot be reentered.
/// @dev A hint is a word that names a pool. Its meaning is up to the contract that inherits this: `Adapter` for pools that are
/// contracts, `SingletonAdapter` for pools that one contract keeps. A new adapter inherits one of the two.
abstract contract AdapterBase is IAdapter, ReentrancyGuardTransient {
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
        uint256[] memory found = _listed(token0, token1);
        keys = new uint256[](found.length + hints.length);
        uint256 count;
        for (uint256 i; i < found.length; ++i) {
            count = _add(keys, count, found[i], token0, token1);
        }
        for (uint256 i; i < hints.length; ++i) {
            count = _add(keys, count, hints[i], token0, token1);
        }
        assembly ("memory-safe") {
            mstore(keys, count)
        }
    }

    /// @inheritdoc IAdapter
    function heldBy(uint256[] calldata hints, address[] calldata tokens) external view returns (uint256[] memory held) {
        held = new uint256[](hints.length);
        for (uint256 i; i < hints.length; ++i) {
            address[] memory own = _tokensIn(hints[i]);
            for (uint256 t; t < tokens.length; ++t) {
                for (uint256 k; k < own.length; ++k) {
                    if (own[k] == tokens[t]) held[i] |= 1 << t;
                }
            }
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
        if (amountIn == 0) amountIn = arrived;
        amountOut = _sell(PriceFloor.without(key), tokenIn, tokenOut, amountIn, to);
        uint256 least = PriceFloor.leastOut(key, amountIn);
        if (amountOut < least) revert BelowPriceFloor(least, amountOut);
    }

    /// @dev The hints of the pools that the registry lists for the pair. Must not revert, whatever the registry answers.
    function _listed(address token0, address token1) internal view virtual returns (uint256[] memory);

    /// @dev The tokens of a hint's pool. They need not be true, because `_keyFor` is asked afterwards. None if `_listed` has all pools
    /// of a pair. Must not revert.
    function _tokensIn(uint256 hint) internal view virtual returns (address[] memory);

    /// @dev Whether a key names the hint's pool.
    function _isOf(uint256 key, uint256 hint) internal pure virtual returns (bool);

    /// @dev The key of a hint's pool; zero unless the registry vouches for it. Must not revert.
    function _keyFor(uint256 hint, address token0, address token1) internal view virtual returns (uint256);

    /// @dev Reverts with `NotInRegistry` unless the registry vouches for the key and the tokens. Then sells all of `amountIn`, pays
    /// `to`, and leaves no allowance.
    function _sell(uint256 key, address tokenIn, address tokenOut, uint256 amountIn, address to)
        internal
        virtual
        returns (uint256 amountOut);

    /// @dev Writes the pool's key at `count` unless the pool is there already or is not the registry's.
    /// @return The count afterwards.
    function _add(uint256[] memory keys, uint256 count, uint256 hint, address token0, address token1)
        private
        view
        returns (uint256)
    {
        for (uint256 i; i < count; ++i) {
            if (_isOf(keys[i], hint)) return count;
        }
        uint256 key = _keyFor(hint, token0, token1);
        if (key == 0) return count;
        keys[count] = key;
        return count + 1;
    }
}
