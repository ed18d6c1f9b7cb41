// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Behaviour, DevToken} from "./DevToken.sol";

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

    /// @dev Open to anyone: what is here is play money.
    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        (address token0, address token1) = abi.decode(data, (address, address));
        if (amount0 > 0) _pay(token0, msg.sender, amount0);
        if (amount1 > 0) _pay(token1, msg.sender, amount1);
    }

    function _pay(address token, address to, uint256 amount) private {
        if (IBalances(token).balanceOf(address(this)) >= amount) IBalances(token).transfer(to, amount);
        else DevToken(token).mint(to, amount);
    }
}
