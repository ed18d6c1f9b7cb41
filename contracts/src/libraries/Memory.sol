// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// A search looks for hundreds of pools that were never created. What looking for them writes into memory would make all
// memory dearer, in proportion to the square of its size.

/// @notice Where memory is free from.
function freeMemory() pure returns (uint256 free) {
    assembly ("memory-safe") {
        free := mload(64)
    }
}

/// @notice Frees all memory from a place that `freeMemory` gave on; nothing written since may be used any more.
function release(uint256 free) pure {
    assembly ("memory-safe") {
        mstore(64, free)
    }
}
