// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FRACTION_BITS, Sample, Shape} from "../math/Sampling.sol";
import {StableSwap} from "../math/StableSwap.sol";
import {Balancer, IBalancerPool} from "./Balancer.sol";
import {indexesOf} from "./Listed.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

interface IStablePool is IBalancerPool {
    function getAmplificationParameter() external view returns (uint256 value, bool isUpdating, uint256 precision);
    function getRateProviders() external view returns (address[] memory);
    function getTokenRateCache(address token)
        external
        view
        returns (uint256 rate, uint256 oldRate, uint256 duration, uint256 expires);
}

interface IRateProvider {
    function getRate() external view returns (uint256);
}

/// @title Balancer V2's composable stable pools
/// @notice A StableSwap over all tokens but the pool's own, which the Vault keeps as if it were one of them. The Hub's
/// list counts the tokens without it.
library BalancerStable {
    uint256 private constant WAD = 1e18;
    uint256 private constant LEG_GAS = 140_000;

    /// @dev Words of a read pool; then its normalised balances, then what they are normalised by.
    uint256 private constant KEY = 0;
    uint256 private constant TOKENS = 1;
    uint256 private constant ANN = 2;
    uint256 private constant PRECISION = 3;
    uint256 private constant FEE = 4;
    uint256 private constant INVARIANT = 5;
    uint256 private constant HEAD = 6;

    function read(address vault, address pool, uint256 key) internal view returns (uint256[] memory state) {
        (address[] memory tokens, uint256[] memory balances) = Balancer.tokensOf(vault, pool);
        uint256[] memory factors = _factorsOf(IStablePool(pool), tokens);
        uint256 n;
        state = new uint256[](HEAD + 2 * tokens.length);
        for (uint256 k; k < tokens.length; ++k) {
            if (tokens[k] == pool) continue;
            state[HEAD + n] = balances[k] * factors[k] / WAD;
            if (state[HEAD + n] < Balancer.DUST || state[HEAD + n] > type(uint112).max) return new uint256[](0);
            (balances[n], factors[n++]) = (balances[k], factors[k]);
        }
        for (uint256 k; k < n; ++k) {
            state[HEAD + n + k] = factors[k];
        }
        (state[KEY], state[TOKENS]) = (key, n);
        (state[ANN],, state[PRECISION]) = IStablePool(pool).getAmplificationParameter();
        state[ANN] *= n;
        state[FEE] = IStablePool(pool).getSwapFeePercentage();
        state[INVARIANT] = _poolOf(state, true).invariantOf(false);
        if (state[INVARIANT] == 0) return new uint256[](0);
    }

    function describe(uint256[] memory state, Shape memory shape) internal pure {
        (shape.unit, shape.most) = _poolOf(state, shape.zeroForOne).unitAndMost();
    }

    /// @notice A point of the curve.
    function sample(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (Sample memory point)
    {
        StableSwap memory pool = _poolOf(state, zeroForOne);
        uint256 kept = WAD - state[FEE];
        uint256 x = pool.balances[pool.i] + FixedPointMathLib.fullMulDiv(amountIn * kept, pool.rateIn, WAD) / WAD;
        uint256 y = pool.balanceDown(x);
        point.amountIn = amountIn;
        if (y == 0 || y > pool.balances[pool.j]) return point;
        uint256 out = (pool.balances[pool.j] - y) << FRACTION_BITS;
        point.amountOut = FixedPointMathLib.fullMulDiv(out, WAD, pool.rateOut);
        point.ratio = pool.priceRatio(x, y, kept, WAD);
    }

    /// @notice What the pool pays for `amountIn` and the gas of the leg; zero where it refuses.
    function quote(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (uint256 amountOut, uint256 gas)
    {
        StableSwap memory pool = _poolOf(state, zeroForOne);
        uint256 amount = Balancer.afterFee(amountIn, state[FEE]) * pool.rateIn / WAD;
        uint256 y = pool.balanceUp(pool.balances[pool.i] + amount);
        if (y >= pool.balances[pool.j]) return (0, 0);
        amountOut = (pool.balances[pool.j] - y - 1) * WAD / pool.rateOut;
        gas = LEG_GAS;
    }

    /// @dev A swap renews a rate whose cache has run out before it normalises with it.
    function _factorsOf(IStablePool pool, address[] memory tokens) private view returns (uint256[] memory factors) {
        factors = pool.getScalingFactors();
        address[] memory providers = pool.getRateProviders();
        for (uint256 k; k < tokens.length; ++k) {
            if (providers[k] == address(0)) continue;
            (uint256 rate,,, uint256 expires) = pool.getTokenRateCache(tokens[k]);
            if (block.timestamp <= expires) continue;
            factors[k] = factors[k] / rate * IRateProvider(providers[k]).getRate();
        }
    }

    function _poolOf(uint256[] memory state, bool zeroForOne) private pure returns (StableSwap memory pool) {
        (pool.ann, pool.precision, pool.invariant) = (state[ANN], state[PRECISION], state[INVARIANT]);
        uint256 n = state[TOKENS];
        pool.balances = new uint256[](n);
        for (uint256 k; k < n; ++k) {
            pool.balances[k] = state[HEAD + k];
        }
        (pool.i, pool.j) = indexesOf(state[KEY], zeroForOne);
        (pool.rateIn, pool.rateOut) = (state[HEAD + n + pool.i], state[HEAD + n + pool.j]);
    }
}
