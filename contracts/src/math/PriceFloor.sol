// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {WHOLE_BPS} from "./FeeMath.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title The least price at which a leg may be filled
/// @notice The key of a leg tells its pool in 208 bits. The 48 bits above them may hold a price, in base units bought for each unit
/// sold: a mantissa of 40 bits, and above it an exponent of two. The venue's adapter refuses to pay less. Zero is no floor.
/// @dev The Quoter writes it for legs on pools with hooks, which may pay less in a swap than in the quote.
library PriceFloor {
    uint256 private constant KEY_BITS = 208;
    uint256 private constant MANTISSA_BITS = 40;
    /// @dev The price is `mantissa * 2^(exponent - BIAS)`: between 2^128 and its inverse.
    uint256 private constant BIAS = 167;
    uint256 private constant MAX_EXPONENT = 255;
    /// @dev A longer key holds the id of a pool, and its last byte is zero if that pool's hooks run in swaps.
    uint256 private constant ADDRESS_KEY_BITS = 168;

    /// @notice Whether a leg with this key, on a venue with an adapter, has a floor.
    function isFor(uint256 key) internal pure returns (bool) {
        return key >> ADDRESS_KEY_BITS != 0 && uint8(key) == 0;
    }

    /// @notice The key without the floor.
    function without(uint256 key) internal pure returns (uint256) {
        return key & (1 << KEY_BITS) - 1;
    }

    /// @notice The price of a swap, rounded down, at its place in a key. Zero if it has no place there.
    /// @param amountIn Not zero.
    /// @param amountOut Not zero.
    function inKey(uint256 amountIn, uint256 amountOut) internal pure returns (uint256) {
        // With this many bits of fraction, the quotient has 40 bits, which fit into a mantissa, or 41.
        uint256 fraction = MANTISSA_BITS + FixedPointMathLib.log2(amountIn);
        uint256 whole = FixedPointMathLib.log2(amountOut);
        if (whole > fraction + MAX_EXPONENT - BIAS || fraction > whole + BIAS) return 0;
        uint256 exponent = BIAS + whole - fraction;
        uint256 mantissa = exponent > BIAS
            ? amountOut / (amountIn << exponent - BIAS)
            : FixedPointMathLib.fullMulDiv(amountOut, 1 << BIAS - exponent, amountIn);
        if (mantissa >> MANTISSA_BITS != 0) (mantissa, exponent) = (mantissa >> 1, exponent + 1);
        return exponent > MAX_EXPONENT ? 0 : (exponent << MANTISSA_BITS | mantissa) << KEY_BITS;
    }

    /// @notice The key with its floor lowered by `bps` basis points.
    function lowered(uint256 key, uint256 bps) internal pure returns (uint256) {
        uint256 mantissa = key >> KEY_BITS & (1 << MANTISSA_BITS) - 1;
        return key - (mantissa - mantissa * (WHOLE_BPS - bps) / WHOLE_BPS << KEY_BITS);
    }

    /// @notice The least that a leg with this key may pay for an input, rounded down.
    function leastOut(uint256 key, uint256 amountIn) internal pure returns (uint256) {
        uint256 exponent = key >> KEY_BITS + MANTISSA_BITS;
        uint256 mantissa = key >> KEY_BITS & (1 << MANTISSA_BITS) - 1;
        if (exponent > BIAS) return FixedPointMathLib.fullMulDiv(amountIn, mantissa << exponent - BIAS, 1);
        return FixedPointMathLib.fullMulDiv(amountIn, mantissa, 1 << BIAS - exponent);
    }
}
