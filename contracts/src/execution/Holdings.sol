// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {WHOLE_SHARE} from "../types/Route.sol";

/// @notice What the running swap holds of a token between two legs.
struct Holding {
    address token;
    /// Still to be swapped, of what was counted.
    uint256 amount;
    /// This contract's balance when it was last looked at, less what was paid since. It can be more than `amount`:
    /// tokens that were here before belong to no swap.
    uint256 balance;
    /// Whether legs bought some since then.
    bool isStale;
}

/// @notice The tokens of one swap.
struct Holdings {
    /// The route's `tokenIn`, which no leg buys.
    address tokenIn;
    /// Still to be swapped of it.
    uint256 input;
    /// Whose tokens `input` counts.
    address payer;
    /// The route's, which no leg sells, so that nothing of it is counted here.
    address tokenOut;
    /// The first token that the legs meet in the middle of the route; zero as long as nothing of one came here.
    Holding first;
    /// How many more there can be: each leg but the last can bring in one.
    uint256 most;
    /// They, in the order in which the legs meet them. Empty as long as there is none, because making room takes gas.
    Holding[] others;
}

using HoldingsLib for Holding global;
using HoldingsLib for Holdings global;

/// @dev Places in `others` are handed on instead of holdings, because a function that returns one makes an empty one first.
library HoldingsLib {
    /// @notice Takes a share, at most the whole, of what is held of a token, rounded down; nothing of a token that the swap has not met.
    /// @return amount What was taken.
    /// @return payer Whose it is.
    function take(Holdings memory holdings, address token, uint256 share)
        internal
        view
        returns (uint256 amount, address payer)
    {
        unchecked {
            if (token == holdings.tokenIn) {
                amount = _part(holdings.input, share);
                holdings.input -= amount;
                return (amount, holdings.payer);
            }
            Holding memory holding = holdings.first;
            if (token != holding.token) {
                if (holdings.others.length == 0) return (0, address(this));
                holding = holdings.others[_placeOf(holdings, token)];
            }
            if (holding.isStale) holding.measure();
            amount = _part(holding.amount, share);
            holding.amount -= amount;
            holding.balance -= amount;
            payer = address(this);
        }
    }

    /// @notice Expects more of a token, of which nothing counts that this contract has when the swap meets it.
    function expect(Holdings memory holdings, address token) internal view {
        Holding memory holding = holdings.first;
        if (holding.token != token && holding.token != address(0)) {
            if (holdings.others.length == 0) holdings.others = new Holding[](holdings.most);
            holding = holdings.others[_placeOf(holdings, token)];
        }
        if (holding.token == address(0)) {
            holding.token = token;
            holding.balance = balanceOf(token, address(this));
        }
        holding.isStale = true;
    }

    /// @notice Whether the swap has not met the token in the middle of its route yet.
    function isNew(Holdings memory holdings, address token) internal pure returns (bool) {
        if (holdings.first.token == token) return false;
        if (holdings.others.length == 0) return true;
        return holdings.others[_placeOf(holdings, token)].token != token;
    }

    /// @notice Counts what this contract's balance has grown by.
    function measure(Holding memory holding) internal view {
        uint256 balance = balanceOf(holding.token, address(this));
        holding.amount += balance - holding.balance;
        holding.balance = balance;
        holding.isStale = false;
    }

    /// @notice Reverts unless everything has been used up.
    function demandUsedUp(Holdings memory holdings) internal view {
        if (holdings.input != 0) revert IRouter.LeftBehind(holdings.tokenIn, holdings.input);
        _demandUsedUp(holdings.first);
        for (uint256 i; i < holdings.others.length; ++i) {
            _demandUsedUp(holdings.others[i]);
        }
    }

    /// @dev Of one that was met or not.
    function _demandUsedUp(Holding memory holding) private view {
        if (holding.isStale) holding.measure();
        if (holding.amount != 0) revert IRouter.LeftBehind(holding.token, holding.amount);
    }

    function _part(uint256 held, uint256 share) private pure returns (uint256) {
        return share == WHOLE_SHARE ? held : held * share / WHOLE_SHARE;
    }

    /// @dev The token's place among the others, or the first free one. None is free where the last leg buys a token that no
    /// leg sells.
    function _placeOf(Holdings memory holdings, address token) private pure returns (uint256 place) {
        for (; place < holdings.others.length; ++place) {
            address met = holdings.others[place].token;
            if (met == token || met == address(0)) return place;
        }
        revert IRouter.BadRoute(place + 1);
    }
}
