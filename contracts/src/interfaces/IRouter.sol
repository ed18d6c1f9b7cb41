// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Route} from "../types/Route.sol";
import {Settlement} from "../types/Settlement.sol";
import {PackedVenue} from "../types/Venue.sol";
import {IHub} from "./IHub.sol";

/// @title Executes routes: what the Routers of all generations have in common
/// @notice Holds nothing and approves nobody between transactions. It is the only address to approve.
interface IRouter {
    /// @notice A route was filled. `amountOut` is what `recipient` was paid, `legs` the number of swaps.
    event Swap(
        address indexed user,
        address indexed tokenIn,
        address indexed tokenOut,
        uint256 amountIn,
        uint256 amountOut,
        uint256 legs
    );
    /// @notice The block's time is past the caller's deadline.
    error Expired(uint256 deadline, uint256 timestamp);
    /// @notice A minimum of zero switches price protection off and is refused.
    error ZeroMinimum();
    /// @notice Zero input.
    error ZeroAmount();
    /// @notice The recipient is zero, the Router itself or one of the two tokens.
    error BadRecipient(address recipient);
    /// @notice Swaps are stopped for now.
    error Paused();
    /// @notice This generation of the protocol is switched off for good. Swap on the Router of another.
    error Retired();
    /// @notice The fee could not be paid with the gas that is left, and `enough` of it would show whether the token takes
    /// the fee. Send the swap with more gas.
    error TooLittleGas(uint256 left, uint256 enough);
    /// @notice The route has no legs, a quoted number is out of range, or a leg leads into `tokenIn` or out of
    /// `tokenOut`, or out of a token of which nothing is held. `leg` is its index, and the number of legs if the fault
    /// is in the route's own numbers.
    error BadRoute(uint256 leg);
    /// @notice The venue is unknown or switched off.
    error UnknownVenue(uint16 venue);
    /// @notice The leg's pool is not the one that its venue's deployer creates for these tokens and key.
    error UnknownPool(address pool, address derived);
    /// @notice The pool took less input than the leg gives: its liquidity ends before.
    error PartialFill(address pool, uint256 amountIn, uint256 taken);
    /// @notice After the last leg some of a token was left in the Router.
    error LeftBehind(address token, uint256 amount);
    /// @notice The token does not answer `balanceOf`: it is not a token, or not deployed.
    error UnreadableBalance(address token);
    /// @notice The swap delivered less than the caller or the protocol accepts.
    error BelowFloor(uint256 floor, uint256 amountOut);
    /// @notice The token refused a payment, for the reason that it gave, cut off after 516 bytes: most often the caller
    /// has not approved the Router for enough of it, or holds too little. Empty if the token gave none.
    error TransferRefused(address token, bytes reason);
    /// @notice A call came from an address, or at a time, that the Router does not expect.
    error UnexpectedCall(address caller);

    /// @notice Pulls `amountIn` from the caller, fills the legs, takes the protocol fee and pays `recipient`.
    /// @dev Warning: `minOut` is the only protection against a price that moved since the quote, beside the protocol floor
    /// of the route's own numbers, which whoever made the route has chosen.
    /// @dev The fee is 28 bps of all that the legs deliver, rounded down, whatever the route was quoted. If the token
    /// refuses to pay it to its collector, which it may have blocked, the recipient gets that too and `amountOut` counts it.
    /// @dev Assumes the caller has approved the Router for `amountIn`. If `amountIn` differs from the quoted one, the
    /// protocol floor is scaled with it, rounded up.
    /// @param minOut Least net output the caller accepts, in base units of `route.tokenOut`; the higher of it and the
    /// protocol floor holds. Zero is refused.
    /// @param deadline Unix seconds; the last second in which the swap may happen.
    /// @return amountOut What `recipient` was paid, measured by balance.
    function swapExactIn(Route calldata route, uint256 amountIn, uint256 minOut, address recipient, uint256 deadline)
        external
        returns (uint256 amountOut);
    /// @notice Keeps the Hub's settings, all of them; by the Hub alone, whenever one changes.
    /// @dev Whoever has other than the Hub's cannot be stopped by it, so nothing else ever writes them.
    function setSettings(Settlement current, PackedVenue[] calldata venues) external;
    /// @notice The settings that swaps follow here: what `IHub.settings` says, or nothing before the Hub wrote any.
    function settings() external view returns (Settlement current, PackedVenue[] memory venues);
    /// @notice The Hub that this Router belongs to, for good.
    function hub() external view returns (IHub);
    /// @notice Gas by which taking and announcing the fee exceeds a transfer of it to somebody who holds some already, for
    /// a swap that delivers `tokenOut`. It goes into the Quoter's estimate.
    function settlementGas(address tokenOut) external view returns (uint256);
}
