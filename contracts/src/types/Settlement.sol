// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Where fees go and what is stopped, in the one word that a swap reads of it: the fee recipient in the lowest 160
/// bits, a bit for the pause above them, and above that a bit for each generation that is switched off for good.
type Settlement is uint256;

using {feeRecipient, isPaused, isRetired, withFeeRecipient, withPaused, withRetired} for Settlement global;

uint256 constant PAUSED_BIT = 1 << 160;
/// @dev Generations count from one.
uint256 constant MAX_GENERATION = 95;

function feeRecipient(Settlement settlement) pure returns (address) {
    return address(uint160(Settlement.unwrap(settlement)));
}

function isPaused(Settlement settlement) pure returns (bool) {
    return Settlement.unwrap(settlement) & PAUSED_BIT != 0;
}

function isRetired(Settlement settlement, uint256 generation) pure returns (bool) {
    return Settlement.unwrap(settlement) & retiredBit(generation) != 0;
}

function withFeeRecipient(Settlement settlement, address recipient) pure returns (Settlement) {
    return Settlement.wrap(Settlement.unwrap(settlement) >> 160 << 160 | uint160(recipient));
}

function withPaused(Settlement settlement, bool paused) pure returns (Settlement) {
    uint256 rest = Settlement.unwrap(settlement) & ~PAUSED_BIT;
    return Settlement.wrap(paused ? rest | PAUSED_BIT : rest);
}

function withRetired(Settlement settlement, uint256 generation) pure returns (Settlement) {
    return Settlement.wrap(Settlement.unwrap(settlement) | retiredBit(generation));
}

function retiredBit(uint256 generation) pure returns (uint256) {
    return PAUSED_BIT << generation;
}
