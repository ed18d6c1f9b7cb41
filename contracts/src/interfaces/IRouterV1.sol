// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "./IRouter.sol";

/// @title Router of the generation 1.0.0
interface IRouterV1 is IRouter {
    /// @notice The recipient was paid `amount` of `token` more than the quote that the route carries leaves after the fee:
    /// the legs delivered more, or the token refused the fee.
    /// @dev The quote is the caller's word, so nothing hangs on this: the fee is the same with and without surplus.
    event Surplus(address indexed token, uint256 amount);
}
