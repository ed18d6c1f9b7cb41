// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Words} from "../libraries/Words.sol";
import {Curve, SEGMENT_WORDS} from "../types/Market.sol";

/// @title Curves as words
/// @notice How curves travel between the contracts of a search: the members of `Curve` that follow its segments, in their
/// order, then the segments.
library CurveWords {
    uint256 private constant COUNT = 0;
    uint256 private constant OPEN = 1;
    uint256 private constant TAIL_LIQUIDITY = 2;
    uint256 private constant HEAD = 12;

    /// @param room Words to leave free in front.
    function pack(Curve memory curve, uint256 room) internal pure returns (uint256[] memory words) {
        uint256 length = curve.count * SEGMENT_WORDS;
        words = new uint256[](room + HEAD + length);
        // words[room] = curve.count; words[room + 1] = curve.open ? 1 : 0; and so on, to curve.cursorTick.
        assembly ("memory-safe") {
            mcopy(add(words, shl(5, add(room, 1))), add(curve, 32), shl(5, HEAD))
        }
        Words.copy(curve.segments, 0, words, room + HEAD, length);
    }

    /// @param room Words in front that are not the curve's.
    /// @return Whether the optimizer sees anything of the curve.
    function isDrawn(uint256[] memory words, uint256 room) internal pure returns (bool) {
        return words[room + COUNT] != 0 || (words[room + OPEN] != 0 && words[room + TAIL_LIQUIDITY] != 0);
    }

    /// @dev In place: the segments stay where they are, and the word in front of them becomes their length.
    /// @param room Words in front that are not the curve's.
    function unpack(uint256[] memory words, uint256 room, Curve memory curve) internal pure {
        uint256 length = words.length - room - HEAD;
        bool open = words[room + OPEN] != 0;
        uint256[] memory segments;
        // curve.count = words[room]; and so on, to curve.cursorTick.
        assembly ("memory-safe") {
            mcopy(add(curve, 32), add(words, shl(5, add(room, 1))), shl(5, HEAD))
            segments := add(words, shl(5, add(room, HEAD)))
            mstore(segments, length)
        }
        (curve.open, curve.segments) = (open, segments);
    }
}
