// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IRouter} from "../interfaces/IRouter.sol";

/// @notice What the running swap holds of one token.
struct Holding {
    address token;
    /// Still to be swapped or paid out.
    uint256 amount;
    /// This contract's balance when it was last looked at, less what was paid since. It can be more than `amount`:
    /// tokens that were here before belong to no swap.
    uint256 balance;
}

/// @title The tokens of one swap
/// @notice A short list in memory. Entry 0 is the route's `tokenIn`, which never passes through this contract, entry 1
/// its `tokenOut`.
library Holdings {
    uint256 private constant IN = 0;
    uint256 private constant OUT = 1;

    /// @param legs Each leg can bring in one more token.
    function open(address tokenIn, uint256 amountIn, address tokenOut, uint256 legs)
        internal
        view
        returns (Holding[] memory list)
    {
        list = new Holding[](legs + 2);
        list[IN].token = tokenIn;
        list[IN].amount = amountIn;
        list[OUT] = _meet(tokenOut);
    }

    /// @notice The holding of a token; entry of token zero where the swap has not met it.
    function find(Holding[] memory list, address token) internal pure returns (Holding memory) {
        return list[_indexOf(list, token)];
    }

    /// @notice The holding of a token, opened with nothing held where the swap meets it for the first time.
    function findOrMeet(Holding[] memory list, address token) internal view returns (Holding memory holding) {
        uint256 index = _indexOf(list, token);
        holding = list[index];
        if (holding.token == address(0)) holding = list[index] = _meet(token);
    }

    /// @notice Adds what this contract's balance has grown by.
    function measure(Holding memory holding) internal view {
        uint256 balance = IERC20(holding.token).balanceOf(address(this));
        holding.amount += balance - holding.balance;
        holding.balance = balance;
    }

    /// @notice What is held of the route's `tokenOut`, everything else having been used up.
    function close(Holding[] memory list) internal pure returns (uint256) {
        for (uint256 i; i < list.length; ++i) {
            if (i != OUT && list[i].amount != 0) revert IRouter.LeftBehind(list[i].token, list[i].amount);
        }
        return list[OUT].amount;
    }

    function _meet(address token) private view returns (Holding memory) {
        return Holding({token: token, amount: 0, balance: IERC20(token).balanceOf(address(this))});
    }

    /// @dev Of the token, or of the first empty entry; the list is long enough to always have one.
    function _indexOf(Holding[] memory list, address token) private pure returns (uint256 index) {
        while (list[index].token != token && list[index].token != address(0)) ++index;
    }
}
