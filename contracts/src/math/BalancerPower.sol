// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Powers as Balancer V2 computes them
/// @notice Written from the published algorithm, step for step, because quotes must round as the pools do: a natural
/// logarithm by division with powers e^(2^k) and a series of artanh, and an exponential by the same powers and Taylor's.
library BalancerPower {
    int256 private constant ONE = 1e18;
    int256 private constant ONE_20 = 1e20;
    int256 private constant ONE_36 = 1e36;
    /// @dev Within a tenth of one the logarithm is computed with 36 digits.
    int256 private constant NEAR = 1e17;
    int256 private constant LEAST_EXPONENT = -41e18;
    int256 private constant MOST_EXPONENT = 130e18;
    /// @dev e^128 and e^64, as integers.
    int256 private constant E_128 = 38_877_084_059_945_950_922_200_000_000_000_000_000_000_000_000_000_000_000;
    int256 private constant E_64 = 6_235_149_080_811_616_882_910_000_000;
    /// @dev Powers by which the logarithm divides below that; the exponential stops at e^(1/4).
    uint256 private constant LOGARITHM_POWERS = 10;
    uint256 private constant EXPONENTIAL_POWERS = 8;

    /// @dev The power is beyond what is represented, where the pool reverts as well.
    error OutOfRange();

    /// @notice `base ^ exponent` in 1e-18, rounded up by as much as the error can be.
    function powUp(uint256 base, uint256 exponent) internal pure returns (uint256) {
        uint256 raw = _pow(base, exponent);
        // ceil(raw * 1e-14) + 1
        return raw + (raw == 0 ? 0 : (raw * 10_000 - 1) / 1e18 + 1) + 1;
    }

    function _pow(uint256 base, uint256 exponent) private pure returns (uint256) {
        if (exponent == 0) return uint256(ONE);
        if (base == 0) return 0;
        int256 x = int256(base);
        int256 y = int256(exponent);
        int256 product;
        if (x > ONE - NEAR && x < ONE + NEAR) {
            int256 logarithm = _lnNearOne(x);
            product = (logarithm / ONE) * y + ((logarithm % ONE) * y) / ONE;
        } else {
            product = _ln(x) * y;
        }
        product /= ONE;
        if (product < LEAST_EXPONENT || product > MOST_EXPONENT) revert OutOfRange();
        return uint256(_exp(product));
    }

    function _exp(int256 x) private pure returns (int256) {
        if (x < 0) return ONE * ONE / _exp(-x);
        int256 whole = 1;
        // From e^128 on, `powUp` overflows, as the pools do.
        if (x >= 64e18) {
            x -= 64e18;
            whole = E_64;
        }
        x *= 100;
        int256 product = ONE_20;
        for (uint256 i; i < EXPONENTIAL_POWERS; ++i) {
            int256 exponent = _exponentOf(i);
            if (x < exponent) continue;
            x -= exponent;
            product = product * _powerOf(i) / ONE_20;
        }
        int256 sum = ONE_20 + x;
        int256 term = x;
        for (int256 k = 2; k <= 12; ++k) {
            term = term * x / ONE_20 / k;
            sum += term;
        }
        return product * sum / ONE_20 * whole / 100;
    }

    function _ln(int256 a) private pure returns (int256) {
        if (a < ONE) return -_ln(ONE * ONE / a);
        int256 sum;
        if (a >= E_128 * ONE) {
            a /= E_128;
            sum += 128e18;
        }
        if (a >= E_64 * ONE) {
            a /= E_64;
            sum += 64e18;
        }
        (sum, a) = (sum * 100, a * 100);
        for (uint256 i; i < LOGARITHM_POWERS; ++i) {
            if (a < _powerOf(i)) continue;
            a = a * ONE_20 / _powerOf(i);
            sum += _exponentOf(i);
        }
        return (sum + _artanhSeries((a - ONE_20) * ONE_20 / (a + ONE_20), ONE_20, 11)) / 100;
    }

    /// @dev With 36 digits.
    function _lnNearOne(int256 x) private pure returns (int256) {
        x *= ONE;
        return _artanhSeries((x - ONE_36) * ONE_36 / (x + ONE_36), ONE_36, 15);
    }

    /// @dev `2 artanh(z)` = 2 (z + z^3/3 + z^5/5 + ...), which is ln((1 + z) / (1 - z)).
    function _artanhSeries(int256 z, int256 one, int256 last) private pure returns (int256) {
        int256 squared = z * z / one;
        int256 power = z;
        int256 sum = z;
        for (int256 k = 3; k <= last; k += 2) {
            power = power * squared / one;
            sum += power / k;
        }
        return sum * 2;
    }

    /// @dev 32, 16, ... 1/16 with 20 digits.
    function _exponentOf(uint256 i) private pure returns (int256) {
        return int256(32e20 >> i);
    }

    /// @dev e to that power, with 20 digits.
    function _powerOf(uint256 i) private pure returns (int256) {
        if (i == 0) return 7_896_296_018_268_069_516_100_000_000_000_000;
        if (i == 1) return 888_611_052_050_787_263_676_000_000;
        if (i == 2) return 298_095_798_704_172_827_474_000;
        if (i == 3) return 5_459_815_003_314_423_907_810;
        if (i == 4) return 738_905_609_893_065_022_723;
        if (i == 5) return 271_828_182_845_904_523_536;
        if (i == 6) return 164_872_127_070_012_814_685;
        if (i == 7) return 128_402_541_668_774_148_407;
        if (i == 8) return 113_314_845_306_682_631_683;
        return 106_449_445_891_785_942_956;
    }
}
