// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IStaking} from "../../src/interfaces/IStaking.sol";
import {demandAtMost, demandEqual} from "../fixtures/Demand.sol";
import {StakingFixture} from "../fixtures/StakingFixture.sol";
import {StakingModel} from "../fixtures/StakingModel.sol";

/// @notice Five accounts stake, leave, claim and are funded in any order, with donations and jumps in time between. What
/// must hold is checked after every call, against a model that recounts everything.
contract StakingHandler is StakingFixture, StakingModel {
    uint256 public constant ACCOUNTS = 5;

    error NotSolvent();

    address[ACCOUNTS] public accounts;
    uint256 public donated;
    uint256 public stakes;

    constructor() {
        deployStaking();
        modelStart(ACCOUNTS);
        for (uint256 i; i < ACCOUNTS; ++i) {
            accounts[i] = address(uint160(0xacc0 + i));
            vm.prank(accounts[i]);
            slu.approve(address(staking), type(uint256).max);
        }
        slu.approve(address(staking), type(uint256).max);
    }

    /// @dev Most calls follow at once or within the hour; some after weeks.
    modifier later(uint256 wait) {
        uint256 kind = wait % 8;
        wait = wait >> 3;
        if (kind > 2) {
            vm.warp(block.timestamp + (kind == 7 ? wait % (4 * EPOCH) : kind > 4 ? wait % EPOCH : wait % 1 hours));
        }
        modelAdvance();
        _;
    }

    /* WHAT HAPPENS */

    function stakeSome(uint256 index, uint256 amount, uint256 wait) external later(wait) {
        index %= ACCOUNTS;
        amount = _sized(amount, _pot());
        slu.transfer(accounts[index], amount);
        vm.prank(accounts[index]);
        staking.stake(amount);
        earners[index].staked += amount;
        modelStaked += amount;
        ++stakes;
    }

    function unstakeSome(uint256 index, uint256 amount, uint256 wait) external later(wait) {
        index %= ACCOUNTS;
        amount = _sized(amount, earners[index].staked);
        if (amount == 0) return;
        uint256 balance = slu.balanceOf(address(this));
        vm.prank(accounts[index]);
        staking.unstake(amount, address(this));
        demandEqual(slu.balanceOf(address(this)) - balance, amount, "unstaked");
        earners[index].staked -= amount;
        modelStaked -= amount;
    }

    function claim(uint256 index, uint256 wait) external later(wait) {
        index %= ACCOUNTS;
        uint256 balance = slu.balanceOf(address(this));
        uint256 expected = staking.earned(accounts[index]);
        vm.prank(accounts[index]);
        uint256 reward = staking.claim(address(this));
        demandEqual(reward, expected, "claimed what was earned");
        demandEqual(slu.balanceOf(address(this)) - balance, reward, "claimed");
        _noteClaim(index, reward);
    }

    function exit(uint256 index, uint256 wait) external later(wait) {
        exitNow(index % ACCOUNTS);
    }

    function exitNow(uint256 index) public {
        uint256 balance = slu.balanceOf(address(this));
        uint256 expected = staking.earned(accounts[index]);
        vm.prank(accounts[index]);
        (uint256 amount, uint256 reward) = staking.exit(address(this));
        demandEqual(amount, earners[index].staked, "the whole stake");
        demandEqual(reward, expected, "and what it earned");
        demandEqual(slu.balanceOf(address(this)) - balance, amount + reward, "exited");
        modelStaked -= amount;
        earners[index].staked = 0;
        _noteClaim(index, reward);
    }

    function fundSome(uint256 amount, uint256 wait) external later(wait) {
        amount = _sized(amount, _pot());
        staking.fund(amount);
        modelNext += amount;
        modelFunded += amount;
    }

    /// @dev At most a millionth of what is left, or the game would soon be over.
    function donate(uint256 amount, uint256 wait) external later(wait) {
        amount = _sized(amount, _pot() / 1e6);
        slu.transfer(address(staking), amount);
        donated += amount;
    }

    function waitLong(uint256 wait) external later(wait << 3 | 7) {}

    /* WHAT MUST HOLD */

    function check() external view {
        IStaking.Solvency memory s = staking.solvency();
        demandEqual(modelTime, block.timestamp, "the clock");
        demandEqual(s.totalStaked, modelStaked, "stakes");
        demandEqual(s.rewardReserve, modelFunded - modelClaimed, "reserve");
        demandEqual(s.pendingRewards, modelReleased - modelClaimed, "pending");
        demandEqual(s.owed, modelStaked + modelFunded - modelClaimed, "owed");
        demandEqual(s.surplus, donated, "a donation is surplus and nothing else");
        if (!s.solvent || !staking.isSolvent()) revert NotSolvent();
        demandEqual(s.backing, slu.balanceOf(address(staking)), "backing");
        demandEqual(s.backing, s.owed + s.surplus - s.deficit, "surplus and deficit");

        IStaking.Schedule memory schedule = staking.schedule();
        demandEqual(schedule.streaming, modelStreaming(), "streaming");
        demandEqual(schedule.queued, modelNext, "queued");
        _checkAccounts(s);
    }

    function _checkAccounts(IStaking.Solvency memory s) private view {
        uint256 sumStaked;
        uint256 sumEarned;
        for (uint256 i; i < ACCOUNTS; ++i) {
            Earner memory earner = earners[i];
            uint256 earned = staking.earned(accounts[i]);
            demandEqual(staking.staked(accounts[i]), earner.staked, "stake");
            // Never more than the exact fraction, and less than one unit and a whit below.
            demandAtMost((earned + earner.claimed) << 64, earner.mostX64, "no more than its share");
            demandAtMost(earner.leastX64 >> 64, earned + earner.claimed + 1, "no less than its share");
            sumStaked += earner.staked;
            sumEarned += earned;
        }
        demandEqual(sumStaked, s.totalStaked, "sum of stakes");
        demandAtMost(sumEarned, s.pendingRewards, "sum of rewards");
        // Each account may miss a fraction of a unit, and the sums per unit less than a unit for all.
        demandAtMost(s.pendingRewards - sumEarned, ACCOUNTS, "dust");
    }

    /// @notice Everybody leaves, in an order that the past decides, after all rewards have streamed.
    function close() external {
        assertGt(stakes, 0, "nobody ever staked");
        assertGt(modelFunded, 0, "nothing was ever funded");
        vm.warp(block.timestamp + 2 * EPOCH);
        modelAdvance();
        uint256 first = uint256(keccak256(abi.encode(modelReleased, modelClaimed, donated)));
        uint256 step = 1 + (first >> 128) % (ACCOUNTS - 1);
        for (uint256 i; i < ACCOUNTS; ++i) {
            exitNow((first % ACCOUNTS + i * step) % ACCOUNTS);
        }
        IStaking.Solvency memory s = staking.solvency();
        demandEqual(s.totalStaked, 0, "all stakes are out");
        IStaking.Schedule memory schedule = staking.schedule();
        demandEqual(s.pendingRewards + schedule.streaming + schedule.queued, s.rewardReserve, "reserve");
        demandAtMost(s.pendingRewards, ACCOUNTS, "what remains is dust");
        demandEqual(s.surplus, donated, "and what was donated");
    }

    function _noteClaim(uint256 index, uint256 reward) private {
        earners[index].claimed += reward;
        modelClaimed += reward;
    }

    /// @dev What may be spent: never all, so that the game goes on.
    function _pot() private view returns (uint256) {
        uint256 balance = slu.balanceOf(address(this));
        return balance - balance / 128;
    }

    /// @dev Of every order of magnitude alike, at most `most`.
    function _sized(uint256 seed, uint256 most) private pure returns (uint256 amount) {
        uint256 bits = seed % 91;
        amount = 1 + (uint256(keccak256(abi.encode(seed))) & ((1 << bits) - 1));
        if (amount > most) amount = most;
    }
}

/// @notice Sequences of a hundred calls, none of which may revert. `.ci/run` makes a thousand of them.
/// forge-config: default.invariant.depth = 100
contract StakingCampaignTest is StakingFixture {
    StakingHandler private handler;

    function setUp() public {
        handler = new StakingHandler();
        bytes4[] memory selectors = new bytes4[](7);
        selectors[0] = StakingHandler.stakeSome.selector;
        selectors[1] = StakingHandler.unstakeSome.selector;
        selectors[2] = StakingHandler.claim.selector;
        selectors[3] = StakingHandler.exit.selector;
        selectors[4] = StakingHandler.fundSome.selector;
        selectors[5] = StakingHandler.donate.selector;
        selectors[6] = StakingHandler.waitLong.selector;
        targetContract(address(handler));
        targetSelector(FuzzSelector({addr: address(handler), selectors: selectors}));
    }

    /// @dev One property of many parts, because each property runs a campaign of its own.
    function invariant_solventAndEverybodyHasTheirShare() public view {
        handler.check();
    }

    function afterInvariant() public {
        handler.close();
    }
}
