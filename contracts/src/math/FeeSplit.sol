// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {WHOLE_BPS} from "./FeeMath.sol";

/// @dev The stakers' part of a fee, T1, in basis points.
uint256 constant STAKERS_BPS = 5_000;

/// @notice T1 of a fee of `amount`, rounded down. The rest is T2, the treasury's.
/// @dev Assumes less than 2^240; Core counts less than 2^104.
function stakersPart(uint256 amount) pure returns (uint256) {
    unchecked {
        return amount * STAKERS_BPS / WHOLE_BPS;
    }
}
