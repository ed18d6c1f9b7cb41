// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ironFloorOf} from "../../src/math/FeeMath.sol";
import {Plan} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice The impact of a trade is what its size costs, worked out here from the reserves alone.
contract ImpactTest is MarketFixture {
    uint256 private constant RESERVE_IN = 1000e18;
    uint256 private constant RESERVE_OUT = 2_700_000e6;
    /// @dev The price after this part of a trade counts as its first: it is the middle of a thousandth.
    uint256 private constant FIRST_PARTS = 2000;

    function setUp() public {
        deployMarket();
        createV2(address(weth), address(usdc), RESERVE_IN, RESERVE_OUT);
    }

    /// forge-config: default.fuzz.runs = 200
    function testFuzz_impactBps_isWhatTheSizeCosts(uint256 amountIn) public view {
        // From a basis point of the reserve to nine times all of it.
        amountIn = bound(amountIn, RESERVE_IN / 10_000, 9 * RESERVE_IN);
        Plan memory plan = preview(weth, usdc, amountIn);
        uint256 grossOut = _out(amountIn);
        assertEq(plan.route.grossOut, grossOut);
        // With x sold of a, and all but the fee of it kept, the price is 0.997 a b / (a + 0.997 x)^2.
        uint256 held = 1000 * RESERVE_IN + 997 * (amountIn / FIRST_PARTS);
        uint256 atFirst = FixedPointMathLib.fullMulDiv(amountIn * 997 * RESERVE_OUT, 1000 * RESERVE_IN, held);
        assertApproxEqAbs(plan.route.impactBps, _impact(grossOut, atFirst / held), 1);
    }

    function test_impactBps_ofTheWholeReserve_isHalf() public view {
        Plan memory plan = preview(weth, usdc, RESERVE_IN);
        // 1 - 1 / 1.997 of spot, less at most a thousandth for the first part.
        assertGe(plan.route.impactBps, 4987);
        assertLe(plan.route.impactBps, 4992);
        assertEq(plan.ironFloor, ironFloorOf(plan.route.grossOut, plan.route.impactBps));
        assertLt(plan.ironFloor, ironFloorOf(plan.route.grossOut, 0), "a large trade may move more");
    }

    /// @dev A thousandth of so few units is one or two of them, or none.
    function test_impactBps_ofFewUnits_isWhatTheSizeCosts() public {
        PlainToken few = new PlainToken("FEW", 0);
        createV2(address(few), address(usdc), 1e6, RESERVE_OUT);
        for (uint256 amountIn = 500; amountIn < 20_000; amountIn += 499) {
            Plan memory plan = preview(few, usdc, amountIn);
            uint256 atSpot = amountIn * 997 * RESERVE_OUT / 1e9;
            uint256 grossOut = amountIn * 997 * RESERVE_OUT / (1e9 + amountIn * 997);
            assertEq(plan.route.grossOut, grossOut);
            assertApproxEqAbs(plan.route.impactBps, _impact(grossOut, atSpot), 1);
        }
    }

    function _impact(uint256 grossOut, uint256 reference_) private pure returns (uint256) {
        return grossOut >= reference_ ? 0 : (reference_ - grossOut) * 10_000 / reference_;
    }

    /// @dev The pair's own formula.
    function _out(uint256 amountIn) private pure returns (uint256) {
        return amountIn * 997 * RESERVE_OUT / (RESERVE_IN * 1000 + amountIn * 997);
    }
}
