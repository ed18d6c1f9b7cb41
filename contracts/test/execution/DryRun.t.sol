// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DryRun} from "../../src/execution/DryRun.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {Leg, Route} from "../../src/types/Route.sol";
import {PackedVenue} from "../../src/types/Venue.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";

/// @notice Only the Quoter itself starts a dry run, and only the pool that was asked for a loan goes on with it.
contract DryRunTest is MarketFixture {
    address private immutable stranger = makeAddr("stranger");
    address private pool;
    uint256 private quoted;

    function setUp() public {
        deployMarket();
        pool = createV2(address(weth), address(usdc), 1000e18, 2_700_000e6);
        quoted = routeOf(legV2(pool, address(weth), address(usdc)), 1e18).grossOut;
        // With this a run would go through, whoever starts it.
        weth.mint(address(quoter), 1e18);
    }

    function test_runHeld_isTheQuotersAlone() public {
        vm.prank(stranger);
        vm.expectRevert(DryRun.NotSelf.selector);
        quoter.runHeld(_route(), router);

        // By itself it runs, and tells so by reverting.
        vm.prank(address(quoter));
        vm.expectRevert(abi.encodeWithSelector(DryRun.Delivered.selector, quoted - quoted * 28 / 10_000));
        quoter.runHeld(_route(), router);
    }

    function test_runBorrowed_isTheQuotersAlone() public {
        address lender = createV3(address(weth), address(dai), 500, 1e18, 2700e18);
        addAround(lender, 2000, 1e24);
        PackedVenue memory venue = hub.venue(UNISWAP_V3).packed();
        vm.prank(stranger);
        vm.expectRevert(DryRun.NotSelf.selector);
        quoter.runBorrowed(_route(), router, venue, lender, address(dai));

        vm.prank(address(quoter));
        vm.expectRevert(abi.encodeWithSelector(DryRun.Delivered.selector, quoted - quoted * 28 / 10_000));
        quoter.runBorrowed(_route(), router, venue, lender, address(dai));
    }

    function test_previewPlanExact_asksNoPoolOfARemovedVenueForALoan() public {
        address lender = createV3(address(weth), address(dai), 500, 1e18, 2700e18);
        addAround(lender, 2000, 1e24);
        deal(address(weth), address(quoter), 0);
        PreviewOptions memory options;
        Plan memory plan = quoter.previewPlanExact(address(weth), address(usdc), 1e18, options);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        vm.prank(owner);
        hub.removeVenue(UNISWAP_V3);
        plan = quoter.previewPlanExact(address(weth), address(usdc), 1e18, options);
        assertEq(uint8(plan.verdict), uint8(Verdict.DryRunFailed));
    }

    /// @dev Such as a pool that runs out of gas. That is no run which delivers nothing.
    function test_previewPlanExact_keepsItsNumbersIf_theRunFailsWithoutAReason() public {
        vm.mockCallRevert(pool, abi.encodeWithSignature("swap(uint256,uint256,address,bytes)"), "");
        PreviewOptions memory options;
        Plan memory plan = quoter.previewPlanExact(address(weth), address(usdc), 1e18, options);
        assertEq(uint8(plan.verdict), uint8(Verdict.DryRunFailed));
        assertEq(plan.netOut, quoted - quoted * 28 / 10_000);
    }

    /// @dev What a pool says when its loan has arrived, from whoever is no lender.
    function testFuzz_fallback_isTheLendersAlone(address caller) public {
        // Nobody sends from zero, which stands for "no lender is due".
        vm.assume(caller != address(0));
        bytes memory loan = abi.encode(_route(), router);
        bytes[5] memory callbacks = [
            abi.encodeWithSignature("uniswapV3FlashCallback(uint256,uint256,bytes)", 0, 0, loan),
            abi.encodeWithSignature("pancakeV3FlashCallback(uint256,uint256,bytes)", 0, 0, loan),
            abi.encodeWithSignature("algebraFlashCallback(uint256,uint256,bytes)", 0, 0, loan),
            abi.encodeWithSignature("uniswapV2Call(address,uint256,uint256,bytes)", address(quoter), 0, 0, loan),
            abi.encodeWithSignature("unlockCallback(bytes)", abi.encode(address(weth), uint256(1), loan))
        ];
        for (uint256 i; i < callbacks.length; ++i) {
            vm.prank(caller);
            (bool ok, bytes memory reason) = address(quoter).call(callbacks[i]);
            assertFalse(ok);
            assertEq(reason, abi.encodeWithSelector(DryRun.NotSelf.selector));
        }
    }

    /// @dev And from a pool that has lent before: a run leaves no lender behind, because it is undone.
    function test_fallback_forgetsALenderOfBefore() public {
        address lender = createV3(address(weth), address(dai), 500, 1e18, 2700e18);
        addAround(lender, 2000, 1e24);
        deal(address(weth), address(quoter), 0);
        Plan memory plan = quoter.previewPlanExact(
            address(weth), address(usdc), 1e18, PreviewOptions(0, new address[](0), 0, new uint256[](0))
        );
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        vm.prank(lender);
        (bool ok, bytes memory reason) =
            address(quoter).call(abi.encodeWithSelector(bytes4(0x12345678), 0, 0, abi.encode(_route(), router)));
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSelector(DryRun.NotSelf.selector));
    }

    function _route() private view returns (Route memory route) {
        route = Route(address(weth), address(usdc), 1e18, quoted, 0, new Leg[](1));
        route.legs[0] = legV2(pool, address(weth), address(usdc));
    }
}
