// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IHub} from "../interfaces/IHub.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Payment} from "../libraries/Payment.sol";
import {WHOLE_BPS, feeBase, ironFloorOf, protocolFee, scaleDown, scaleUp} from "../math/FeeMath.sol";
import {Leg, Route, WHOLE_SHARE} from "../types/Route.sol";
import {PackedVenue} from "../types/Venue.sol";
import {Venues} from "../venues/Venues.sol";
import {Holding, Holdings, HoldingsLib} from "./Holdings.sol";

/// @notice What is asked of a swap, beside the route.
struct Order {
    /// Whose swap it is, as it is announced.
    address user;
    /// Who pays the pools: the caller, or this contract where it has collected the input itself.
    address payer;
    uint256 amountIn;
    uint256 minOut;
    address recipient;
    uint256 deadline;
    /// Whether the recipient is paid native tokens for the wrapped `tokenOut`.
    bool inNative;
}

/// @notice What a swap came to. Amounts of `tokenOut` except `amountIn`.
struct Outcome {
    /// Delivered by the legs, measured by balance.
    uint256 grossOut;
    /// What the route was quoted to deliver, for the order's `amountIn`.
    uint256 quotedOut;
    uint256 fee;
    /// The least that was to be paid.
    uint256 floor;
    /// What the recipient was paid, measured by balance.
    uint256 amountOut;
    address feeRecipient;
    /// Number of legs.
    uint256 legs;
    /// Of the first leg; read together with the fee recipient.
    PackedVenue firstVenue;
}

