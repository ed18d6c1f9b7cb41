// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {leastGrossFor, protocolFee} from "../../src/math/FeeMath.sol";
import {Plan, PreviewOptions} from "../../src/types/Plan.sol";
import {Route} from "../../src/types/Route.sol";
import {RoutingsFixture} from "../bound/RoutingsFixture.sol";

/// @notice No routing that is really executed delivers the output for less input than the stated bound: random ones, and what
/// is found by climbing from the plan itself, on random markets of pools of all kinds.
contract LowerBoundTest is RoutingsFixture {
    uint256 private constant ROUTINGS = 24;
    uint256 private constant STEPS = 40;
    uint256 private constant LEAST_DOLLARS = 100;
    uint256 private constant MOST_DOLLARS = 3_000_000;
    /// @dev Outputs of so few base units that every rounding counts.
    uint256 private constant FEW_UNITS = 5000;
    uint256 private constant NONE = type(uint256).max;

    struct Asked {
        Plan plan;
        uint256 amountOut;
        uint256 lowerBound;
        uint256 gap;
    }

    function setUp() public {
        deployRoutings();
    }

    /// forge-config: default.fuzz.runs = 40
    function testFuzz_lowerBound_noRandomRoutingNeedsLess(uint256 seed) public {
        Asked memory asked = _ask(seed);
        if (asked.lowerBound == NONE) return;
        for (uint256 k; k < ROUTINGS; ++k) {
            _demandMore(asked, randomRoute(asked.plan.route, _next(seed, k)));
        }
    }

    /// forge-config: default.fuzz.runs = 40
    function testFuzz_lowerBound_noClimbFromThePlanNeedsLess(uint256 seed) public {
        Asked memory asked = _ask(seed);
        if (asked.lowerBound == NONE) return;
        Route memory less = asked.plan.route;
        less.amountIn = asked.lowerBound - 1;
        if (less.amountIn == 0) return;
        (uint256 best,) = climb(less, seed, STEPS);
        assertLt(best, leastGrossFor(asked.amountOut));
    }

    /// @dev Fees and pools round by a unit, which is all of the difference here.
    /// forge-config: default.fuzz.runs = 40
    function testFuzz_lowerBound_ofFewUnits_isNotBeaten(uint256 seed) public {
        Asked memory asked = _askUnits(seed, 1 + _next(seed, 2000) % FEW_UNITS);
        if (asked.lowerBound == NONE) return;
        for (uint256 k; k < ROUTINGS; ++k) {
            _demandMore(asked, randomRoute(asked.plan.route, _next(seed, k)));
        }
        Route memory less = asked.plan.route;
        less.amountIn = asked.lowerBound - 1;
        if (less.amountIn == 0) return;
        assertLt(delivered(less), leastGrossFor(asked.amountOut));
        (uint256 best,) = climb(less, seed, STEPS);
        assertLt(best, leastGrossFor(asked.amountOut));
    }

    /// @dev What the plan says is what the pools deliver, for its input and no less.
    /// forge-config: default.fuzz.runs = 40
    function testFuzz_previewPlanForOutput_isTheLeastOfItsRoute(uint256 seed) public {
        Asked memory asked = _ask(seed);
        Route memory route = asked.plan.route;
        if (route.legs.length == 0) return;
        uint256 grossOut = route.grossOut;
        assertGe(asked.plan.netOut, asked.amountOut);
        assertEq(delivered(route), grossOut);
        assertEq(grossOut - protocolFee(grossOut), asked.plan.netOut);
        assertLe(grossOut, asked.plan.upperBound);
        if (asked.lowerBound != NONE) assertLe(asked.lowerBound, route.amountIn);
        // A hundred-millionth less is not enough, or one unit.
        route.amountIn -= 1 + route.amountIn / 1e8;
        if (route.amountIn == 0) return;
        assertLt(delivered(route), leastGrossFor(asked.amountOut));
    }

    /// @dev Most markets must have a proof, or these tests say nothing.
    function test_lowerBound_isClaimed_andNear() public {
        uint256 routes;
        uint256 claimed;
        uint256 near;
        for (uint256 k; k < 12; ++k) {
            uint256 snapshot = vm.snapshotState();
            Asked memory asked = _ask(_next(k, 7));
            if (asked.plan.route.legs.length != 0) ++routes;
            if (asked.lowerBound != NONE) ++claimed;
            // One basis point.
            if (asked.gap <= 1e6) ++near;
            vm.revertToStateAndDelete(snapshot);
        }
        assertGe(routes, 11);
        assertEq(claimed, routes);
        assertGe(near, 10);
    }

    /// @dev For a little less than the bound, the routing must deliver less than what was asked.
    function _demandMore(Asked memory asked, Route memory routing) private {
        routing.amountIn = asked.lowerBound - 1;
        if (routing.amountIn == 0) return;
        assertLt(delivered(routing), leastGrossFor(asked.amountOut));
    }

    function _ask(uint256 seed) private returns (Asked memory asked) {
        seedRoutings(seed);
        uint256 random = _next(seed, 1000);
        (, uint256 tokenOut) = _pair(random);
        // Every order of magnitude alike.
        uint256 dollars = LEAST_DOLLARS << ((random >> 16) % 15);
        if (dollars > MOST_DOLLARS) dollars = MOST_DOLLARS;
        return _askOf(random, worth(tokenOut, dollars));
    }

    function _askUnits(uint256 seed, uint256 amountOut) private returns (Asked memory) {
        seedRoutings(seed);
        return _askOf(_next(seed, 1000), amountOut);
    }

    function _pair(uint256 random) private view returns (uint256 tokenIn, uint256 tokenOut) {
        tokenIn = random % tokens.length;
        tokenOut = (tokenIn + 1 + (random >> 8) % (tokens.length - 1)) % tokens.length;
    }

    function _askOf(uint256 random, uint256 amountOut) private view returns (Asked memory asked) {
        (uint256 tokenIn, uint256 tokenOut) = _pair(random);
        asked.amountOut = amountOut;
        (asked.plan, asked.lowerBound, asked.gap) = quoter.previewPlanForOutput(
            address(tokens[tokenIn]),
            address(tokens[tokenOut]),
            asked.amountOut,
            PreviewOptions(0, new address[](0), 0, new uint256[](0))
        );
    }

    function _next(uint256 seed, uint256 k) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, k)));
    }
}
