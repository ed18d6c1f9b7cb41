// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FRACTION_BITS, Sample, Shape} from "../math/Sampling.sol";
import {Balancer} from "../venues/Balancer.sol";
import {BalancerStable} from "../venues/BalancerStable.sol";
import {BalancerWeighted} from "../venues/BalancerWeighted.sol";
import {indexesOf} from "../venues/Listed.sol";
import {StableWords} from "../venues/StableWords.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What one token of a pool is in a swap.
struct BalancerV3Side {
    /// Normalized.
    uint256 balance;
    /// What 1e18 base units are normalized to.
    uint256 factor;
    /// The same with a rate that is rounded up.
    uint256 factorUp;
}

/// @title Balancer V3's weighted and stable pools as words
/// @notice The words of a pool of Balancer V2, because both follow the same mathematics; then, counted from the end: whether the
/// pool is weighted, the fee, the smallest trade, the number of tokens, and the factors and balances of all tokens.
library BalancerV3Words {
    uint256 private constant WAD = 1e18;
    /// @dev Words counted from the end.
    uint256 private constant IS_WEIGHTED = 1;
    uint256 private constant FEE = 2;
    uint256 private constant LEAST = 3;
    uint256 private constant TOKENS = 4;
    uint256 private constant TAIL = 4;
    /// @dev Weighted pools take up to this part of their balance, in 1e-18.
    uint256 private constant MOST_IN = 0.3e18;

    /// @notice The words of a pool, after those of Balancer V2.
    /// @param rates In 1e-18, as `decimalFactors` are in 1.
    function close(
        uint256[] memory head,
        bool weighted,
        uint256 fee,
        uint256 least,
        uint256[] memory balances,
        uint256[] memory rates,
        uint256[] memory decimalFactors
    ) internal pure returns (uint256[] memory words) {
        uint256 n = balances.length;
        uint256 start = head.length;
        words = new uint256[](start + 3 * n + TAIL);
        for (uint256 k; k < start; ++k) {
            words[k] = head[k];
        }
        for (uint256 k; k < n; ++k) {
            words[start + k] = balances[k];
            words[start + n + k] = rates[k] * decimalFactors[k];
            words[start + 2 * n + k] = (rates[k] % WAD == 0 ? rates[k] : rates[k] + 1) * decimalFactors[k];
        }
        uint256 end = words.length;
        (words[end - IS_WEIGHTED], words[end - FEE]) = (weighted ? 1 : 0, fee);
        (words[end - LEAST], words[end - TOKENS]) = (least, n);
    }

    function isWeighted(uint256[] memory words) internal pure returns (bool) {
        return words[words.length - IS_WEIGHTED] != 0;
    }

    /// @notice The smallest amount of either token that the Vault lets swap, normalized.
    function leastOf(uint256[] memory words) internal pure returns (uint256) {
        return words[words.length - LEAST];
    }

    function balancesOf(uint256[] memory words) internal pure returns (uint256[] memory balances) {
        balances = new uint256[](words[words.length - TOKENS]);
        uint256 start = words.length - TAIL - 3 * balances.length;
        for (uint256 k; k < balances.length; ++k) {
            balances[k] = words[start + k];
        }
    }

    function sidesOf(uint256[] memory words, bool zeroForOne)
        internal
        pure
        returns (BalancerV3Side memory sold, BalancerV3Side memory bought)
    {
        (uint256 i, uint256 j) = indexesOf(words[0], zeroForOne);
        return (_sideOf(words, i), _sideOf(words, j));
    }

    /// @notice What is left of an input after the fee, normalized.
    function afterFee(uint256[] memory words, BalancerV3Side memory sold, uint256 amountIn)
        internal
        pure
        returns (uint256)
    {
        uint256 amount = FixedPointMathLib.fullMulDiv(amountIn, sold.factor, WAD);
        return Balancer.afterFee(amount, words[words.length - FEE]);
    }

    /// @notice The curve before it is sampled.
    function describe(uint256[] memory words, Shape memory shape) internal pure {
        if (!isWeighted(words)) return StableWords.describe(words, shape);
        BalancerWeighted.describe(words, shape);
        (BalancerV3Side memory sold,) = sidesOf(words, shape.zeroForOne);
        shape.limit = _limitOf(words, sold);
    }

    /// @notice A point of the curve.
    function sample(uint256[] memory words, bool zeroForOne, uint256 amountIn) internal pure returns (Sample memory) {
        return isWeighted(words)
            ? BalancerWeighted.sample(words, zeroForOne, amountIn)
            : BalancerStable.sample(words, zeroForOne, amountIn);
    }

    /// @notice The output of a point, in base units.
    function outputOf(Sample memory point) internal pure returns (uint256) {
        return point.amountOut >> FRACTION_BITS;
    }

    /// @dev The largest input that a weighted pool takes, to the base unit: it judges it after its fee, and by a balance that it
    /// rounds up.
    function _limitOf(uint256[] memory words, BalancerV3Side memory sold) private pure returns (uint256) {
        uint256 most = (sold.balance + 1) * MOST_IN / WAD;
        uint256 normalized = ((most + 1) * WAD - 1) / (WAD - words[words.length - FEE]);
        return ((normalized + 1) * WAD - 1) / sold.factor;
    }

    function _sideOf(uint256[] memory words, uint256 k) private pure returns (BalancerV3Side memory) {
        uint256 n = words[words.length - TOKENS];
        uint256 start = words.length - TAIL - 3 * n;
        return
            BalancerV3Side({
                balance: words[start + k], factor: words[start + n + k], factorUp: words[start + 2 * n + k]
            });
    }
}
