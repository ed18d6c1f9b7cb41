// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "./IHub.sol";
import {IStaking} from "./IStaking.sol";

/// @title Fee ledger of the generation 2.0.0
/// @notice Splits each fee into T1, for the stakers of SLU, and T2, for the treasury, and pays both out. Amounts are in
/// base units of the token named, prices in base units of SLU (18 decimals), times in unix seconds.
/// @dev Nobody owns it, and it trusts no number of a caller: what has arrived is what its balance shows beyond its ledger.
/// Anyone may call anything; the money only ever goes to the Hub's fee recipient, to Staking, or to who pays for it.
/// @dev Each token has a ledger line of its own. A token that taxes, rebases, lies or fails changes its own line and no
/// other.
/// @dev T1 in SLU goes to Staking. T1 in any other token is a lot, sold whole for SLU to whoever pays its price first.
/// The price starts at `START_PRICE`, more SLU than exists, and halves every `HALF_LIFE` seconds of the lot's age down to
/// one base unit, so it comes past what the lot is worth without an oracle and without a memory that a buyer could bend.
/// The age is the average age of the fees in the lot, by amount, each counted from when it was recorded: fees that are
/// recorded late make the lot young again, and dust, however often it comes, changes nothing.
interface ICore {
    /// @notice `amount` of `token` arrived and was split: `toT1 = floor(amount * T1_BPS / 10_000)`, the rest `toT2`.
    event FeeRecorded(address indexed token, uint256 amount, uint256 toT1, uint256 toT2);
    /// @notice Less of `token` is held than the ledger said, because the token took some; both parts lost in proportion.
    event LossRecorded(address indexed token, uint256 fromT1, uint256 fromT2);
    /// @notice T2 of `token` was paid to the Hub's fee recipient.
    event T2Claimed(address indexed token, address indexed recipient, uint256 amount);
    /// @notice T1 of `token` was sold: `buyer` paid `paid` SLU, which went to the stakers, for `amount` to `recipient`.
    event T1Sold(address indexed token, address indexed buyer, address indexed recipient, uint256 amount, uint256 paid);
    /// @notice T1 in SLU went to the stakers.
    event StakersFunded(uint256 amount);

    /// @notice The lot costs more than the caller would pay.
    error PriceAboveMaximum(uint256 price, uint256 maxPay);
    /// @notice There is no T1 of this token.
    error EmptyLot(address token);
    /// @notice T1 in SLU is not sold: `fundStakers` gives it to the stakers.
    error NotForSale(address token);
    /// @notice The recipient is zero or this contract.
    error BadRecipient(address recipient);
    /// @notice The call came out of a payment of `token` that is not finished.
    error Reentered(address token);

    /// @notice Splits what has arrived of `token` since the last time, and adds it to the ledger. Swaps send their fees
    /// without a call, so that anyone may have them counted here; what somebody else sent counts as a fee too.
    /// @dev Never reverts for an amount: the ledger counts at most 2^104 - 1 of a token at a time, and what is beyond waits
    /// until some was paid out. Zeros if nothing has arrived.
    /// @return amount What was recorded: `toT1 + toT2`.
    /// @return toT1 The stakers' part, rounded down.
    /// @return toT2 The treasury's.
    function recordFee(address token) external returns (uint256 amount, uint256 toT1, uint256 toT2);

    /// @notice Pays T2 of `token` to the Hub's fee recipient. Records first what has arrived.
    /// @return amount What was paid; zero, without an event, if there is none.
    function claimT2(address token) external returns (uint256 amount);

    /// @notice Gives T1 in SLU to the stakers. Records first what has arrived.
    /// @return amount What was given; zero, without an event, if there is none.
    function fundStakers() external returns (uint256 amount);

    /// @notice Buys all T1 of `token`, for SLU that is pulled from the caller and goes to the stakers. Records first what
    /// has arrived.
    /// @dev Assumes the caller has approved this contract for the price. If somebody else bought first, the new lot is
    /// young and its price far above `maxPay`. Warning: nothing vouches for the token; it may be worth less than it seems.
    /// @param maxPay The most SLU that the caller would pay.
    /// @return amount What was sent to `recipient`.
    /// @return paid The price.
    function buyT1(address token, uint256 maxPay, address recipient) external returns (uint256 amount, uint256 paid);

    /// @notice What is kept of `token` for the stakers and for the treasury, as last recorded.
    function ledger(address token) external view returns (uint256 t1, uint256 t2);

    /// @notice What `buyT1` would sell now and its price, with what has arrived and is not yet recorded.
    /// @return amount Zero if there is no T1, or if `token` is SLU, which is not sold; the price is zero with it.
    /// @return price In SLU, rounded up.
    function lot(address token) external view returns (uint256 amount, uint256 price);

    /// @notice The chain's Hub, which names the fee recipient.
    function hub() external view returns (IHub);
    /// @notice Where T1 goes.
    function staking() external view returns (IStaking);
    /// @notice The token in which T1 reaches the stakers.
    function slu() external view returns (address);
    /// @notice The stakers' part of a fee, in basis points.
    function T1_BPS() external view returns (uint256);
    /// @notice What a new lot costs, in SLU: more than exists, so that nobody buys by accident.
    function START_PRICE() external view returns (uint256);
    /// @notice In how many seconds of its age a lot's price halves.
    function HALF_LIFE() external view returns (uint256);
}
