// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ICore} from "../../src/interfaces/ICore.sol";
import {CoreFixture} from "../fixtures/CoreFixture.sol";
import {FalseReturnToken, HookToken, NoReturnToken, PlainToken, TaxedToken} from "../fixtures/Tokens.sol";

/// @notice Tokens that are not plain hurt their own line of the ledger and no other.
contract CoreTokensTest is CoreFixture {
    function setUp() public {
        deployCore();
    }

    function test_taxedToken_isRecordedAsItArrives() public {
        TaxedToken taxed = new TaxedToken("TAX", 18, 1000);
        taxed.mint(alice, 1000);
        vm.prank(alice);
        taxed.transfer(address(core), 1000);
        (uint256 amount,,) = core.recordFee(address(taxed));
        assertEq(amount, 900);

        core.claimT2(address(taxed));
        assertEq(taxed.balanceOf(treasury), 405);
        assertLedger(address(taxed), 450, 0);
    }

    function test_noReturnToken_isPaidOut() public {
        NoReturnToken tether = new NoReturnToken("USDT", 6);
        bring(tether, 1000);
        core.claimT2(address(tether));
        assertEq(tether.balanceOf(treasury), 500);
    }

    function test_shrunkToken_losesFromBothPartsInProportion() public {
        bring(usdc, 1000);
        core.claimT2(address(usdc));
        bring(usdc, 500);
        assertLedger(address(usdc), 750, 250);

        // A third is gone.
        deal(address(usdc), address(core), 667);
        vm.expectEmit(address(core));
        emit ICore.LossRecorded(address(usdc), 250, 83);
        (uint256 amount, uint256 toT1, uint256 toT2) = core.recordFee(address(usdc));
        assertEq(amount + toT1 + toT2, 0);
        assertLedger(address(usdc), 500, 167);

        assertEq(core.claimT2(address(usdc)), 167);
        assertEq(usdc.balanceOf(address(core)), 500);
        (amount,,) = bring(usdc, 10);
        assertEq(amount, 10);
    }

    function test_vanishedToken_leavesNothingToPay() public {
        bring(usdc, 1000);
        deal(address(usdc), address(core), 0);
        assertEq(core.claimT2(address(usdc)), 0);
        assertLedger(address(usdc), 0, 0);
        vm.expectRevert(abi.encodeWithSelector(ICore.EmptyLot.selector, usdc));
        core.buyT1(address(usdc), type(uint256).max, buyer);
    }

    function testFuzz_shrunkToken_neverPaysOneFromTheOther(uint256 first, uint256 second, uint256 left) public {
        bring(usdc, bound(first, 0, 1e30));
        core.claimT2(address(usdc));
        bring(usdc, bound(second, 0, 1e30));
        (uint256 t1, uint256 t2) = core.ledger(address(usdc));
        left = bound(left, 0, t1 + t2);
        deal(address(usdc), address(core), left);
        core.recordFee(address(usdc));

        (uint256 after1, uint256 after2) = core.ledger(address(usdc));
        assertEq(after1 + after2, left);
        assertLe(after1, t1);
        assertLe(after2, t2);
        if (t1 + t2 != 0) assertEq(after1, t1 * left / (t1 + t2));
    }

    function test_failingToken_blocksNoOther() public {
        RefusingToken refusing = new RefusingToken();
        bring(refusing, 1000);
        bring(usdc, 1000);
        refusing.setRefuses(true);
        vm.expectRevert(abi.encodeWithSignature("TransferFailed()"));
        core.claimT2(address(refusing));
        assertLedger(address(refusing), 500, 500);

        core.claimT2(address(usdc));
        assertEq(usdc.balanceOf(treasury), 500);
        refusing.setRefuses(false);
        core.claimT2(address(refusing));
        assertEq(refusing.balanceOf(treasury), 500);
    }

    function test_falseReturnToken_isNotTakenForPaid() public {
        FalseReturnToken token = new FalseReturnToken("FALSE", 18);
        bring(token, 1000);
        vm.mockCall(address(token), abi.encodeCall(token.balanceOf, (address(core))), abi.encode(uint256(4000)));
        core.recordFee(address(token));
        vm.expectRevert(abi.encodeWithSignature("TransferFailed()"));
        core.claimT2(address(token));
    }

    /// @dev A buyer of a lot that is not there pays for it, and the stakers keep the SLU: the buyer chose the token.
    function test_buyT1_ofATokenThatLies_costsTheBuyerAlone() public {
        RefusingToken lying = new RefusingToken();
        bring(lying, 1000);
        lying.setPretends(true);
        vm.warp(START + 22.5 hours);
        giveBuyer(1);
        vm.prank(buyer);
        core.buyT1(address(lying), 1, buyer);
        assertEq(staking.rewardReserve(), 1);
        assertEq(lying.balanceOf(buyer), 0);
    }

    /* TOKENS THAT CALL BACK */

    function test_hook_cannotRecordWhatIsBeingPaid() public {
        HookToken hooked = new HookToken("HOOK", 18);
        bring(hooked, 1000);
        hooked.setHook(address(core), abi.encodeCall(core.recordFee, (address(hooked))), true);
        core.claimT2(address(hooked));
        assertFalse(hooked.hookSucceeded());
        assertEq(hooked.hookAnswer(), abi.encodeWithSelector(ICore.Reentered.selector, hooked));
        assertLedger(address(hooked), 500, 0);
        assertEq(hooked.balanceOf(address(core)), 500);
    }

    function test_hook_cannotStartAnotherPayment() public {
        HookToken hooked = new HookToken("HOOK", 18);
        bring(hooked, 1000);
        bring(usdc, 1000);
        slu.transfer(address(core), 1000);
        bytes[4] memory calls = [
            abi.encodeCall(core.claimT2, (address(usdc))),
            abi.encodeCall(core.claimT2, (address(hooked))),
            abi.encodeCall(core.buyT1, (address(usdc), type(uint256).max, buyer)),
            abi.encodeCall(core.fundStakers, ())
        ];
        for (uint256 i; i < calls.length; ++i) {
            hooked.setHook(address(core), calls[i], i % 2 == 0);
            bring(hooked, 1000);
            core.claimT2(address(hooked));
            assertFalse(hooked.hookSucceeded());
            assertEq(hooked.hookAnswer(), abi.encodeWithSelector(ICore.Reentered.selector, hooked));
        }
        hooked.setHook(address(core), calls[1], true);
        vm.warp(START + 22.5 hours);
        giveBuyer(1);
        (, uint256 price) = core.lot(address(hooked));
        vm.prank(buyer);
        core.buyT1(address(hooked), price, buyer);
        assertFalse(hooked.hookSucceeded());
        assertLedger(address(usdc), 500, 500);
    }

    /// @dev A swap may run inside of a payment's hook, and its fee is another token's.
    function test_hook_mayRecordAnotherToken() public {
        HookToken hooked = new HookToken("HOOK", 18);
        bring(hooked, 1000);
        usdc.mint(address(core), 10);
        hooked.setHook(address(core), abi.encodeCall(core.recordFee, (address(usdc))), true);
        core.claimT2(address(hooked));
        assertTrue(hooked.hookSucceeded());
        assertLedger(address(usdc), 5, 5);
        // And afterwards the token's own fees are recorded again.
        hooked.setHook(address(0), "", true);
        (uint256 amount,,) = bring(hooked, 10);
        assertEq(amount, 10);
    }
}

/// @notice Refuses to move, or pretends to.
contract RefusingToken is PlainToken {
    bool private _refuses;
    bool private _pretends;

    constructor() PlainToken("NO", 18) {}

    function setRefuses(bool refuses) external {
        _refuses = refuses;
    }

    function setPretends(bool pretends) external {
        _pretends = pretends;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (_pretends) return true;
        return !_refuses && super.transfer(to, amount);
    }
}
