// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan} from "../../src/types/Plan.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {RoutingsFixture} from "./RoutingsFixture.sol";

/// @notice No routing that is really executed delivers more than the stated bound: random ones, and what is found by
/// climbing from the plan itself, on random markets of pools of all kinds.
abstract contract UpperBoundCases is RoutingsFixture {
    uint256 internal constant ROUTINGS = 24;
    uint256 internal constant STEPS = 40;
    uint256 private constant LEAST_DOLLARS = 100;
    uint256 private constant MOST_DOLLARS = 3_000_000;

    function setUp() public virtual {
        deployRoutings();
    }

    function testFuzz_upperBound_noRandomRoutingBeatsIt(uint256 seed) public {
        Plan memory plan = _plan(seed);
        // If there is no route, no bound is stated.
        if (plan.route.legs.length == 0) return;
        for (uint256 k; k < ROUTINGS; ++k) {
            assertLe(delivered(randomRoute(plan.route, _next(seed, k))), plan.upperBound);
        }
    }

    function testFuzz_upperBound_noClimbFromThePlanBeatsIt(uint256 seed) public {
        Plan memory plan = _plan(seed);
        if (plan.route.legs.length == 0) return;
        (uint256 best,) = climb(plan.route, seed, STEPS);
        assertLe(best, plan.upperBound);
    }

    function testFuzz_upperBound_noClimbFromARandomRoutingBeatsIt(uint256 seed) public {
        Plan memory plan = _plan(seed);
        if (plan.route.legs.length == 0) return;
        (uint256 best,) = climb(randomRoute(plan.route, _next(seed, 99)), seed, STEPS);
        assertLe(best, plan.upperBound);
    }

    /// @dev Most random routings must be executable, or these tests say nothing.
    function test_routings_areExecutable() public {
        uint256 executed;
        for (uint256 seed; seed < 4; ++seed) {
            uint256 snapshot = vm.snapshotState();
            Plan memory plan = _plan(_next(seed, 7));
            for (uint256 k; k < ROUTINGS; ++k) {
                if (delivered(randomRoute(plan.route, _next(seed, k))) != 0) ++executed;
            }
            vm.revertToStateAndDelete(snapshot);
        }
        assertGt(executed, 3 * ROUTINGS);
    }

    function _plan(uint256 seed) internal returns (Plan memory) {
        seedRoutings(seed);
        uint256 random = _next(seed, 1000);
        uint256 tokenIn = random % tokens.length;
        uint256 tokenOut = (tokenIn + 1 + (random >> 8) % (tokens.length - 1)) % tokens.length;
        // Every order of magnitude alike.
        uint256 dollars = LEAST_DOLLARS << ((random >> 16) % 15);
        if (dollars > MOST_DOLLARS) dollars = MOST_DOLLARS;
        return previewOf(tokens[tokenIn], tokens[tokenOut], worth(tokenIn, dollars));
    }

    /// @notice The plan, with the hints that the market's pools need.
    function previewOf(PlainToken tokenIn, PlainToken tokenOut, uint256 amountIn)
        internal
        virtual
        returns (Plan memory)
    {
        return preview(tokenIn, tokenOut, amountIn);
    }

    function _next(uint256 seed, uint256 k) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, k)));
    }
}

/// forge-config: default.fuzz.runs = 40
contract UpperBoundTest is UpperBoundCases {
    /// @dev A pool that rounds its fee down gives a satoshi more for another split, which a small trade shows.
    function test_regression_upperBound_countsFeesThatRoundDown() public {
        uint256 seed = 13942;
        Plan memory plan = _plan(seed);
        (uint256 best,) = climb(plan.route, seed, STEPS);
        assertGt(best, plan.route.grossOut);
        assertLe(best, plan.upperBound);
    }

    /// @dev A weighted pool judges its limit after its fee, so that it takes more than the bare part of its balance.
    function test_regression_upperBound_countsWhatAPoolTakesForItsFee() public {
        uint256 seed = 15212;
        Plan memory plan = _plan(seed);
        (uint256 best,) = climb(plan.route, seed, STEPS);
        assertGt(best, 0);
        assertLe(best, plan.upperBound);
    }
}
