// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FRACTION_BITS, Sample, doublingOf} from "../math/Sampling.sol";
import {StableSwap} from "../math/StableSwap.sol";
import {Balancer, IBalancerPool} from "./Balancer.sol";
import {StableWords} from "./StableWords.sol";
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
    using StableWords for uint256[];

    uint256 private constant WAD = 1e18;
    uint256 private constant LEG_GAS = 126_500;

    function read(address vault, address pool, uint256 key) internal view returns (uint256[] memory state) {
        (address[] memory tokens, uint256[] memory balances) = Balancer.tokensOf(vault, pool);
        uint256[] memory factors = _factorsOf(IStablePool(pool), tokens);
        uint256 n;
        for (uint256 k; k < tokens.length; ++k) {
            if (tokens[k] == pool) continue;
            (balances[n], factors[n++]) = (balances[k], factors[k]);
        }
        state = StableWords.open(key, n);
        if (state.length == 0) return state;
        for (uint256 k; k < n; ++k) {
            state.put(k, balances[k], factors[k]);
        }
        (uint256 amplification,, uint256 precision) = IStablePool(pool).getAmplificationParameter();
        (state[StableWords.ANN], state[StableWords.PRECISION]) = (amplification * n, precision);
        state[StableWords.FEE] = IStablePool(pool).getSwapFeePercentage();
        return state.close(WAD);
    }

    /// @notice A point of the curve.
    function sample(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (Sample memory point)
    {
        StableSwap memory pool = state.poolOf(zeroForOne);
        uint256 kept = WAD - state[StableWords.FEE];
        uint256 x = pool.balances[pool.i] + FixedPointMathLib.fullMulDiv(amountIn * kept, pool.rateIn, WAD) / WAD;
        uint256 y = pool.balanceDown(x);
        point.amountIn = amountIn;
        if (y == 0) return point;
        // Both roundings may leave no input with a little more than there is.
        y = FixedPointMathLib.min(y, pool.balances[pool.j]);
        uint256 out = (pool.balances[pool.j] - y) << FRACTION_BITS;
        point.amountOut = FixedPointMathLib.fullMulDiv(out, WAD, pool.rateOut);
        uint256 growth;
        (point.ratio, growth) = pool.priceRatio(x, y, kept, WAD);
        point.isConvex = x >= y;
        point.doubling = doublingOf(FixedPointMathLib.fullMulDiv(x, WAD, pool.rateIn) * WAD / kept, growth);
    }

    /// @notice What the pool pays for `amountIn` and the gas of the leg; zero if it refuses.
    function quote(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (uint256 amountOut, uint256 gas)
    {
        StableSwap memory pool = state.poolOf(zeroForOne);
        uint256 amount = Balancer.afterFee(amountIn, state[StableWords.FEE]) * pool.rateIn / WAD;
        uint256 y = pool.balanceUp(pool.balances[pool.i] + amount);
        if (y >= pool.balances[pool.j]) return (0, 0);
        amountOut = (pool.balances[pool.j] - y - 1) * WAD / pool.rateOut;
        gas = LEG_GAS;
    }

    /// @notice The state after a swap between any two of the pool's tokens.
    /// @param state With the key of the swap.
    function afterSwap(uint256[] memory state, bool zeroForOne, uint256 amountIn, uint256 amountOut)
        internal
        pure
        returns (uint256[] memory)
    {
        return state.moved(state.poolOf(zeroForOne), amountIn, amountOut, WAD);
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
}
