// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// Nodes cap the gas of calls. What a search was given is divided among its parts, so that each ends in time with what it
// has, and reports what it left out. The same state and the same gas always give the same route.

/// @dev Percent of the gas given that is left when the split is found, and when the plan is priced. Finding pools leaves
/// what these will take: see `Discovery`.
uint256 constant AFTER_SPLITTING = 14;
uint256 constant AFTER_PLANNING = 5;

/// @dev What is left in addition for each edge: the best path, gas prices and single pools are looked for among all of them.
uint256 constant GAS_AFTER_PER_EDGE = 11_000;

/// @dev Part of the gas given that the price of one leg may take.
uint256 constant LEG_PARTS = 8;
