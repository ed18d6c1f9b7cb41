// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../interfaces/IHub.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {Settlement} from "../types/Settlement.sol";
import {CODE_SHIFT, MAX_VENUE_NUMBER, PackedVenue, STOPPED_SHIFT, isOpen} from "../types/Venue.sol";
import {sharedCode} from "../venues/SharedCode.sol";
import {Venues} from "../venues/Venues.sol";

/// @title What a Router keeps of its Hub's settings
/// @notice A swap reads one word for each venue, and one for the fee's recipient where it needs that.
/// @dev Before the Hub has written any, no venue is open, so that nothing can be swapped past it.
abstract contract Settings is IRouter {
    /// @inheritdoc IRouter
    IHub public immutable hub;

    Settlement internal _settlement;
    /// @dev By number, from one on. The Hub's words, and a bit in each that says whether this generation is stopped.
    uint256[MAX_VENUE_NUMBER + 1] private _words;
    /// @dev By number, where the hash is not code here.
    bytes32[MAX_VENUE_NUMBER + 1] private _hashes;

    constructor(IHub hub_) {
        hub = hub_;
    }

    /// @inheritdoc IRouter
    function setSettings(Settlement current, PackedVenue[] calldata venues) external {
        if (msg.sender != address(hub)) revert UnexpectedCall(msg.sender);
        _keep(current, venues);
    }

    /// @inheritdoc IRouter
    function settings() external view returns (Settlement current, PackedVenue[] memory venues) {
        current = _settlement;
        unchecked {
            uint256 count;
            while (count < MAX_VENUE_NUMBER && _words[count + 1] != 0) ++count;
            venues = new PackedVenue[](count);
            for (uint256 number = 1; number <= count; ++number) {
                uint256 word = _words[number];
                venues[number - 1] = PackedVenue(word & ~uint256(1 << STOPPED_SHIFT), _hashOf(number, word));
            }
        }
    }

    /// @dev The bits of the Hub's settlement that stop the generation.
    function _stops() internal pure virtual returns (uint256);

    /// @dev Writes all settings.
    function _keep(Settlement current, PackedVenue[] calldata venues) internal {
        _settlement = current;
        uint256 stopped = Settlement.unwrap(current) & _stops() == 0 ? 0 : 1 << STOPPED_SHIFT;
        unchecked {
            for (uint256 number = 1; number <= venues.length; ++number) {
                PackedVenue calldata venue = venues[number - 1];
                uint256 word = venue.settings;
                _words[number] = word | stopped;
                if (sharedCode(word >> CODE_SHIFT) == 0) _hashes[number] = venue.initCodeHash;
            }
        }
    }

    /// @dev The word of a venue, which must be open.
    function _openWord(uint256 number) internal view returns (uint256 word) {
        if (number > MAX_VENUE_NUMBER) _refuse(number);
        word = _words[number];
        if (!isOpen(word)) _refuse(number);
    }

    /// @dev The hash of the venue with this word, which may have to be read.
    function _hashOf(uint256 number, uint256 word) private view returns (bytes32 hash) {
        hash = sharedCode(word >> CODE_SHIFT);
        if (hash == 0) hash = _hashes[number];
    }

    /// @dev The hash that a pool of the venue and the key is told by; zero if none is needed.
    function _hashFor(uint256 number, PackedVenue memory venue, uint256 key) internal view returns (bytes32 hash) {
        hash = sharedCode(venue.settings >> CODE_SHIFT);
        if (hash == 0 && Venues.needsHash(venue, key)) hash = _hashes[number];
    }

    function _refuse(uint256 number) private view {
        Settlement current = _settlement;
        if (current.isPaused()) revert Paused();
        if (Settlement.unwrap(current) & _stops() != 0) revert Retired();
        revert UnknownVenue(uint16(number));
    }
}
