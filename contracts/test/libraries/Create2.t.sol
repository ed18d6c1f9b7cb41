// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {hashPacked} from "../../src/libraries/Create2.sol";
import {Test} from "forge-std/Test.sol";

contract Create2Test is Test {
    /// @dev With words whose upper bits are dirty, as assembly may meet them.
    function testFuzz_hashPacked_isOfThePackedBytes(uint256 a, uint256 b) public pure {
        address tokenA;
        address tokenB;
        assembly {
            tokenA := a
            tokenB := b
        }
        assertEq(hashPacked(tokenA, tokenB), keccak256(abi.encodePacked(uint160(a), uint160(b))));
    }
}
