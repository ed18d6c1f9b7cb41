// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice Whoever sells more gets no less for it.
contract MoreInputTest is MarketFixture {
    /// @dev A thousandth more is worth more than what the search leaves on the table.
    uint256 private constant LEAST_MORE_PERMILLE = 1;
    uint256 private constant MOST_MORE_PERMILLE = 2000;
    /// @dev Millionths of a basis point in the whole.
    uint256 private constant MICRO_BPS = 1e10;

    function setUp() public {
        deployMarket();
    }

    /// forge-config: default.fuzz.runs = 120
    function testFuzz_previewPlan_moreInputDeliversNoLess(uint256 seed, uint256 dollars, uint256 more, uint8 a, uint8 b)
        public
    {
        uint256 tokenIn = a % tokens.length;
        uint256 tokenOut = b % (tokens.length - 1);
        if (tokenOut >= tokenIn) ++tokenOut;
        seedMarket(seed);
        uint256 amountIn = worth(tokenIn, bound(dollars, 1, 1_000_000));
        more = bound(more, LEAST_MORE_PERMILLE, MOST_MORE_PERMILLE);
        uint256 larger = amountIn + amountIn * more / 1000 + 1;
        Plan memory plan = preview(tokens[tokenIn], tokens[tokenOut], amountIn);
        Plan memory next = preview(tokens[tokenIn], tokens[tokenOut], larger);
        // If every path ends in ranges, the market may hold the one and not the other.
        if (plan.verdict != Verdict.Executable || next.verdict == Verdict.NoRoute) return;
        assertEq(uint8(next.verdict), uint8(Verdict.Executable));
        // A search that was cut off can find less. It says so, and its bound has to hold all the same. A plan may be as far from the
        // best one as it states: where the last pools are full, what is left of the input has nowhere to go.
        uint256 gap = next.gapMicroBps == type(uint256).max ? 0 : next.gapMicroBps;
        uint256 most = next.netOut + FixedPointMathLib.fullMulDiv(next.netOut, gap, MICRO_BPS);
        if (!next.truncated) assertGe(most, plan.netOut);
        // What the larger trade delivers bounds the smaller one as well.
        assertGe(next.upperBound, plan.route.grossOut);
    }
}
