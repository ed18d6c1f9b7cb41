// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev One in the fixed point of this file, and what fees are parts of.
uint256 constant CRYPTO_ONE = 1e27;
uint256 constant CRYPTO_FEE = 1e10;
/// @dev Amplifications are in these parts.
uint256 constant CRYPTO_PARTS = 1e4;
/// @dev Newton steps, and how small one must be to be the last; or how small, if the one before it was no larger, because what is left
/// is rounding.
uint256 constant MAX_CRYPTO_STEPS = 64;
uint256 constant LAST_STEP = 1e9;
uint256 constant LAST_ROUNDED_STEP = 1e14;
/// @dev Numbers below these are of no pool, and overflow.
uint256 constant MIN_CRYPTO_GAMMA = 1e19;
uint256 constant MIN_PRODUCT = 1e18;

/// @notice A pool of Curve's whitepaper of 2021: with k = n^n prod(x) / D^n its balances keep
/// `sum(x) / D = 1 + (1 - k) ((gamma + 1 - k) / gamma)^2 / (Ann k)`. Balances are in parts of D.
struct CryptoSwap {
    /// Times n^n, in parts of `CRYPTO_PARTS`.
    uint256 ann;
    uint256 gamma;
    uint256 balanceIn;
    uint256 balanceOut;
    /// Of the token that is not traded; zero in a pool of two.
    uint256 other;
    /// Lowest and highest fee, and how fast it grows off balance.
    uint256 midFee;
    uint256 outFee;
    uint256 feeGamma;
}

/// @notice A point of the curve.
struct CryptoPoint {
    /// Balances of the token sold and the token bought.
    uint256 x;
    uint256 y;
    /// What is paid for a part of the token sold, before the fee.
    uint256 price;
    uint256 fee;
}

using {pointAt, feeAt, leastFee} for CryptoSwap global;

/// @notice The point of the curve where the token sold has the balance `x`.
/// @param guess Some balance of the token bought near there, better below than above.
/// @dev `sum - 1 - bend(k)` is concave in the balance and rises, so that every step but the first comes from below.
function pointAt(CryptoSwap memory pool, uint256 x, uint256 guess) pure returns (CryptoPoint memory point) {
    uint256 sum = x + pool.other;
    uint256 product = pool.other == 0 ? 4 * x : 27 * x * pool.other / CRYPTO_ONE;
    uint256 y = guess;
    uint256 weight;
    uint256 before = type(uint256).max;
    for (uint256 steps = MAX_CRYPTO_STEPS; steps != 0; --steps) {
        uint256 bend;
        (bend, weight) = _bendAt(pool, product, y);
        uint256 step;
        if (sum + y >= CRYPTO_ONE + bend) {
            step = _stepOf(sum + y - CRYPTO_ONE - bend, y, weight);
            y -= FixedPointMathLib.min(step, y / 2);
        } else {
            step = _stepOf(CRYPTO_ONE + bend - sum - y, y, weight);
            y += FixedPointMathLib.min(step, y);
        }
        if (step <= LAST_STEP || step <= LAST_ROUNDED_STEP && step >= before) break;
        before = step;
    }
    uint256 price = FixedPointMathLib.fullMulDiv(FixedPointMathLib.fullMulDiv(y, CRYPTO_ONE, x), x + weight, y + weight);
    return CryptoPoint(x, y, price, pool.feeAt(x, y));
}

function _stepOf(uint256 off, uint256 y, uint256 weight) pure returns (uint256) {
    return off < 1 << 128 && y < 1 << 128 ? off * y / (y + weight) : FixedPointMathLib.fullMulDiv(off, y, y + weight);
}

/// @notice The fee for a swap that ends there. It falls until both balances are equal, and grows from there on.
function feeAt(CryptoSwap memory pool, uint256 x, uint256 y) pure returns (uint256) {
    uint256 sum = x + y + pool.other;
    uint256 balance = 4 * (x * CRYPTO_ONE / sum) * y / sum;
    if (pool.other != 0) balance = balance * 27 / 4 * pool.other / sum;
    return _feeOf(pool, balance);
}

/// @notice The lowest fee between two points between which the balances become equal, or less.
/// @dev Of all with the sum t the product is largest where they are equal: 27 (t/2)^2 z / (t + z)^3, most at t = 2 z.
function leastFee(CryptoSwap memory pool, CryptoPoint memory from, CryptoPoint memory to) pure returns (uint256) {
    uint256 other = pool.other;
    if (other == 0) return pool.midFee;
    // The sum is convex, and at no place less than the lower balances.
    uint256 most = FixedPointMathLib.max(from.x + from.y, to.x + to.y);
    uint256 sum = FixedPointMathLib.clamp(2 * other, from.x + to.y, most);
    return pool.feeAt(sum / 2, sum / 2);
}

/// @dev With k = `product y`, in parts of one, `(1 - k) q^2 / (Ann k)` with q = (gamma + 1 - k) / gamma, and `-k` times its
/// derivative.
function _bendAt(CryptoSwap memory pool, uint256 product, uint256 y) pure returns (uint256 bend, uint256 weight) {
    (uint256 gamma, uint256 ann) = (pool.gamma, pool.ann);
    uint256 k = FixedPointMathLib.min(product * y / CRYPTO_ONE, CRYPTO_ONE);
    require(k >= MIN_PRODUCT);
    // With k no less than that and gamma no less than `MIN_CRYPTO_GAMMA` the square is below 1e44, and every product below 1e74.
    unchecked {
        uint256 rest = CRYPTO_ONE - k;
        uint256 q = (gamma + rest) * CRYPTO_ONE / gamma;
        uint256 squared = q * q / CRYPTO_ONE;
        bend = rest * squared / k * CRYPTO_PARTS / ann;
        weight = (squared * CRYPTO_ONE / k + 2 * q * rest / gamma) * CRYPTO_PARTS / ann;
    }
}

function _feeOf(CryptoSwap memory pool, uint256 balance) pure returns (uint256) {
    uint256 off = FixedPointMathLib.zeroFloorSub(CRYPTO_ONE, balance);
    uint256 even = pool.feeGamma * CRYPTO_ONE / (pool.feeGamma + off);
    return (pool.midFee * even + pool.outFee * (CRYPTO_ONE - even)) / CRYPTO_ONE;
}
