// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Words} from "../libraries/Words.sol";
import {Curve, SEGMENT_WORDS} from "./Market.sol";

/// @title Curves as words
/// @notice How curves travel between the contracts of a search: the words below, then the segments.
library CurveWords {
    uint256 private constant COUNT = 0;
    uint256 private constant OPEN = 1;
    uint256 private constant TAIL_LIQUIDITY = 2;
    uint256 private constant LOADED_IN = 3;
    uint256 private constant LOADED_OUT = 4;
    uint256 private constant END_RATIO = 5;
    uint256 private constant START_RATIO = 6;
    uint256 private constant EXPECTED = 7;
    uint256 private constant UNTIL = 8;
    uint256 private constant CURSOR = 9;
    uint256 private constant CURSOR_TICK = 10;
    uint256 private constant MOST = 11;
    uint256 private constant HEAD = 12;

    /// @param room Words to leave free in front.
    function pack(Curve memory curve, uint256 room) internal pure returns (uint256[] memory words) {
        uint256 length = curve.count * SEGMENT_WORDS;
        words = new uint256[](room + HEAD + length);
        (words[room + COUNT], words[room + OPEN]) = (curve.count, curve.open ? 1 : 0);
        words[room + TAIL_LIQUIDITY] = curve.tailLiquidity;
        (words[room + LOADED_IN], words[room + LOADED_OUT]) = (curve.loadedIn, curve.loadedOut);
        (words[room + END_RATIO], words[room + START_RATIO]) = (curve.endRatio, curve.startRatio);
        (words[room + EXPECTED], words[room + UNTIL]) = (curve.expected, curve.until);
        (words[room + CURSOR], words[room + CURSOR_TICK]) = (curve.cursor, uint256(curve.cursorTick));
        words[room + MOST] = curve.most;
        Words.copy(curve.segments, 0, words, room + HEAD, length);
    }

    /// @param room Words in front that are not the curve's.
    /// @return Whether the optimizer sees anything of the curve.
    function isDrawn(uint256[] memory words, uint256 room) internal pure returns (bool) {
        return words[room + COUNT] != 0 || (words[room + OPEN] != 0 && words[room + TAIL_LIQUIDITY] != 0);
    }

    /// @param room Words in front that are not the curve's.
    function unpack(uint256[] memory words, uint256 room, Curve memory curve) internal pure {
        (curve.count, curve.open) = (words[room + COUNT], words[room + OPEN] != 0);
        curve.tailLiquidity = words[room + TAIL_LIQUIDITY];
        (curve.loadedIn, curve.loadedOut) = (words[room + LOADED_IN], words[room + LOADED_OUT]);
        (curve.endRatio, curve.startRatio) = (words[room + END_RATIO], words[room + START_RATIO]);
        (curve.expected, curve.until) = (words[room + EXPECTED], words[room + UNTIL]);
        (curve.cursor, curve.cursorTick) = (words[room + CURSOR], int256(words[room + CURSOR_TICK]));
        curve.most = words[room + MOST];
        uint256 length = words.length - room - HEAD;
        curve.segments = new uint256[](length);
        Words.copy(words, room + HEAD, curve.segments, 0, length);
    }
}
