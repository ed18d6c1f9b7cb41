// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626, IERC20} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// @title Vault of the devnet
/// @notice OpenZeppelin's ERC-4626. What somebody sends to it belongs to its shares.
contract DevVault is ERC4626 {
    constructor(address asset, string memory symbol) ERC20(symbol, symbol) ERC4626(IERC20(asset)) {}
}
