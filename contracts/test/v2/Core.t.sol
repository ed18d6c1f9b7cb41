// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ICore} from "../../src/interfaces/ICore.sol";
import {IStaking} from "../../src/interfaces/IStaking.sol";
import {CoreFixture} from "../fixtures/CoreFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

contract CoreTest is CoreFixture {
    uint256 private constant HALF_LIFE = 15 minutes;

    function setUp() public {
        deployCore();
    }

    function test_constructor_knowsItsParts() public view {
        assertEq(address(core.hub()), address(hub));
        assertEq(address(core.staking()), address(staking));
        assertEq(core.slu(), address(slu));
        assertEq(core.T1_BPS(), 5000);
        assertEq(core.START_PRICE(), 1 << 90);
        assertEq(core.HALF_LIFE(), HALF_LIFE);
    }

    /* FEES */

    function test_recordFee_splitsWhatArrived() public {
        usdc.mint(address(core), 1001);
        vm.expectEmit(address(core));
        emit ICore.FeeRecorded(address(usdc), 1001, 500, 501);
        (uint256 amount, uint256 toT1, uint256 toT2) = core.recordFee(address(usdc));
        assertEq(amount, 1001);
        assertEq(toT1, 500);
        assertEq(toT2, 501);
        assertLedger(address(usdc), 500, 501);

        (amount, toT1, toT2) = bring(usdc, 7);
        assertEq(amount, 7);
        assertEq(toT1, 3);
        assertEq(toT2, 4);
        assertLedger(address(usdc), 503, 505);
    }

    function test_recordFee_ofNothingIsZero() public {
        bring(usdc, 10);
        vm.recordLogs();
        (uint256 amount, uint256 toT1, uint256 toT2) = core.recordFee(address(usdc));
        assertEq(amount + toT1 + toT2, 0);
        assertEq(vm.getRecordedLogs().length, 0);
        assertLedger(address(usdc), 5, 5);
    }

    function test_recordFee_ofOneUnitIsTheTreasurys() public {
        bring(usdc, 1);
        assertLedger(address(usdc), 0, 1);
        (uint256 amount, uint256 price) = core.lot(address(usdc));
        assertEq(amount, 0);
        assertEq(price, 0);
    }

    function testFuzz_recordFee_theSplitIsExact(uint256[6] memory amounts) public {
        uint256 t1;
        uint256 sum;
        for (uint256 i; i < amounts.length; ++i) {
            uint256 amount = bound(amounts[i], 0, 3e30);
            (uint256 recorded, uint256 toT1, uint256 toT2) = bring(usdc, amount);
            assertEq(recorded, amount);
            assertEq(toT1, amount * 5000 / 10_000);
            assertEq(toT2, amount - toT1);
            t1 += toT1;
            sum += amount;
        }
        assertLedger(address(usdc), t1, sum - t1);
    }

    function test_recordFee_countsAsMuchAsItsSlotHolds() public {
        uint256 most = type(uint104).max;
        (uint256 amount,,) = bring(usdc, type(uint256).max - 5);
        assertEq(amount, most);
        assertLedger(address(usdc), most / 2, most - most / 2);
        (amount,,) = bring(usdc, 5);
        assertEq(amount, 0);

        // What waited is counted once there is room.
        assertEq(core.claimT2(address(usdc)), most - most / 2);
        (amount,,) = core.recordFee(address(usdc));
        assertEq(amount, most - most / 2);
    }

    function test_recordFee_revertsIf_itIsNotAToken() public {
        vm.expectRevert(abi.encodeWithSignature("UnreadableBalance(address)", alice));
        core.recordFee(alice);
    }

    /* THE TREASURY */

    function test_claimT2_paysTheHubsFeeRecipient() public {
        bring(usdc, 1001);
        vm.expectEmit(address(core));
        emit ICore.T2Claimed(address(usdc), treasury, 501);
        vm.prank(bob);
        assertEq(core.claimT2(address(usdc)), 501);
        assertEq(usdc.balanceOf(treasury), 501);
        assertLedger(address(usdc), 500, 0);

        vm.recordLogs();
        assertEq(core.claimT2(address(usdc)), 0);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_claimT2_recordsWhatNobodyRecorded() public {
        usdc.mint(address(core), 1001);
        assertEq(core.claimT2(address(usdc)), 501);
        assertLedger(address(usdc), 500, 0);
    }

    function test_claimT2_paysInSluToo() public {
        slu.transfer(address(core), 10e18);
        assertEq(core.claimT2(address(slu)), 5e18);
        assertEq(slu.balanceOf(treasury), 5e18);
    }

    /* THE STAKERS */

    function test_fundStakers_givesT1InSlu() public {
        slu.transfer(address(core), 10e18 + 1);
        vm.expectEmit(address(staking));
        emit IStaking.RewardFunded(address(core), 5e18, START + EPOCH);
        vm.expectEmit(address(core));
        emit ICore.StakersFunded(5e18);
        assertEq(core.fundStakers(), 5e18);
        assertEq(slu.balanceOf(address(staking)), 5e18);
        assertEq(staking.rewardReserve(), 5e18);
        assertEq(slu.allowance(address(core), address(staking)), 0);
        assertLedger(address(slu), 0, 5e18 + 1);

        vm.recordLogs();
        assertEq(core.fundStakers(), 0);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_lot_startsAtThePriceThatNobodyHas() public {
        bring(usdc, 1000);
        (uint256 amount, uint256 price) = core.lot(address(usdc));
        assertEq(amount, 500);
        assertEq(price, core.START_PRICE());
        assertGt(price, slu.totalSupply());
    }

    function test_lot_countsWhatIsNotRecorded() public {
        usdc.mint(address(core), 1000);
        (uint256 amount, uint256 price) = core.lot(address(usdc));
        assertEq(amount, 500);
        assertEq(price, core.START_PRICE());
    }

    function test_lot_ofSluIsNone() public {
        slu.transfer(address(core), 10e18);
        (uint256 amount, uint256 price) = core.lot(address(slu));
        assertEq(amount + price, 0);
    }

    function test_buyT1_sellsTheLotAndGivesThePriceToTheStakers() public {
        bring(usdc, 1001);
        vm.warp(START + 30 * HALF_LIFE);
        (uint256 lotAmount, uint256 price) = core.lot(address(usdc));
        assertEq(lotAmount, 500);
        assertEq(price, 1 << 60);

        giveBuyer(3 << 60);
        vm.expectEmit(address(core));
        emit ICore.T1Sold(address(usdc), buyer, carol, 500, 1 << 60);
        vm.prank(buyer);
        (uint256 amount, uint256 paid) = core.buyT1(address(usdc), 1 << 60, carol);
        assertEq(amount, 500);
        assertEq(paid, 1 << 60);
        assertEq(usdc.balanceOf(carol), 500);
        assertEq(slu.balanceOf(buyer), 2 << 60);
        assertEq(slu.balanceOf(address(core)), 0);
        assertEq(staking.rewardReserve(), 1 << 60);
        assertEq(slu.allowance(address(core), address(staking)), 0);
        assertLedger(address(usdc), 0, 501);
    }

    function test_buyT1_doesNotTouchWhatIsKeptInSlu() public {
        slu.transfer(address(core), 10e18);
        core.recordFee(address(slu));
        bring(usdc, 1000);
        vm.warp(START + 30 * HALF_LIFE);
        giveBuyer(1 << 60);
        vm.prank(buyer);
        core.buyT1(address(usdc), 1 << 60, buyer);
        assertEq(slu.balanceOf(address(core)), 10e18);
        assertLedger(address(slu), 5e18, 5e18);
        (uint256 amount,,) = core.recordFee(address(slu));
        assertEq(amount, 0);
    }

    function test_buyT1_ofOldLotsCostsAUnit() public {
        bring(usdc, 1000);
        vm.warp(START + 365 days);
        giveBuyer(1);
        vm.prank(buyer);
        (, uint256 paid) = core.buyT1(address(usdc), 1, buyer);
        assertEq(paid, 1);
        assertEq(staking.rewardReserve(), 1);
    }

    function test_buyT1_theNextLotIsAsNewAsItsFirstFee() public {
        bring(usdc, 1000);
        vm.warp(START + 40 * HALF_LIFE);
        giveBuyer(1 << 50);
        vm.prank(buyer);
        core.buyT1(address(usdc), 1 << 50, buyer);

        vm.warp(START + 100 * HALF_LIFE);
        bring(usdc, 1000);
        (, uint256 price) = core.lot(address(usdc));
        assertEq(price, core.START_PRICE());
    }

    function test_recordFee_makesTheLotYoungerByTheAverage() public {
        bring(usdc, 1000);
        vm.warp(START + 20 * HALF_LIFE);
        bring(usdc, 3000);
        (, uint256 price) = core.lot(address(usdc));
        assertEq(price, 1 << 85);

        // Months later a fee as large as the lot brings it halfway back.
        vm.warp(START + 100 days);
        bring(usdc, 4000);
        (, price) = core.lot(address(usdc));
        assertEq(price, 1 << 45);
    }

    function test_recordFee_ofDustDoesNotHoldThePriceUp() public {
        bring(usdc, 1e9);
        for (uint256 i; i < 60; ++i) {
            vm.warp(block.timestamp + 15);
            bring(usdc, 2);
        }
        (, uint256 price) = core.lot(address(usdc));
        assertEq(price, core.START_PRICE() / 2);
    }

    function test_buyT1_revertsIf_thePriceIsAboveTheMaximum() public {
        bring(usdc, 1000);
        vm.warp(START + 30 * HALF_LIFE);
        vm.expectRevert(abi.encodeWithSelector(ICore.PriceAboveMaximum.selector, 1 << 60, (1 << 60) - 1));
        core.buyT1(address(usdc), (1 << 60) - 1, alice);
    }

    function test_buyT1_revertsIf_somebodyElseBoughtFirst() public {
        bring(usdc, 1000);
        vm.warp(START + 30 * HALF_LIFE);
        giveBuyer(2 << 60);
        vm.startPrank(buyer);
        core.buyT1(address(usdc), 1 << 60, buyer);
        vm.expectRevert(abi.encodeWithSelector(ICore.EmptyLot.selector, usdc));
        core.buyT1(address(usdc), 1 << 60, buyer);

        usdc.mint(address(core), 2);
        vm.expectRevert(abi.encodeWithSelector(ICore.PriceAboveMaximum.selector, 1 << 90, 1 << 60));
        core.buyT1(address(usdc), 1 << 60, buyer);
    }

    function test_buyT1_revertsIf_itIsSlu() public {
        slu.transfer(address(core), 10e18);
        vm.expectRevert(abi.encodeWithSelector(ICore.NotForSale.selector, slu));
        core.buyT1(address(slu), type(uint256).max, alice);
    }

    function test_buyT1_revertsIf_badRecipient() public {
        bring(usdc, 1000);
        vm.expectRevert(abi.encodeWithSelector(ICore.BadRecipient.selector, address(0)));
        core.buyT1(address(usdc), type(uint256).max, address(0));
        vm.expectRevert(abi.encodeWithSelector(ICore.BadRecipient.selector, core));
        core.buyT1(address(usdc), type(uint256).max, address(core));
    }

    function test_buyT1_revertsIf_theBuyerCannotPay() public {
        bring(usdc, 1000);
        vm.expectRevert(abi.encodeWithSignature("TransferFromFailed()"));
        core.buyT1(address(usdc), type(uint256).max, alice);
        assertLedger(address(usdc), 500, 500);
    }

    function test_claims_workWhileSwapsArePaused() public {
        bring(usdc, 1000);
        vm.prank(owner);
        hub.pause();
        assertEq(core.claimT2(address(usdc)), 500);
        vm.warp(START + 90 * HALF_LIFE);
        giveBuyer(1);
        vm.prank(buyer);
        core.buyT1(address(usdc), 1, buyer);
        assertEq(usdc.balanceOf(buyer), 500);
    }

    function test_lines_doNotTouchEachOther() public {
        PlainToken other = new PlainToken("DAI", 18);
        bring(usdc, 1000);
        bring(other, 10e18);
        core.claimT2(address(usdc));
        assertLedger(address(usdc), 500, 0);
        assertLedger(address(other), 5e18, 5e18);
    }
}
