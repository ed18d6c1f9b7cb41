// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {ConvertersFixture} from "../fixtures/ConvertersFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {OpenZeppelinVault} from "../fixtures/Vaults.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// forge-config: default.fuzz.runs = 100
/// @notice Routes through a vault of USDC and a PSM of USDC and DAI, by the whole protocol.
contract ConverterRoutesTest is ConvertersFixture {
    /// @dev A thousandth of a basis point, in millionths of one.
    uint256 private constant MOST_GAP = 1000;

    function setUp() public {
        deployAllVenues();
        deployConverters();
    }

    /* GAPS */

    /// @dev The curve is a line, so that the bound is next to what the vault pays. It counts a unit for each leg, and the rounding.
    function testFuzz_bound_ofADepositHasHardlyAGap(uint256 amountIn) public view {
        amountIn = bound(amountIn, 1e12, 1e15);
        Plan memory plan = preview(usdc, PlainToken(address(vaultOfUsdc)), amountIn);
        assertEq(plan.route.legs.length, 1);
        assertEq(plan.route.grossOut, vaultOfUsdc.previewDeposit(amountIn));
        assertLe(plan.gapMicroBps, MOST_GAP);
    }

    function testFuzz_bound_ofARedemptionHasHardlyAGap(uint256 shares) public view {
        shares = bound(shares, 1e12, 1e14);
        Plan memory plan = preview(PlainToken(address(vaultOfUsdc)), usdc, shares);
        assertEq(plan.route.grossOut, vaultOfUsdc.previewRedeem(shares));
        assertLe(plan.gapMicroBps, MOST_GAP);
    }

    /// @dev Through the PSM into the vault, in one swap.
    function testFuzz_bound_ofTwoConvertersHasHardlyAGap(uint256 amountIn) public {
        amountIn = bound(amountIn, 1e24, 1e26);
        Plan memory plan = preview(dai, PlainToken(address(vaultOfUsdc)), amountIn);
        assertEq(plan.route.legs.length, 2);
        assertLe(plan.gapMicroBps, MOST_GAP);
        fund(user, address(dai), amountIn);
        assertEq(_execute(plan), plan.netOut);
    }

    /* ROUTES */

    function test_route_fromAPairIntoAVaultPaysItsQuote() public {
        createV2Of(WETH_INDEX, USDC_INDEX);
        Plan memory plan = preview(weth, PlainToken(address(vaultOfUsdc)), 10e18);
        assertEq(plan.route.legs.length, 2);
        fund(user, address(weth), 10e18);
        assertEq(_execute(plan), plan.netOut);
        _assertNothingKept();
    }

    /// @dev Whoever holds a share sells it for anything: the vault's asset leads on.
    function test_route_fromAVaultIntoAPairPaysItsQuote() public {
        createV2Of(WETH_INDEX, USDC_INDEX);
        Plan memory plan = preview(PlainToken(address(vaultOfUsdc)), weth, 10_000e6);
        assertEq(plan.route.legs.length, 2);
        _fundShares(10_000e6);
        assertEq(_execute(plan), plan.netOut);
        _assertNothingKept();
    }

    /// @dev Nothing but the vault leads from the share to USDC, so that only its pools lead on, through another connector token.
    function test_route_fromAVaultThroughTwoConnectorTokensPaysItsQuote() public {
        createV2Of(WETH_INDEX, USDC_INDEX);
        createV2(address(weth), address(tail), 1000e18, 1_000_000e18);
        Plan memory plan = preview(PlainToken(address(vaultOfUsdc)), tail, 10_000e6);
        assertEq(plan.route.legs.length, 3);
        _fundShares(10_000e6);
        assertEq(_execute(plan), plan.netOut);
        _assertNothingKept();
    }

    /// @dev Pairs lead from WETH to USDC, and the vault the other way: the pair of the two is of use in both directions.
    function test_route_sellsOnAPairThatWasReadInItsOtherDirection() public {
        createV2Of(WETH_INDEX, USDC_INDEX);
        createV2(address(vaultOfUsdc), address(weth), 1000e6, 1e18);
        createV2(address(usdc), address(tail), 1000e6, 1000e18);
        createV2(address(weth), address(tail), 1000e18, 1_000_000e18);
        Plan memory plan = preview(PlainToken(address(vaultOfUsdc)), tail, 10_000e6);
        bool sells;
        for (uint256 i; i < plan.route.legs.length; ++i) {
            sells = sells || plan.route.legs[i].tokenIn == address(usdc) && plan.route.legs[i].tokenOut == address(weth);
        }
        assertTrue(sells, "sells USDC for WETH");
        _fundShares(10_000e6);
        assertEq(_execute(plan), plan.netOut);
    }

    /// @dev A pair that is a little off the PSM's price takes its part, and the PSM the rest.
    function test_route_splitsBetweenAPairAndAConverter() public {
        createV2(address(usdc), address(dai), 1_000_000e6, 1_010_000e18);
        Plan memory plan = preview(usdc, dai, 100_000e6);
        assertEq(plan.route.legs.length, 2);
        assertTrue(plan.gapMicroBps <= 100 * MOST_GAP);
        fund(user, address(usdc), 100_000e6);
        assertEq(_execute(plan), plan.netOut);
    }

    /// @dev More than the PSM has goes elsewhere.
    function test_route_respectsTheLimit() public {
        createV2(address(usdc), address(dai), 1_000_000e6, 1_000_000e18);
        uint256 most = dai.balanceOf(address(psm)) / 1e12;
        Plan memory plan = preview(usdc, dai, most + 50_000e6);
        assertEq(plan.route.legs.length, 2);
        fund(user, address(usdc), most + 50_000e6);
        assertEq(_execute(plan), plan.netOut);
    }

    /* DONATIONS */

    /// @dev Somebody donates to the vault between the quote and the fill, so that a share costs more: the floor holds, and what the
    /// user had stays.
    function testFuzz_deposit_costsNothingIf_somebodyDonates(uint256 donated) public {
        uint256 amountIn = 1_000e6;
        IERC4626 fresh = new OpenZeppelinVault(address(usdc), 0);
        Plan memory plan = preview(usdc, PlainToken(address(fresh)), amountIn);
        // The first depositor of the vaultOfUsdc.
        usdc.mint(address(this), 1);
        usdc.approve(address(fresh), 1);
        fresh.deposit(1, address(this));
        usdc.mint(address(fresh), bound(donated, 1, 1e12));
        fund(user, address(usdc), amountIn);
        vm.prank(user);
        try router.swapExactIn(plan.route, amountIn, plan.ironFloor, user, block.timestamp) returns (uint256 paid) {
            assertGe(paid, plan.ironFloor);
            assertEq(fresh.balanceOf(user), paid);
        } catch {
            assertEq(usdc.balanceOf(user), amountIn, "all stays");
            assertEq(fresh.balanceOf(user), 0);
        }
    }

    function test_deposit_revertsBelowTheFloor() public {
        uint256 amountIn = 1_000e6;
        Plan memory plan = preview(usdc, PlainToken(address(vaultOfUsdc)), amountIn);
        usdc.mint(address(vaultOfUsdc), usdc.balanceOf(address(vaultOfUsdc)));
        fund(user, address(usdc), amountIn);
        vm.prank(user);
        vm.expectPartialRevert(IRouter.BelowFloor.selector);
        router.swapExactIn(plan.route, amountIn, plan.ironFloor, user, block.timestamp);
    }

    /// @dev Who redeems gains by a donation.
    function test_redeem_paysMoreAfterADonation() public {
        Plan memory plan = preview(PlainToken(address(vaultOfUsdc)), usdc, 1_000e6);
        _fundShares(1_000e6);
        usdc.mint(address(vaultOfUsdc), 1_000_000e6);
        assertGt(_execute(plan), plan.netOut);
    }

    /* SEARCHES */

    /// @dev Two adapters without a pool for the pair.
    function test_search_paysLittleForConvertersThatItDoesNotUse() public {
        createV2Of(WETH_INDEX, USDC_INDEX);
        createV2Of(WETH_INDEX, DAI_INDEX);
        createV2Of(USDC_INDEX, DAI_INDEX);
        PreviewOptions memory options;
        uint256 gas = gasleft();
        quoter.previewPlan(address(weth), address(tail), 1e18, options);
        uint256 with = gas - gasleft();
        options.excludedVenues = 1 << vaults | 1 << psms;
        gas = gasleft();
        quoter.previewPlan(address(weth), address(tail), 1e18, options);
        assertLt(with, gas - gasleft() + 400_000);
    }

    function _assertNothingKept() private view {
        assertEq(usdc.balanceOf(address(vaultAdapter)), 0);
        assertEq(vaultOfUsdc.balanceOf(address(vaultAdapter)), 0);
        assertEq(usdc.allowance(address(vaultAdapter), address(vaultOfUsdc)), 0);
        assertEq(vaultOfUsdc.balanceOf(address(router)), 0);
    }

    function _fundShares(uint256 shares) private {
        vaultOfUsdc.transfer(user, shares);
        vm.prank(user);
        vaultOfUsdc.approve(address(router), shares);
    }

    function _execute(Plan memory plan) private returns (uint256) {
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        vm.prank(user);
        return router.swapExactIn(plan.route, plan.route.amountIn, plan.ironFloor, user, block.timestamp);
    }
}
