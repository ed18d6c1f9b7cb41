// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "./IRouter.sol";

/// @title Router of the generation 1.0.0
interface IRouterV1 is IRouter {
    /// @notice The fill beat its quote by `amount` of `token`, which went to the user.
    event Surplus(address indexed token, uint256 amount);
}
