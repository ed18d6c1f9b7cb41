// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PriceFloor} from "../../src/math/PriceFloor.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";

contract PriceFloorTest is Test {
    uint256 private constant MAX_AMOUNT = type(uint128).max;
    uint256 private constant MAX_KEY = type(uint208).max;

    function test_inKey_hasAMantissaAndAnExponentAboveThePool() public pure {
        // 3 = 3 * 2^38 * 2^(129 - 167)
        assertEq(PriceFloor.inKey(7, 21), (129 << 40 | 3 << 38) << 208);
        assertEq(PriceFloor.inKey(1, 1), (128 << 40 | 1 << 39) << 208);
    }

    function testFuzz_leastOut_isThePriceToAPartIn2To39(uint256 amountIn, uint256 amountOut, uint256 sold) public pure {
        amountIn = bound(amountIn, 1, MAX_AMOUNT);
        amountOut = bound(amountOut, 1, MAX_AMOUNT);
        sold = bound(sold, 0, MAX_AMOUNT);
        uint256 key = PriceFloor.inKey(amountIn, amountOut);
        uint256 exact = Math.mulDiv(amountOut, sold, amountIn);
        uint256 least = PriceFloor.leastOut(key, sold);
        assertLe(least, exact);
        assertGe(least + (exact >> 39) + 1, exact);
        assertLe(PriceFloor.leastOut(key, amountIn), amountOut, "the swap itself is let through");
    }

    function testFuzz_key_namesThePoolWithAnyFloor(uint256 key, uint256 amountIn, uint256 amountOut) public pure {
        key = bound(key, 0, MAX_KEY);
        amountIn = bound(amountIn, 1, MAX_AMOUNT);
        amountOut = bound(amountOut, 1, MAX_AMOUNT);
        assertEq(PriceFloor.without(key), key);
        assertEq(PriceFloor.leastOut(key, amountIn), 0, "no floor");
        uint256 floored = key | PriceFloor.inKey(amountIn, amountOut);
        assertEq(PriceFloor.without(floored), key);
        assertEq(PriceFloor.without(PriceFloor.lowered(floored, 250)), key);
    }

    function testFuzz_lowered_takesBasisPointsOff(uint256 amountIn, uint256 amountOut, uint256 bps) public pure {
        amountIn = bound(amountIn, 1, MAX_AMOUNT);
        amountOut = bound(amountOut, 1, MAX_AMOUNT);
        bps = bound(bps, 0, 500);
        uint256 key = PriceFloor.lowered(PriceFloor.inKey(amountIn, amountOut), bps);
        uint256 exact = Math.mulDiv(amountOut, 10_000 - bps, 10_000);
        uint256 least = PriceFloor.leastOut(key, amountIn);
        assertLe(least, exact);
        assertGe(least + (exact >> 37) + 1, exact);
        assertEq(PriceFloor.lowered(uint256(1) << 207, bps), 1 << 207, "no floor");
    }

    /// @dev What pays too much or too little for a place has no floor, rather than a wrong one.
    function testFuzz_inKey_isNeverAboveThePrice(uint256 amountIn, uint256 amountOut, uint256 sold) public pure {
        amountIn = bound(amountIn, 1, type(uint256).max);
        amountOut = bound(amountOut, 1, type(uint256).max);
        sold = bound(sold, 1, amountIn);
        assertLe(
            PriceFloor.leastOut(PriceFloor.inKey(amountIn, amountOut), sold), Math.mulDiv(amountOut, sold, amountIn)
        );
        assertEq(PriceFloor.inKey(1, type(uint256).max), 0);
        assertEq(PriceFloor.inKey(type(uint256).max, 1), 0);
    }

    function test_isFor_keysOfPoolsWhoseHooksRunInSwaps() public pure {
        assertTrue(PriceFloor.isFor(uint256(1) << 207));
        assertFalse(PriceFloor.isFor(uint256(1) << 207 | 1));
        assertFalse(PriceFloor.isFor(uint256(type(uint160).max) << 8));
    }
}
