// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {
    BeyondReserves,
    constantProductOut,
    constantProductSegment,
    drawConstantProduct
} from "../../src/math/ConstantProduct.sol";
import {Curve} from "../../src/types/Market.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";

contract ConstantProductTest is Test {
    uint256 private constant MAX = type(uint112).max;

    function quote(uint256 amountIn, uint256 reserveIn, uint256 reserveOut, uint256 feePips)
        external
        pure
        returns (uint256)
    {
        return constantProductOut(amountIn, reserveIn, reserveOut, feePips);
    }

    /// @dev In 512 bits, so that nothing of it could overflow.
    function testFuzz_constantProductOut_isTheFormula(
        uint112 amountIn,
        uint112 reserveIn,
        uint112 reserveOut,
        uint256 feePips
    ) public pure {
        reserveIn = uint112(bound(reserveIn, 1, MAX));
        feePips = bound(feePips, 0, 999_999);
        uint256 charged = uint256(amountIn) * (1e6 - feePips);
        assertEq(
            constantProductOut(amountIn, reserveIn, reserveOut, feePips),
            Math.mulDiv(charged, reserveOut, uint256(reserveIn) * 1e6 + charged)
        );
    }

    function test_constantProductOut_ofTheLargestNumbers() public pure {
        assertEq(constantProductOut(MAX, MAX, MAX, 0), MAX / 2);
    }

    function test_constantProductOut_revertsIf_beyondWhatPairsCount() public {
        uint256[3][3] memory cases = [[MAX + 1, 1, 1], [1, MAX + 1, 1], [1, 1, type(uint256).max]];
        for (uint256 i; i < cases.length; ++i) {
            uint256[3] memory each = cases[i];
            vm.expectRevert(abi.encodeWithSelector(BeyondReserves.selector, each[0], each[1], each[2]));
            this.quote(each[0], each[1], each[2], 3000);
        }
    }

    /// @dev The start is a root rounded down, the liquidity one more than that.
    function testFuzz_constantProductSegment_isTheRoots(uint112 reserveIn, uint112 reserveOut, uint256 feePips)
        public
        pure
    {
        reserveIn = uint112(bound(reserveIn, 1e6, MAX));
        // Within the prices of which the start is exact.
        reserveOut = uint112(
            bound(reserveOut, reserveIn / 1e6, MAX < uint256(reserveIn) * 1e6 ? MAX : uint256(reserveIn) * 1e6)
        );
        feePips = bound(feePips, 0, 999_999);
        (uint256 liquidity, uint256 start) = constantProductSegment(reserveIn, reserveOut, feePips);
        uint256 squared = uint256(reserveIn) * reserveOut * 1e6 / (1e6 - feePips);
        assertEq(liquidity, Math.sqrt(squared) + 1);
        uint256 price = Math.mulDiv(uint256(reserveOut) * (1e6 - feePips), 1 << 192, uint256(reserveIn) * 1e6);
        assertEq(start, Math.sqrt(price));
    }

    function test_drawConstantProduct_isOneSegmentOfTheWholePool() public pure {
        Curve memory curve;
        // 4e18 for 1e18: a price of 1/4, and the root of the product is 2e18.
        drawConstantProduct(curve, 4e18, 1e18, 0);
        assertEq(curve.startRatio, 1 << 95);
        assertEq(curve.endRatio, 1);
        assertEq(curve.count, 1);
        assertEq(curve.segments[0], 2e18 + 1);
        assertEq(curve.segments[1], 1 << 95);
        assertEq(curve.segments[2], 1);
        assertEq(curve.segments[3], 0);
        assertEq(curve.segments[4], 0);
        assertEq(curve.loadedIn, 4e18 << 16);
        assertEq(curve.loadedOut, 1e18);
    }

    /// @dev Pools have few units of the input token, so that rounding their liquidity down would lose much of it. Rounding the
    /// start down may lose one unit of the output.
    function testFuzz_drawConstantProduct_paysNoLessThanThePool(
        uint256 amountIn,
        uint256 reserveIn,
        uint256 reserveOut,
        uint256 feePips
    ) public pure {
        (reserveIn, reserveOut) = (bound(reserveIn, 1, 1000), bound(reserveOut, 1, 1e12));
        (amountIn, feePips) = (bound(amountIn, 1, 1e12), bound(feePips, 0, 10_000));
        Curve memory curve;
        drawConstantProduct(curve, reserveIn, reserveOut, feePips);
        (uint256 liquidity, uint256 start) = (curve.segments[0], curve.segments[1]);
        uint256 most = Math.mulDiv(amountIn * start, liquidity * start, (liquidity << 96) + amountIn * start) >> 96;
        assertLe(constantProductOut(amountIn, reserveIn, reserveOut, feePips), most + 1);
    }

    function test_drawConstantProduct_leavesOutWhatIsNotDrawable() public pure {
        Curve memory curve;
        // Prices with a root of half of 2^40 and of twice 2^152, in Q96; and those at the limits.
        drawConstantProduct(curve, 1 << 111, 0, 0);
        drawConstantProduct(curve, uint256(1) << 114, 1, 0);
        drawConstantProduct(curve, 1, uint256(1) << 114, 0);
        assertEq(curve.count, 0);
        assertEq(curve.startRatio, 0);
        drawConstantProduct(curve, uint256(1) << 112, 1, 0);
        assertEq(curve.startRatio, 1 << 40);
        Curve memory highest;
        drawConstantProduct(highest, 1, uint256(1) << 112, 0);
        assertEq(highest.startRatio, 1 << 152);
    }
}
