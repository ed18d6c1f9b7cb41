// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ListedPool, PackedVenue, Tier, Venue, VenueConfig} from "../types/Venue.sol";

/// @title Registry of a chain
/// @notice Venues, connector tokens, wrapped native and fee recipient. A swap reads it and never writes to it.
/// @dev Set once at deployment by `initialize`; then only the owner changes it: additions wait out a timelock,
/// removals and pause act at once, ownership moves in two steps. Nothing in it can move user funds or raise the fee.
interface IHub {
    /// @notice Everything that a chain's Hub is initialised with.
    struct Config {
        address wrappedNative;
        address usdc;
        address feeRecipient;
        address[] connectorTokens;
        VenueConfig[] venues;
        ListedPool[] pools;
    }

    event Initialized(address wrappedNative, address usdc, address feeRecipient);
    event VenueAdded(uint16 indexed number, bytes32 indexed id, VenueConfig config);
    event VenueRemoved(uint16 indexed number);
    event PoolAdded(uint16 indexed number, address indexed pool, uint16 indexed venue, address[] tokens);
    event PoolRemoved(uint16 indexed number);
    event ConnectorAdded(address indexed token);
    event ConnectorRemoved(address indexed token);
    event FeeRecipientChanged(address indexed feeRecipient);
    event PausedChanged(bool paused);
    /// @notice An addition may be carried out from `readyAt` (unix seconds) on.
    event ChangeScheduled(bytes32 indexed change, uint256 readyAt);
    event ChangeCancelled(bytes32 indexed change);

    /// @notice The owner has stopped swaps.
    error Paused();
    error AlreadyInitialized();
    error NotInitialized();
    error ChangeNotScheduled(bytes32 change);
    error ChangeNotReady(bytes32 change, uint256 readyAt);
    error DuplicateVenue(bytes32 id);
    error DuplicateConnector(address token);
    error UnknownVenueNumber(uint16 number);
    error UnknownConnector(address token);
    error TooManyVenues(uint256 limit);
    error TooManyConnectors(uint256 limit);
    error BadVenue(bytes32 id);
    error DuplicatePool(address pool);
    error UnknownPoolNumber(uint16 number);
    error TooManyPools(uint256 limit);
    /// @notice The venue's pools are not listed, or the tokens are not two to eight different ones.
    error BadPool(address pool);
    error ZeroAddress();

    /// @notice Writes the chain's configuration; once, by the owner.
    function initialize(Config calldata config) external;

    /// @notice The venue of a number. Kind `None` for a number that was never given.
    function venue(uint16 number) external view returns (Venue memory);
    /// @notice Where fees go, and whether swaps are stopped.
    function settlement() external view returns (address feeRecipient, bool paused);
    /// @notice What a swap reads: the venue as it is stored, and where the fee goes. Reverts where swaps are stopped.
    function swapSettings(uint16 number)
        external
        view
        returns (uint256 settings, bytes32 initCodeHash, address feeRecipient);
    /// @notice All venues ever added, in order; entry 0 has number 1. A removed one has `venue.enabled` false.
    function venues() external view returns (VenueConfig[] memory);
    /// @notice What a search needs of them, in the same order.
    function packedVenues() external view returns (PackedVenue[] memory, Tier[][] memory tiers);
    /// @notice Whether the venue lists the key among its tiers.
    function hasTier(uint16 number, uint256 key) external view returns (bool);
    /// @notice All pools ever listed, in order; entry 0 has number 1. A removed one has `pool` zero.
    function pools() external view returns (ListedPool[] memory);
    /// @notice The listed pool that a leg's key names; zero where it is not this venue's or holds other tokens there.
    function poolAt(uint16 venueNumber, address tokenIn, address tokenOut, uint256 key) external view returns (address);
    function connectorTokens() external view returns (address[] memory);
    function wrappedNative() external view returns (address);
    function usdc() external view returns (address);

    /// @notice Starts the timelock of an addition. `change` is the hash of the call that will be made:
    /// `keccak256(msg.data)` of `addVenue`, `addPool`, `addConnector` or `setFeeRecipient`.
    function schedule(bytes32 change) external;
    function cancel(bytes32 change) external;
    function addVenue(VenueConfig calldata config) external;
    function addPool(ListedPool calldata config) external;
    function addConnector(address token) external;
    function setFeeRecipient(address feeRecipient) external;
    function removeVenue(uint16 number) external;
    function removePool(uint16 number) external;
    function removeConnector(address token) external;
    function setPaused(bool paused) external;
}
