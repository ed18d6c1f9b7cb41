// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Basis points of the whole.
uint256 constant WHOLE_BPS = 10_000;
/// @dev The protocol fee.
uint256 constant FEE_BPS = 28;
/// @dev The most that an integrator may take beside it.
uint256 constant MAX_INTEGRATOR_FEE_BPS = 100;
/// @dev What every route may lose against its quote before the Router refuses it.
uint256 constant BASE_ALLOWANCE_BPS = 100;
/// @dev One basis point more for this many of price impact: large trades meet more movement between quote and fill.
uint256 constant IMPACT_PER_ALLOWANCE = 4;
/// @dev The allowance never exceeds this.
uint256 constant MAX_ALLOWANCE_BPS = 500;
/// @dev Up to here no product with basis points takes more than 256 bits.
uint256 constant MAX_SHORT = type(uint240).max;

/// @notice Fee on `amount`, rounded down for the user. It is taken of all that the legs deliver, whatever was quoted.
function protocolFee(uint256 amount) pure returns (uint256) {
    return partDown(amount, FEE_BPS);
}

/// @notice What the protocol's and an integrator's fee leave of a gross output. Each is rounded down by itself.
function netOf(uint256 grossOut, uint256 integratorFeeBps) pure returns (uint256 netOut) {
    unchecked {
        // The fees are parts of it.
        netOut = grossOut - protocolFee(grossOut);
        if (integratorFeeBps != 0) netOut -= partDown(grossOut, integratorFeeBps);
    }
}

/// @notice The largest gross output that leaves `netOut` after the fee.
/// @dev What is left of g is 0.9972 g rounded up, and 0.9972 floor(netOut / 0.9972) is less than one below `netOut` and
/// not above it.
function grossForNet(uint256 netOut) pure returns (uint256) {
    return FixedPointMathLib.fullMulDiv(netOut, WHOLE_BPS, WHOLE_BPS - FEE_BPS);
}

/// @notice The smallest gross output that leaves at least `netOut`, which is not zero, after the fee.
/// @dev What is left of g is 0.9972 g rounded up, which reaches `netOut` as soon as 0.9972 g is above `netOut - 1`.
function leastGrossFor(uint256 netOut) pure returns (uint256) {
    return FixedPointMathLib.fullMulDiv(netOut - 1, WHOLE_BPS, WHOLE_BPS - FEE_BPS) + 1;
}

/// @notice How far below its quote a route may be filled: `min(500, 100 + impactBps / 4)`, rounded down.
function allowanceBps(uint256 impactBps) pure returns (uint256) {
    unchecked {
        return FixedPointMathLib.min(MAX_ALLOWANCE_BPS, BASE_ALLOWANCE_BPS + impactBps / IMPACT_PER_ALLOWANCE);
    }
}

/// @notice Least net output that the Router lets through for a route quoted with these numbers, without an integrator's
/// fee; rounded up for the user, and at least one unit.
function ironFloorOf(uint256 grossOut, uint256 impactBps) pure returns (uint256) {
    return floorOfNet(netOf(grossOut, 0), impactBps);
}

/// @notice The same for a route that was quoted to leave `netOut` after all fees.
function floorOfNet(uint256 netOut, uint256 impactBps) pure returns (uint256 floor) {
    unchecked {
        floor = partUp(netOut, WHOLE_BPS - allowanceBps(impactBps));
    }
    if (floor == 0) floor = 1;
}

/// @notice `amount * bps / 10_000`, rounded down. `bps` is at most 10_000.
function partDown(uint256 amount, uint256 bps) pure returns (uint256) {
    if (amount > MAX_SHORT) return FixedPointMathLib.fullMulDiv(amount, bps, WHOLE_BPS);
    unchecked {
        return amount * bps / WHOLE_BPS;
    }
}

/// @notice The same, rounded up.
function partUp(uint256 amount, uint256 bps) pure returns (uint256) {
    if (amount > MAX_SHORT) return FixedPointMathLib.fullMulDivUp(amount, bps, WHOLE_BPS);
    unchecked {
        return (amount * bps + WHOLE_BPS - 1) / WHOLE_BPS;
    }
}
