// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";

/// @notice The bound leaves room for what rounding adds to a routing: of drawn curves, and a unit for each leg.
contract BoundMarginTest is MarketFixture {
    /// @dev Half of what covers drawn curves, as a shift: their own rounding may take some of it.
    uint256 private constant LEAST_SHIFT = 29;
    uint256 private constant MOST_SHIFT = 27;

    function setUp() public {
        deployMarket();
    }

    /// forge-config: default.fuzz.runs = 100
    /// @dev One pool has one routing, so that all above its output is margin.
    function testFuzz_upperBound_ofOnePool_hasItsMargin(uint256 amountIn) public {
        createV2(address(weth), address(dai), 1e27, 2700e27);
        amountIn = bound(amountIn, 1e12, 1e27);
        Plan memory plan = preview(weth, dai, amountIn);
        uint256 grossOut = plan.route.grossOut;
        assertGe(plan.upperBound, grossOut + (grossOut >> LEAST_SHIFT) + 1);
        assertLe(plan.upperBound, grossOut + (grossOut >> MOST_SHIFT) + 4);
    }

    /// forge-config: default.fuzz.runs = 100
    /// @dev Of a few units the part is nothing, and the legs are what counts.
    function testFuzz_upperBound_ofAFewUnits_hasAUnitForEachLeg(uint256 units) public {
        createV2(address(weth), address(usdc), 1000e18, 2_700_000e6);
        createV2(address(usdc), address(tail), 2_700_000e6, 87_000_000e9);
        units = bound(units, 10, 1e6);
        Plan memory plan = preview(weth, tail, units * 1e9);
        vm.assume(plan.route.grossOut != 0);
        assertEq(plan.route.legs.length, 2);
        assertGe(plan.upperBound, plan.route.grossOut + 2);
    }
}
