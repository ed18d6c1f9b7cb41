// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";

/// @notice On one state, what is quoted is what is delivered, to the unit, whatever the market.
contract QuoteEqualsExecutionTest is MarketFixture {
    uint256 private constant LEAST_DOLLARS = 1;
    uint256 private constant MOST_DOLLARS = 3_000_000;

    function setUp() public {
        deployMarket();
    }

    /// forge-config: default.fuzz.runs = 120
    function testFuzz_previewPlan_isWhatTheRouterDelivers(uint256 seed, uint256 dollars, uint8 a, uint8 b) public {
        (uint256 tokenIn, uint256 tokenOut) = _pair(a, b);
        seedMarket(seed);
        dollars = bound(dollars, LEAST_DOLLARS, MOST_DOLLARS);
        Plan memory plan = preview(tokens[tokenIn], tokens[tokenOut], worth(tokenIn, dollars));
        if (plan.verdict == Verdict.NoRoute) {
            assertEq(plan.route.legs.length, 0);
            return;
        }
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertGe(plan.upperBound, plan.route.grossOut);
        assertEq(plan.netOut, plan.route.grossOut - plan.route.grossOut * 28 / 10_000);

        Plan memory exact = quoter.previewPlanExact(
            plan.route.tokenIn,
            plan.route.tokenOut,
            plan.route.amountIn,
            PreviewOptions(0, new address[](0), 0, new uint256[](0))
        );
        assertEq(exact.netOut, plan.netOut, "dry run");
        assertEq(execute(plan), plan.netOut, "execution");
    }

    function _pair(uint8 a, uint8 b) private view returns (uint256 tokenIn, uint256 tokenOut) {
        tokenIn = a % tokens.length;
        tokenOut = b % (tokens.length - 1);
        if (tokenOut >= tokenIn) ++tokenOut;
    }
}
