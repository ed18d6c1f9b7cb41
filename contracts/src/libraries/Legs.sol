// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Leg} from "../types/Route.sol";

/// @title Legs of a route, read where they lie
library Legs {
    /// @notice `leg = legs[index]`, into a place that is there already. The index is in range.
    /// @dev Refuses what the compiler's own decoder refuses: numbers of venues and addresses that are too long.
    function read(Leg[] calldata legs, uint256 index, Leg memory leg) internal pure {
        // (leg.venue, leg.pool, …) = (legs[index].venue, legs[index].pool, …);
        // But the compiler looks each member up and checks it each time that it is asked for.
        assembly ("memory-safe") {
            calldatacopy(leg, add(legs.offset, mul(index, 192)), 192)
            let addresses := or(or(mload(add(leg, 32)), mload(add(leg, 64))), mload(add(leg, 96)))
            if or(shr(16, mload(leg)), shr(160, addresses)) { revert(0, 0) }
        }
    }
}
