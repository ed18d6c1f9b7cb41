// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAdapter} from "../interfaces/IAdapter.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {adapterKey} from "../venues/AdapterKey.sol";
import {MAX_LISTED_TOKENS, indexesOf} from "../venues/Listed.sol";
import {IWrappedNative} from "../venues/UniswapV4.sol";
import {Sale} from "./Adapter.sol";
import {ask} from "./Answers.sol";

/// @notice What is called of a registry: the Registry of 2020, any factory, the MetaRegistry. Some answer indexes as `int128` and
/// others as `uint256`, which is the same word.
interface ICurveRegistry {
    /// @dev Zero if there are not as many pools. A metapool is also listed for the tokens of its base pool.
    function find_pool_for_coins(address from, address to, uint256 number) external view returns (address);
    /// @dev Reverts for a pool that the registry does not know. Whether the two are the tokens of a base pool is a third word,
    /// but StableSwap-NG's factory sets it for plain pools as well.
    function get_coin_indices(address pool, address from, address to) external view returns (uint256 i, uint256 j);
}

/// @notice What is asked of a pool of any kind.
interface ICurveCoins {
    function coins(uint256 index) external view returns (address);
}

/// @title Pools that one of Curve's registries vouches for
/// @notice Pools of the native token count it by an address without code. They are traded as the wrapped token.
library CurvePools {
    address internal constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    /// @dev The owner of a Hub chose the registry, so that this is only against its faults. A MetaRegistry asks a dozen others.
    uint256 private constant REGISTRY_GAS = 500_000;
    uint256 private constant COIN_GAS = 60_000;

    /// @notice What a venue of Curve's is: who vouches for its pools, and the wrapped native token.
    struct Source {
        address registry;
        address wrapped;
    }

    /// @notice At most `most` pools that the registry lists for the two tokens.
    function find(Source memory source, address token0, address token1, uint256 most)
        internal
        view
        returns (address[] memory pools)
    {
        pools = new address[](most);
        uint256 count = _list(source, pools, 0, token0, token1);
        if (token0 == source.wrapped) count = _list(source, pools, count, NATIVE, token1);
        if (token1 == source.wrapped) count = _list(source, pools, count, token0, NATIVE);
        assembly ("memory-safe") {
            mstore(pools, count)
        }
    }

    /// @notice The key of the pool for the two tokens; zero if the registry does not vouch for it.
    function keyOf(Source memory source, address pool, address token0, address token1)
        internal
        view
        returns (uint256 key)
    {
        key = _keyOf(source, pool, token0, token1);
        if (key == 0 && token0 == source.wrapped) key = _keyOf(source, pool, NATIVE, token1);
        if (key == 0 && token1 == source.wrapped) key = _keyOf(source, pool, token0, NATIVE);
    }

    /// @notice What the pool counts the sale's tokens by. Reverts unless the registry vouches for the key.
    function attest(Source memory source, Sale memory sale)
        internal
        view
        returns (address coinIn, address coinOut, uint256 i, uint256 j)
    {
        (i, j) = indexesOf(sale.key, sale.tokenIn < sale.tokenOut);
        (coinIn, coinOut) = (_coinOf(sale.pool, i), _coinOf(sale.pool, j));
        bool holds = _stands(source, coinIn, sale.tokenIn) && _stands(source, coinOut, sale.tokenOut);
        if (!holds || !_vouches(source, sale.pool, coinIn, coinOut, i, j) || coinIn == coinOut) {
            revert IAdapter.NotInRegistry(sale.pool);
        }
    }

    /// @notice Unwraps what is sold. What the pool pays in native tokens may come then.
    function open(Source memory source, Sale memory sale, address coinIn, address coinOut)
        internal
        returns (uint256 value)
    {
        if (coinIn == NATIVE) {
            NativeSender.expect(source.wrapped);
            IWrappedNative(source.wrapped).withdraw(sale.amountIn);
            value = sale.amountIn;
        }
        NativeSender.expect(coinOut == NATIVE ? sale.pool : address(0));
    }

    /// @notice Sends on what the pool has paid to this contract, wrapped if it is native.
    function close(Source memory source, Sale memory sale, address coinOut, uint256 amountOut) internal {
        if (coinOut == NATIVE) {
            NativeSender.expect(address(0));
            IWrappedNative(source.wrapped).deposit{value: amountOut}();
        }
        if (sale.to != address(this)) Transfers.send(sale.tokenOut, sale.to, amountOut);
    }

    function _list(Source memory source, address[] memory pools, uint256 count, address coin0, address coin1)
        private
        view
        returns (uint256)
    {
        for (uint256 number; count < pools.length; ++number) {
            uint256[] memory answer = ask(
                source.registry,
                REGISTRY_GAS,
                1,
                abi.encodeCall(ICurveRegistry.find_pool_for_coins, (coin0, coin1, number))
            );
            if (answer.length == 0 || answer[0] == 0 || answer[0] >> 160 != 0) break;
            pools[count++] = address(uint160(answer[0]));
        }
        return count;
    }

    function _keyOf(Source memory source, address pool, address coin0, address coin1) private view returns (uint256) {
        (bool known, uint256 i, uint256 j) = _placesOf(source, pool, coin0, coin1);
        if (!known || _coinOf(pool, i) != coin0 || _coinOf(pool, j) != coin1) return 0;
        return adapterKey(pool, i, j);
    }

    function _vouches(Source memory source, address pool, address coinIn, address coinOut, uint256 i, uint256 j)
        private
        view
        returns (bool)
    {
        (bool known, uint256 first, uint256 second) = _placesOf(source, pool, coinIn, coinOut);
        return known && first == i && second == j;
    }

    /// @dev Registries answer some places for tokens that a pool of eight does not have, and the places in the base pool for
    /// those of a metapool's base: whoever calls compares the coins.
    function _placesOf(Source memory source, address pool, address coin0, address coin1)
        private
        view
        returns (bool known, uint256 i, uint256 j)
    {
        uint256[] memory answer = ask(
            source.registry, REGISTRY_GAS, 2, abi.encodeCall(ICurveRegistry.get_coin_indices, (pool, coin0, coin1))
        );
        if (answer.length != 2) return (false, 0, 0);
        (i, j) = (answer[0], answer[1]);
        known = i < MAX_LISTED_TOKENS && j < MAX_LISTED_TOKENS && i != j;
    }

    /// @dev Zero if the pool does not tell.
    function _coinOf(address pool, uint256 index) private view returns (address) {
        uint256[] memory answer = ask(pool, COIN_GAS, 1, abi.encodeCall(ICurveCoins.coins, (index)));
        return answer.length == 1 && answer[0] >> 160 == 0 ? address(uint160(answer[0])) : address(0);
    }

    function _stands(Source memory source, address coin, address token) private pure returns (bool) {
        return coin == token || coin == NATIVE && token == source.wrapped;
    }
}
