// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../interfaces/IHub.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Payment} from "../libraries/Payment.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {WHOLE_BPS, ironFloorOf, protocolFee, scaleDown, scaleUp} from "../math/FeeMath.sol";
import {Leg, Route, WHOLE_SHARE} from "../types/Route.sol";
import {Settlement} from "../types/Settlement.sol";
import {PackedVenue} from "../types/Venue.sol";
import {Venues} from "../venues/Venues.sol";
import {Holding, Holdings} from "./Holdings.sol";

/// @notice What is asked of a swap, beside the route's legs and the numbers of its quote.
struct Order {
    /// Whose swap it is, as it is announced.
    address user;
    /// Who pays the pools: the caller, or this contract where it has collected the input itself.
    address payer;
    /// The route's two, which are read often.
    address tokenIn;
    address tokenOut;
    uint256 amountIn;
    uint256 minOut;
    address recipient;
    uint256 deadline;
    /// Whether the recipient is paid native tokens for the wrapped `tokenOut`.
    bool inNative;
}

/// @notice What a swap came to. Amounts of `tokenOut`.
struct Outcome {
    /// Delivered by the legs, measured by balance.
    uint256 grossOut;
    /// What the route says that they were quoted to deliver, for the order's `amountIn`.
    uint256 quotedOut;
    /// The least that was to be paid.
    uint256 floor;
    /// What the recipient was paid, measured by balance.
    uint256 amountOut;
    /// Number of legs.
    uint256 legs;
}

