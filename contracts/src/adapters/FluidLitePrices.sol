// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice A pool of Fluid DEX Lite at this block. Amounts have 9 decimals, whatever the token has.
struct FluidPool {
    /// The tokens that the pool has, and the imaginary reserves whose constant product sets its price.
    uint256 supply0;
    uint256 supply1;
    uint256 reserve0;
    uint256 reserve1;
    /// Price of token0 in token1, in 1e-27.
    uint256 center;
    uint256 feePips;
    /// Part of the fee that is not added to the supply, in percent.
    uint256 revenueCut;
    uint256 decimals0;
    uint256 decimals1;
}

using FluidLitePrices for FluidPool global;

/// @title The arithmetic of Fluid DEX Lite
/// @notice A pool spreads its tokens over a price range around a center price. If the price leaves the middle of the range, the center
/// price moves with time towards that end of the range. As in the pool itself, some of the arithmetic is unchecked.
library FluidLitePrices {
    uint256 private constant PRECISION = 1e27;
    uint256 private constant WHOLE_RANGE = 1e4;
    uint256 private constant WHOLE_FEE = 1e6;
    /// @dev After a swap, the supply of the token bought must be worth at least the supply of the token sold divided by this.
    uint256 private constant LEAST_PARTS = 1e4;
    uint256 private constant DECIMALS = 9;
    uint256 private constant MAX_AMOUNT = (1 << 60) - 1;
    /// @dev For smaller inputs the fee, which the pool rounds down, is too far off.
    uint256 private constant LEAST_AMOUNT = 1 << 22;
    /// @dev Values of the two bits that tell where a center price moves to.
    uint256 private constant TO_UPPER = 2;
    uint256 private constant TO_LOWER = 3;

    /// @notice Decodes the words of `FluidLite.stateOf`. The reserves are zero if the pool cannot be priced, for example because another
    /// contract names its center price: the pool does not store that contract's address, only a number.
    function poolOf(uint256 variables, uint256 priceShift, uint256 rangeShift)
        internal
        view
        returns (FluidPool memory pool)
    {
        bool isNamed = _bits(variables, 22, 1) != 0 || _bits(variables, 63, 19) != 0;
        if (variables == 0 || isNamed) return pool;
        (pool.feePips, pool.revenueCut) = (_bits(variables, 0, 13), _bits(variables, 13, 7));
        (pool.decimals0, pool.decimals1) = (_bits(variables, 126, 5), _bits(variables, 131, 5));
        (pool.supply0, pool.supply1) = (_bits(variables, 136, 60), _bits(variables, 196, 60));
        (uint256 up, uint256 down) = (_bits(variables, 83, 14), _bits(variables, 97, 14));
        if (_bits(variables, 82, 1) != 0) (up, down) = _rangeAt(up, down, rangeShift);
        if (up >= WHOLE_RANGE || down >= WHOLE_RANGE) return pool;
        pool.center = _centerAt(_float(_bits(variables, 23, 40)), _bits(variables, 20, 2), priceShift, up, down);
        _spread(pool, up, down);
    }

    /// @notice What the pool pays, in base units; zero if it refuses the input.
    function quote(FluidPool memory pool, bool swap0To1, uint256 amountIn) internal pure returns (uint256) {
        (uint256 decimalsIn, uint256 decimalsOut) =
            swap0To1 ? (pool.decimals0, pool.decimals1) : (pool.decimals1, pool.decimals0);
        if (amountIn > type(uint128).max) return 0;
        amountIn = toAdjusted(amountIn, decimalsIn);
        (uint256 reserveIn, uint256 reserveOut) =
            swap0To1 ? (pool.reserve0, pool.reserve1) : (pool.reserve1, pool.reserve0);
        if (amountIn < LEAST_AMOUNT || amountIn > MAX_AMOUNT || amountIn > reserveIn / 2) return 0;
        uint256 fee = amountIn * pool.feePips / WHOLE_FEE;
        uint256 amountOut = (amountIn - fee) * reserveOut / (reserveIn + amountIn - fee);
        uint256 kept = amountIn - fee * pool.revenueCut / 100;
        return _leavesEnough(pool, swap0To1, kept, amountOut) ? fromAdjusted(amountOut, decimalsOut) : 0;
    }

    /// @notice Upper bound on the input that the pool takes, with 9 decimals. The pool may refuse a smaller input that leaves too little
    /// in it.
    function mostIn(FluidPool memory pool, bool swap0To1) internal pure returns (uint256 most) {
        (uint256 reserveIn, uint256 reserveOut, uint256 supplyOut) =
            swap0To1 ? (pool.reserve0, pool.reserve1, pool.supply1) : (pool.reserve1, pool.reserve0, pool.supply0);
        most = FixedPointMathLib.min(reserveIn / 2, MAX_AMOUNT);
        if (supplyOut >= reserveOut) return most;
        uint256 charged = FixedPointMathLib.fullMulDivUp(reserveIn, supplyOut + 1, reserveOut - supplyOut) + 1;
        return
            FixedPointMathLib.min(
                most, FixedPointMathLib.fullMulDivUp(charged, WHOLE_FEE, WHOLE_FEE - pool.feePips) + 1
            );
    }

    /// @notice An amount with 9 decimals, rounded down.
    function toAdjusted(uint256 amount, uint256 decimals) internal pure returns (uint256) {
        return decimals > DECIMALS ? amount / 10 ** (decimals - DECIMALS) : amount * 10 ** (DECIMALS - decimals);
    }

    /// @notice The same in base units, rounded down.
    function fromAdjusted(uint256 amount, uint256 decimals) internal pure returns (uint256) {
        return decimals > DECIMALS ? amount * 10 ** (decimals - DECIMALS) : amount / 10 ** (DECIMALS - decimals);
    }

    /// @dev Whether the pool has the output, and holds enough of both tokens afterwards.
    function _leavesEnough(FluidPool memory pool, bool swap0To1, uint256 amountIn, uint256 amountOut)
        private
        pure
        returns (bool)
    {
        (uint256 supplyIn, uint256 supplyOut) = swap0To1 ? (pool.supply0, pool.supply1) : (pool.supply1, pool.supply0);
        supplyIn += amountIn;
        if (supplyIn > MAX_AMOUNT || supplyOut < amountOut) return false;
        uint256 least = swap0To1
            ? supplyIn * pool.center / (PRECISION * LEAST_PARTS)
            : supplyIn * PRECISION / (pool.center * LEAST_PARTS);
        return supplyOut - amountOut >= least;
    }

    /// @dev Both ends of the range, as parts of `WHOLE_RANGE`, while they move from old values to new ones.
    function _rangeAt(uint256 up, uint256 down, uint256 shift) private view returns (uint256, uint256) {
        (uint256 duration, uint256 start) = (_bits(shift, 28, 20), _bits(shift, 48, 33));
        if (start + duration < block.timestamp) return (up, down);
        // The pool divides by the duration, so that its swaps fail. `poolOf` refuses a whole range.
        if (duration == 0) return (WHOLE_RANGE, WHOLE_RANGE);
        uint256 elapsed = block.timestamp - start;
        return
            (_moved(_bits(shift, 0, 14), up, elapsed, duration), _moved(_bits(shift, 14, 14), down, elapsed, duration));
    }

    /// @dev The center price at this block; rebalancing may be moving it.
    function _centerAt(uint256 center, uint256 way, uint256 shift, uint256 up, uint256 down)
        private
        view
        returns (uint256)
    {
        if (way != TO_UPPER && way != TO_LOWER) return center;
        (uint256 upper, uint256 lower) = _endsOf(center, up, down);
        uint256 end = way == TO_UPPER ? upper : lower;
        (uint256 last, uint256 duration) = (_bits(shift, 0, 33), _bits(shift, 33, 24));
        uint256 elapsed = block.timestamp - last;
        center = elapsed < duration ? _moved(center, end, elapsed, duration) : end;
        if (shift == 0) return center;
        (uint256 most, uint256 least) = (_float(_bits(shift, 57, 28)), _float(_bits(shift, 85, 28)));
        if (center > most) return most;
        return center < least ? least : center;
    }

    /// @dev Computes the imaginary reserves from the supplies and the range.
    function _spread(FluidPool memory pool, uint256 up, uint256 down) private pure {
        (uint256 upper, uint256 lower) = _endsOf(pool.center, up, down);
        if (lower == 0) return;
        uint256 mean = upper < 1e38
            ? FixedPointMathLib.sqrt(upper * lower)
            : FixedPointMathLib.sqrt((upper / 1e18) * (lower / 1e18)) * 1e18;
        if (mean < PRECISION) {
            (pool.reserve0, pool.reserve1) = _beyond(mean, upper, pool.supply0, pool.supply1);
        } else {
            (pool.reserve1, pool.reserve0) = _beyond(1e54 / mean, 1e54 / lower, pool.supply1, pool.supply0);
        }
        if (pool.reserve0 | pool.reserve1 == 0) return;
        (pool.reserve0, pool.reserve1) = (pool.reserve0 + pool.supply0, pool.reserve1 + pool.supply1);
    }

    /// @dev Reserves x and y beyond the supplies that keep the price within the range: x is what is left of one token where the pool has
    /// nothing more to sell of it, at the end price, and y is x at the mean price. x solves
    /// (end - mean) x^2 - (mean sx + sy) x - sx sy = 0.
    function _beyond(uint256 mean, uint256 end, uint256 supplyX, uint256 supplyY)
        private
        pure
        returns (uint256 x, uint256 y)
    {
        if (end <= mean) return (0, 0);
        unchecked {
            uint256 half = (mean * supplyX + supplyY * PRECISION) / (2 * (end - mean));
            x = half + FixedPointMathLib.sqrt(supplyX * supplyY * PRECISION / (end - mean) + half * half);
            y = x * mean / PRECISION;
        }
    }

    function _endsOf(uint256 center, uint256 up, uint256 down) private pure returns (uint256 upper, uint256 lower) {
        unchecked {
            upper = center * WHOLE_RANGE / (WHOLE_RANGE - up);
            lower = center * (WHOLE_RANGE - down) / WHOLE_RANGE;
        }
    }

    function _moved(uint256 from, uint256 to, uint256 elapsed, uint256 duration) private pure returns (uint256) {
        unchecked {
            return to > from ? from + (to - from) * elapsed / duration : from - (from - to) * elapsed / duration;
        }
    }

    /// @dev A coefficient above eight bits of the exponent.
    function _float(uint256 word) private pure returns (uint256) {
        return word >> 8 << (word & 0xff);
    }

    function _bits(uint256 word, uint256 at, uint256 count) private pure returns (uint256) {
        return word >> at & ((1 << count) - 1);
    }
}
