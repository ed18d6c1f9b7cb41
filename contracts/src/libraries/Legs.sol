// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Leg} from "../types/Route.sol";

/// @notice Where a leg lies in the calldata: one that was checked.
type LegAt is uint256;

using {venue, pool, tokenIn, tokenOut, key, share} for LegAt global;

/// @title Legs of a route, read where they lie
library Legs {
    /// @notice `legs[index]`, which is in range.
    /// @dev Refuses what the compiler's own decoder refuses: numbers of venues and addresses that are too long.
    function at(Leg[] calldata legs, uint256 index) internal pure returns (LegAt leg) {
        // Leg calldata leg = legs[index];
        // But the compiler checks each member each time that it is asked for, or makes room for a copy.
        assembly ("memory-safe") {
            leg := add(legs.offset, mul(index, 192))
            let addresses := or(or(calldataload(add(leg, 32)), calldataload(add(leg, 64))), calldataload(add(leg, 96)))
            if or(shr(16, calldataload(leg)), shr(160, addresses)) { revert(0, 0) }
        }
    }
}

function venue(LegAt leg) pure returns (uint256) {
    return _word(leg, 0);
}

function pool(LegAt leg) pure returns (address) {
    return address(uint160(_word(leg, 32)));
}

function tokenIn(LegAt leg) pure returns (address) {
    return address(uint160(_word(leg, 64)));
}

function tokenOut(LegAt leg) pure returns (address) {
    return address(uint160(_word(leg, 96)));
}

function key(LegAt leg) pure returns (uint256) {
    return _word(leg, 128);
}

function share(LegAt leg) pure returns (uint256) {
    return _word(leg, 160);
}

function _word(LegAt leg, uint256 offset) pure returns (uint256 word) {
    assembly ("memory-safe") {
        word := calldataload(add(leg, offset))
    }
}
