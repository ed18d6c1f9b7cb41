// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// A search looks for hundreds of pools, most of which were never created. What looking for them and drawing them writes into memory
// would make all memory dearer, in proportion to the square of its size.

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

/// @notice Moves an array down to a place that `freeMemory` gave, and frees what lies behind it there. Nothing else that was written
/// since may be used any more, except what lies behind the array and is moved next.
function settle(uint256[] memory words, uint256 place) pure returns (uint256[] memory settled) {
    assembly ("memory-safe") {
        let size := shl(5, add(mload(words), 1))
        mcopy(place, words, size)
        settled := place
        mstore(64, add(place, size))
    }
}