/// @title Execution of routes, shared by the Routers of all generations
/// @notice Fills the legs in order, pays, and enforces the floor. A generation adds where the fee goes and what is
/// announced.
/// @dev No allowance outlives its leg and no call is free-form: tokens are asked for balances and transfers, and pools,
/// whose addresses are derived here or listed in the Hub, to swap. The only payers are `msg.sender` and this contract itself,
/// with what a generation has collected for the running swap.
abstract contract Execution {
    IHub public immutable hub;

    // Whole words, and as few as there can be: a smaller type is read before it is written, and each access costs.

    /// @dev The reentrancy lock: not zero while a swap is running.
    uint256 private transient _lock;
    /// @dev The callback that is due: the pool below, the function's selector above. Zero when none is due.
    uint256 private transient _due;
    /// @dev What the due callback may collect: this much of this token, from this payer.
    uint256 private transient _dueAmount;
    uint256 private transient _dueToken;
    uint256 private transient _duePayer;

    constructor(IHub hub_) {
        hub = hub_;
    }

    /// @notice Answers a pool's callback for its input, once, while a leg on that very pool is being filled.
    fallback(bytes calldata) external returns (bytes memory) {
        // Never zero, because a caller has an address.
        if (_due != _callback(msg.sender, msg.sig)) revert IRouter.UnexpectedCall(msg.sender);
        _due = 0;
        return Venues.answer(
            Payment({
                token: address(uint160(_dueToken)),
                payer: address(uint160(_duePayer)),
                pool: msg.sender,
                amount: _dueAmount
            })
        );
    }

    /// @notice Takes native tokens while a leg wraps or unwraps them, from where it does.
    receive() external payable {
        if (!NativeSender.isExpected(msg.sender)) revert IRouter.UnexpectedCall(msg.sender);
    }

    /// @dev Collects the fee, which this contract holds, and announces the swap.
    function _conclude(Route calldata route, Order memory order, Outcome memory outcome) internal virtual;

    function _swapExactIn(Route calldata route, Order memory order) internal returns (uint256) {
        return _finish(route, order, _start(route, order), order.amountIn);
    }

    /// @dev Takes the lock and makes sure that the swap may happen. Whatever a generation collects, it collects next.
    function _start(Route calldata route, Order memory order) internal returns (Outcome memory outcome) {
        if (_lock != 0) revert IRouter.UnexpectedCall(msg.sender);
        _lock = 1;
        Leg[] calldata legs = route.legs;
        outcome.legs = legs.length;
        _check(route, order, legs.length);

        bool paused;
        (outcome.feeRecipient, paused, outcome.firstVenue) = hub.settlementAndVenue(legs[0].venue);
        if (paused) revert IRouter.Paused();
    }

    /// @dev Fills the legs with `amountIn` of the payer's, pays, and releases the lock.
    function _finish(Route calldata route, Order memory order, Outcome memory outcome, uint256 amountIn)
        internal
        returns (uint256)
    {
        outcome.grossOut = _fillLegs(route, order.payer, amountIn, outcome.firstVenue);
        outcome.quotedOut = scaleDown(route.grossOut, order.amountIn, route.amountIn);
        outcome.fee = protocolFee(feeBase(outcome.grossOut, outcome.quotedOut));
        _payOut(route, order, outcome);

        _conclude(route, order, outcome);
        _lock = 0;
        return outcome.amountOut;
    }

    function _check(Route calldata route, Order memory order, uint256 legs) private view {
        if (block.timestamp > order.deadline) revert IRouter.Expired(order.deadline, block.timestamp);
        if (order.minOut == 0) revert IRouter.ZeroMinimum();
        if (order.amountIn == 0) revert IRouter.ZeroAmount();
        address recipient = order.recipient;
        (address tokenIn, address tokenOut) = (route.tokenIn, route.tokenOut);
        if (recipient == address(0) || recipient == address(this) || recipient == tokenIn || recipient == tokenOut) {
            revert IRouter.BadRecipient(recipient);
        }
        if (
            legs == 0 || route.amountIn == 0 || route.grossOut == 0 || route.impactBps > WHOLE_BPS
                || tokenIn == tokenOut
        ) revert IRouter.BadRoute(legs);
    }

    function _fillLegs(Route calldata route, address payer, uint256 amountIn, PackedVenue memory venue)
        private
        returns (uint256)
    {
        Leg[] calldata legs = route.legs;
        Holdings memory holdings = HoldingsLib.open(route.tokenIn, amountIn, route.tokenOut, legs.length);
        holdings.payer = payer;

        uint256 last = legs[0].venue;
        for (uint256 i; i < legs.length; ++i) {
            Leg calldata leg = legs[i];
            uint16 number = leg.venue;
            if (number != last) {
                (,, venue) = hub.settlementAndVenue(number);
                last = number;
            }
            if (!venue.isEnabled()) revert IRouter.UnknownVenue(number);
            Payment memory payment = _plan(leg, i, venue, holdings);
            Holding memory bought = holdings.bought(leg.tokenOut);
            _fill(venue, payment, bought.token, leg.key);
            bought.measure();
        }
        return holdings.close();
    }

    /// @dev Checks the leg and takes its input out of the holdings.
    function _plan(Leg calldata leg, uint256 index, PackedVenue memory venue, Holdings memory holdings)
        private
        view
        returns (Payment memory payment)
    {
        address tokenIn = leg.tokenIn;
        address tokenOut = leg.tokenOut;
        if (tokenIn == tokenOut || tokenOut == address(0) || tokenOut == holdings.input.token) {
            revert IRouter.BadRoute(index);
        }

        // Nothing is held for sale of the route's `tokenOut`, of a token not met yet, or of the zero address.
        Holding memory sold = holdings.sold(tokenIn);
        uint256 share = leg.share;
        uint256 amount = share == WHOLE_SHARE ? sold.amount : sold.amount * share / WHOLE_SHARE;
        if (amount == 0 || share > WHOLE_SHARE) revert IRouter.BadRoute(index);

        address pool = Venues.derive(venue, tokenIn, tokenOut, leg.key);
        // What nothing derives, the Hub lists or nobody knows.
        if (pool == address(0)) pool = hub.poolAt(leg.venue, tokenIn, tokenOut, leg.key);
        if (pool != leg.pool || pool == address(0)) revert IRouter.UnknownPool(leg.pool, pool);
        if (Venues.mustBeListed(venue, leg.key) && !hub.hasTier(leg.venue, leg.key)) {
            revert IRouter.UnknownPool(leg.pool, address(0));
        }

        unchecked {
            // A share of the amount is no more than it.
            sold.amount -= amount;
        }
        payment = Payment({token: tokenIn, payer: holdings.payer, pool: pool, amount: amount});
        if (tokenIn != holdings.input.token) {
            payment.payer = address(this);
            sold.balance -= amount;
        }
    }

    function _fill(PackedVenue memory venue, Payment memory payment, address tokenOut, uint256 key) private {
        if (venue.callback() == 0) return Venues.fill(venue, payment, tokenOut, key);

        _due = _callback(payment.pool, venue.callback());
        _dueAmount = payment.amount;
        _dueToken = uint160(payment.token);
        _duePayer = uint160(payment.payer);
        Venues.fill(venue, payment, tokenOut, key);
        if (_due != 0) revert IRouter.PartialFill(payment.pool, payment.amount, 0);
    }

    function _callback(address pool, bytes4 selector) private pure returns (uint256) {
        return uint256(uint160(pool)) | uint256(uint32(selector)) << 160;
    }

    /// @dev Pays the recipient at least the floor.
    function _payOut(Route calldata route, Order memory order, Outcome memory outcome) private {
        uint256 floor = scaleUp(ironFloorOf(route.grossOut, route.impactBps), order.amountIn, route.amountIn);
        if (order.minOut > floor) floor = order.minOut;
        outcome.floor = floor;
        uint256 netOut = outcome.grossOut - outcome.fee;
        if (netOut < floor) revert IRouter.BelowFloor(floor, netOut);

        outcome.amountOut = _pay(route.tokenOut, order, netOut);
        if (outcome.amountOut < floor) revert IRouter.BelowFloor(floor, outcome.amountOut);
    }

    /// @dev Pays the recipient and measures what arrived: a token may tax the payment, or move it on from a hook.
    function _pay(address token, Order memory order, uint256 amount) internal virtual returns (uint256 arrived) {
        uint256 balanceBefore = balanceOf(token, order.recipient);
        SafeTransferLib.safeTransfer(token, order.recipient, amount);
        uint256 balanceAfter = balanceOf(token, order.recipient);
        if (balanceAfter > balanceBefore) arrived = balanceAfter - balanceBefore;
        if (arrived > amount) arrived = amount;
    }
}
