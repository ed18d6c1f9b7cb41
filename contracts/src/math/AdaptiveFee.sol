// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @dev Widths of a sigmoid beyond which it is flat.
uint256 constant FLAT_WIDTHS = 6;
/// @dev Terms of the series for e^x after the first.
uint256 constant TERMS = 8;

/// @notice The sigmoid of Algebra's adaptive fee, in its own integer arithmetic: `most / (1 + e^((middle - x) / width))`.
/// @dev Eight terms of the series for `e^(distance / width)`, all times `width^8`, each rounded down.
function sigmoid(uint256 x, uint256 width, uint256 most, uint256 middle) pure returns (uint256) {
    bool isAbove = x > middle;
    uint256 distance = isAbove ? x - middle : middle - x;
    if (distance >= FLAT_WIDTHS * width) return isAbove ? most : 0;
    uint256 one = width ** TERMS;
    uint256 term = one;
    uint256 exponential = one;
    uint256 factorial = 1;
    for (uint256 n = 1; n <= TERMS; ++n) {
        term = term / width * distance;
        factorial *= n;
        exponential += term / factorial;
    }
    return most * (isAbove ? exponential : one) / (one + exponential);
}
