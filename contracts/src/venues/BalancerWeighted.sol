// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalancerPower} from "../math/BalancerPower.sol";
import {sqrtRatio} from "../math/Ratio.sol";
import {FRACTION_BITS, Sample, Shape} from "../math/Sampling.sol";
import {Balancer, IBalancerPool} from "./Balancer.sol";
import {indexesOf} from "./Listed.sol";
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
    uint256 private constant LEG_GAS = 97_500;

    /// @dev Words of a read pool, by address order: balances in base units, factors, weights; fee, and whether the pool
    /// is of 2021, whose powers have no short cuts.
    uint256 private constant BALANCES = 0;
    uint256 private constant FACTORS = 2;
    uint256 private constant WEIGHTS = 4;
    uint256 private constant FEE = 6;
    uint256 private constant IS_FIRST = 7;
    uint256 private constant WORDS = 8;

    function read(address vault, address pool, uint256 key) internal view returns (uint256[] memory state) {
        (address[] memory tokens, uint256[] memory balances) = Balancer.tokensOf(vault, pool);
        (uint256 i, uint256 j) = indexesOf(key, true);
        uint256[] memory weights = IWeightedPool(pool).getNormalizedWeights();
        state = new uint256[](WORDS);
        (state[BALANCES], state[BALANCES + 1]) = (balances[i], balances[j]);
        (state[WEIGHTS], state[WEIGHTS + 1]) = (weights[i], weights[j]);
        state[FEE] = IWeightedPool(pool).getSwapFeePercentage();
        try IWeightedPool(pool).getScalingFactors() returns (uint256[] memory factors) {
            (state[FACTORS], state[FACTORS + 1]) = (factors[i], factors[j]);
        } catch {
            state[IS_FIRST] = 1;
            (state[FACTORS], state[FACTORS + 1]) = (_factorOf(tokens[i]), _factorOf(tokens[j]));
        }
        for (uint256 k; k < 2; ++k) {
            uint256 balance = state[BALANCES + k];
            if (balance > type(uint112).max || balance * state[FACTORS + k] / WAD < Balancer.DUST) {
                return new uint256[](0);
            }
        }
    }

    function describe(uint256[] memory state, Shape memory shape) internal pure {
        (uint256 sold, uint256 bought) = shape.zeroForOne ? (uint256(0), uint256(1)) : (1, 0);
        shape.limit = state[BALANCES + sold] * MOST_IN / WAD;
        shape.most = state[BALANCES + bought];
        // The price falls by (w_in + w_out) / w_out parts of the input's share in the reserve; by two at equal weights.
        (uint256 weightIn, uint256 weightOut) = (state[WEIGHTS + sold], state[WEIGHTS + bought]);
        shape.unit = FixedPointMathLib.fullMulDiv(state[BALANCES + sold], 2 * weightOut, weightIn + weightOut);
    }

    /// @notice A point of the curve: with L = ln(1 + g x / R_in) and e the ratio of the weights, the output is
    /// R_out (1 - exp(-e L)) and the price (R_out e g / R_in) exp(-(e + 1) L).
    function sample(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (Sample memory point)
    {
        (uint256 sold, uint256 bought) = zeroForOne ? (uint256(0), uint256(1)) : (1, 0);
        (uint256 reserveIn, uint256 reserveOut) = (state[BALANCES + sold], state[BALANCES + bought]);
        uint256 kept = WAD - state[FEE];
        uint256 exponent = state[WEIGHTS + sold] * WAD / state[WEIGHTS + bought];
        uint256 grown = WAD + FixedPointMathLib.fullMulDiv(amountIn, kept, reserveIn);
        int256 logarithm = FixedPointMathLib.lnWad(int256(grown));

        point.amountIn = amountIn;
        uint256 left = uint256(FixedPointMathLib.expWad(-int256(exponent) * logarithm / int256(WAD)));
        if (left > WAD) left = WAD;
        point.amountOut = FixedPointMathLib.fullMulDiv(reserveOut << FRACTION_BITS, WAD - left, WAD);
        uint256 price = FixedPointMathLib.fullMulDiv(exponent * kept, left, grown);
        point.ratio = sqrtRatio(FixedPointMathLib.fullMulDiv(price, reserveOut, WAD), reserveIn * WAD);
    }

    /// @notice What the pool pays for `amountIn` and the gas of the leg; zero where it refuses.
    function quote(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (uint256 amountOut, uint256 gas)
    {
        (uint256 sold, uint256 bought) = zeroForOne ? (uint256(0), uint256(1)) : (1, 0);
        uint256 amount = Balancer.afterFee(amountIn, state[FEE]) * state[FACTORS + sold] / WAD;
        uint256 balanceIn = state[BALANCES + sold] * state[FACTORS + sold] / WAD;
        if (amount > balanceIn * MOST_IN / WAD) return (0, 0);

        uint256 base = FixedPointMathLib.divUp(balanceIn * WAD, balanceIn + amount);
        uint256 exponent = state[WEIGHTS + sold] * WAD / state[WEIGHTS + bought];
        uint256 part = FixedPointMathLib.zeroFloorSub(WAD, _power(state, base, exponent));
        uint256 balanceOut = state[BALANCES + bought] * state[FACTORS + bought] / WAD;
        return (balanceOut * part / WAD * WAD / state[FACTORS + bought], LEG_GAS);
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

    function _factorOf(address token) private view returns (uint256) {
        return 10 ** (36 - ITokenDecimals(token).decimals());
    }
}
