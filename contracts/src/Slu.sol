// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title SLU, the protocol token
/// @notice 18 decimals, a supply fixed at deployment, approvals by signature (EIP-2612).
contract Slu is ERC20Permit {
    uint256 public constant SUPPLY = 1_000_000_000e18;

    /// @param holder Receives the whole supply.
    constructor(address holder) ERC20("Sluice", "SLU") ERC20Permit("Sluice") {
        _mint(holder, SUPPLY);
    }
}
