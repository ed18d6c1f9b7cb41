// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {Leg} from "../../src/types/Route.sol";
import {AllVenuesFixture} from "../fixtures/AllVenuesFixture.sol";
import {OldStableSwap} from "../fixtures/StableSwapPools.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice Routes over Solidly, Curve and Balancer pools beside those of Uniswap: what is quoted is what is delivered,
/// and no allowance outlives the swap.
contract SampledRoutesTest is AllVenuesFixture {
    uint256 private constant MOST_MICRO_GAP = 1e6;

    function setUp() public {
        deployAllVenues();
        createV2Of(WETH_INDEX, USDC_INDEX);
        createV2Of(WETH_INDEX, DAI_INDEX);
        createV2Of(USDC_INDEX, DAI_INDEX);
    }

    function test_route_winsOnASolidlyStablePool() public {
        _createSolidly(USDC_INDEX, DAI_INDEX, true);
        _check(USDC_INDEX, DAI_INDEX, 30_000, SOLIDLY);
        _check(DAI_INDEX, USDC_INDEX, 300_000, SOLIDLY);
    }

    function test_route_winsOnASolidlyVolatilePool() public {
        _createSolidly(WETH_INDEX, USDC_INDEX, false);
        _check(WETH_INDEX, USDC_INDEX, 30_000, SOLIDLY);
        _check(USDC_INDEX, WETH_INDEX, 300_000, SOLIDLY);
    }

    function test_route_winsOnACurvePool() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        addPool(CURVE, address(new OldStableSwap(pair, amounts, 400, 4e6)), pair);
        _check(USDC_INDEX, DAI_INDEX, 30_000, CURVE);
        _check(DAI_INDEX, USDC_INDEX, 300_000, CURVE);
    }

    function test_route_winsOnABalancerStablePool() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        addPool(STABLE, createStable(pair, amounts, new address[](2), 200, 0.0001e18), pair);
        _check(USDC_INDEX, DAI_INDEX, 30_000, STABLE);
        _check(DAI_INDEX, USDC_INDEX, 300_000, STABLE);
    }

    function test_route_winsOnABalancerWeightedPool() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(WETH_INDEX, DAI_INDEX);
        uint256 heavy = pair[0] == address(weth) ? 0 : 1;
        uint256[] memory weights = new uint256[](2);
        (weights[heavy], weights[1 - heavy]) = (0.8e18, 0.2e18);
        amounts[heavy] *= 4;
        addPool(WEIGHTED, createWeighted(pair, weights, amounts, 0.001e18), pair);
        _check(WETH_INDEX, DAI_INDEX, 30_000, WEIGHTED);
        _check(DAI_INDEX, WETH_INDEX, 300_000, WEIGHTED);
    }

    /// @dev A weighted pool refuses more than three tenths of its balance: then there is a plan without, or none.
    function test_route_asksNoWeightedPoolForMoreThanItTakes() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(WETH_INDEX, WBTC_INDEX);
        uint256[] memory weights = new uint256[](2);
        (weights[0], weights[1]) = (0.5e18, 0.5e18);
        addPool(WEIGHTED, createWeighted(pair, weights, amounts, 0.001e18), pair);
        PreviewOptions memory options = PreviewOptions(1e9, new address[](0), 0, new uint256[](0));
        uint256 amountIn = worth(WETH_INDEX, 1_100_000);
        Plan memory plan = quoter.previewPlan(address(weth), address(wbtc), amountIn, options);
        assertEq(execute(plan), plan.netOut, "execution");

        plan = quoter.previewPlan(address(weth), address(wbtc), worth(WETH_INDEX, 2_000_000), options);
        assertEq(uint8(plan.verdict), uint8(Verdict.NoRoute));

        // The rest finds its way where there is one.
        createV2(address(weth), address(wbtc), worth(WETH_INDEX, 50_000_000), worth(WBTC_INDEX, 50_000_000));
        plan = quoter.previewPlan(address(weth), address(wbtc), worth(WETH_INDEX, 20_000_000), options);
        assertTrue(_uses(plan, WEIGHTED));
        assertEq(execute(plan), plan.netOut, "execution");
    }

    /// @dev A stable pool takes whatever it is given, and pays what it has.
    function test_route_sellsToAStablePoolManyTimesWhatItHolds() public {
        (address[] memory pair, uint256[] memory amounts) = (new address[](2), new uint256[](2));
        for (uint256 i; i < 2; ++i) {
            (pair[i], amounts[i]) = (address(new PlainToken("PEG", 18)), 1e24);
        }
        if (pair[0] > pair[1]) (pair[0], pair[1]) = (pair[1], pair[0]);
        addPool(CURVE, address(new OldStableSwap(pair, amounts, 400, 4e6)), pair);
        Plan memory plan = preview(PlainToken(pair[0]), PlainToken(pair[1]), 40e24);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertGt(plan.route.grossOut, 0.99e24);
        assertLt(plan.route.grossOut, 1e24);
        assertLe(plan.gapMicroBps, 10 * MOST_MICRO_GAP, "gap");
        assertEq(execute(plan), plan.netOut, "execution");
    }

    function test_route_goesOnThroughAPoolThatPullsItsInput() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        addPool(CURVE, address(new OldStableSwap(pair, amounts, 400, 4e6)), pair);
        _createSolidly(WETH_INDEX, USDC_INDEX, false);
        Plan memory plan = _check(WETH_INDEX, DAI_INDEX, 200_000, CURVE);
        assertGt(plan.hops, 1);
    }

    function test_route_avoidsARemovedPool() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        addPool(CURVE, address(new OldStableSwap(pair, amounts, 400, 4e6)), pair);
        Plan memory plan = preview(usdc, dai, worth(USDC_INDEX, 30_000));
        vm.prank(owner);
        hub.removePool(1);
        Plan memory without = preview(usdc, dai, worth(USDC_INDEX, 30_000));
        assertLt(without.netOut, plan.netOut);
        for (uint256 i; i < without.route.legs.length; ++i) {
            assertNotEq(without.route.legs[i].venue, CURVE);
        }
        fund(user, plan.route.tokenIn, plan.route.amountIn);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnknownPool.selector, plan.route.legs[0].pool, address(0)));
        router.swapExactIn(plan.route, plan.route.amountIn, 1, user, block.timestamp);
    }

    /* SHORTHANDS */

    /// @dev Quote, dry run and execution agree, the venue is among the legs, and the bound is tight.
    function _check(uint256 tokenIn, uint256 tokenOut, uint256 dollars, uint16 venue)
        private
        returns (Plan memory plan)
    {
        plan = preview(tokens[tokenIn], tokens[tokenOut], worth(tokenIn, dollars));
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertTrue(_uses(plan, venue), "venue unused");
        assertLe(plan.gapMicroBps, MOST_MICRO_GAP, "gap");
        Plan memory exact = quoter.previewPlanExact(
            plan.route.tokenIn,
            plan.route.tokenOut,
            plan.route.amountIn,
            PreviewOptions(0, new address[](0), 0, new uint256[](0))
        );
        assertEq(exact.netOut, plan.netOut, "dry run");
        assertEq(execute(plan), plan.netOut, "execution");
        _assertNothingLeft(plan);
    }

    function _uses(Plan memory plan, uint16 venue) private pure returns (bool used) {
        for (uint256 i; i < plan.route.legs.length; ++i) {
            used = used || plan.route.legs[i].venue == venue;
        }
    }

    function _assertNothingLeft(Plan memory plan) private view {
        for (uint256 i; i < plan.route.legs.length; ++i) {
            Leg memory leg = plan.route.legs[i];
            assertEq(PlainToken(leg.tokenIn).balanceOf(address(router)), 0);
            assertEq(PlainToken(leg.tokenIn).allowance(address(router), leg.pool), 0);
            assertEq(PlainToken(leg.tokenIn).allowance(address(router), address(vault)), 0);
        }
    }

    function _createSolidly(uint256 a, uint256 b, bool stable) private {
        // A stable pool begins with as many whole tokens of each.
        uint256 amountB = stable ? 4_000_000 * 10 ** tokens[b].decimals() : worth(b, 4_000_000);
        createSolidly(address(tokens[a]), address(tokens[b]), stable, worth(a, 4_000_000), amountB);
    }
}
