// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice What gas costs in `tokenOut`. All zero if gas is free.
struct GasValue {
    /// Wei for a unit of gas, and for a leg's calldata on the chain that keeps a rollup's data.
    uint256 weiPerGas;
    uint256 weiPerLeg;
    /// Square root of the price of a wei in units of `tokenOut`, in Q96; zero for an output of next to nothing.
    uint256 sqrtPrice;
}
