// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ask} from "../libraries/Answers.sol";
import {Sample} from "../math/Sampling.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {Balancer} from "../venues/Balancer.sol";
import {BalancerWeighted} from "../venues/BalancerWeighted.sol";
import {MAX_LISTED_TOKENS, indexesOf} from "../venues/Listed.sol";
import {StableWords} from "../venues/StableWords.sol";
import {IBalancerV3Pool, IBalancerV3Vault} from "./BalancerV3Vault.sol";
import {BalancerV3Side, BalancerV3Words} from "./BalancerV3Words.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title What prices a pool of Balancer V3
/// @notice Quotes are the pool's own `onSwap`, with the Vault's fee and rounding around it, where the mathematics agree.
/// @dev Whoever calls caps the gas.
library BalancerV3Reads {
    using BalancerV3Words for uint256[];

    uint256 private constant WAD = 1e18;
    uint256 private constant GETTER_GAS = 60_000;
    /// @dev A pool may be of any code.
    uint256 private constant SWAP_GAS = 200_000;
    uint256 private constant MAX_BALANCE = type(uint112).max;
    /// @dev The trial is this part of the balance, as a shift.
    uint256 private constant TRIAL_SHIFT = 4;
    /// @dev How far a pool's trial may be below the mathematics: one part in that many, and this part of the balance, as a shift.
    uint256 private constant LESS_PARTS = 1e6;
    uint256 private constant DUST_SHIFT = 40;
    uint256 private constant UNITS = 2;
    /// @dev Gas that a leg adds to a swap, and how much more for each further token.
    uint256 private constant WEIGHTED_GAS = 170_000;
    uint256 private constant STABLE_GAS = 180_000;
    uint256 private constant TOKEN_GAS = 12_000;

    /// @notice The words of `BalancerV3Words`; none if the pool cannot be priced or refuses to swap.
    function read(IBalancerV3Vault vault, uint256 key) internal view returns (uint256[] memory state) {
        address pool = adapterPool(key);
        if (vault.isVaultPaused() || vault.isPoolPaused(pool) || _hasHooks(vault, pool)) return state;
        IBalancerV3Vault.PoolData memory data = vault.getPoolData(pool);
        uint256 n = data.tokens.length;
        (uint256 i, uint256 j) = indexesOf(key, true);
        if (i >= n || j >= n || i == j || !_isSane(data)) return state;
        uint256 fee = vault.getStaticSwapFeePercentage(pool);
        if (fee >= WAD) return state;
        uint256[] memory weights = _wordsOf(pool, IBalancerV3Pool.getNormalizedWeights.selector);
        bool isWeighted = weights.length == n;
        uint256[] memory head = isWeighted ? _weighted(key, data, fee, weights) : _stable(key, data, fee, pool);
        if (head.length == 0) return state;
        state = head.close(
            isWeighted, fee, vault.getMinimumTradeAmount(), data.liveBalances, data.rates, data.decimalFactors
        );
        if (!_agrees(state, true) || !_agrees(state, false)) return new uint256[](0);
    }

    /// @notice What the pool pays for `amountIn` and the gas of the leg; zero if it refuses, or says more than the curve has.
    function quote(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        amountOut = _outputOf(state, zeroForOne, amountIn);
        if (amountOut == 0) return (0, 0);
        uint256 most = BalancerV3Words.outputOf(state.sample(zeroForOne, amountIn).raised());
        if (amountOut > most + 1) return (0, 0);
        gas = state.isWeighted() ? WEIGHTED_GAS : STABLE_GAS;
        gas += TOKEN_GAS * (state.balancesOf().length - 2);
    }

    /// @dev As the Vault computes it: the input rounds down and its fee up, and the output down, by a rate that is rounded up.
    function _outputOf(uint256[] memory state, bool zeroForOne, uint256 amountIn) private view returns (uint256) {
        (BalancerV3Side memory sold, BalancerV3Side memory bought) = state.sidesOf(zeroForOne);
        uint256 amount = state.afterFee(sold, amountIn);
        uint256 least = state.leastOf();
        if (amountIn > MAX_BALANCE || amount > MAX_BALANCE || amount < least) return 0;
        uint256[] memory answer = ask(
            adapterPool(state[0]),
            SWAP_GAS,
            1,
            abi.encodeCall(IBalancerV3Pool.onSwap, (_swapOf(state, zeroForOne, amount)))
        );
        if (answer.length == 0 || answer[0] < least || answer[0] > bought.balance) return 0;
        return FixedPointMathLib.fullMulDiv(answer[0], WAD, bought.factorUp);
    }

    /// @dev What the Vault asks the pool in a swap.
    function _swapOf(uint256[] memory state, bool zeroForOne, uint256 amount)
        private
        view
        returns (IBalancerV3Pool.PoolSwapParams memory params)
    {
        (params.amountGiven, params.balances, params.router) = (amount, state.balancesOf(), address(this));
        (params.indexIn, params.indexOut) = indexesOf(state[0], zeroForOne);
    }

    /// @dev Whether what the pool says of a large trade is what follows from what was read.
    function _agrees(uint256[] memory state, bool zeroForOne) private view returns (bool) {
        (BalancerV3Side memory sold, BalancerV3Side memory bought) = state.sidesOf(zeroForOne);
        uint256 trial = FixedPointMathLib.fullMulDiv(sold.balance >> TRIAL_SHIFT, WAD, sold.factor);
        Sample memory point = state.sample(zeroForOne, trial);
        uint256 reserve = FixedPointMathLib.fullMulDiv(bought.balance, WAD, bought.factor);
        uint256 least = BalancerV3Words.outputOf(point);
        least = FixedPointMathLib.zeroFloorSub(least, least / LESS_PARTS + (reserve >> DUST_SHIFT) + UNITS);
        (uint256 amountOut,) = quote(state, zeroForOne, trial);
        return amountOut != 0 && amountOut >= least;
    }

    function _weighted(uint256 key, IBalancerV3Vault.PoolData memory data, uint256 fee, uint256[] memory weights)
        private
        pure
        returns (uint256[] memory)
    {
        uint256 n = weights.length;
        uint256[] memory factors = new uint256[](n);
        for (uint256 k; k < n; ++k) {
            factors[k] = data.rates[k] * data.decimalFactors[k];
            if (data.liveBalances[k] < Balancer.DUST || weights[k] == 0 || weights[k] >= WAD) return new uint256[](0);
        }
        return BalancerWeighted.wordsOf(key, fee, data.balances, factors, weights);
    }

    function _stable(uint256 key, IBalancerV3Vault.PoolData memory data, uint256 fee, address pool)
        private
        view
        returns (uint256[] memory words)
    {
        uint256[] memory answer =
            ask(pool, GETTER_GAS, 3, abi.encodeCall(IBalancerV3Pool.getAmplificationParameter, ()));
        uint256 n = data.tokens.length;
        if (answer.length != 3 || answer[0] > MAX_BALANCE) return words;
        words = StableWords.open(key, n);
        for (uint256 k; k < n; ++k) {
            StableWords.put(words, k, data.balances[k], data.rates[k] * data.decimalFactors[k]);
        }
        (words[StableWords.ANN], words[StableWords.PRECISION]) = (answer[0] * n, answer[2]);
        words[StableWords.FEE] = fee;
        return StableWords.close(words, WAD);
    }

    function _isSane(IBalancerV3Vault.PoolData memory data) private pure returns (bool) {
        uint256 n = data.tokens.length;
        if (n < 2 || n > MAX_LISTED_TOKENS) return false;
        for (uint256 k; k < n; ++k) {
            if (data.rates[k] == 0 || data.rates[k] > MAX_BALANCE) return false;
            if (data.balances[k] > MAX_BALANCE || data.liveBalances[k] > MAX_BALANCE) return false;
        }
        return true;
    }

    /// @dev Whether a hook changes the fee, or runs in swaps.
    function _hasHooks(IBalancerV3Vault vault, address pool) private view returns (bool) {
        IBalancerV3Vault.HooksConfig memory config = vault.getHooksConfig(pool);
        return config.computesFee || config.beforeSwap || config.afterSwap;
    }

    /// @dev The list that a getter answers; none if it does not.
    function _wordsOf(address pool, bytes4 getter) private view returns (uint256[] memory words) {
        uint256[] memory answer = ask(pool, GETTER_GAS, MAX_LISTED_TOKENS + 2, abi.encodePacked(getter));
        if (answer.length < 2 || answer[1] != answer.length - 2) return words;
        words = new uint256[](answer[1]);
        for (uint256 k; k < words.length; ++k) {
            words[k] = answer[k + 2];
        }
    }
}
