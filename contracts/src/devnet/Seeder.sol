// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Behaviour, DevToken} from "./DevToken.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";

interface IPairFactory {
    function createPair(address tokenA, address tokenB) external returns (address pair);
}

interface IPair {
    function mint(address to) external returns (uint256 liquidity);
}

interface IPoolFactory {
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address pool);
}

interface IPool {
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
}

interface IAlgebraLiquidity {
    function mint(address sender, address recipient, int24 bottom, int24 top, uint128 liquidity, bytes calldata data)
        external
        returns (uint256, uint256, uint128);
}

interface IBalances {
    function balanceOf(address holder) external view returns (uint256);
    function transfer(address to, uint256 value) external;
}

/// @title Furnishes the devnet
/// @notice Configures tokens and creates pools in few large transactions. Owns the liquidity for good.
/// @dev Pays from what it holds and mints what it lacks, so it must hold enough of every token that is not a `DevToken`.
contract Seeder {
    struct Token {
        DevToken token;
        string symbol;
        uint8 decimals;
    }

    struct Pair {
        address factory;
        address token0;
        address token1;
        uint256 amount0;
        uint256 amount1;
    }

    struct Range {
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    struct Pool {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        uint160 sqrtPriceX96;
        Range[] ranges;
    }

    /// @notice A pool whose factory is called in a way of its own.
    struct ForeignPool {
        /// What is called first to create and initialise it, and with what.
        address[] targets;
        bytes[] calls;
        address pool;
        address token0;
        address token1;
        /// Its `mint` names its sender first, as Algebra's does.
        bool namesSender;
        Range[] ranges;
    }

    struct PoolOfManager {
        IPoolManager manager;
        PoolKey key;
        uint160 sqrtPriceX96;
        Range[] ranges;
    }

    /// @dev Native currency for pools of it.
    receive() external payable {}

    /// @dev Pools of all forks ask for their tokens with the same arguments.
    fallback() external {
        (uint256 amount0, uint256 amount1, bytes memory data) = abi.decode(msg.data[4:], (uint256, uint256, bytes));
        (address token0, address token1) = abi.decode(data, (address, address));
        if (amount0 > 0) _pay(token0, msg.sender, amount0);
        if (amount1 > 0) _pay(token1, msg.sender, amount1);
    }

    function configureTokens(Token[] calldata tokens) external {
        for (uint256 i; i < tokens.length; ++i) {
            tokens[i].token.configure(tokens[i].symbol, tokens[i].decimals);
        }
    }

    function setBehaviours(DevToken[] calldata tokens, Behaviour[] calldata behaviours) external {
        for (uint256 i; i < tokens.length; ++i) {
            tokens[i].setBehaviour(behaviours[i]);
        }
    }

    function fund(address[] calldata tokens, address to, uint256[] calldata amounts) external {
        for (uint256 i; i < tokens.length; ++i) {
            _pay(tokens[i], to, amounts[i]);
        }
    }

    function createPairs(Pair[] calldata pairs) external {
        for (uint256 i; i < pairs.length; ++i) {
            Pair calldata spec = pairs[i];
            address pair = IPairFactory(spec.factory).createPair(spec.token0, spec.token1);
            _pay(spec.token0, pair, spec.amount0);
            _pay(spec.token1, pair, spec.amount1);
            IPair(pair).mint(address(this));
        }
    }

    function createPools(Pool[] calldata pools) external {
        for (uint256 i; i < pools.length; ++i) {
            Pool calldata spec = pools[i];
            IPool pool = IPool(IPoolFactory(spec.factory).createPool(spec.token0, spec.token1, spec.fee));
            pool.initialize(spec.sqrtPriceX96);
            bytes memory data = abi.encode(spec.token0, spec.token1);
            for (uint256 j; j < spec.ranges.length; ++j) {
                Range calldata range = spec.ranges[j];
                pool.mint(address(this), range.tickLower, range.tickUpper, range.liquidity, data);
            }
        }
    }

    function createForeignPools(ForeignPool[] calldata pools) external {
        for (uint256 i; i < pools.length; ++i) {
            ForeignPool calldata spec = pools[i];
            for (uint256 j; j < spec.calls.length; ++j) {
                (bool ok,) = spec.targets[j].call(spec.calls[j]);
                require(ok, "creation failed");
            }
            bytes memory data = abi.encode(spec.token0, spec.token1);
            for (uint256 j; j < spec.ranges.length; ++j) {
                Range calldata range = spec.ranges[j];
                if (spec.namesSender) {
                    IAlgebraLiquidity(spec.pool)
                        .mint(address(this), address(this), range.tickLower, range.tickUpper, range.liquidity, data);
                } else {
                    IPool(spec.pool).mint(address(this), range.tickLower, range.tickUpper, range.liquidity, data);
                }
            }
        }
    }

    function createPoolsOfManager(PoolOfManager[] calldata pools) external {
        for (uint256 i; i < pools.length; ++i) {
            PoolOfManager calldata spec = pools[i];
            spec.manager.initialize(spec.key, spec.sqrtPriceX96);
            spec.manager.unlock(abi.encode(spec.key, spec.ranges));
        }
    }

    /// @dev Open to anyone, as the other callbacks: what is here is play money.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (PoolKey memory key, Range[] memory ranges) = abi.decode(data, (PoolKey, Range[]));
        IPoolManager manager = IPoolManager(msg.sender);
        for (uint256 i; i < ranges.length; ++i) {
            (BalanceDelta delta,) = manager.modifyLiquidity(
                key,
                ModifyLiquidityParams({
                    tickLower: ranges[i].tickLower,
                    tickUpper: ranges[i].tickUpper,
                    liquidityDelta: int256(uint256(ranges[i].liquidity)),
                    salt: 0
                }),
                ""
            );
            _settle(manager, key.currency0, delta.amount0());
            _settle(manager, key.currency1, delta.amount1());
        }
        return "";
    }

    function _settle(IPoolManager manager, Currency currency, int128 delta) private {
        if (delta == 0) return;
        uint256 owed = uint256(-int256(delta));
        manager.sync(currency);
        if (!currency.isAddressZero()) _pay(Currency.unwrap(currency), address(manager), owed);
        manager.settle{value: currency.isAddressZero() ? owed : 0}();
    }

    function _pay(address token, address to, uint256 amount) private {
        if (IBalances(token).balanceOf(address(this)) >= amount) IBalances(token).transfer(to, amount);
        else DevToken(token).mint(to, amount);
    }
}