/// @title Execution of routes, shared by the Routers of all generations
/// @notice Fills the legs in order, takes the fee, enforces the floor and pays. A generation adds where the fee goes and
/// what is announced.
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

    /// @dev The bits of the Hub's settlement that stop the generation.
    function _stops() internal pure virtual returns (uint256);

    /// @dev Sends the fee, which this contract holds, to where the generation collects it; false where the token refuses.
    function _takeFee(address token, uint256 fee, Settlement settlement) internal virtual returns (bool);

    /// @dev Announces the swap.
    function _announce(Order memory order, Outcome memory outcome) internal virtual;

    function _swapExactIn(Route calldata route, Order memory order) internal returns (uint256) {
        _start(route, order);
        return _finish(route, order, order.amountIn);
    }

    /// @dev Takes the lock and makes sure that the swap may happen. Whatever a generation collects, it collects next.
    function _start(Route calldata route, Order memory order) internal {
        if (_lock != 0) revert IRouter.UnexpectedCall(msg.sender);
        _lock = 1;
        _check(route, order);
    }

    /// @dev Fills the legs with `amountIn` of the payer's, pays, and releases the lock.
    function _finish(Route calldata route, Order memory order, uint256 amountIn) internal returns (uint256 amountOut) {
        Leg[] calldata legs = route.legs;
        if (legs.length == 0) revert IRouter.BadRoute(0);
        uint256 balanceBefore = balanceOf(order.tokenOut, address(this));
        Settlement settlement = _fillLegs(legs, order, amountIn);
        // No leg sells the token, so one look counts what all of them bought.
        uint256 grossOut = balanceOf(order.tokenOut, address(this)) - balanceBefore;
        uint256 fee = protocolFee(grossOut);
        // Before the payout, which takes about as much gas: a swap that has enough for that has enough for the fee.
        if (fee != 0 && !_takeFee(order.tokenOut, fee, settlement)) fee = 0;
        uint256 floor = _floorOf(route, order);
        unchecked {
            // The fee is a part of it.
            amountOut = _payOut(order, grossOut - fee, floor);
        }

        uint256 quotedOut = scaleDown(route.grossOut, order.amountIn, route.amountIn);
        _announce(order, Outcome(grossOut, quotedOut, floor, amountOut, legs.length));
        _lock = 0;
    }

    function _check(Route calldata route, Order memory order) private view {
        if (block.timestamp > order.deadline) revert IRouter.Expired(order.deadline, block.timestamp);
        if (order.minOut == 0) revert IRouter.ZeroMinimum();
        if (order.amountIn == 0) revert IRouter.ZeroAmount();
        address recipient = order.recipient;
        (address tokenIn, address tokenOut) = (order.tokenIn, order.tokenOut);
        // One by one, because `||` costs more than a branch.
        if (recipient == address(0)) revert IRouter.BadRecipient(recipient);
        if (recipient == address(this)) revert IRouter.BadRecipient(recipient);
        if (recipient == tokenIn) revert IRouter.BadRecipient(recipient);
        if (recipient == tokenOut) revert IRouter.BadRecipient(recipient);
        if (tokenIn == tokenOut) revert IRouter.BadRoute(route.legs.length);
        if (route.amountIn == 0) revert IRouter.BadRoute(route.legs.length);
        if (route.grossOut == 0) revert IRouter.BadRoute(route.legs.length);
        if (route.impactBps > WHOLE_BPS) revert IRouter.BadRoute(route.legs.length);
    }

    function _fillLegs(Leg[] calldata legs, Order memory order, uint256 amountIn)
        private
        returns (Settlement settlement)
    {
        Holding[] memory middle;
        if (legs.length > 1) middle = new Holding[](legs.length - 1);
        Holdings memory holdings = Holdings(order.tokenIn, amountIn, order.payer, order.tokenOut, middle);

        PackedVenue memory venue;
        uint256 last;
        for (uint256 i; i < legs.length; ++i) {
            Leg calldata leg = legs[i];
            uint16 number = leg.venue;
            // There is no venue with the number zero.
            if (number != last) {
                (venue.settings, venue.initCodeHash, settlement) = hub.swapSettings(number);
                if (Settlement.unwrap(settlement) & _stops() != 0) _refuse(settlement);
                last = number;
            }
            if (!venue.isEnabled()) revert IRouter.UnknownVenue(number);
            _fillLeg(leg, i, venue, holdings);
        }
        holdings.demandUsedUp();
    }

    function _refuse(Settlement settlement) private pure {
        if (settlement.isPaused()) revert IRouter.Paused();
        revert IRouter.Retired();
    }

    function _fillLeg(Leg calldata leg, uint256 index, PackedVenue memory venue, Holdings memory holdings) private {
        (address tokenIn, address tokenOut) = (leg.tokenIn, leg.tokenOut);
        if (tokenIn == tokenOut) revert IRouter.BadRoute(index);
        if (tokenOut == address(0)) revert IRouter.BadRoute(index);
        if (tokenOut == holdings.tokenIn) revert IRouter.BadRoute(index);
        if (leg.share > WHOLE_SHARE) revert IRouter.BadRoute(index);
        // Nothing is held for sale of the route's `tokenOut`, of a token not met yet, or of the zero address.
        (uint256 amount, address payer) = holdings.take(tokenIn, leg.share);
        if (amount == 0) revert IRouter.BadRoute(index);

        address pool = _poolOf(leg, venue, tokenIn, tokenOut);
        if (tokenOut != holdings.tokenOut) holdings.expect(tokenOut);
        _fill(venue, Payment(tokenIn, payer, pool, amount), tokenOut, leg.key);
    }

    /// @dev The leg's pool, which is no other than what its venue's deployer creates or the Hub lists.
    function _poolOf(Leg calldata leg, PackedVenue memory venue, address tokenIn, address tokenOut)
        private
        view
        returns (address pool)
    {
        uint256 key = leg.key;
        pool = Venues.derive(venue, tokenIn, tokenOut, key);
        if (pool == address(0)) {
            // What nothing derives, the Hub lists or nobody knows.
            pool = hub.poolAt(leg.venue, tokenIn, tokenOut, key);
            if (pool == address(0)) revert IRouter.UnknownPool(leg.pool, pool);
        }
        if (pool != leg.pool) revert IRouter.UnknownPool(leg.pool, pool);
        if (Venues.mustBeListed(venue, key) && !hub.hasTier(leg.venue, key)) {
            revert IRouter.UnknownPool(pool, address(0));
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

    /// @dev The protocol's floor or the caller's, whichever is higher.
    function _floorOf(Route calldata route, Order memory order) private pure returns (uint256 floor) {
        floor = scaleUp(ironFloorOf(route.grossOut, route.impactBps), order.amountIn, route.amountIn);
        if (order.minOut > floor) floor = order.minOut;
    }

    /// @dev Pays the recipient at least the floor; what arrived.
    function _payOut(Order memory order, uint256 amount, uint256 floor) private returns (uint256 amountOut) {
        if (amount < floor) revert IRouter.BelowFloor(floor, amount);
        amountOut = _pay(order, amount);
        if (amountOut < floor) revert IRouter.BelowFloor(floor, amountOut);
    }

    /// @dev Pays the recipient and measures what arrived: a token may tax the payment, or move it on from a hook.
    function _pay(Order memory order, uint256 amount) internal virtual returns (uint256 arrived) {
        (address token, address recipient) = (order.tokenOut, order.recipient);
        uint256 balanceBefore = balanceOf(token, recipient);
        Transfers.send(token, recipient, amount);
        uint256 balanceAfter = balanceOf(token, recipient);
        unchecked {
            if (balanceAfter > balanceBefore) arrived = balanceAfter - balanceBefore;
        }
        if (arrived > amount) arrived = amount;
    }
}
