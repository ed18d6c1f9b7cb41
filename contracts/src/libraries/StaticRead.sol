// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Reads of contracts that may be hostile: capped in gas, and in how much of the answer is copied.
library StaticRead {
    /// @dev Enough for any pool getter; a contract that burns it costs no more than this.
    uint256 internal constant GAS_CAP = 60_000;

    /// @notice The first two words that a getter of one of the protocol's own contracts answers. Reverts if it does, without its reason.
    /// @dev Less code than Solidity's call. Not for contracts of others: it gives them all of the gas.
    function own(address target, bytes4 selector, uint256 argument)
        internal
        view
        returns (uint256 first, uint256 second)
    {
        assembly ("memory-safe") {
            mstore(0, selector)
            mstore(4, argument)
            let answered := staticcall(gas(), target, 0, 36, 0, 64)
            if iszero(and(answered, gt(returndatasize(), 31))) { revert(0, 0) }
            first := mload(0)
            second := mload(32)
        }
    }

    /// @notice Calls a getter without arguments and copies up to eight words of its answer.
    /// @return count How many whole words the target returned, at most eight; zero when it failed or holds no code.
    function words(address target, bytes4 selector) internal view returns (uint256 count, uint256[8] memory answer) {
        // Plain Solidity copies all of the answer, whatever its size; only assembly can stop at eight words.
        assembly ("memory-safe") {
            mstore(0, selector)
            if staticcall(GAS_CAP, target, 0, 4, answer, 256) {
                count := shr(5, returndatasize())
                if gt(count, 8) { count := 8 }
            }
        }
    }

    /// @notice The same for a getter with one argument.
    function words(address target, bytes4 selector, uint256 argument)
        internal
        view
        returns (uint256 count, uint256[8] memory answer)
    {
        assembly ("memory-safe") {
            mstore(0, selector)
            mstore(4, argument)
            if staticcall(GAS_CAP, target, 0, 36, answer, 256) {
                count := shr(5, returndatasize())
                if gt(count, 8) { count := 8 }
            }
        }
    }

    /// @notice The same for a getter with two arguments.
    function words(address target, bytes4 selector, uint256 first, uint256 second)
        internal
        view
        returns (uint256 count, uint256[8] memory answer)
    {
        assembly ("memory-safe") {
            // Within the scratch space but for the last four bytes, which belong to the free memory pointer's high
            // end and are put back.
            let pointer := mload(64)
            mstore(0, selector)
            mstore(4, first)
            mstore(36, second)
            if staticcall(GAS_CAP, target, 0, 68, answer, 256) {
                count := shr(5, returndatasize())
                if gt(count, 8) { count := 8 }
            }
            mstore(64, pointer)
        }
    }

    /// @notice Calls a getter with one argument and returns two words of its answer.
    /// @return ok False when the target failed or returned less than `expected` words.
    function twoWords(address target, bytes4 selector, uint256 argument, uint256 expected)
        internal
        view
        returns (bool ok, uint256 first, uint256 second)
    {
        assembly ("memory-safe") {
            mstore(0, selector)
            mstore(4, argument)
            ok := staticcall(GAS_CAP, target, 0, 36, 0, 64)
            ok := and(ok, iszero(lt(returndatasize(), shl(5, expected))))
            if ok {
                first := mload(0)
                second := mload(32)
            }
        }
    }
}
