// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Words} from "../libraries/Words.sol";
import {Curve, SEGMENT_WORDS} from "../types/Market.sol";

/// @dev Words of a curve for which there is room at first.
uint256 constant FIRST_ROOM = 4 * SEGMENT_WORDS;

/// @notice Appends a segment between two ratios. Zero liquidity or an empty range only moves the end.
function push(Curve memory curve, uint256 liquidity, uint256 start, uint256 end, uint256 segmentIn, uint256 segmentOut)
    pure {
    curve.endRatio = end;
    if (liquidity == 0 || start <= end) return;
    uint256 at = curve.count * SEGMENT_WORDS;
    if (at == curve.segments.length) curve.segments = Words.widened(curve.segments, FIRST_ROOM);
    uint256[] memory segments = curve.segments;
    segments[at] = liquidity;
    segments[at + 1] = start;
    segments[at + 2] = end;
    segments[at + 3] = curve.loadedIn;
    segments[at + 4] = curve.loadedOut;
    curve.count += 1;
    curve.loadedIn += segmentIn;
    curve.loadedOut += segmentOut;
}
