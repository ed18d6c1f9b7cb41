// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {freeMemory, release} from "./Memory.sol";

/// @title Arrays of words, handed from contract to contract
/// @notice What Solidity encodes and copies word by word, at about 90 gas each, is thousands of words in a search. Here it
/// is copied at once.
library Words {
    /// @notice Calls a function with `arguments` as the words that follow its selector.
    /// @dev `target.call{gas: gasCap}(abi.encodePacked(selector, arguments))`.
    function ask(address target, bytes4 selector, uint256[] memory arguments, uint256 gasCap)
        internal
        returns (bool ok, bytes memory answer)
    {
        ok = _call(target, selector, arguments, gasCap);
        answer = _answer();
    }

    /// @notice The same with arguments that nobody needs afterwards: the answer takes their place, so that memory grows by the
    /// longer of the two alone.
    /// @dev Reverts if memory was allocated since the arguments were.
    function askOnce(address target, bytes4 selector, uint256[] memory arguments, uint256 gasCap)
        internal
        returns (bool ok, bytes memory answer)
    {
        ok = _call(target, selector, arguments, gasCap);
        uint256 start;
        uint256 end;
        assembly ("memory-safe") {
            start := arguments
            end := add(arguments, shl(5, add(mload(arguments), 1)))
        }
        require(freeMemory() == end);
        release(start);
        answer = _answer();
    }

    /// @notice `abi.decode(answer, (uint256[]))`, in place: the words stay in `answer`.
    function decode(bytes memory answer) internal pure returns (uint256[] memory words) {
        require(answer.length >= 64);
        assembly ("memory-safe") {
            words := add(answer, 64)
        }
        require(words.length == (answer.length - 64) / 32);
    }

    /// @notice Ends the call with the words as what it returns: `return words`.
    /// @dev In place: nothing reads what lay in front of them any more.
    function giveBack(uint256[] memory words) internal pure {
        assembly ("memory-safe") {
            let start := sub(words, 32)
            mstore(start, 32)
            return(start, add(64, shl(5, mload(words))))
        }
    }

    /// @notice The same for what `join` has joined.
    function giveBack(bytes memory joined) internal pure {
        assembly ("memory-safe") {
            let start := sub(joined, 32)
            mstore(start, 32)
            return(start, add(64, mload(joined)))
        }
    }

    /// @notice `for (k < count) target[to + k] = source[from + k]`; reverts if either is shorter.
    function copy(uint256[] memory source, uint256 from, uint256[] memory target, uint256 to, uint256 count)
        internal
        pure
    {
        require(from <= source.length && count <= source.length - from);
        require(to <= target.length && count <= target.length - to);
        assembly ("memory-safe") {
            mcopy(add(add(target, 32), shl(5, to)), add(add(source, 32), shl(5, from)), shl(5, count))
        }
    }

    /// @notice Whether both are one array, and not only equal.
    function isOne(uint256[] memory a, uint256[] memory b) internal pure returns (bool same) {
        assembly ("memory-safe") {
            same := eq(a, b)
        }
    }

    /// @notice The same arrays in another list of them.
    function listed(uint256[][] memory arrays) internal pure returns (uint256[][] memory list) {
        list = unset(arrays.length);
        assembly ("memory-safe") {
            mcopy(add(list, 32), add(arrays, 32), shl(5, mload(arrays)))
        }
    }

    /// @notice Arrays that must be set before they are read.
    /// @dev `new uint256[][](count)` sets each to the empty array, one by one.
    function unset(uint256 count) internal pure returns (uint256[][] memory arrays) {
        uint256[] memory words = new uint256[](count);
        assembly ("memory-safe") {
            arrays := words
        }
    }

    /// @notice The same words with room for more behind them: three times as many, or `first` if there are none.
    function widened(uint256[] memory words, uint256 first) internal pure returns (uint256[] memory wide) {
        uint256 length = words.length;
        wide = new uint256[](length == 0 ? first : 3 * length);
        copy(words, 0, wide, 0, length);
    }

    /// @notice The first `count` arrays in one piece: each as its length and its words.
    function join(uint256[][] memory arrays, uint256 count) internal pure returns (bytes memory joined) {
        uint256 length;
        for (uint256 i; i < count; ++i) {
            length += _sizeOf(arrays[i]);
        }
        joined = new bytes(length);
        uint256 at = 32;
        for (uint256 i; i < count; ++i) {
            uint256[] memory array = arrays[i];
            uint256 size = _sizeOf(array);
            // As memory has it, which `joined` has room for.
            assembly ("memory-safe") {
                mcopy(add(joined, at), array, size)
            }
            at += size;
        }
    }

    /// @notice What was joined, in place: the arrays lie in `joined`.
    function split(bytes memory joined) internal pure returns (uint256[][] memory arrays) {
        uint256 count;
        for (uint256 at; at < joined.length; ++count) {
            at += 32 + 32 * _at(joined, at).length;
        }
        arrays = unset(count);
        uint256 next;
        for (uint256 i; i < count; ++i) {
            arrays[i] = _at(joined, next);
            next += 32 + 32 * arrays[i].length;
        }
        require(next == joined.length);
    }

    function _call(address target, bytes4 selector, uint256[] memory arguments, uint256 gasCap)
        private
        returns (bool ok)
    {
        // The length in front of the words is replaced by the selector for as long as the call takes.
        assembly ("memory-safe") {
            let length := mload(arguments)
            mstore(arguments, shr(224, selector))
            ok := call(gasCap, target, 0, add(arguments, 28), add(4, shl(5, length)), 0, 0)
            mstore(arguments, length)
        }
    }

    /// @dev What the last call has returned.
    function _answer() private pure returns (bytes memory answer) {
        assembly ("memory-safe") {
            answer := mload(64)
            mstore(answer, returndatasize())
            returndatacopy(add(answer, 32), 0, returndatasize())
            mstore(64, and(add(add(answer, returndatasize()), 63), not(31)))
        }
    }

    /// @dev Bytes of an array in memory, with its length.
    function _sizeOf(uint256[] memory array) private pure returns (uint256) {
        // No memory is that large.
        unchecked {
            return 32 + 32 * array.length;
        }
    }

    function _at(bytes memory joined, uint256 at) private pure returns (uint256[] memory array) {
        assembly ("memory-safe") {
            array := add(add(joined, 32), at)
        }
    }
}
