// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../interfaces/IHub.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {LegAt, Legs} from "../libraries/Legs.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Payment} from "../libraries/Payment.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {WHOLE_BPS, floorOfNet, netOf} from "../math/FeeMath.sol";
import {Leg, Route, WHOLE_SHARE} from "../types/Route.sol";
import {CODE_SHIFT, PackedVenue} from "../types/Venue.sol";
import {Venues} from "../venues/Venues.sol";
import {Holding, Holdings} from "./Holdings.sol";
import {Settings} from "./Settings.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

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
    /// What an integrator takes of the output, beside the protocol; set from the lock.
    uint256 integratorFeeBps;
}

/// @notice What a swap came to. Amounts of `tokenOut`.
struct Outcome {
    /// Delivered by the legs, measured by balance.
    uint256 grossOut;
    /// What the route says that they were quoted to deliver, for the order's `amountIn`.
    uint256 quotedOut;
    /// What the fees leave of that.
    uint256 quotedNet;
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
    using FixedPointMathLib for uint256;
    using Legs for Leg[];

    // Whole words, and as few as there can be: a smaller type is read before it is written, and each access costs.

    /// @dev The reentrancy lock: who pays the first legs while a swap is running, and above that an integrator's fee in basis
    /// points, which may stand there before the swap starts. Zero otherwise.
    uint256 internal transient _lock;
    /// @dev The callback that is due: the pool below, the function's selector above. Zero when none is due.
    uint256 private transient _due;
    /// @dev What the due callback may collect: the token below, a bit above that is set where this contract pays and not whom
    /// the lock names, and the amount above that.
    uint256 private transient _duePayment;
    /// @dev The amount if it needs more than 95 bits; those of `_duePayment` are all ones then.
    uint256 private transient _dueAmount;

    uint256 internal constant FEE_SHIFT = 160;
    uint256 private constant OWN_BIT = 1 << 160;
    uint256 private constant AMOUNT_SHIFT = 161;
    uint256 private constant LARGE_AMOUNT = type(uint256).max >> AMOUNT_SHIFT;

    constructor(IHub hub_) Settings(hub_) {}

    /// @notice Answers a pool's callback for its input, once, while a leg on that very pool is being filled.
    fallback() external {
        // Never zero, because a caller has an address.
        if (_due != _callback(msg.sender, msg.sig)) revert UnexpectedCall(msg.sender);
        _due = 0;
        uint256 due = _duePayment;
        address payer = due & OWN_BIT == 0 ? address(uint160(_lock)) : address(this);
        uint256 amount = due >> AMOUNT_SHIFT;
        if (amount == LARGE_AMOUNT) amount = _dueAmount;
        Venues.answer(address(uint160(due)), payer, amount);
    }

    /// @notice Takes native tokens while a leg wraps or unwraps them, from where it does.
    receive() external payable {
        if (!NativeSender.isExpected(msg.sender)) revert UnexpectedCall(msg.sender);
    }

    /// @dev Sends the fees of `grossOut`, which this contract holds, to where they go.
    /// @param isPlain Whether all that the pools say to have paid has arrived here, so that the token takes nothing from
    /// transfers.
    /// @return fees What was sent: less than the fees if the token refuses one.
    function _takeFees(Order memory order, uint256 grossOut, bool isPlain) internal virtual returns (uint256 fees);

    /// @dev Announces the swap.
    function _announce(Order memory order, Outcome memory outcome) internal virtual;

    function _swapExactIn(Route calldata route, Order memory order) internal returns (uint256) {
        _start(route, order);
        return _finish(route, order, order.amountIn);
    }

    /// @dev Takes the lock and makes sure that the swap may happen. Whatever a generation collects, it collects next.
    function _start(Route calldata route, Order memory order) internal {
        uint256 lock = _lock;
        if (uint160(lock) != 0) revert UnexpectedCall(msg.sender);
        // No payer is the zero address.
        _lock = lock | uint160(order.payer);
        order.integratorFeeBps = lock >> FEE_SHIFT;
        _check(route, order);
    }

