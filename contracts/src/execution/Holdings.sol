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
    /// The others, in the order in which the legs meet them; each leg but the last can bring in one.
    Holding[] middle;
}

using HoldingsLib for Holding global;
using HoldingsLib for Holdings global;

/// @dev Places in `middle` are handed on instead of holdings, because a function that returns one makes an empty one first.
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
            Holding memory holding = holdings.middle[_placeOf(holdings, token)];
            if (holding.isStale) holding.measure();
            amount = _part(holding.amount, share);
            holding.amount -= amount;
            holding.balance -= amount;
            payer = address(this);
        }
    }

    /// @notice Expects more of a token, of which nothing counts that this contract has when the swap meets it.
    function expect(Holdings memory holdings, address token) internal view {
        Holding memory holding = holdings.middle[_placeOf(holdings, token)];
        if (holding.token == address(0)) {
            holding.token = token;
            holding.balance = balanceOf(token, address(this));
        }
        holding.isStale = true;
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
        for (uint256 i; i < holdings.middle.length; ++i) {
            Holding memory holding = holdings.middle[i];
            if (holding.isStale) holding.measure();
            if (holding.amount != 0) revert IRouter.LeftBehind(holding.token, holding.amount);
        }
    }

    function _part(uint256 held, uint256 share) private pure returns (uint256) {
        return share == WHOLE_SHARE ? held : held * share / WHOLE_SHARE;
    }

    /// @dev The token's place, or the first free one. None is free where the last leg buys a token that no leg sells.
    function _placeOf(Holdings memory holdings, address token) private pure returns (uint256 place) {
        for (; place < holdings.middle.length; ++place) {
            address met = holdings.middle[place].token;
            if (met == token || met == address(0)) return place;
        }
        revert IRouter.BadRoute(place);
    }
}
