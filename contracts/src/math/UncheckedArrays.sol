// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// Array access without bounds checks. The optimizer's inner loops are little else than array access; the checks would
// cost half as much again as the work. Indices come from the network, which is checked once when it is loaded. Elsewhere it is for
// reads at indices that follow from lengths, and for arrays that were just made: a search has no room for the checks.

/// @dev `array[k]`.
function at(uint256[] memory array, uint256 k) pure returns (uint256 word) {
    assembly ("memory-safe") {
        word := mload(add(add(array, 32), shl(5, k)))
    }
}

/// @dev `arrays[k]`.
function atArray(uint256[][] memory arrays, uint256 k) pure returns (uint256[] memory array) {
    assembly ("memory-safe") {
        array := mload(add(add(arrays, 32), shl(5, k)))
    }
}

/// @dev `array[k]`.
function atInt(int256[] memory array, uint256 k) pure returns (int256 word) {
    assembly ("memory-safe") {
        word := mload(add(add(array, 32), shl(5, k)))
    }
}

/// @dev `array[k] = word`.
function put(uint256[] memory array, uint256 k, uint256 word) pure {
    assembly ("memory-safe") {
        mstore(add(add(array, 32), shl(5, k)), word)
    }
}

/// @dev `array[k] = word`.
function putInt(int256[] memory array, uint256 k, int256 word) pure {
    assembly ("memory-safe") {
        mstore(add(add(array, 32), shl(5, k)), word)
    }
}

/// @dev `array[k] += word`, wrapping.
function increase(int256[] memory array, uint256 k, int256 word) pure {
    assembly ("memory-safe") {
        let place := add(add(array, 32), shl(5, k))
        mstore(place, add(mload(place), word))
    }
}

/// @dev `for (k) array[k] = 0`. What lies behind the calldata reads as zero.
function clear(uint256[] memory array) pure {
    assembly ("memory-safe") {
        calldatacopy(add(array, 32), calldatasize(), shl(5, mload(array)))
    }
}

/// @dev `for (k) array[k] = 0`.
function clearInt(int256[] memory array) pure {
    assembly ("memory-safe") {
        calldatacopy(add(array, 32), calldatasize(), shl(5, mload(array)))
    }
}

/// @dev `for (k) target[k] = source[k]`, for arrays of one length.
function copy(uint256[] memory source, uint256[] memory target) pure {
    assembly ("memory-safe") {
        mcopy(add(target, 32), add(source, 32), shl(5, mload(source)))
    }
}

/// @dev `for (k) target[k] = source[k]`, for arrays of one length.
function copyInt(int256[] memory source, int256[] memory target) pure {
    assembly ("memory-safe") {
        mcopy(add(target, 32), add(source, 32), shl(5, mload(source)))
    }
}
