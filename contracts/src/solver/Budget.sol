// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

// Nodes cap the gas of calls. What a search was given is divided among its parts, so that each ends in time with what it
// has, and reports what it left out. The same state and the same gas always give the same route.

/// @dev Percent of the gas given that is left when the split is found, and when the plan is priced. Finding pools leaves
/// what these will take: see `Discovery`.
uint256 constant AFTER_SPLITTING = 14;
uint256 constant AFTER_PLANNING = 5;

/// @dev Part of the gas given that the price of one leg may take.
uint256 constant LEG_PARTS = 16;

/// @notice Gas left before a part of the search must end.
function gasBefore(Search memory search, uint256 percentAfter) view returns (uint256) {
    return FixedPointMathLib.zeroFloorSub(gasleft(), search.gas * percentAfter / 100);
}

/// @notice Whether something that took `gas` once can be done again, and a quarter more.
function affords(Search memory search, uint256 gas, uint256 percentAfter) view returns (bool) {
    return search.gasBefore(percentAfter) > gas + gas / 4;
}

/// @notice What pricing one leg may take: one that steps through more than that is not worth its gas.
function legGas(Search memory search) pure returns (uint256) {
    return search.gas / LEG_PARTS;
}
