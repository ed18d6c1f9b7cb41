// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAdapter} from "../interfaces/IAdapter.sol";
import {Allowance} from "../libraries/Allowance.sol";
import {ask, askAddress} from "../libraries/Answers.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Payment} from "../libraries/Payment.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {adapterKey} from "../venues/AdapterKey.sol";
import {MAX_LISTED_TOKENS, indexesOf} from "../venues/Listed.sol";
import {IWrappedNative} from "../venues/UniswapV4.sol";
import {Sale} from "./Adapter.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

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
    /// @dev What it may burn to name a coin before the registry has vouched for it, and after how much it is asked for no more of them.
    /// Real pools take less than 10,000 for the first coin, and half of that for each other.
    uint256 private constant GLANCE_GAS = 15_000;
    uint256 private constant GLANCES_GAS = 60_000;

    /// @notice What a venue of Curve's is: who vouches for its pools, and the wrapped native token.
    struct Source {
        address registry;
        address wrapped;
    }

    /// @dev What a pool counts the tokens of a sale by, and at which places.
    struct Coins {
        address sold;
        address bought;
        uint256 i;
        uint256 j;
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

    /// @notice The tokens as which the pool's coins are traded, if it is a pool, whoever created it.
    function tokensOf(Source memory source, address pool) internal view returns (address[] memory tokens) {
        tokens = new address[](MAX_LISTED_TOKENS);
        uint256 count;
        uint256 gas = gasleft();
        for (; count < MAX_LISTED_TOKENS && gas - gasleft() < GLANCES_GAS; ++count) {
            address coin = _coinOf(pool, count, GLANCE_GAS);
            if (coin == address(0)) break;
            tokens[count] = coin == NATIVE ? source.wrapped : coin;
        }
        assembly ("memory-safe") {
            mstore(tokens, count)
        }
    }

    /// @notice Sells all of the sale's input on its pool. Reverts unless the registry vouches for the key and the tokens.
    /// @param exchange The pool's function that pays its caller: what to sell, what to buy, how much of it, the least output.
    /// @param exchangeTo The one that pays a receiver, named last, and says how much. Pools that do not have it revert, or answer
    /// nothing if they accept native tokens.
    function sell(Source memory source, Sale memory sale, bytes4 exchange, bytes4 exchangeTo)
        internal
        returns (uint256 amountOut)
    {
        Coins memory coins = _attest(source, sale);
        Payment memory payment = Payment(sale.tokenIn, address(this), sale.pool, sale.amountIn);
        bool isNative = coins.sold == NATIVE || coins.bought == NATIVE;
        if (coins.sold != NATIVE) Allowance.grant(payment, sale.pool);
        bool paid;
        if (!isNative) {
            (paid, amountOut) =
                _tryCall(sale.pool, abi.encodeWithSelector(exchangeTo, coins.i, coins.j, sale.amountIn, 0, sale.to));
        }
        if (!paid) {
            bytes memory data = abi.encodeWithSelector(exchange, coins.i, coins.j, sale.amountIn, 0);
            amountOut = _exchange(source, sale, coins, data);
        }
        if (coins.sold != NATIVE) Allowance.demandUsedUp(payment, sale.pool, sale.amountIn);
    }

    /// @dev Has the pool pay this contract, and sends that on.
    function _exchange(Source memory source, Sale memory sale, Coins memory coins, bytes memory data)
        private
        returns (uint256 amountOut)
    {
        uint256 value;
        if (coins.sold == NATIVE) {
            value = sale.amountIn;
            NativeSender.expect(source.wrapped);
            IWrappedNative(source.wrapped).withdraw(value);
        }
        NativeSender.expect(coins.bought == NATIVE ? sale.pool : address(0));
        uint256 before = _held(coins.bought);
        Address.functionCallWithValue(sale.pool, data, value);
        NativeSender.expect(address(0));
        amountOut = _held(coins.bought) - before;
        if (coins.bought == NATIVE) IWrappedNative(source.wrapped).deposit{value: amountOut}();
        Transfers.send(sale.tokenOut, sale.to, amountOut);
    }

    function _attest(Source memory source, Sale memory sale) private view returns (Coins memory coins) {
        (coins.i, coins.j) = indexesOf(sale.key, sale.tokenIn < sale.tokenOut);
        (coins.sold, coins.bought) = (_coinOf(sale.pool, coins.i, COIN_GAS), _coinOf(sale.pool, coins.j, COIN_GAS));
        bool holds = _stands(source, coins.sold, sale.tokenIn) && _stands(source, coins.bought, sale.tokenOut);
        if (!holds || coins.sold == coins.bought || !_vouches(source, sale.pool, coins)) {
            revert IAdapter.NotInRegistry(sale.pool);
        }
    }

    /// @return answered Whether the call succeeds with a word.
    function _tryCall(address pool, bytes memory data) private returns (bool answered, uint256 answer) {
        assembly ("memory-safe") {
            answered := call(gas(), pool, 0, add(data, 32), mload(data), 0, 32)
            answered := and(answered, eq(returndatasize(), 32))
            answer := mul(answered, mload(0))
        }
    }

    function _held(address coin) private view returns (uint256) {
        return coin == NATIVE ? address(this).balance : balanceOf(coin, address(this));
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
        if (!known || _coinOf(pool, i, COIN_GAS) != coin0 || _coinOf(pool, j, COIN_GAS) != coin1) return 0;
        return adapterKey(pool, i, j);
    }

    function _vouches(Source memory source, address pool, Coins memory coins) private view returns (bool) {
        (bool known, uint256 i, uint256 j) = _placesOf(source, pool, coins.sold, coins.bought);
        return known && i == coins.i && j == coins.j;
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
    function _coinOf(address pool, uint256 index, uint256 gasCap) private view returns (address) {
        return askAddress(pool, gasCap, abi.encodeCall(ICurveCoins.coins, (index)));
    }

    function _stands(Source memory source, address coin, address token) private pure returns (bool) {
        return coin == token || coin == NATIVE && token == source.wrapped;
    }
}
