// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @dev Halvings from the first price down to one base unit.
uint256 constant LOT_HALVINGS = 90;
/// @dev The price of a lot of age zero, in base units of SLU: 1.24e27, of which 1e27 exist.
uint256 constant LOT_START_PRICE = 1 << LOT_HALVINGS;
/// @dev In how many seconds of age the price halves.
uint256 constant LOT_HALF_LIFE = 15 minutes;
/// @dev Older lots count as this old, in seconds: their price has no way left to fall.
uint256 constant LOT_MAX_AGE = LOT_HALVINGS * LOT_HALF_LIFE;

/// @notice What a lot costs at an age of at most `LOT_MAX_AGE`, rounded up: halved for each full half-life, and on a
/// straight line in between.
function lotPrice(uint256 age) pure returns (uint256) {
    uint256 price = LOT_START_PRICE >> (age / LOT_HALF_LIFE);
    return price - (price >> 1) * (age % LOT_HALF_LIFE) / LOT_HALF_LIFE;
}

/// @notice The age of a lot in seconds, at most `LOT_MAX_AGE`.
function lotAge(uint256 bornAt, uint256 time) pure returns (uint256 age) {
    age = time - bornAt;
    if (age > LOT_MAX_AGE) age = LOT_MAX_AGE;
}

/// @notice When a lot of `amount` that was born at `bornAt` counts as born after `added`, not zero, joined it at `time`:
/// so that its age is the average age of its parts, rounded up. Dust therefore leaves the age of a lot as it is, however
/// often it comes.
function rebornAt(uint256 bornAt, uint256 time, uint256 amount, uint256 added) pure returns (uint256) {
    uint256 age = lotAge(bornAt, time);
    return time - age + age * added / (amount + added);
}
