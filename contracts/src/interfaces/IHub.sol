// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Settlement} from "../types/Settlement.sol";
import {ListedPool, PackedVenue, Tier, Venue, VenueConfig} from "../types/Venue.sol";

/// @title Registry of a chain
/// @notice Venues, connector tokens, wrapped native and fee recipient. A swap reads it and never writes to it.
/// @dev Set once at deployment by `initialize`, which hands it to its owner; then only the owner changes it. Additions
/// and the end of a pause are announced with their whole call and wait; removals, a pause and the end of a generation act
/// at once; ownership moves in two steps. The guardian can pause and do nothing else. Nothing in it can move user funds or
/// raise the fee.
interface IHub {
    /// @notice Everything that a chain's Hub is initialised with.
    struct Config {
        address wrappedNative;
        address feeRecipient;
        /// Who owns the Hub from then on; zero leaves it to whoever initialises it.
        address owner;
        /// Who may pause, beside the owner; zero for nobody.
        address guardian;
        address[] connectorTokens;
        VenueConfig[] venues;
        ListedPool[] pools;
    }

    event Initialized(address wrappedNative, address feeRecipient);
    event VenueAdded(uint16 indexed number, bytes32 indexed id, VenueConfig config);
    event VenueRemoved(uint16 indexed number);
    event PoolAdded(uint16 indexed number, address indexed pool, uint16 indexed venue, address[] tokens);
    event PoolRemoved(uint16 indexed number);
    event ConnectorAdded(address indexed token);
    event ConnectorRemoved(address indexed token);
    event FeeRecipientChanged(address indexed feeRecipient);
    event PausedChanged(bool paused);
    event GuardianChanged(address indexed guardian);
    /// @notice The Router of this generation never swaps again; the others go on.
    event GenerationRetired(uint256 indexed generation);
    /// @notice The owner may make this very call from `readyAt` until `expiresAt` (unix seconds, both included).
    event ChangeScheduled(bytes32 indexed change, bytes call, uint256 readyAt, uint256 expiresAt);
    event ChangeCancelled(bytes32 indexed change);
    event ChangeCarriedOut(bytes32 indexed change);

    error AlreadyInitialized();
    error NotInitialized();
    error ChangeNotScheduled(bytes32 change);
    error ChangeNotReady(bytes32 change, uint256 readyAt);
    /// @notice The change was not carried out in time. Schedule it again.
    error ChangeExpired(bytes32 change, uint256 expiredAt);
    /// @notice Calls of this function are not scheduled: they act at once, or are no changes.
    error NotTimelocked(bytes4 selector);
    /// @notice Generations count from one to 95.
    error UnknownGeneration(uint256 generation);
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

    /// @notice Writes the chain's configuration and hands the Hub to its owner; once, by whom the deployment names.
    function initialize(Config calldata config) external;

    /// @notice The venue of a number. Kind `None` for a number that was never given.
    function venue(uint16 number) external view returns (Venue memory);
    /// @notice Where fees go, and whether swaps are stopped.
    function settlement() external view returns (address feeRecipient, bool paused);
    /// @notice Whether a generation is switched off for good: 1 is 1.0.0, 2 is 2.0.0.
    function isRetired(uint256 generation) external view returns (bool);
    /// @notice What a swap reads: the venue as it is stored, where the fee goes, and what is stopped.
    function swapSettings(uint16 number)
        external
        view
        returns (uint256 settings, bytes32 initCodeHash, Settlement current);
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

    /// @notice The account that may pause, beside the owner; zero for none.
    function guardian() external view returns (address);

    /// @notice Announces a call of `addVenue`, `addPool`, `addConnector`, `setFeeRecipient` or `resume` that the owner
    /// will make, and starts its time. Announcing it again starts it anew.
    /// @param call The whole call data, `msg.data` of the later call to the byte.
    function schedule(bytes calldata call) external;
    /// @param change `keccak256` of the call data.
    function cancel(bytes32 change) external;
    function addVenue(VenueConfig calldata config) external;
    function addPool(ListedPool calldata config) external;
    function addConnector(address token) external;
    function setFeeRecipient(address feeRecipient) external;
    /// @notice Ends the pause, no sooner than a day after it was scheduled, which was after the last pause.
    function resume() external;
    function removeVenue(uint16 number) external;
    function removePool(uint16 number) external;
    function removeConnector(address token) external;
    /// @notice Stops the swaps of all generations. By the owner or the guardian. Forgets a `resume` that is scheduled.
    function pause() external;
    /// @notice Switches the Router of one generation off, for good: nothing switches it on again.
    function retire(uint256 generation) external;
    /// @notice Appoints who may pause, beside the owner; zero for nobody.
    function setGuardian(address account) external;
}
