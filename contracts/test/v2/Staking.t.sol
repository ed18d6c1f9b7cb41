// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IStaking} from "../../src/interfaces/IStaking.sol";
import {Staking} from "../../src/v2/Staking.sol";
import {StakingFixture} from "../fixtures/StakingFixture.sol";

contract StakingTest is StakingFixture {
    function setUp() public {
        deployStaking();
    }

    function tearDown() private view {
        assertConsistent();
        assertTrue(staking.isSolvent());
    }

    /* STAKES */

    function test_stake_takesTheAmountFromTheCaller() public {
        slu.transfer(alice, 5e18);
        vm.startPrank(alice);
        slu.approve(address(staking), 5e18);
        vm.expectEmit(address(staking));
        emit IStaking.Staked(alice, 3e18);
        staking.stake(3e18);

        assertEq(slu.balanceOf(alice), 2e18);
        assertEq(slu.balanceOf(address(staking)), 3e18);
        assertEq(staking.staked(alice), 3e18);
        assertEq(staking.totalStaked(), 3e18);
        tearDown();
    }

    function test_stake_revertsIf_zero() public {
        vm.expectRevert(IStaking.ZeroAmount.selector);
        staking.stake(0);
    }

    function test_stakeWithPermit_needsNoAllowance() public {
        (address signer, uint256 key) = makeAddrAndKey("signer");
        slu.transfer(signer, 4e18);
        (uint8 v, bytes32 r, bytes32 s) = _signPermit(key, signer, 4e18, START);

        vm.prank(signer);
        staking.stakeWithPermit(4e18, START, v, r, s);
        assertEq(staking.staked(signer), 4e18);
        assertEq(slu.allowance(signer, address(staking)), 0);
    }

    function test_stakeWithPermit_worksWithASignatureThatSomebodyElseHasSent() public {
        (address signer, uint256 key) = makeAddrAndKey("signer");
        slu.transfer(signer, 4e18);
        (uint8 v, bytes32 r, bytes32 s) = _signPermit(key, signer, 4e18, START);
        slu.permit(signer, address(staking), 4e18, START, v, r, s);

        vm.prank(signer);
        staking.stakeWithPermit(4e18, START, v, r, s);
        assertEq(staking.staked(signer), 4e18);
    }

    function test_stakeWithPermit_revertsIf_theSignatureIsNotTheCallers() public {
        (address signer, uint256 key) = makeAddrAndKey("signer");
        slu.transfer(signer, 4e18);
        (uint8 v, bytes32 r, bytes32 s) = _signPermit(key, signer, 4e18, START);

        vm.prank(bob);
        vm.expectRevert();
        staking.stakeWithPermit(4e18, START, v, r, s);
        assertEq(slu.balanceOf(signer), 4e18);
    }

    function test_unstake_paysTheRecipientAtOnce() public {
        stakeFor(alice, 10e18);
        vm.expectEmit(address(staking));
        emit IStaking.Unstaked(alice, carol, 4e18);
        vm.prank(alice);
        staking.unstake(4e18, carol);

        assertEq(slu.balanceOf(carol), 4e18);
        assertEq(slu.balanceOf(alice), 0);
        assertEq(staking.staked(alice), 6e18);
        assertEq(staking.totalStaked(), 6e18);
        tearDown();
    }

    function test_unstake_keepsWhatWasEarned() public {
        stakeFor(alice, 8 * UNIT);
        fund(7e18);
        vm.warp(START + 2 * EPOCH);
        vm.prank(alice);
        staking.unstake(8 * UNIT, alice);
        assertEq(slu.balanceOf(alice), 8 * UNIT);
        assertEq(staking.earned(alice), 7e18);

        assertEq(claimFor(alice), 7e18);
        assertEq(slu.balanceOf(alice), 8 * UNIT + 7e18);
        tearDown();
    }

    function test_unstake_revertsIf_zero() public {
        vm.expectRevert(IStaking.ZeroAmount.selector);
        staking.unstake(0, alice);
    }

    function test_unstake_revertsIf_moreThanStaked() public {
        stakeFor(alice, 10e18);
        stakeFor(bob, 10e18);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IStaking.InsufficientStake.selector, 10e18, 10e18 + 1));
        staking.unstake(10e18 + 1, alice);
    }

    function test_exit_paysStakeAndRewardAtOnce() public {
        stakeFor(alice, UNIT);
        stakeFor(bob, 3 * UNIT);
        fund(8e18);
        vm.warp(START + 2 * EPOCH);

        vm.expectEmit(address(staking));
        emit IStaking.Unstaked(alice, carol, UNIT);
        vm.expectEmit(address(staking));
        emit IStaking.RewardClaimed(alice, carol, 2e18);
        vm.prank(alice);
        (uint256 amount, uint256 reward) = staking.exit(carol);
        assertEq(amount, UNIT);
        assertEq(reward, 2e18);
        assertEq(slu.balanceOf(carol), UNIT + 2e18);
        assertEq(staking.staked(alice), 0);
        assertEq(staking.totalStaked(), 3 * UNIT);
        assertEq(staking.rewardReserve(), 6e18);
        tearDown();
    }

    function test_exit_paysARewardThatIsLeftAlone() public {
        stakeFor(alice, UNIT);
        fund(8e18);
        vm.warp(START + 2 * EPOCH);
        vm.startPrank(alice);
        staking.unstake(UNIT, alice);
        (uint256 amount, uint256 reward) = staking.exit(alice);
        assertEq(amount, 0);
        assertEq(reward, 8e18);
        assertEq(slu.balanceOf(alice), UNIT + 8e18);
    }

    function test_exitAndClaim_ofNothing_payNothing() public {
        stakeFor(bob, 1e18);
        vm.recordLogs();
        (uint256 amount, uint256 reward) = exitFor(alice);
        assertEq(amount + reward + claimFor(alice), 0);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_payouts_revertIf_badRecipient() public {
        stakeFor(alice, 10e18);
        address[3] memory lost = [address(0), address(staking), address(slu)];
        vm.startPrank(alice);
        for (uint256 i; i < lost.length; ++i) {
            bytes memory refused = abi.encodeWithSelector(IStaking.BadRecipient.selector, lost[i]);
            vm.expectRevert(refused);
            staking.unstake(1, lost[i]);
            vm.expectRevert(refused);
            staking.claim(lost[i]);
            vm.expectRevert(refused);
            staking.exit(lost[i]);
        }
    }

    /* REWARDS */

    function test_fund_queuesForTheNextEpoch() public {
        stakeFor(alice, UNIT);
        slu.approve(address(staking), 7e18);
        vm.warp(START + 3 days);
        vm.expectEmit(address(staking));
        emit IStaking.RewardFunded(address(this), 7e18, START + EPOCH);
        staking.fund(7e18);

        IStaking.Schedule memory schedule = staking.schedule();
        assertEq(schedule.streaming, 0);
        assertEq(schedule.queued, 7e18);
        assertEq(schedule.epochEndsAt, START + EPOCH);
        assertEq(staking.rewardReserve(), 7e18);

        vm.warp(START + EPOCH - 1);
        assertEq(staking.earned(alice), 0);
        vm.warp(START + EPOCH);
        assertEq(staking.earned(alice), 0);
        assertEq(staking.schedule().streaming, 7e18);
        assertEq(staking.schedule().queued, 0);
        vm.warp(START + EPOCH + 1 days);
        assertEq(staking.earned(alice), 1e18);
        assertEq(staking.schedule().streaming, 6e18);
        assertEq(staking.solvency().pendingRewards, 1e18);
        tearDown();
    }

    function test_fund_revertsIf_zero() public {
        vm.expectRevert(IStaking.ZeroAmount.selector);
        staking.fund(0);
    }

    function test_rewards_goByStakeAndTime() public {
        stakeFor(alice, UNIT);
        fund(70e18);
        vm.warp(START + EPOCH + 1 days);
        stakeFor(bob, 3 * UNIT);
        vm.warp(START + EPOCH + 3 days);
        vm.prank(bob);
        staking.unstake(3 * UNIT, bob);
        vm.warp(START + 2 * EPOCH);

        // Ten a day: one day alone, two days with a quarter, four days alone.
        assertEq(staking.earned(alice), 55e18);
        assertEq(staking.earned(bob), 15e18);
        assertEq(claimFor(alice), 55e18);
        assertEq(claimFor(bob), 15e18);
        assertEq(claimFor(bob), 0);
        assertEq(staking.rewardReserve(), 0);
        tearDown();
    }

    function test_fund_ofDustDelaysNobody() public {
        stakeFor(alice, UNIT);
        fund(70e18);
        for (uint256 day; day < 14; ++day) {
            fund(1);
            vm.warp(START + (day + 1) * 1 days);
        }
        // The dust of the first week streams with the rest.
        assertEq(staking.earned(alice), 70e18 + 7);
    }

    function test_rewards_aStakeOfAMomentEarnsAMoment() public {
        stakeFor(alice, UNIT);
        fund(604_800e18);
        vm.warp(START + EPOCH + 1 days);
        stakeFor(bob, 3 * UNIT);
        (, uint256 atOnce) = exitFor(bob);
        assertEq(atOnce, 0);

        stakeFor(bob, 3 * UNIT);
        vm.warp(block.timestamp + 1);
        (, uint256 reward) = exitFor(bob);
        assertEq(reward, 0.75e18);
    }

    function test_rewards_ofTimeWithoutStakes_carryOver() public {
        fund(70e18);
        vm.warp(START + EPOCH + 2 days);
        assertEq(staking.schedule().queued, 20e18);
        stakeFor(alice, UNIT);
        assertEq(staking.schedule().streaming, 50e18);
        assertEq(staking.schedule().queued, 20e18);

        vm.warp(START + 2 * EPOCH);
        assertEq(staking.earned(alice), 50e18);
        vm.warp(START + 3 * EPOCH);
        assertEq(staking.earned(alice), 70e18);
        vm.warp(START + 9 * EPOCH);
        assertEq(staking.earned(alice), 70e18);
        tearDown();
    }

    function test_rewards_ofEpochsWithoutStakes_carryOverAll() public {
        fund(60e18);
        vm.warp(START + EPOCH + 1 days);
        fund(10e18);
        vm.warp(START + 30 * EPOCH + EPOCH / 4);
        assertEq(staking.schedule().streaming, 52.5e18);
        assertEq(staking.schedule().queued, 17.5e18);
        assertEq(staking.solvency().pendingRewards, 0);

        stakeFor(alice, UNIT);
        vm.warp(START + 31 * EPOCH);
        assertEq(staking.earned(alice), 52.5e18);
        vm.warp(START + 32 * EPOCH);
        assertEq(staking.earned(alice), 70e18);
        tearDown();
    }

    function test_rewards_atTheExtremes() public {
        uint256 most = slu.totalSupply() - 2;
        stakeFor(alice, most);
        fund(1);
        vm.warp(START + 2 * EPOCH);
        // 0.999… of a unit is the stakers' and no whole one.
        assertEq(staking.earned(alice), 0);
        assertEq(staking.solvency().pendingRewards, 1);
        exitFor(alice);

        vm.prank(alice);
        slu.transfer(address(this), most);
        stakeFor(bob, 1);
        fund(most);
        vm.warp(START + 5 * EPOCH);
        assertEq(staking.earned(bob), most);
        (uint256 amount, uint256 reward) = exitFor(bob);
        assertEq(amount, 1);
        assertEq(reward, most);
        assertEq(staking.rewardReserve(), 1);
        tearDown();
    }

    function test_claim_leavesTheFractionWithTheAccount() public {
        stakeFor(alice, 1);
        stakeFor(bob, 3);
        // Three quarters of a unit and a quarter, four times.
        uint256[4] memory paid = [uint256(0), 1, 1, 1];
        for (uint256 i; i < 4; ++i) {
            fund(1);
            vm.warp(START + (2 * i + 2) * EPOCH);
            assertEq(claimFor(bob), paid[i]);
            assertEq(claimFor(alice), i / 3);
        }
        assertEq(staking.rewardReserve(), 0);
    }

    /* SOLVENCY */

    function test_solvency_ofNothing() public view {
        IStaking.Solvency memory s = staking.solvency();
        assertEq(s.backing, 0);
        assertEq(s.owed, 0);
        assertTrue(s.solvent);
        assertEq(s.collateralRatioWad, type(uint256).max);
        tearDown();
    }

    function test_solvency_countsADonationAsSurplusAlone() public {
        stakeFor(alice, UNIT);
        fund(7e18);
        vm.warp(START + EPOCH + 1 days);
        slu.transfer(address(staking), (UNIT + 7e18) / 2);

        IStaking.Solvency memory s = staking.solvency();
        assertEq(s.backing, (UNIT + 7e18) * 3 / 2);
        assertEq(s.owed, UNIT + 7e18);
        assertEq(s.surplus, (UNIT + 7e18) / 2);
        assertEq(s.deficit, 0);
        assertTrue(s.solvent);
        assertEq(s.collateralRatioWad, 1.5e18);
        assertEq(s.totalStaked, UNIT);
        assertEq(s.rewardReserve, 7e18);
        assertEq(s.pendingRewards, 1e18);
        assertEq(staking.earned(alice), 1e18);
        assertConsistent();
    }

    function test_solvency_ofADeficit() public {
        stakeFor(alice, 6e18);
        deal(address(slu), address(staking), 5e18);

        IStaking.Solvency memory s = staking.solvency();
        assertEq(s.surplus, 0);
        assertEq(s.deficit, 1e18);
        assertFalse(s.solvent);
        assertFalse(staking.isSolvent());
        assertEq(s.collateralRatioWad, 833_333_333_333_333_333);

        deal(address(slu), address(staking), 6e18 - 1);
        assertEq(staking.solvency().deficit, 1);
        assertFalse(staking.isSolvent());
        deal(address(slu), address(staking), 6e18);
        assertTrue(staking.isSolvent());
        assertEq(staking.solvency().collateralRatioWad, 1e18);
    }

    /// @dev Whoever is first out of an insolvent contract is paid: nothing holds a stake back.
    function test_unstake_worksWhileRewardsCannotBePaid() public {
        stakeFor(alice, 6e18);
        fund(7e18);
        vm.warp(START + 2 * EPOCH);
        deal(address(slu), address(staking), 6e18);
        vm.prank(alice);
        staking.unstake(6e18, alice);
        assertEq(slu.balanceOf(alice), 6e18);
    }

    function _signPermit(uint256 key, address signer, uint256 amount, uint256 deadline)
        private
        view
        returns (uint8, bytes32, bytes32)
    {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash =
            keccak256(abi.encode(typeHash, signer, address(staking), amount, slu.nonces(signer), deadline));
        return vm.sign(key, keccak256(abi.encodePacked("\x19\x01", slu.DOMAIN_SEPARATOR(), structHash)));
    }
}
