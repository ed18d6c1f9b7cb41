// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Stakes of SLU, and the rewards they earn
/// @notice Stakers of SLU share the rewards that are funded, in proportion to stake and time. All amounts are in base
/// units of SLU (18 decimals), all times in unix seconds.
/// @dev Calls no contract but SLU. It has no owner and no pause: a stake can be withdrawn at any time, whatever happens to
/// the rewards.
/// @dev Time is divided into epochs of `EPOCH` seconds, counted from 1970. What is funded in one epoch streams evenly to the
/// stakers over the next, so funding dust delays nobody's rewards, and a stake for a moment earns what a moment is worth.
/// What streams while nobody stakes joins what the following epoch streams.
/// @dev Assumes what SLU's contract guarantees: transfers move exactly their amount and call nobody, and the supply is
/// below 2^90. SLU that is sent here without `stake` or `fund` is surplus: nobody owns it, and it cannot be withdrawn.
interface IStaking {
    /// @notice What is held and what is owed, now.
    struct Solvency {
        /// SLU that this contract holds.
        uint256 backing;
        /// What it must be able to pay: `totalStaked + rewardReserve`.
        uint256 owed;
        /// `backing - owed`, zero if less is held than owed.
        uint256 surplus;
        /// `owed - backing`, zero if enough is held.
        uint256 deficit;
        /// `backing >= owed`.
        bool solvent;
        /// `backing * 1e18 / owed`, rounded down; `type(uint256).max` if nothing is owed.
        uint256 collateralRatioWad;
        /// Sum of all stakes.
        uint256 totalStaked;
        /// All that is set aside for rewards: earned and not yet claimed, streaming, and queued for the next epoch.
        uint256 rewardReserve;
        /// The part of `rewardReserve` that stakers have earned by now.
        uint256 pendingRewards;
    }

    /// @notice The part of the rewards that is not yet earned.
    struct Schedule {
        /// What the current epoch still streams.
        uint256 streaming;
        /// What the next epoch streams: funded in this one, or streamed in it to nobody.
        uint256 queued;
        /// When the current epoch ends and `queued` begins to stream.
        uint256 epochEndsAt;
    }

    /// @notice `account` added `amount` to its stake.
    event Staked(address indexed account, uint256 amount);
    /// @notice `account` withdrew `amount` of its stake to `recipient`.
    event Unstaked(address indexed account, address indexed recipient, uint256 amount);
    /// @notice `account` withdrew `amount` of earned rewards to `recipient`.
    event RewardClaimed(address indexed account, address indexed recipient, uint256 amount);
    /// @notice `funder` added `amount` to the rewards; it streams for one epoch, from `streamsFrom` on.
    event RewardFunded(address indexed funder, uint256 amount, uint256 streamsFrom);

    /// @notice The amount is zero.
    error ZeroAmount();
    /// @notice The recipient is zero, this contract or SLU, where the amount would be lost.
    error BadRecipient(address recipient);
    /// @notice The caller has staked less than `amount`.
    error InsufficientStake(uint256 staked, uint256 amount);

    /// @notice Pulls `amount` from the caller by allowance and adds it to the caller's stake.
    function stake(uint256 amount) external;

    /// @notice Does the same with the caller's EIP-2612 signature instead of an allowance.
    /// @dev If somebody has already submitted the signature, the call goes on, because the allowance exists.
    /// @param deadline Deadline of the signature, in unix seconds.
    function stakeWithPermit(uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;

    /// @notice Withdraws `amount` of the caller's stake, at once. Rewards earned so far stay claimable.
    function unstake(uint256 amount, address recipient) external;

    /// @notice Withdraws all rewards that the caller has earned and not yet claimed.
    /// @return reward The amount paid; zero, without an event, if nothing is due.
    function claim(address recipient) external returns (uint256 reward);

    /// @notice Withdraws the caller's whole stake and all rewards.
    /// @return amount The stake.
    /// @return reward The rewards.
    function exit(address recipient) external returns (uint256 amount, uint256 reward);

    /// @notice Pulls `amount` from the caller by allowance and gives it to the stakers of the next epoch. Anyone may call.
    function fund(uint256 amount) external;

    /// @notice The token: staked, and paid as reward.
    function slu() external view returns (address);
    /// @notice What `account` has staked.
    function staked(address account) external view returns (uint256);
    /// @notice What `account` has earned by now and could claim, rounded down.
    function earned(address account) external view returns (uint256);
    /// @notice Sum of all stakes.
    function totalStaked() external view returns (uint256);
    /// @notice Tokens set aside for rewards; see `Solvency.rewardReserve`.
    function rewardReserve() external view returns (uint256);
    /// @notice Rewards that stream now and rewards that are queued.
    function schedule() external view returns (Schedule memory);
    /// @notice Current balances and obligations of this contract.
    function solvency() external view returns (Solvency memory);
    /// @notice Whether all stakes and all rewards could be paid, now: `solvency().solvent`.
    function isSolvent() external view returns (bool);
    /// @notice Length of an epoch, in seconds.
    function EPOCH() external view returns (uint256);
}
