// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IStaking} from "../interfaces/IStaking.sol";
import {EPOCH_SECONDS, Stream, epochEnd} from "../math/Stream.sol";

/// @title Staking
/// @notice Stakes of SLU and their rewards; see `IStaking`.
/// @dev What one staked unit has ever earned is kept in 1/2^128 of a base unit, rounded down, and so is what an account has
/// earned: of less than 2^90 SLU the rounding takes less than 2^-38 base units each time, and a payout leaves its fraction
/// with the account. Both stay below 2^256 for more than 2^37 epochs, even if all SLU went to one staked unit each time,
/// so that no sum here can stop a withdrawal.
contract Staking is IStaking {
    using SafeTransferLib for address;

    struct Account {
        uint256 staked;
        /// What a staked unit had earned when the account was last settled, in 1/2^128 of a base unit.
        uint256 perUnitX128;
        /// Earned until then and not claimed, in 1/2^128 of a base unit.
        uint256 earnedX128;
    }

    /// @inheritdoc IStaking
    uint256 public constant EPOCH = EPOCH_SECONDS;

    /// @inheritdoc IStaking
    address public immutable slu;

    /// @inheritdoc IStaking
    uint256 public totalStaked;
    /// @inheritdoc IStaking
    uint256 public rewardReserve;

    Stream private _stream;
    /// @dev What a unit staked from the first day would have earned.
    uint256 private _perUnitX128;
    mapping(address account => Account) private _accounts;

    constructor(address slu_) {
        slu = slu_;
        _stream.updatedAt = uint64(block.timestamp);
    }

    /* STAKES */

    /// @inheritdoc IStaking
    function stake(uint256 amount) external {
        _stake(amount);
    }

    /// @inheritdoc IStaking
    function stakeWithPermit(uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        // Whoever sends the signature first would otherwise block the stake.
        try IERC20Permit(slu).permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
        _stake(amount);
    }

    /// @inheritdoc IStaking
    function unstake(uint256 amount, address recipient) external {
        if (amount == 0) revert ZeroAmount();
        _checkRecipient(recipient);
        Account storage account = _settle(msg.sender);
        if (amount > account.staked) revert InsufficientStake(account.staked, amount);

        _reduce(account, amount, recipient);
        slu.safeTransfer(recipient, amount);
    }

    /// @inheritdoc IStaking
    function exit(address recipient) external returns (uint256 amount, uint256 reward) {
        _checkRecipient(recipient);
        Account storage account = _settle(msg.sender);

        amount = account.staked;
        if (amount != 0) _reduce(account, amount, recipient);
        reward = _takeReward(account, recipient);
        if (amount + reward != 0) slu.safeTransfer(recipient, amount + reward);
    }

    /* REWARDS */

    /// @inheritdoc IStaking
    function claim(address recipient) external returns (uint256 reward) {
        _checkRecipient(recipient);
        reward = _takeReward(_settle(msg.sender), recipient);
        if (reward != 0) slu.safeTransfer(recipient, reward);
    }

    /// @inheritdoc IStaking
    function fund(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        (Stream memory stream, uint256 perUnitX128) = _current();
        stream.queued = SafeCastLib.toUint96(stream.queued + amount);
        _stream = stream;
        _perUnitX128 = perUnitX128;
        rewardReserve += amount;

        slu.safeTransferFrom(msg.sender, address(this), amount);
        emit RewardFunded(msg.sender, amount, epochEnd(block.timestamp));
    }

    /* READING */

    /// @inheritdoc IStaking
    function staked(address account) external view returns (uint256) {
        return _accounts[account].staked;
    }

    /// @inheritdoc IStaking
    function earned(address account) external view returns (uint256) {
        (, uint256 perUnitX128) = _current();
        return _earnedX128(_accounts[account], perUnitX128) >> 128;
    }

    /// @inheritdoc IStaking
    function schedule() external view returns (Schedule memory) {
        (Stream memory stream,) = _current();
        return Schedule({streaming: stream.left(), queued: stream.queued, epochEndsAt: epochEnd(block.timestamp)});
    }

    /// @inheritdoc IStaking
    function solvency() external view returns (Solvency memory) {
        return _solvency();
    }

    /// @inheritdoc IStaking
    function isSolvent() external view returns (bool) {
        return _solvency().solvent;
    }

    /* INTERNAL */

    function _stake(uint256 amount) private {
        if (amount == 0) revert ZeroAmount();
        Account storage account = _settle(msg.sender);
        account.staked += amount;
        totalStaked += amount;

        slu.safeTransferFrom(msg.sender, address(this), amount);
        emit Staked(msg.sender, amount);
    }

    /// @dev `amount` is at most what the account has staked.
    function _reduce(Account storage account, uint256 amount, address recipient) private {
        account.staked -= amount;
        totalStaked -= amount;
        emit Unstaked(msg.sender, recipient, amount);
    }

    /// @dev Whole base units; the fraction stays with the account.
    function _takeReward(Account storage account, address recipient) private returns (uint256 reward) {
        reward = account.earnedX128 >> 128;
        if (reward == 0) return 0;
        account.earnedX128 -= reward << 128;
        rewardReserve -= reward;
        emit RewardClaimed(msg.sender, recipient, reward);
    }

    /// @dev Writes down what was earned until now: before any stake changes.
    function _settle(address owner) private returns (Account storage account) {
        (Stream memory stream, uint256 perUnitX128) = _current();
        _stream = stream;
        _perUnitX128 = perUnitX128;

        account = _accounts[owner];
        account.earnedX128 = _earnedX128(account, perUnitX128);
        account.perUnitX128 = perUnitX128;
    }

    /// @dev The stream now, and what a staked unit has earned by now.
    function _current() private view returns (Stream memory stream, uint256 perUnitX128) {
        uint256 total = totalStaked;
        stream = _stream;
        perUnitX128 = _perUnitX128;
        uint256 released = stream.advance(block.timestamp, total != 0);
        if (released != 0) perUnitX128 += (released << 128) / total;
    }

    function _earnedX128(Account storage account, uint256 perUnitX128) private view returns (uint256) {
        return account.earnedX128 + account.staked * (perUnitX128 - account.perUnitX128);
    }

    function _solvency() private view returns (Solvency memory result) {
        (Stream memory stream,) = _current();
        uint256 backing = IERC20(slu).balanceOf(address(this));
        uint256 owed = totalStaked + rewardReserve;

        result.backing = backing;
        result.owed = owed;
        result.solvent = backing >= owed;
        if (result.solvent) result.surplus = backing - owed;
        else result.deficit = owed - backing;
        result.collateralRatioWad = owed == 0 ? type(uint256).max : backing * 1e18 / owed;
        result.totalStaked = totalStaked;
        result.rewardReserve = rewardReserve;
        result.pendingRewards = rewardReserve - stream.left() - stream.queued;
    }

    function _checkRecipient(address recipient) private view {
        if (recipient == address(0) || recipient == address(this) || recipient == slu) revert BadRecipient(recipient);
    }
}
