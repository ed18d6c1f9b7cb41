// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {constantProductOut} from "../math/ConstantProduct.sol";
import {Q96, WHOLE_PIPS, sqrtRatio} from "../math/Ratio.sol";
import {MAX_DOUBLING, Sample, Shape} from "../math/Sampling.sol";
import {WAD, stableBalance, stableInvariant} from "../math/SolidlyCurve.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {Solidly} from "../venues/Solidly.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What is called of a pair besides what those of Uniswap V2 have. Fees are for each token as the one sold.
interface ICamelotPair {
    function getReserves()
        external
        view
        returns (uint112 reserve0, uint112 reserve1, uint16 token0FeePercent, uint16 token1FeePercent);
    function stableSwap() external view returns (bool);
    /// @dev Base units of a whole token.
    function precisionMultiplier0() external view returns (uint256);
    function precisionMultiplier1() external view returns (uint256);
}

/// @title What prices a pair of Camelot V2: `x y`, or `x^3 y + x y^3` as Solidly's stable pools have it
/// @notice The key and the two fees, then the words of `Solidly` without a fee: reserves and base units of a whole token by address
/// order, a zero, which curve it is, and the stable curve's invariant.
library CamelotWords {
    using CamelotWords for uint256[];

    uint256 private constant FEES = 1;
    uint256 private constant CURVE = 3;
    uint256 private constant RESERVES = 3;
    uint256 private constant SCALES = 5;
    uint256 private constant STABLE = 8;
    uint256 private constant INVARIANT = 9;
    uint256 private constant WORDS = 10;

    /// @dev What fees are parts of.
    uint256 private constant WHOLE_FEE = 100_000;
    /// @dev As for `Solidly`: reserves and invariants below this round too coarsely to be priced, and there is no price worth trading
    /// at where normalized reserves are further apart than that.
    uint256 private constant DUST = 1000;
    uint256 private constant LEAST_INVARIANT = 1e10;
    uint256 private constant MAX_IMBALANCE = 1e4;
    uint256 private constant MAX_RESERVE = type(uint112).max;
    uint256 private constant MAX_SCALE = 1e36;
    /// @dev How many units the balance that follows from the invariant may be off.
    uint256 private constant MOST_OFF = 2;

    /// @notice Empty if the pair is too small to price.
    /// @dev Whoever calls caps the gas.
    function read(uint256 key) internal view returns (uint256[] memory words) {
        ICamelotPair pair = ICamelotPair(adapterPool(key));
        (uint256 reserve0, uint256 reserve1, uint256 fee0, uint256 fee1) = pair.getReserves();
        if (reserve0 < DUST || reserve1 < DUST || fee0 >= WHOLE_FEE || fee1 >= WHOLE_FEE) return words;
        words = new uint256[](WORDS);
        (words[0], words[FEES], words[FEES + 1]) = (key, fee0, fee1);
        (words[RESERVES], words[RESERVES + 1]) = (reserve0, reserve1);
        (words[SCALES], words[SCALES + 1]) = (1, 1);
        if (!pair.stableSwap()) return words;
        (words[SCALES], words[SCALES + 1]) = (pair.precisionMultiplier0(), pair.precisionMultiplier1());
        if (!_setInvariant(words)) return new uint256[](0);
    }

    function isStable(uint256[] memory words) internal pure returns (bool) {
        return words[STABLE] != 0;
    }

    /// @notice What the pair has of a token that is sold.
    function reserveOf(uint256[] memory words, bool zeroForOne) internal pure returns (uint256) {
        return words[RESERVES + (zeroForOne ? 0 : 1)];
    }

    /// @notice The curve before it is sampled; the volatile one needs no samples.
    function describe(uint256[] memory words, Shape memory shape) internal pure {
        Solidly.describe(_curveOf(words), shape);
        shape.feePips = _feeOf(words, shape.zeroForOne) * (WHOLE_PIPS / WHOLE_FEE);
    }

    /// @notice A point of a stable curve.
    function sample(uint256[] memory words, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (Sample memory point)
    {
        uint256 kept = WHOLE_FEE - _feeOf(words, zeroForOne);
        uint256 charged = FixedPointMathLib.fullMulDivUp(amountIn, kept, WHOLE_FEE);
        point = Solidly.sample(_curveOf(words), zeroForOne, charged);
        point.amountIn = amountIn;
        point.ratio = FixedPointMathLib.fullMulDiv(point.ratio, sqrtRatio(kept, WHOLE_FEE), Q96);
        point.doubling = FixedPointMathLib.min(point.doubling * WHOLE_FEE / kept, MAX_DOUBLING);
    }

    /// @notice The most that the pair pays for `amountIn`, but for a unit or two; zero if it refuses.
    function amountOutOf(uint256[] memory words, bool zeroForOne, uint256 amountIn) internal pure returns (uint256) {
        (uint256 reserveIn, uint256 reserveOut) = (words.reserveOf(zeroForOne), words.reserveOf(!zeroForOne));
        // The pair keeps its balances in 112 bits and refuses more.
        if (reserveIn > MAX_RESERVE || amountIn > MAX_RESERVE - reserveIn) return 0;
        uint256 fee = _feeOf(words, zeroForOne);
        if (!words.isStable()) {
            return constantProductOut(amountIn, reserveIn, reserveOut, fee * (WHOLE_PIPS / WHOLE_FEE));
        }
        return _stableOut(words, zeroForOne, amountIn - amountIn * fee / WHOLE_FEE);
    }

    function _stableOut(uint256[] memory words, bool zeroForOne, uint256 charged) private pure returns (uint256) {
        uint256 scaleIn = words[zeroForOne ? SCALES : SCALES + 1];
        uint256 scaleOut = words[zeroForOne ? SCALES + 1 : SCALES];
        uint256 reserveOut = words.reserveOf(!zeroForOne);
        uint256 x = (words.reserveOf(zeroForOne) + charged) * WAD / scaleIn;
        if (x > MAX_RESERVE) return 0;
        uint256 before = reserveOut * WAD / scaleOut;
        uint256 y = stableBalance(x, words[INVARIANT], before, 0, 0);
        uint256 amountOut = FixedPointMathLib.zeroFloorSub(before, y) * scaleOut / WAD;
        return _accepted(words, x, reserveOut, scaleOut, amountOut);
    }

    /// @dev The pair's own last check, which rounding can fail.
    function _accepted(uint256[] memory words, uint256 x, uint256 reserveOut, uint256 scaleOut, uint256 amountOut)
        private
        pure
        returns (uint256)
    {
        if (amountOut >= reserveOut) return 0;
        for (uint256 off; off <= MOST_OFF && amountOut != 0; ++off) {
            if (stableInvariant(x, (reserveOut - amountOut) * WAD / scaleOut) >= words[INVARIANT]) return amountOut;
            --amountOut;
        }
        return 0;
    }

    /// @dev False if the stable curve cannot be priced.
    function _setInvariant(uint256[] memory words) private pure returns (bool) {
        (uint256 scale0, uint256 scale1) = (words[SCALES], words[SCALES + 1]);
        if (scale0 == 0 || scale1 == 0 || scale0 > MAX_SCALE || scale1 > MAX_SCALE) return false;
        (uint256 x, uint256 y) = (words[RESERVES] * WAD / scale0, words[RESERVES + 1] * WAD / scale1);
        if (x > MAX_RESERVE || y > MAX_RESERVE || x / MAX_IMBALANCE > y || y / MAX_IMBALANCE > x) return false;
        (words[STABLE], words[INVARIANT]) = (1, stableInvariant(x, y));
        return words[INVARIANT] >= LEAST_INVARIANT;
    }

    function _feeOf(uint256[] memory words, bool zeroForOne) private pure returns (uint256) {
        return words[FEES + (zeroForOne ? 0 : 1)];
    }

    function _curveOf(uint256[] memory words) private pure returns (uint256[] memory curve) {
        curve = new uint256[](WORDS - CURVE);
        for (uint256 k; k < curve.length; ++k) {
            curve[k] = words[CURVE + k];
        }
    }
}
