// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ONE_Q64, abs, exp, mulShift} from "../../src/optimizer/FixedPoint.sol";
import {Test} from "forge-std/Test.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

contract FixedPointTest is Test {
    function fullMulDiv(uint256 a, uint256 b, uint256 divisor) external pure returns (uint256) {
        return FixedPointMathLib.fullMulDiv(a, b, divisor);
    }

    function testFuzz_mulShift_isTheQuotientOfTheWholeProduct(uint256 a, uint256 b, uint256 shift) public view {
        shift = bound(shift, 1, 255);
        try this.fullMulDiv(a, b, 1 << shift) returns (uint256 quotient) {
            assertEq(mulShift(a, b, shift), quotient);
        } catch {
            assertEq(mulShift(a, b, shift), type(uint256).max);
        }
    }

    function test_mulShift_atTheEdges() public pure {
        assertEq(mulShift(0, type(uint256).max, 1), 0);
        assertEq(mulShift(3, 1, 1), 1);
        // (2^255)^2 / 2^255 still fits, twice as much does not.
        assertEq(mulShift(1 << 255, 1 << 255, 255), 1 << 255);
        assertEq(mulShift(1 << 255, 1 << 255, 254), type(uint256).max);
        assertEq(mulShift(type(uint256).max, type(uint256).max, 255), type(uint256).max);
    }

    function testFuzz_exp_withinOneHalf(int256 x) public pure {
        x = bound(x, -ONE_Q64 / 2, ONE_Q64 / 2);
        assertApproxEqRel(exp(x), _exp(x), 2e12);
    }

    function testFuzz_exp_withinTwo(int256 x) public pure {
        x = bound(x, -2 * ONE_Q64, 2 * ONE_Q64);
        assertApproxEqRel(exp(x), _exp(x), 2e15);
    }

    function test_exp_ofZeroIsOne() public pure {
        assertEq(exp(0), uint256(ONE_Q64));
    }

    function testFuzz_abs(int128 x) public pure {
        assertEq(abs(x), uint256(x < 0 ? -int256(x) : int256(x)));
    }

    /// @dev From another library, in 18 decimals.
    function _exp(int256 x) private pure returns (uint256) {
        return uint256(FixedPointMathLib.expWad(x * 1e18 / ONE_Q64) * ONE_Q64 / 1e18);
    }
}
