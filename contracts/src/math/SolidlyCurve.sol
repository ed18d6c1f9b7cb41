// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @dev One in the fixed point of the stable curve.
uint256 constant WAD = 1e18;
/// @dev Newton steps after which the published pool gives up.
uint256 constant MAX_NEWTON_STEPS = 255;
/// @dev Steps after which nothing but rounding moves the balance. A step takes at least a third of the way.
uint256 constant ENOUGH_NEWTON_STEPS = 32;

/// @notice `x^3 y + x y^3` of two balances in 1e-18, rounded down as Solidly's stable pools round it.
function stableInvariant(uint256 x, uint256 y) pure returns (uint256) {
    uint256 product = x * y / WAD;
    return product * (x * x / WAD + y * y / WAD) / WAD;
}

/// @notice The balance y that keeps the invariant at `k` beside the balance x, by the pool's own Newton steps from `y`.
/// @param scale0 Base units of a whole token0, and `scale1` of a token1: where the published pool looks one unit further
/// it divides the balances by them once more, in this order whatever the direction, and so depends on them. If `scale0` is
/// zero, the balance is the curve's but for rounding, and there is one even where the pool's steps go round in circles.
/// @return Zero if the pool gives up.
function stableBalance(uint256 x, uint256 k, uint256 y, uint256 scale0, uint256 scale1) pure returns (uint256) {
    for (uint256 i; i < MAX_NEWTON_STEPS; ++i) {
        if (scale0 == 0 && i == ENOUGH_NEWTON_STEPS) return y;
        uint256 now_ = stableInvariant(x, y);
        uint256 slope = 3 * x * (y * y / WAD) / WAD + (x * x / WAD) * x / WAD;
        if (now_ < k) {
            uint256 step = (k - now_) * WAD / slope;
            if (step == 0) {
                if (scale0 == 0) return y;
                if (stableInvariant(x * WAD / scale0, (y + 1) * WAD / scale1) > k) return y + 1;
                step = 1;
            }
            y += step;
        } else {
            uint256 step = (now_ - k) * WAD / slope;
            if (step == 0) {
                if (now_ == k || stableInvariant(x, y - 1) < k) return y;
                step = 1;
            }
            y -= step;
        }
    }
    return 0;
}
