// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../interfaces/IHub.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {Legs} from "../libraries/Legs.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Payment} from "../libraries/Payment.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {WHOLE_BPS, ironFloorOf, protocolFee, scaleDown, scaleUp} from "../math/FeeMath.sol";
import {Leg, Route, WHOLE_SHARE} from "../types/Route.sol";
import {PackedVenue} from "../types/Venue.sol";
import {Venues} from "../venues/Venues.sol";
import {Holding, Holdings} from "./Holdings.sol";
import {Settings} from "./Settings.sol";

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
abstract contract Execution is Settings {
    using Legs for Leg[];

    // Whole words, and as few as there can be: a smaller type is read before it is written, and each access costs.

    /// @dev The reentrancy lock: who pays the first legs while a swap is running, and zero otherwise.
    uint256 private transient _lock;
    /// @dev The callback that is due: the pool below, the function's selector above. Zero when none is due.
    uint256 private transient _due;
    /// @dev What the due callback may collect: this much of this token.
    uint256 private transient _dueAmount;
    /// @dev The token below, and a bit above that is set where this contract pays and not whom the lock names.
    uint256 private transient _dueToken;

    uint256 private constant OWN_BIT = 1 << 160;

    constructor(IHub hub_) Settings(hub_) {}

    /// @notice Answers a pool's callback for its input, once, while a leg on that very pool is being filled.
    fallback(bytes calldata) external returns (bytes memory) {
        // Never zero, because a caller has an address.
        if (_due != _callback(msg.sender, msg.sig)) revert UnexpectedCall(msg.sender);
        _due = 0;
        uint256 token = _dueToken;
        address payer = token & OWN_BIT == 0 ? address(uint160(_lock)) : address(this);
        return Venues.answer(Payment(address(uint160(token)), payer, msg.sender, _dueAmount));
    }

    /// @notice Takes native tokens while a leg wraps or unwraps them, from where it does.
    receive() external payable {
        if (!NativeSender.isExpected(msg.sender)) revert UnexpectedCall(msg.sender);
    }

    /// @dev Sends the fee, which this contract holds, to where the generation collects it; false if the token refuses.
    /// @param isPlain Whether all that the pools say to have paid has arrived here, so that the token takes nothing from
    /// transfers.
    function _takeFee(address token, uint256 fee, bool isPlain) internal virtual returns (bool);

    /// @dev Announces the swap.
    function _announce(Order memory order, Outcome memory outcome) internal virtual;

    function _swapExactIn(Route calldata route, Order memory order) internal returns (uint256) {
        _start(route, order);
        return _finish(route, order, order.amountIn);
    }

    /// @dev Takes the lock and makes sure that the swap may happen. Whatever a generation collects, it collects next.
    function _start(Route calldata route, Order memory order) internal {
        if (_lock != 0) revert UnexpectedCall(msg.sender);
        // No payer is the zero address.
        _lock = uint160(order.payer);
        _check(route, order);
    }

    /// @dev Fills the legs with `amountIn` of the payer's, pays, and releases the lock.
    function _finish(Route calldata route, Order memory order, uint256 amountIn) internal returns (uint256 amountOut) {
        Leg[] calldata legs = route.legs;
        if (legs.length == 0) revert BadRoute(0);
        uint256 balanceBefore = balanceOf(order.tokenOut, address(this));
        uint256 claimedOut = _fillLegs(legs, order, amountIn);
        // No leg sells the token, so one look counts what all of them bought.
        uint256 grossOut = balanceOf(order.tokenOut, address(this)) - balanceBefore;
        uint256 fee = protocolFee(grossOut);
        // Before the payout, which takes about as much gas: a swap that has enough for that has enough for the fee.
        if (fee != 0 && !_takeFee(order.tokenOut, fee, claimedOut == grossOut)) fee = 0;
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
        if (block.timestamp > order.deadline) revert Expired(order.deadline, block.timestamp);
        if (order.minOut == 0) revert ZeroMinimum();
        if (order.amountIn == 0) revert ZeroAmount();
        address recipient = order.recipient;
        (address tokenIn, address tokenOut) = (order.tokenIn, order.tokenOut);
        // One by one, because `||` costs more than a branch.
        if (recipient == address(0)) revert BadRecipient(recipient);
        if (recipient == address(this)) revert BadRecipient(recipient);
        if (recipient == tokenIn) revert BadRecipient(recipient);
        if (recipient == tokenOut) revert BadRecipient(recipient);
        if (tokenIn == tokenOut) revert BadRoute(route.legs.length);
        if (route.amountIn == 0) revert BadRoute(route.legs.length);
        if (route.grossOut == 0) revert BadRoute(route.legs.length);
        if (route.impactBps > WHOLE_BPS) revert BadRoute(route.legs.length);
    }

    /// @return claimedOut What the pools say that they have paid of the order's `tokenOut`.
    function _fillLegs(Leg[] calldata legs, Order memory order, uint256 amountIn) private returns (uint256 claimedOut) {
        if (legs.length == 1) return _fillOnly(legs[0], order, amountIn);
        Holding[] memory none;
        Holdings memory holdings = Holdings({
            tokenIn: order.tokenIn,
            input: amountIn,
            payer: order.payer,
            tokenOut: order.tokenOut,
            first: Holding(address(0), 0, 0, false),
            most: legs.length - 2,
            others: none
        });

        Leg memory leg;
        PackedVenue memory venue;
        // Of the leg, if the one before has paid it; zero otherwise.
        address pool;
        for (uint256 i; i < legs.length;) {
            legs.read(i, leg);
            _check(leg, i, holdings);
            Payment memory payment =
                pool == address(0) ? _open(leg, i, venue, holdings) : Payment(leg.tokenIn, pool, pool, 0);
            unchecked {
                ++i;
            }
            PackedVenue memory nextVenue = venue;
            pool = address(0);
            address tokenOut = leg.tokenOut;
            if (tokenOut == holdings.tokenOut) {
                claimedOut += _fill(venue, payment, tokenOut, leg.key, address(this));
            } else {
                if (i < legs.length) (nextVenue, pool) = _payableAhead(legs[i], leg, venue, holdings);
                if (pool == address(0)) holdings.expect(tokenOut);
                _fill(venue, payment, tokenOut, leg.key, pool == address(0) ? address(this) : pool);
            }
            venue = nextVenue;
        }
        holdings.demandUsedUp();
    }

    /// @dev The same for a route of a single leg, which takes all of the input.
    function _fillOnly(Leg calldata leg, Order memory order, uint256 amountIn) private returns (uint256) {
        if (leg.tokenIn != order.tokenIn) revert BadRoute(0);
        if (leg.tokenOut != order.tokenOut) revert BadRoute(0);
        uint256 share = leg.share;
        if (share > WHOLE_SHARE) revert BadRoute(0);
        uint256 part = share == WHOLE_SHARE ? amountIn : amountIn * share / WHOLE_SHARE;
        if (part == 0) revert BadRoute(0);
        if (part != amountIn) revert LeftBehind(order.tokenIn, amountIn - part);

        uint256 number = leg.venue;
        PackedVenue memory venue = PackedVenue(_openWord(number), 0);
        Payment memory payment = Payment(order.tokenIn, order.payer, leg.pool, amountIn);
        _demandPool(number, venue, payment, order.tokenOut, leg.key);
        return _fill(venue, payment, order.tokenOut, leg.key, address(this));
    }

    function _check(Leg memory leg, uint256 index, Holdings memory holdings) private pure {
        address tokenOut = leg.tokenOut;
        if (leg.tokenIn == tokenOut) revert BadRoute(index);
        if (tokenOut == address(0)) revert BadRoute(index);
        if (tokenOut == holdings.tokenIn) revert BadRoute(index);
        if (leg.share > WHOLE_SHARE) revert BadRoute(index);
    }

    /// @dev Finds the leg's venue and pool, and what it is to be paid.
    function _open(Leg memory leg, uint256 index, PackedVenue memory venue, Holdings memory holdings)
        private
        view
        returns (Payment memory payment)
    {
        // Nothing is held for sale of the route's `tokenOut`, of a token not met yet, or of the zero address.
        (uint256 amount, address payer) = holdings.take(leg.tokenIn, leg.share);
        if (amount == 0) revert BadRoute(index);
        venue.settings = _openWord(leg.venue);
        payment = Payment(leg.tokenIn, payer, leg.pool, amount);
        _demandPool(leg.venue, venue, payment, leg.tokenOut, leg.key);
    }

    /// @dev Venue and pool of the next leg, if this leg can pay straight into that pool; the zero address otherwise. It can
    /// if the next leg sells the whole output of this leg and of no other, and its pool takes what its balance holds beyond
    /// its reserve.
    /// @dev The next leg follows at once. A token that calls out in between can let others move the price or take the payment
    /// (`skim`, `sync`), as with any pool before its leg; that lowers the output, and the floor limits it.
    function _payableAhead(Leg calldata next, Leg memory leg, PackedVenue memory venue, Holdings memory holdings)
        private
        view
        returns (PackedVenue memory, address)
    {
        address token = leg.tokenOut;
        if (next.tokenIn != token) return (venue, address(0));
        address nextOut = next.tokenOut;
        // What is no route is refused when it is its turn.
        if (nextOut == token) return (venue, address(0));
        if (nextOut == address(0)) return (venue, address(0));
        if (next.share != WHOLE_SHARE) return (venue, address(0));
        uint256 number = next.venue;
        PackedVenue memory nextVenue = PackedVenue(_openWord(number), 0);
        if (!nextVenue.kind().isSentAhead()) return (venue, address(0));
        if (!Venues.paysOthers(venue, token, leg.key)) return (venue, address(0));
        if (!holdings.isNew(token)) return (venue, address(0));
        address pool = next.pool;
        _demandPool(number, nextVenue, Payment(token, pool, pool, 0), nextOut, next.key);
        // A pool that pays itself has nothing beyond its reserve.
        return pool == leg.pool ? (venue, address(0)) : (nextVenue, pool);
    }

    /// @dev Reverts unless the payment's pool is what the venue's deployer creates or the Hub lists.
    function _demandPool(
        uint256 number,
        PackedVenue memory venue,
        Payment memory payment,
        address tokenOut,
        uint256 key
    ) private view {
        (address named, address tokenIn) = (payment.pool, payment.token);
        venue.initCodeHash = Venues.needsHash(venue, key) ? _hashOf(number, venue.settings) : bytes32(0);
        address pool = Venues.derive(venue, tokenIn, tokenOut, key);
        if (pool == address(0)) {
            // What nothing derives, the Hub lists or nobody knows.
            pool = hub.poolAt(uint16(number), tokenIn, tokenOut, key);
            if (pool == address(0)) revert UnknownPool(named, pool);
        }
        if (pool != named) revert UnknownPool(named, pool);
        if (Venues.mustBeListed(venue, key) && !hub.hasTier(uint16(number), key)) {
            revert UnknownPool(pool, address(0));
        }
    }

    function _fill(PackedVenue memory venue, Payment memory payment, address tokenOut, uint256 key, address to)
        private
        returns (uint256 claimedOut)
    {
        bytes4 callback = venue.callback();
        if (callback == 0) return Venues.fill(venue, payment, tokenOut, key, to);

        _due = _callback(payment.pool, callback);
        _dueAmount = payment.amount;
        _dueToken = uint160(payment.token) | (payment.payer == address(this) ? OWN_BIT : 0);
        claimedOut = Venues.fill(venue, payment, tokenOut, key, to);
        if (_due != 0) revert PartialFill(payment.pool, payment.amount, 0);
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
        if (amount < floor) revert BelowFloor(floor, amount);
        amountOut = _pay(order, amount);
        if (amountOut < floor) revert BelowFloor(floor, amountOut);
    }

    /// @dev Pays the recipient and measures what arrived: a token may tax the payment, or move it on from a hook.
    function _pay(Order memory order, uint256 amount) internal virtual returns (uint256 arrived) {
        (address token, address recipient) = (order.tokenOut, order.recipient);
        uint256 balanceBefore = balanceOf(token, recipient);
        Transfers.send(token, recipient, amount);
        return _gained(token, recipient, balanceBefore, amount);
    }

    /// @dev What an account's balance has grown by, of the `amount` that it was sent.
    function _gained(address token, address account, uint256 balanceBefore, uint256 amount)
        internal
        view
        returns (uint256 arrived)
    {
        uint256 balanceAfter = balanceOf(token, account);
        unchecked {
            if (balanceAfter > balanceBefore) arrived = balanceAfter - balanceBefore;
        }
        if (arrived > amount) arrived = amount;
    }
}
