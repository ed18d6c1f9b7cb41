// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {sqrtRatio} from "./Ratio.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Newton steps after which the published pools give up, or answer what they have.
uint256 constant MAX_STABLE_STEPS = 255;
/// @dev One in the fixed point of prices: a pair of 6 and 18 decimals moves them by 40 bits.
uint256 constant FINE = 1 << 160;

/// @notice A StableSwap pool: `Ann sum + D = Ann D + D^(n+1) / (n^n prod)` over its normalized balances.
/// @dev `Ann` is the pool's amplification times the number of tokens, in parts of `precision`.
struct StableSwap {
    uint256 ann;
    uint256 precision;
    uint256 invariant;
    /// In 1e-18.
    uint256[] balances;
    /// Places of the token sold and the token bought, and what 1e18 base units of each are normalized to.
    uint256 i;
    uint256 j;
    uint256 rateIn;
    uint256 rateOut;
}

using {invariantOf, priceRatio, balanceDown, balanceUp, sumOf, unitAndMost} for StableSwap global;

/// @notice The smaller of the two balances as an input, and the balance of the token bought, in base units.
function unitAndMost(StableSwap memory pool) pure returns (uint256 unit, uint256 most) {
    (uint256 sold, uint256 bought) = (pool.balances[pool.i], pool.balances[pool.j]);
    unit = FixedPointMathLib.fullMulDiv(FixedPointMathLib.min(sold, bought), 1e18, pool.rateIn);
    most = FixedPointMathLib.fullMulDiv(bought, 1e18, pool.rateOut);
}

function sumOf(StableSwap memory pool) pure returns (uint256 sum) {
    for (uint256 k; k < pool.balances.length; ++k) {
        sum += pool.balances[k];
    }
}

/// @notice D by the Newton steps of Curve's pools before StableSwap-NG and of Balancer's, each rounding down.
/// @param divideLast StableSwap-NG divides by n^n once, after the balances.
function invariantOf(StableSwap memory pool, bool divideLast) pure returns (uint256 invariant) {
    uint256 n = pool.balances.length;
    uint256 sum = pool.sumOf();
    invariant = sum;
    if (sum == 0) return 0;
    for (uint256 step; step < MAX_STABLE_STEPS; ++step) {
        uint256 product = invariant;
        for (uint256 k; k < n; ++k) {
            product = product * invariant / (divideLast ? pool.balances[k] : pool.balances[k] * n);
        }
        if (divideLast) product /= n ** n;
        uint256 before = invariant;
        invariant = (pool.ann * sum / pool.precision + product * n) * invariant
            / ((pool.ann - pool.precision) * invariant / pool.precision + (n + 1) * product);
        if (FixedPointMathLib.dist(invariant, before) <= 1) return invariant;
    }
    return 0;
}

/// @notice Balance of the token bought when that of the token sold is `x`, as Curve's pools compute it: every division rounds down.
function balanceDown(StableSwap memory pool, uint256 x) pure returns (uint256 y) {
    uint256 n = pool.balances.length;
    uint256 c = pool.invariant;
    uint256 sum;
    for (uint256 k; k < n; ++k) {
        if (k == pool.j) continue;
        uint256 balance = k == pool.i ? x : pool.balances[k];
        sum += balance;
        c = c * pool.invariant / (balance * n);
    }
    c = c * pool.invariant * pool.precision / (pool.ann * n);
    uint256 b = sum + pool.invariant * pool.precision / pool.ann;
    y = pool.invariant;
    for (uint256 step; step < MAX_STABLE_STEPS; ++step) {
        uint256 before = y;
        y = (y * y + c) / (2 * y + b - pool.invariant);
        if (FixedPointMathLib.dist(y, before) <= 1) return y;
    }
    return type(uint256).max;
}

/// @notice The same as Balancer's stable pools compute it: divisions towards a higher balance.
function balanceUp(StableSwap memory pool, uint256 x) pure returns (uint256 y) {
    uint256 n = pool.balances.length;
    (uint256 old, uint256 invariant) = (pool.balances[pool.i], pool.invariant);
    pool.balances[pool.i] = x;
    uint256 sum = pool.sumOf() - pool.balances[pool.j];
    uint256 product = pool.balances[0] * n;
    for (uint256 k = 1; k < n; ++k) {
        product = product * pool.balances[k] * n / invariant;
    }
    pool.balances[pool.i] = old;
    uint256 squared = invariant * invariant;
    uint256 c = FixedPointMathLib.divUp(squared, pool.ann * product) * pool.precision * pool.balances[pool.j];
    uint256 b = sum + invariant / pool.ann * pool.precision;
    y = FixedPointMathLib.divUp(squared + c, invariant + b);
    for (uint256 step; step < MAX_STABLE_STEPS; ++step) {
        uint256 before = y;
        y = FixedPointMathLib.divUp(y * y + c, 2 * y + b - invariant);
        if (FixedPointMathLib.dist(y, before) <= 1) return y;
    }
    return type(uint256).max;
}

/// @notice Square root of the marginal price in Q96, in base units, when the token sold has the balance `x` and the
/// token bought `y`: `(Ann + K/x) / (Ann + K/y)` with K = D^(n+1) / (n^n prod), and of it `kept / whole` after the fee.
/// @return ratio The root.
/// @return growth By which part its inverse grows there, in 1e-18, were `x` to grow by all of itself: with
/// a = (K/x) / (Ann + K/x) and b = (K/y) / (Ann + K/y) that is a + b (1 - b) (x - y) / y.
function priceRatio(StableSwap memory pool, uint256 x, uint256 y, uint256 kept, uint256 whole)
    pure
    returns (uint256 ratio, uint256 growth)
{
    uint256 k = pool.invariant;
    for (uint256 t; t < pool.balances.length; ++t) {
        uint256 balance = t == pool.i ? x : t == pool.j ? y : pool.balances[t];
        k = FixedPointMathLib.fullMulDiv(k, pool.invariant, balance * pool.balances.length);
    }
    uint256 ann = FixedPointMathLib.fullMulDiv(pool.ann, FINE, pool.precision);
    uint256 a = FixedPointMathLib.fullMulDiv(k, FINE, x);
    uint256 b = FixedPointMathLib.fullMulDiv(k, FINE, y);
    ratio = sqrtRatio(FixedPointMathLib.fullMulDiv(ann + a, pool.rateIn * kept, pool.rateOut * whole), ann + b);
    (a, b) = (FixedPointMathLib.fullMulDiv(a, 1e18, ann + a), FixedPointMathLib.fullMulDiv(b, 1e18, ann + b));
    b = FixedPointMathLib.fullMulDiv(b * (1e18 - b) / 1e18, FixedPointMathLib.dist(x, y), y);
    growth = x < y ? FixedPointMathLib.zeroFloorSub(a, b) : a + b;
}
