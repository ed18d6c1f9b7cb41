// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";
import {balanceOf} from "../libraries/Balance.sol";

/// @notice What the running swap holds of one token.
struct Holding {
    address token;
    /// Still to be swapped or paid out.
    uint256 amount;
    /// This contract's balance when it was last looked at, less what was paid since. It can be more than `amount`:
    /// tokens that were here before belong to no swap.
    uint256 balance;
}

/// @notice The tokens of one swap.
struct Holdings {
    /// The route's `tokenIn`; its `balance` has no meaning, because no leg buys it.
    Holding input;
    /// Whose tokens `input` counts.
    address payer;
    /// The route's `tokenOut`.
    Holding output;
    /// The others, in the order in which the legs meet them; each leg but the last can bring in one.
    Holding[] middle;
}

using HoldingsLib for Holding global;
using HoldingsLib for Holdings global;

library HoldingsLib {
    function open(address tokenIn, uint256 amountIn, address tokenOut, uint256 legs)
        internal
        view
        returns (Holdings memory holdings)
    {
        holdings.input.token = tokenIn;
        holdings.input.amount = amountIn;
        meet(holdings.output, tokenOut);
        if (legs > 1) holdings.middle = new Holding[](legs - 1);
    }

    /// @notice The holding of a token that a leg sells; empty where the swap has not met it.
    function sold(Holdings memory holdings, address token) internal pure returns (Holding memory) {
        if (token == holdings.input.token) return holdings.input;
        return _inMiddle(holdings, token);
    }

    /// @notice The holding of a token that a leg buys, opened where the swap meets it for the first time.
    function bought(Holdings memory holdings, address token) internal view returns (Holding memory holding) {
        if (token == holdings.output.token) return holdings.output;
        holding = _inMiddle(holdings, token);
        if (holding.token == address(0)) meet(holding, token);
    }

    /// @notice Notes what this contract has of a token already.
    function meet(Holding memory holding, address token) internal view {
        holding.token = token;
        holding.balance = balanceOf(token, address(this));
    }

    /// @notice Adds what this contract's balance has grown by.
    function measure(Holding memory holding) internal view {
        uint256 balance = balanceOf(holding.token, address(this));
        holding.amount += balance - holding.balance;
        holding.balance = balance;
    }

    /// @notice What is held of the route's `tokenOut`, everything else having been used up.
    function close(Holdings memory holdings) internal pure returns (uint256) {
        _requireEmpty(holdings.input);
        for (uint256 i; i < holdings.middle.length; ++i) {
            _requireEmpty(holdings.middle[i]);
        }
        return holdings.output.amount;
    }

    function _requireEmpty(Holding memory holding) private pure {
        if (holding.amount != 0) revert IRouter.LeftBehind(holding.token, holding.amount);
    }

    /// @dev The token's entry, or the first free one. None is free where the last leg buys a token that no leg sells.
    function _inMiddle(Holdings memory holdings, address token) private pure returns (Holding memory holding) {
        for (uint256 i; i < holdings.middle.length; ++i) {
            holding = holdings.middle[i];
            if (holding.token == token || holding.token == address(0)) return holding;
        }
        revert IRouter.BadRoute(holdings.middle.length);
    }
}
