// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalancerPower} from "../math/BalancerPower.sol";
import {sqrtRatio} from "../math/Ratio.sol";
import {FRACTION_BITS, Sample, Shape, doublingOf} from "../math/Sampling.sol";
import {Balancer, IBalancerPool} from "./Balancer.sol";
import {MAX_LISTED_TOKENS, indexesOf, withKey} from "./Listed.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

interface IWeightedPool is IBalancerPool {
    function getNormalizedWeights() external view returns (uint256[] memory);
}

interface ITokenDecimals {
    function decimals() external view returns (uint8);
}

/// @title Balancer V2's weighted pools: the product of balances to the power of their weights stays
library BalancerWeighted {
    uint256 private constant WAD = 1e18;
    /// @dev The pool takes up to this part of its balance, in 1e-18.
    uint256 private constant MOST_IN = 0.3e18;
    uint256 private constant LEG_GAS = 96_000;

    /// @dev Words of a read pool: the key, the fee, whether the pool is of 2021, whose powers have no short cuts, and the
    /// number of tokens; then all balances in base units, all factors, all weights.
    uint256 private constant KEY = 0;
    uint256 private constant FEE = 1;
    uint256 private constant IS_FIRST = 2;
    uint256 private constant TOKENS = 3;
    uint256 private constant HEAD = 4;

    /// @dev One side of a swap: the token's balance in base units, what a base unit is normalized by, and its weight.
    struct Side {
        uint256 balance;
        uint256 factor;
        uint256 weight;
    }

    function read(address vault, address pool, uint256 key) internal view returns (uint256[] memory state) {
        (address[] memory tokens, uint256[] memory balances) = Balancer.tokensOf(vault, pool);
        uint256[] memory weights = IWeightedPool(pool).getNormalizedWeights();
        uint256 n = tokens.length;
        if (n > MAX_LISTED_TOKENS) return state;
        state = new uint256[](HEAD + 3 * n);
        (state[KEY], state[FEE], state[TOKENS]) = (key, IWeightedPool(pool).getSwapFeePercentage(), n);
        uint256[] memory factors = _factorsOf(pool, tokens, state);
        for (uint256 k; k < n; ++k) {
            if (balances[k] > type(uint112).max || balances[k] * factors[k] / WAD < Balancer.DUST) {
                return new uint256[](0);
            }
            (state[HEAD + k], state[HEAD + n + k], state[HEAD + 2 * n + k]) = (balances[k], factors[k], weights[k]);
        }
    }

    /// @notice The words of a pool whose numbers are known.
    function wordsOf(
        uint256 key,
        uint256 fee,
        uint256[] memory balances,
        uint256[] memory factors,
        uint256[] memory weights
    ) internal pure returns (uint256[] memory state) {
        uint256 n = balances.length;
        state = new uint256[](HEAD + 3 * n);
        (state[KEY], state[FEE], state[TOKENS]) = (key, fee, n);
        for (uint256 k; k < n; ++k) {
            (state[HEAD + k], state[HEAD + n + k], state[HEAD + 2 * n + k]) = (balances[k], factors[k], weights[k]);
        }
    }

    function describe(uint256[] memory state, Shape memory shape) internal pure {
        (Side memory sold, Side memory bought) = _sidesOf(state, shape.zeroForOne);
        shape.limit = _limitOf(state, sold);
        shape.most = bought.balance;
        // The price falls by (w_in + w_out) / w_out parts of the input's share in the reserve; by two at equal weights.
        shape.unit = FixedPointMathLib.fullMulDiv(sold.balance, 2 * bought.weight, sold.weight + bought.weight);
    }

    /// @notice A point of the curve: with L = ln(1 + g x / R_in) and e the ratio of the weights, the output is
    /// R_out (1 - exp(-e L)) and the price (R_out e g / R_in) exp(-(e + 1) L).
    function sample(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (Sample memory point)
    {
        (Side memory sold, Side memory bought) = _sidesOf(state, zeroForOne);
        uint256 kept = WAD - state[FEE];
        uint256 exponent = sold.weight * WAD / bought.weight;
        uint256 grown = WAD + FixedPointMathLib.fullMulDiv(amountIn, kept, sold.balance);
        int256 logarithm = FixedPointMathLib.lnWad(int256(grown));

        point.amountIn = amountIn;
        point.isConvex = exponent >= WAD;
        point.doubling = doublingOf(FixedPointMathLib.fullMulDiv(2 * sold.balance, grown, kept), WAD + exponent);
        uint256 left = uint256(FixedPointMathLib.expWad(-int256(exponent) * logarithm / int256(WAD)));
        if (left > WAD) left = WAD;
        point.amountOut = FixedPointMathLib.fullMulDiv(bought.balance << FRACTION_BITS, WAD - left, WAD);
        uint256 price = FixedPointMathLib.fullMulDiv(exponent * kept, left, grown);
        point.ratio = sqrtRatio(FixedPointMathLib.fullMulDiv(price, bought.balance, WAD), sold.balance * WAD);
    }

    /// @notice What the pool pays for `amountIn` and the gas of the leg; zero if it refuses.
    function quote(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (uint256 amountOut, uint256 gas)
    {
        (Side memory sold, Side memory bought) = _sidesOf(state, zeroForOne);
        uint256 amount = Balancer.afterFee(amountIn, state[FEE]) * sold.factor / WAD;
        uint256 balanceIn = sold.balance * sold.factor / WAD;
        if (amount > balanceIn * MOST_IN / WAD) return (0, 0);

        uint256 base = FixedPointMathLib.divUp(balanceIn * WAD, balanceIn + amount);
        uint256 exponent = sold.weight * WAD / bought.weight;
        uint256 part = FixedPointMathLib.zeroFloorSub(WAD, _power(state, base, exponent));
        return (bought.balance * bought.factor / WAD * part / WAD * WAD / bought.factor, LEG_GAS);
    }

    /// @notice The state after a swap between any two of the pool's tokens.
    /// @param state With the key of the swap.
    function afterSwap(uint256[] memory state, bool zeroForOne, uint256 amountIn, uint256 amountOut)
        internal
        pure
        returns (uint256[] memory later)
    {
        (uint256 i, uint256 j) = indexesOf(state[KEY], zeroForOne);
        later = withKey(state, state[KEY]);
        later[HEAD + i] += amountIn;
        later[HEAD + j] -= amountOut;
    }

    /// @dev The largest input that `quote` takes, to the base unit: the pool judges it after its fee, which it rounds up.
    function _limitOf(uint256[] memory state, Side memory sold) private pure returns (uint256) {
        uint256 most = sold.balance * sold.factor / WAD * MOST_IN / WAD;
        uint256 afterFee = ((most + 1) * WAD - 1) / sold.factor;
        return ((afterFee + 1) * WAD - 1) / (WAD - state[FEE]);
    }

    function _sidesOf(uint256[] memory state, bool zeroForOne)
        private
        pure
        returns (Side memory sold, Side memory bought)
    {
        (uint256 i, uint256 j) = indexesOf(state[KEY], zeroForOne);
        return (_sideOf(state, i), _sideOf(state, j));
    }

    function _sideOf(uint256[] memory state, uint256 k) private pure returns (Side memory) {
        uint256 n = state[TOKENS];
        return Side({balance: state[HEAD + k], factor: state[HEAD + n + k], weight: state[HEAD + 2 * n + k]});
    }

    /// @dev The pools' power rounds up. Later ones multiply where the exponent is one, two or four.
    function _power(uint256[] memory state, uint256 base, uint256 exponent) private pure returns (uint256) {
        if (state[IS_FIRST] != 0) return BalancerPower.powUp(base, exponent);
        if (exponent == WAD) return base;
        if (exponent == 2 * WAD) return _squareUp(base);
        if (exponent == 4 * WAD) return _squareUp(_squareUp(base));
        return BalancerPower.powUp(base, exponent);
    }

    function _squareUp(uint256 x) private pure returns (uint256) {
        return x == 0 ? 0 : (x * x - 1) / WAD + 1;
    }

    /// @dev Pools of 2021 do not say them.
    function _factorsOf(address pool, address[] memory tokens, uint256[] memory state)
        private
        view
        returns (uint256[] memory factors)
    {
        try IWeightedPool(pool).getScalingFactors() returns (uint256[] memory said) {
            return said;
        } catch {
            state[IS_FIRST] = 1;
        }
        factors = new uint256[](tokens.length);
        for (uint256 k; k < factors.length; ++k) {
            factors[k] = 10 ** (36 - ITokenDecimals(tokens[k]).decimals());
        }
    }
}
