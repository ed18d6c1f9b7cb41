// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../interfaces/IHub.sol";
import {Words} from "../libraries/Words.sol";
import {ListedPool, PackedVenue, Tier} from "../types/Venue.sol";

/// @title What the Hub answers, decoded in place
/// @notice Like Solidity's decoding, but structs are neither copied nor checked: they stay where the answer has them. The
/// Hub is the protocol's own contract, and every search reads all of its venues and pools.
library HubAnswers {
    /// @notice Returns what `hub.packedVenues()` does. Reverts if the Hub does.
    function venuesOf(IHub hub) internal returns (PackedVenue[] memory venues, Tier[][] memory tiers) {
        uint256 head = _ask(hub, IHub.packedVenues.selector);
        uint256 tiersAt = _follow(head, head + 32);
        uint256[] memory list = _structsAt(_follow(head, head), 2);
        uint256 first = tiersAt + 32;
        uint256 end = first + 32 * _load(tiersAt);
        for (uint256 at = first; at < end; at += 32) {
            uint256[] memory own = _structsAt(_follow(first, at), 3);
            assembly ("memory-safe") {
                mstore(at, own)
            }
        }
        assembly ("memory-safe") {
            venues := list
            tiers := tiersAt
        }
    }

    /// @notice Returns what `hub.pools()` does. Reverts if the Hub does.
    function poolsOf(IHub hub) internal returns (ListedPool[] memory pools) {
        uint256 head = _ask(hub, IHub.pools.selector);
        uint256 poolsAt = _follow(head, head);
        uint256 first = poolsAt + 32;
        uint256 end = first + 32 * _load(poolsAt);
        for (uint256 at = first; at < end; at += 32) {
            uint256 pool = _follow(first, at);
            uint256 tokens = _follow(pool, pool + 64);
            assembly ("memory-safe") {
                mstore(at, pool)
                mstore(add(pool, 64), tokens)
            }
        }
        assembly ("memory-safe") {
            pools := poolsAt
        }
    }

    /// @return head Where the answer's first word lies.
    function _ask(IHub hub, bytes4 selector) private returns (uint256 head) {
        (bool answered, bytes memory answer) = Words.ask(address(hub), selector, new uint256[](0), gasleft());
        require(answered);
        assembly ("memory-safe") {
            head := add(answer, 32)
        }
    }

    /// @dev Where an offset leads.
    function _follow(uint256 base, uint256 at) private pure returns (uint256) {
        unchecked {
            return base + _load(at);
        }
    }

    function _load(uint256 at) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(at)
        }
    }

    /// @dev The answer has an array's length, then its structs of `size` words each. In memory, Solidity's arrays have the
    /// place of each struct instead.
    function _structsAt(uint256 at, uint256 size) private pure returns (uint256[] memory places) {
        unchecked {
            uint256 count = _load(at);
            places = new uint256[](count);
            for (uint256 i; i < count; ++i) {
                places[i] = at + 32 + 32 * size * i;
            }
        }
    }
}
