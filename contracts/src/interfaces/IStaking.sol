// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Stakes of SLU, and the rewards they earn
/// @notice Whoever stakes SLU earns from the rewards that are funded, in proportion to stake and time. All amounts are in
/// base units of SLU (18 decimals), all times in unix seconds.
/// @dev Knows one token and no other contract. Nobody owns it and nothing pauses it: a stake can be taken out at any time,
/// whatever becomes of the rewards.
/// @dev Time is cut into epochs of `EPOCH` seconds, counted from 1970. What is funded in one epoch streams to the stakers
/// evenly over the next, so that funding dust delays nobody's rewards and a stake made for a moment earns a moment's
/// worth. What streams while nobody is staked is not lost: it joins what the following epoch streams.
/// @dev Assumes of SLU what its contract keeps: it moves exactly what it is told to, calls nobody, and there is less of
/// it than 2^90. SLU that is sent here without `stake` or `fund` is surplus: it counts for nobody and stays.
interface IStaking {
    /// @notice What is held against what is owed, now.
    struct Solvency {
        /// SLU that this contract holds.
        uint256 backing;
        /// What it must be able to pay: `totalStaked + rewardReserve`.
        uint256 owed;
        /// `backing - owed`, zero where less is held than owed.
        uint256 surplus;
        /// `owed - backing`, zero where enough is held.
        uint256 deficit;
        /// `backing >= owed`.
        bool solvent;
        /// `backing * 1e18 / owed`, rounded down; the greatest uint256 where nothing is owed.
        uint256 collateralRatioWad;
        /// Sum of all stakes.
        uint256 totalStaked;
        /// All that is set aside for rewards: earned and not yet claimed, streaming, and waiting for the next epoch.
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
    /// @notice `account` took `amount` of its stake out, to `recipient`.
    event Unstaked(address indexed account, address indexed recipient, uint256 amount);
    /// @notice `account` took `amount` of earned rewards out, to `recipient`.
    event RewardClaimed(address indexed account, address indexed recipient, uint256 amount);
    /// @notice `funder` added `amount` to the rewards, which streams from `streamsFrom` on for one epoch.
    event RewardFunded(address indexed funder, uint256 amount, uint256 streamsFrom);

    /// @notice Zero SLU.
    error ZeroAmount();
    /// @notice The recipient is zero, this contract or SLU: what is sent there is lost.
    error BadRecipient(address recipient);
    /// @notice More was asked for than the caller has staked.
    error InsufficientStake(uint256 staked, uint256 amount);

    /// @notice Adds `amount` to the caller's stake, pulled from the caller by allowance.
    function stake(uint256 amount) external;

    /// @notice The same with the caller's EIP-2612 signature in place of an allowance.
    /// @dev A signature that is already used, because somebody else has sent it, does no harm: the allowance counts.
    /// @param deadline The signature's own, in unix seconds.
    function stakeWithPermit(uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;

    /// @notice Takes `amount` of the caller's stake out, at once. Rewards earned so far stay claimable.
    function unstake(uint256 amount, address recipient) external;

    /// @notice Takes out all that the caller has earned and not yet claimed.
    /// @return reward What was paid; zero, without an event, where nothing is due.
    function claim(address recipient) external returns (uint256 reward);

    /// @notice Takes out the caller's whole stake and all that it has earned.
    /// @return amount The stake.
    /// @return reward What it had earned.
    function exit(address recipient) external returns (uint256 amount, uint256 reward);

    /// @notice Gives `amount` to the stakers of the next epoch, pulled from the caller by allowance. Anyone may.
    function fund(uint256 amount) external;

    /// @notice The token: staked, and paid as reward.
    function slu() external view returns (address);
    /// @notice What `account` has staked.
    function staked(address account) external view returns (uint256);
    /// @notice What `account` has earned by now and could claim, rounded down.
    function earned(address account) external view returns (uint256);
    /// @notice Sum of all stakes.
    function totalStaked() external view returns (uint256);
    /// @notice All that is set aside for rewards; see `Solvency.rewardReserve`.
    function rewardReserve() external view returns (uint256);
    /// @notice What is streaming and what waits, now.
    function schedule() external view returns (Schedule memory);
    /// @notice The whole account of what is held and owed, now.
    function solvency() external view returns (Solvency memory);
    /// @notice Whether all stakes and all rewards could be paid, now: `solvency().solvent`.
    function isSolvent() external view returns (bool);
    /// @notice Length of an epoch, in seconds.
    function EPOCH() external view returns (uint256);
}
