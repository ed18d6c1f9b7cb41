// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../interfaces/IHub.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {Route} from "../types/Route.sol";
import {PackedVenue, VenueConfig} from "../types/Venue.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {Venues} from "../venues/Venues.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @title Executes a route on the real Router and undoes it
/// @notice The input is what this contract holds (a node's state override can put it here) or, for the length of the
/// run, what a pool outside of the route lends. Every run ends in a revert, so nothing lasts and nothing can be taken.
abstract contract DryRun {
    /// @notice How a run ends: what the recipient received.
    error Delivered(uint256 amountOut);
    /// @notice Only this contract calls itself here.
    error NotSelf();
    /// @notice Nothing that was tried lends the route's input.
    error NoLender();
    /// @notice The run reverted without a reason, as a call does that runs out of gas.
    error NoReason();

    /// @dev The pool whose loan is awaited, and its kind.
    address private transient _lender;
    VenueKind private transient _lenderKind;

    /// @notice A pool's loan has arrived: run the route with it. The run reverts, and the loan with it.
    fallback() external {
        if (msg.sender != _lender) revert NotSelf();
        (Route memory route, IRouter router) = abi.decode(Venues.loanData(_lenderKind), (Route, IRouter));
        _run(route, router);
    }

    /// @notice Runs the route with tokens that this contract holds. Reverts always: `Delivered`, or why it failed.
    function runHeld(Route calldata route, IRouter router) external {
        if (msg.sender != address(this)) revert NotSelf();
        _run(route, router);
    }

    /// @notice Borrows the route's input from a pool and runs the route. Reverts always.
    function runBorrowed(Route calldata route, IRouter router, PackedVenue memory venue, address pool, address other)
        external
    {
        if (msg.sender != address(this)) revert NotSelf();
        (_lender, _lenderKind) = (pool, venue.kind());
        // Twice the input where the pool has it: a token that taxes the loan still leaves enough for the run.
        uint256 amount =
            IERC20(route.tokenIn).balanceOf(pool) / 2 > route.amountIn * 2 ? route.amountIn * 2 : route.amountIn;
        Venues.borrow(venue, pool, route.tokenIn, other, amount, abi.encode(route, router));
    }

    /// @dev What the route delivers to its recipient on the real Router. `failure` holds what a failed run reverted
    /// with; it is empty when the run succeeded.
    function _dryRun(Route memory route, IRouter router, IHub hub)
        internal
        returns (uint256 amountOut, bytes memory failure)
    {
        try this.runHeld(route, router) {}
        catch (bytes memory outcome) {
            failure = outcome;
        }
        if (_isDelivered(failure)) return (_firstWord(failure), "");
        if (failure.length == 0) failure = abi.encodeWithSelector(NoReason.selector);
        if (_holds(route.tokenIn, address(this), route.amountIn)) return (0, failure);

        failure = abi.encodeWithSelector(NoLender.selector);
        VenueConfig[] memory venues = hub.venues();
        address[] memory others = hub.connectorTokens();
        for (uint256 i; i < others.length; ++i) {
            bytes memory outcome = _runWithLoanAgainst(route, router, venues, others[i]);
            if (outcome.length == 0) continue;
            if (_isDelivered(outcome)) return (_firstWord(outcome), "");
            failure = outcome;
            if (bytes4(outcome) == IRouter.BelowFloor.selector) return (0, failure);
        }
    }

    /// @dev Tries the pools of `tokenIn` and one other token. Empty if none of them can lend.
    function _runWithLoanAgainst(Route memory route, IRouter router, VenueConfig[] memory venues, address other)
        private
        returns (bytes memory outcome)
    {
        if (other == route.tokenIn) return "";
        for (uint256 v; v < venues.length; ++v) {
            if (!venues[v].venue.enabled || !venues[v].venue.kind.lends()) continue;
            PackedVenue memory venue = venues[v].venue.packed();
            for (uint256 t; t < venues[v].tiers.length; ++t) {
                address pool = Venues.derive(venue, route.tokenIn, other, venues[v].tiers[t].key);
                if (_isUsed(route, pool) || !_holds(route.tokenIn, pool, route.amountIn + 1)) continue;
                try this.runBorrowed(route, router, venue, pool, other) {}
                catch (bytes memory failure) {
                    outcome = failure;
                }
                if (_isDelivered(outcome) || bytes4(outcome) == IRouter.BelowFloor.selector) return outcome;
            }
        }
    }

    function _run(Route memory route, IRouter router) private {
        SafeTransferLib.safeApproveWithRetry(route.tokenIn, address(router), route.amountIn);
        revert Delivered(router.swapExactIn(route, route.amountIn, 1, address(this), block.timestamp));
    }

    function _isUsed(Route memory route, address pool) private pure returns (bool) {
        for (uint256 i; i < route.legs.length; ++i) {
            if (route.legs[i].pool == pool) return true;
        }
        return false;
    }

    function _holds(address token, address holder, uint256 amount) private view returns (bool) {
        (bool ok, uint256 balance,) = StaticRead.twoWords(token, IERC20.balanceOf.selector, uint256(uint160(holder)), 1);
        return ok && balance >= amount;
    }

    function _isDelivered(bytes memory outcome) private pure returns (bool) {
        return outcome.length == 36 && bytes4(outcome) == Delivered.selector;
    }

    function _firstWord(bytes memory outcome) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(outcome, 36))
        }
    }
}
