// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IQuoter} from "../../src/interfaces/IQuoter.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PlainToken, TaxedToken} from "../fixtures/Tokens.sol";

/// @notice Plans for an output: what they deliver, what they cost beside plans for an input, and what is refused.
contract ForOutputTest is MarketFixture {
    uint256 private constant NONE = type(uint256).max;
    /// @dev Reserves of the pool of which one test alone knows the formula.
    uint256 private constant RESERVE_IN = 1000e18;
    uint256 private constant RESERVE_OUT = 2_700_000e6;

    function setUp() public {
        deployMarket();
    }

    function _ask(PlainToken tokenIn, PlainToken tokenOut, uint256 amountOut)
        private
        view
        returns (Plan memory plan, uint256 lowerBound, uint256 gap)
    {
        return quoter.previewPlanForOutput(
            address(tokenIn), address(tokenOut), amountOut, PreviewOptions(0, new address[](0), 0, new uint256[](0))
        );
    }

    /// @dev On one pair the least input follows from the pair's own formula, for every output from one unit to nearly all.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_previewPlanForOutput_ofOnePair_isTheLeastInput(uint256 amountOut) public {
        createV2(address(weth), address(usdc), RESERVE_IN, RESERVE_OUT);
        amountOut = bound(amountOut, 1, RESERVE_OUT * 95 / 100);
        (Plan memory plan, uint256 lowerBound,) = _ask(weth, usdc, amountOut);
        uint256 least = _leastInput(amountOut);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertGe(plan.netOut, amountOut);
        assertGe(plan.route.amountIn, least);
        // A ten-thousandth of a basis point, or one unit.
        assertLe(plan.route.amountIn, least + 1 + least / 1e8);
        // Of one unit rounding is most, and nothing is proven.
        assertLe(lowerBound == NONE ? 0 : lowerBound, least);
        assertTrue(lowerBound != NONE || amountOut < 100);
        assertEq(execute(plan), plan.netOut);
    }

    /// @dev More output never needs less input, up to how near to the least input plans are.
    /// forge-config: default.fuzz.runs = 20
    function testFuzz_previewPlanForOutput_growsWithTheOutput(uint256 seed, uint256 dollars, uint256 more) public {
        seedMarket(seed);
        createV2Of();
        uint256 amountOut = worth(1, bound(dollars, 10, 100_000));
        (Plan memory less, uint256 lessBound,) = _ask(weth, usdc, amountOut);
        (Plan memory plan,,) = _ask(weth, usdc, amountOut + amountOut / bound(more, 1, 1000));
        assertGe(plan.route.amountIn, lessBound);
        // One basis point.
        assertGe(plan.route.amountIn, less.route.amountIn - less.route.amountIn / 1e4);
    }

    /// @dev What an input delivers is not to be had for less than the bound says, nor is much more than it asked for.
    /// forge-config: default.fuzz.runs = 20
    function testFuzz_previewPlanForOutput_isTheReverseOfPreviewPlan(uint256 seed, uint256 dollars) public {
        seedMarket(seed);
        createV2Of();
        Plan memory forward = preview(weth, usdc, worth(0, bound(dollars, 10, 300_000)));
        (Plan memory plan, uint256 lowerBound,) = _ask(weth, usdc, forward.netOut);
        assertLe(lowerBound, forward.route.amountIn);
        // One basis point.
        assertLe(plan.route.amountIn, forward.route.amountIn + forward.route.amountIn / 1e4 + 1);
        assertEq(execute(plan), plan.netOut);
    }

    function test_previewPlanForOutput_beyondTheLiquidity_isNoRoute() public {
        createV2(address(weth), address(usdc), RESERVE_IN, RESERVE_OUT);
        (Plan memory plan, uint256 lowerBound, uint256 gap) = _ask(weth, usdc, RESERVE_OUT);
        assertEq(uint8(plan.verdict), uint8(Verdict.NoRoute));
        assertEq(plan.route.legs.length, 0);
        assertEq(plan.route.amountIn, 0);
        assertEq(lowerBound, NONE);
        assertEq(gap, NONE);
        (plan,,) = _ask(weth, usdc, type(uint256).max);
        assertEq(uint8(plan.verdict), uint8(Verdict.NoRoute));
    }

    function test_previewPlanForOutput_withoutPools_isNoRoute() public view {
        (Plan memory plan,,) = _ask(weth, usdc, 1e6);
        assertEq(uint8(plan.verdict), uint8(Verdict.NoRoute));
    }

    function test_previewPlanForOutput_revertsIf_nothingIsAsked() public {
        vm.expectRevert(IQuoter.ZeroAmount.selector);
        _ask(weth, usdc, 0);
        vm.expectRevert(abi.encodeWithSelector(IQuoter.SameToken.selector, address(weth)));
        _ask(weth, weth, 1);
    }

    /// @dev With little gas the bound is left out before the plan is.
    function test_previewPlanForOutput_shortOfGas_claimsNoBound() public {
        seedDenseMarket();
        uint256 amountOut = worth(4, 100_000);
        PreviewOptions memory options = PreviewOptions(0, new address[](0), 0, new uint256[](0));
        (Plan memory plan, uint256 lowerBound, uint256 gap) =
            quoter.previewPlanForOutput{gas: 6_000_000}(address(weth), address(tail), amountOut, options);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertGe(plan.netOut, amountOut);
        assertTrue(plan.truncated);
        assertEq(lowerBound, NONE);
        assertEq(gap, NONE);
        assertEq(execute(plan), plan.netOut);
    }

    /// @dev Nodes that cap calls at 2^24 gas give the same answer as those that do not.
    function test_previewPlanForOutput_with2To24Gas_isWhole() public {
        seedMarket(7);
        createV2Of();
        uint256 amountOut = worth(1, 50_000);
        PreviewOptions memory options = PreviewOptions(0, new address[](0), 0, new uint256[](0));
        (Plan memory plan, uint256 lowerBound,) =
            quoter.previewPlanForOutput{gas: 1 << 24}(address(weth), address(usdc), amountOut, options);
        assertFalse(plan.truncated);
        assertLt(lowerBound, NONE);
        assertGe(plan.netOut, amountOut);
    }

    /// @dev A call with little gas proves less, and needs no more input: one basis point at most, from 10.5 M gas on.
    function test_previewPlanForOutput_withLittleGas_needsNoMoreInput() public {
        seedDenseMarket();
        uint256 amountOut = worth(4, 100_000);
        PreviewOptions memory options = PreviewOptions(0, new address[](0), 0, new uint256[](0));
        (Plan memory best,,) = _ask(weth, tail, amountOut);
        for (uint256 gas = 7_000_000; gas < 20_000_000; gas += 500_000) {
            (Plan memory plan, uint256 lowerBound,) =
                quoter.previewPlanForOutput{gas: gas}(address(weth), address(tail), amountOut, options);
            assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
            assertGe(plan.netOut, amountOut);
            assertTrue(lowerBound == NONE || lowerBound <= best.route.amountIn);
            if (gas < 10_500_000) continue;
            assertLe(plan.route.amountIn, best.route.amountIn + best.route.amountIn / 1e4, vm.toString(gas));
        }
    }

    function test_previewPlanForOutputExact_isWhatThePoolsDeliver() public {
        createV2(address(weth), address(usdc), RESERVE_IN, RESERVE_OUT);
        createV2(address(weth), address(dai), RESERVE_IN, 2_700_000e18);
        PreviewOptions memory options = PreviewOptions(0, new address[](0), 0, new uint256[](0));
        (Plan memory plan, uint256 lowerBound, uint256 gap) =
            quoter.previewPlanForOutputExact(address(weth), address(usdc), 10_000e6, options);
        (Plan memory preview_, uint256 previewBound, uint256 previewGap) = _ask(weth, usdc, 10_000e6);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertEq(abi.encode(plan), abi.encode(preview_));
        assertEq(lowerBound, previewBound);
        assertEq(gap, previewGap);
    }

    /// @dev What a tax takes is missing from the output.
    function test_previewPlanForOutputExact_ofATaxedToken_isBelowTheFloor() public {
        TaxedToken taxed = new TaxedToken("TAX", 18, 100);
        createV2(address(weth), address(taxed), RESERVE_IN, 1_000_000e18);
        createV2(address(weth), address(dai), RESERVE_IN, 2_700_000e18);
        PreviewOptions memory options = PreviewOptions(0, new address[](0), 0, new uint256[](0));
        (Plan memory plan,,) = quoter.previewPlanForOutputExact(address(weth), address(taxed), 1000e18, options);
        assertEq(uint8(plan.verdict), uint8(Verdict.BelowFloor));
        assertLt(plan.netOut, 1000e18);
    }

    /// @dev So that there is always some liquidity.
    function createV2Of() private {
        if (v2Factory.getPair(address(weth), address(usdc)) == address(0)) {
            createV2(address(weth), address(usdc), RESERVE_IN, RESERVE_OUT);
        }
    }

    /// @dev The pair's own formula, for the least gross output that leaves `amountOut` after 28 basis points.
    function _leastInput(uint256 amountOut) private pure returns (uint256) {
        uint256 gross = amountOut * 10_000 / 9972;
        while (gross - gross * 28 / 10_000 >= amountOut) --gross;
        ++gross;
        while (gross - gross * 28 / 10_000 < amountOut) ++gross;
        return RESERVE_IN * gross * 1000 / ((RESERVE_OUT - gross) * 997) + 1;
    }
}
