// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ironFloorOf} from "../../src/math/FeeMath.sol";
import {Plan} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";

/// @notice The impact of a trade is what its size costs, worked out here from the reserves alone.
contract ImpactTest is MarketFixture {
    uint256 private constant RESERVE_IN = 1000e18;
    uint256 private constant RESERVE_OUT = 2_700_000e6;
    /// @dev The part of a trade whose price may count as the first.
    uint256 private constant FIRST_PARTS = 1000;

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
        // At the spot price, and at the price of the first part: the impact is measured against one of them.
        uint256 atSpot = amountIn * 997 * RESERVE_OUT / (1000 * RESERVE_IN);
        uint256 atFirst = _out(amountIn / FIRST_PARTS) * FIRST_PARTS;
        assertGe(plan.route.impactBps, _impact(grossOut, atFirst));
        assertLe(plan.route.impactBps, _impact(grossOut, atSpot));
    }

    function test_impactBps_ofTheWholeReserve_isHalf() public view {
        Plan memory plan = preview(weth, usdc, RESERVE_IN);
        // 1 - 1 / 1.997 of spot, less at most a thousandth for the first part.
        assertGe(plan.route.impactBps, 4987);
        assertLe(plan.route.impactBps, 4992);
        assertEq(plan.ironFloor, ironFloorOf(plan.route.grossOut, plan.route.impactBps));
        assertLt(plan.ironFloor, ironFloorOf(plan.route.grossOut, 0), "a large trade may move more");
    }

    function _impact(uint256 grossOut, uint256 reference_) private pure returns (uint256) {
        return grossOut >= reference_ ? 0 : (reference_ - grossOut) * 10_000 / reference_;
    }

    /// @dev The pair's own formula.
    function _out(uint256 amountIn) private pure returns (uint256) {
        return amountIn * 997 * RESERVE_OUT / (RESERVE_IN * 1000 + amountIn * 997);
    }
}