    /// @dev Fills the legs with `amountIn` of the payer's, pays, and releases the lock.
    function _finish(Route calldata route, Order memory order, uint256 amountIn) internal returns (uint256 amountOut) {
        Leg[] calldata legs = route.legs;
        if (legs.length == 0) revert BadRoute(0);
        if (amountIn == 0) revert BadRoute(0);
        uint256 balanceBefore = balanceOf(order.tokenOut, address(this));
        uint256 claimedOut = _fillLegs(legs, order, amountIn);
        // No leg sells the token, so one look counts what all of them bought.
        uint256 grossOut = balanceOf(order.tokenOut, address(this)) - balanceBefore;
        // Before the payout, which takes about as much gas: a swap that has enough for that has enough for a fee.
        uint256 fees = _takeFees(order, grossOut, claimedOut == grossOut);
        uint256 quotedOut = route.grossOut;
        uint256 quotedNet = netOf(quotedOut, order.integratorFeeBps);
        // The protocol's floor or the caller's, whichever is higher.
        uint256 floor = floorOfNet(quotedNet, route.impactBps);
        if (order.amountIn != route.amountIn) {
            floor = floor.fullMulDivUp(order.amountIn, route.amountIn);
            quotedOut = quotedOut.fullMulDiv(order.amountIn, route.amountIn);
            quotedNet = netOf(quotedOut, order.integratorFeeBps);
        }
        if (order.minOut > floor) floor = order.minOut;
        unchecked {
            // The fees are parts of it.
            amountOut = _payOut(order, grossOut - fees, floor);
        }

        _announce(order, Outcome(grossOut, quotedOut, quotedNet, floor, amountOut, legs.length));
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

    /// @dev As long as each leg takes all that the one before has bought, there is one amount to know. `_fillSplit` keeps count
    /// from the first leg on that takes a part.
    /// @return What the pools say that they have paid of the order's `tokenOut`.
    function _fillLegs(Leg[] calldata legs, Order memory order, uint256 amountIn) private returns (uint256) {
        LegAt leg = legs.at(0);
        if (leg.share() != WHOLE_SHARE) {
            return _fillSplit(legs, 0, order, amountIn, Holding(address(0), 0, 0, false));
        }
        PackedVenue memory venue = PackedVenue(0, 0);
        Payment memory payment = Payment(order.tokenIn, order.payer, leg.pool(), amountIn);
        _check(leg, 0, order.tokenIn);
        if (leg.tokenIn() != order.tokenIn) revert BadRoute(0);
        _open(leg, 0, venue);
        uint256 i;
        while (true) {
            unchecked {
                ++i;
            }
            if (i == legs.length) break;
            // Nothing of it is held for sale.
            if (leg.tokenOut() == order.tokenOut) revert BadRoute(i);
            LegAt next = legs.at(i);
            uint256 balanceBefore = _fillMiddle(leg, next, venue, payment);
            if (next.share() != WHOLE_SHARE) {
                return _fillSplit(legs, i, order, 0, Holding(payment.token, 0, balanceBefore, true));
            }
            if (next.tokenIn() != payment.token) revert BadRoute(i);
            _check(next, i, order.tokenIn);
            if (payment.payer == address(this)) {
                if (payment.amount == 0) revert BadRoute(i);
                _open(next, leg.venue(), venue);
            }
            leg = next;
        }
        if (leg.tokenOut() != order.tokenOut) revert BadRoute(legs.length.rawSub(1));
        return _fill(venue, payment, leg.tokenOut(), leg.key(), address(this));
    }

    /// @dev Fills a leg, and makes of its `payment` what the next one has: all that this one has bought, or nothing if that
    /// one's pool has it; the venue is that one's then.
    /// @return balanceBefore This contract's of the token, if what was bought is not known: it is if the next leg takes a part.
    function _fillMiddle(LegAt leg, LegAt next, PackedVenue memory venue, Payment memory payment)
        private
        returns (uint256 balanceBefore)
    {
        address token = leg.tokenOut();
        if (_isTold(leg, next, venue)) {
            payment.amount = _fill(venue, payment, token, leg.key(), address(this));
            payment.payer = address(this);
        } else if (!_fillAhead(leg, next, venue, payment)) {
            balanceBefore = balanceOf(token, address(this));
            _fill(venue, payment, token, leg.key(), address(this));
            if (next.share() == WHOLE_SHARE) payment.amount = balanceOf(token, address(this)) - balanceBefore;
            payment.payer = address(this);
        }
        (payment.token, payment.pool) = (token, next.pool());
    }

    /// @dev Fills the legs from one on, with `input` of the order's `tokenIn` and what is held of the `first` other token.
    function _fillSplit(Leg[] calldata legs, uint256 i, Order memory order, uint256 input, Holding memory first)
        private
        returns (uint256)
    {
        Holding[] memory none;
        Holdings memory holdings = Holdings({
            tokenIn: order.tokenIn,
            input: input,
            payer: order.payer,
            tokenOut: order.tokenOut,
            first: first,
            most: legs.length.zeroFloorSub(2),
            others: none
        });
        return _fillHeld(legs, i, holdings);
    }

    /// @dev Fills the legs from one on with what is held.
    /// @return claimedOut What the pools say that they have paid of the order's `tokenOut`.
    function _fillHeld(Leg[] calldata legs, uint256 i, Holdings memory holdings) private returns (uint256 claimedOut) {
        PackedVenue memory venue = PackedVenue(0, 0);
        Payment memory payment = Payment(address(0), address(0), address(0), 0);
        // Of the venue that `venue` holds.
        uint256 number;
        // Whether the leg before has opened this one and paid its pool.
        bool isPaid;
        while (i < legs.length) {
            LegAt leg = legs.at(i);
            _check(leg, i, holdings.tokenIn);
            if (!isPaid) {
                // Nothing is held for sale of the route's `tokenOut`, of a token not met yet, or of the zero address.
                (payment.amount, payment.payer) = holdings.take(leg.tokenIn(), leg.share());
                if (payment.amount == 0) revert BadRoute(i);
                _open(leg, number, venue);
            }
            number = leg.venue();
            (payment.token, payment.pool) = (leg.tokenIn(), leg.pool());
            unchecked {
                ++i;
            }
            isPaid = false;
            if (leg.tokenOut() == holdings.tokenOut) {
                claimedOut += _fill(venue, payment, holdings.tokenOut, leg.key(), address(this));
                continue;
            }
            if (i < legs.length && holdings.isNew(leg.tokenOut())) {
                isPaid = _fillAhead(leg, legs.at(i), venue, payment);
                if (isPaid) continue;
            }
            holdings.expect(leg.tokenOut());
            _fill(venue, payment, leg.tokenOut(), leg.key(), address(this));
        }
        holdings.demandUsedUp();
    }

    function _check(LegAt leg, uint256 index, address tokenIn) private pure {
        address tokenOut = leg.tokenOut();
        if (leg.tokenIn() == tokenOut) revert BadRoute(index);
        if (tokenOut == address(0)) revert BadRoute(index);
        if (tokenOut == tokenIn) revert BadRoute(index);
        if (leg.share() > WHOLE_SHARE) revert BadRoute(index);
    }

    /// @dev Puts the leg's venue into `venue`, which holds that of the `held` number, and makes sure that the pool is its own.
    function _open(LegAt leg, uint256 held, PackedVenue memory venue) private view {
        uint256 number = leg.venue();
        // Nothing has the number zero, which is refused.
        if (number == 0 || number != held) {
            venue.settings = _openWord(number);
            venue.initCodeHash = 0;
        }
        _demandPool(leg, venue);
    }

    /// @dev Whether the next leg sells what this one's pool says to have paid, unmeasured: the pool's code is known to say
    /// what it pays, and the next one, of the same venue, calls back for all of it. If less has arrived, because the token
    /// takes a part, the token refuses that payment, and the swap reverts.
    function _isTold(LegAt leg, LegAt next, PackedVenue memory venue) private pure returns (bool) {
        if (next.venue() != leg.venue()) return false;
        if (venue.settings >> CODE_SHIFT == 0) return false;
        if (!venue.kind().callsBack()) return false;
        return next.share() == WHOLE_SHARE;
    }

    /// @dev Fills a leg straight into the next one's pool, and makes `venue` the next one's, if it can: if the next leg sells
    /// the whole output of this leg and of no other, and its pool takes what its balance holds beyond its reserve.
    /// @dev The next leg follows at once. A token that calls out in between can let others move the price or take the payment
    /// (`skim`, `sync`), as with any pool before its leg; that lowers the output, and the floor limits it.
    function _fillAhead(LegAt leg, LegAt next, PackedVenue memory venue, Payment memory payment)
        private
        returns (bool)
    {
        address token = leg.tokenOut();
        if (next.tokenIn() != token) return false;
        // What is no route is refused when it is its turn.
        if (next.tokenOut() == token) return false;
        if (next.tokenOut() == address(0)) return false;
        if (next.share() != WHOLE_SHARE) return false;
        address pool = next.pool();
        PackedVenue memory nextVenue = venue;
        if (next.venue() != leg.venue()) nextVenue = PackedVenue(_openWord(next.venue()), 0);
        if (!nextVenue.kind().isSentAhead()) return false;
        // A pool that pays itself has nothing beyond its reserve.
        if (pool == leg.pool()) return false;
        if (!Venues.paysOthers(venue, token, leg.key())) return false;
        _demandPool(next, nextVenue);
        _fill(venue, payment, token, leg.key(), pool);
        (venue.settings, venue.initCodeHash) = (nextVenue.settings, nextVenue.initCodeHash);
        (payment.payer, payment.amount) = (pool, 0);
        return true;
    }

    /// @dev Reverts unless the leg's pool is what its venue's deployer creates or the Hub lists. Finds the venue's hash.
    function _demandPool(LegAt leg, PackedVenue memory venue) private view {
        (address tokenIn, address tokenOut, uint256 key) = (leg.tokenIn(), leg.tokenOut(), leg.key());
        if (venue.initCodeHash == 0) venue.initCodeHash = _hashFor(leg.venue(), venue, key);
        address pool = Venues.derive(venue, tokenIn, tokenOut, key);
        if (pool == address(0)) {
            // What nothing derives, the Hub lists or nobody knows.
            pool = hub.poolAt(uint16(leg.venue()), tokenIn, tokenOut, key);
            if (pool == address(0)) revert UnknownPool(leg.pool(), pool);
        }
        if (pool != leg.pool()) revert UnknownPool(leg.pool(), pool);
        if (Venues.mustBeListed(venue, key) && !hub.hasTier(uint16(leg.venue()), key)) {
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
        uint256 amount = payment.amount;
        if (amount >= LARGE_AMOUNT) {
            _dueAmount = amount;
            amount = LARGE_AMOUNT;
        }
        uint256 due = uint160(payment.token) | amount << AMOUNT_SHIFT;
        _duePayment = payment.payer == address(this) ? due | OWN_BIT : due;
        claimedOut = Venues.fill(venue, payment, tokenOut, key, to);
        if (_due != 0) revert PartialFill(payment.pool, payment.amount, 0);
    }

    function _callback(address pool, bytes4 selector) private pure returns (uint256) {
        return uint256(uint160(pool)) | uint256(uint32(selector)) << 160;
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
