// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

int256 constant ONE_Q64 = 1 << 64;

/// @notice `floor(a * b / 2**shift)` from the 512-bit product; `type(uint256).max` if that does not fit.
/// @param shift 1 to 255.
/// @dev Plain Solidity would need a 512-bit type. With `folded = a * b mod (2**256 - 1)` and `low = a * b mod 2**256`,
/// the high word is `folded - low`, less one where that borrows.
function mulShift(uint256 a, uint256 b, uint256 shift) pure returns (uint256 result) {
    assembly ("memory-safe") {
        let folded := mulmod(a, b, not(0))
        let low := mul(a, b)
        let high := sub(sub(folded, low), lt(folded, low))
        result := or(shr(shift, low), shl(sub(256, shift), high))
        result := or(result, sub(0, gt(shr(shift, high), 0)))
    }
}

/// @notice e to the power of x, both Q64, for x between -2 and 2.
/// @dev Four terms of the series at x / 4, to the fourth power. The relative error is below 2e-3 at the ends and below
/// 2e-6 within 1 / 2: enough, as every price step is judged by its result.
function exp(int256 x) pure returns (uint256) {
    unchecked {
        int256 y = x / 4;
        int256 y2 = (y * y) >> 64;
        int256 series = ONE_Q64 + y + y2 / 2 + ((y2 * y) >> 64) / 6 + ((y2 * y2) >> 64) / 24;
        uint256 square = uint256(series * series) >> 64;
        return (square * square) >> 64;
    }
}

function abs(int256 x) pure returns (uint256) {
    unchecked {
        return uint256(x < 0 ? -x : x);
    }
}
