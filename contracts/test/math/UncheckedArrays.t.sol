// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, atInt, clear, clearInt, copy, copyInt, increase, put, putInt} from "../../src/math/UncheckedArrays.sol";
import {Test} from "forge-std/Test.sol";

/// @notice The unchecked access agrees with Solidity's own.
contract UncheckedArraysTest is Test {
    function testFuzz_at(uint256[] memory array, uint256 k) public pure {
        vm.assume(array.length > 0);
        k %= array.length;
        assertEq(at(array, k), array[k]);
    }

    function testFuzz_atInt(int256[] memory array, uint256 k) public pure {
        vm.assume(array.length > 0);
        k %= array.length;
        assertEq(atInt(array, k), array[k]);
    }

    function testFuzz_put(uint256[] memory array, uint256 k, uint256 word) public pure {
        vm.assume(array.length > 0);
        k %= array.length;
        uint256[] memory expected = abi.decode(abi.encode(array), (uint256[]));
        expected[k] = word;
        put(array, k, word);
        assertEq(array, expected);
    }

    function testFuzz_putInt_thenIncrease(int256[] memory array, uint256 k, int128 word, int128 more) public pure {
        vm.assume(array.length > 0);
        k %= array.length;
        int256[] memory expected = abi.decode(abi.encode(array), (int256[]));
        expected[k] = int256(word) + more;
        putInt(array, k, word);
        increase(array, k, more);
        assertEq(array, expected);
    }

    function testFuzz_clear(uint256[] memory array, uint256[] memory behind) public pure {
        uint256[] memory expected = abi.decode(abi.encode(behind), (uint256[]));
        clear(array);
        assertEq(array, new uint256[](array.length));
        assertEq(behind, expected);
    }

    function testFuzz_clearInt(int256[] memory array) public pure {
        clearInt(array);
        assertEq(array, new int256[](array.length));
    }

    function testFuzz_copy(uint256[] memory source) public pure {
        uint256[] memory target = new uint256[](source.length);
        copy(source, target);
        assertEq(target, source);
    }

    function testFuzz_copyInt(int256[] memory source) public pure {
        int256[] memory target = new int256[](source.length);
        copyInt(source, target);
        assertEq(target, source);
    }
}
