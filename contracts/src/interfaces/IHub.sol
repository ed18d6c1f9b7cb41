// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Settlement} from "../types/Settlement.sol";
import {ListedPool, PackedVenue, Tier, Venue, VenueConfig} from "../types/Venue.sol";

/// @title Registry of a chain
/// @notice Venues, connector tokens, wrapped native, fee recipient and Routers. A swap never writes to it, and reads it only
/// where a pool is listed: what each swap needs stands in the Routers, where the Hub alone writes it.
/// @dev Set once at deployment by `initialize`, which hands it to its owner; then only the owner changes it. Additions
/// and the end of a pause are announced with their whole call and wait; removals, a pause and the end of a generation act
/// at once; ownership moves in two steps. The guardian can pause and do nothing else. Nothing in it can move user funds or
/// raise the fee.
interface IHub {
    /// @notice Everything that a chain's Hub is initialized with.
    struct Config {
        /// The token that stands for the chain's native currency. It never changes.
        address wrappedNative;
        /// Where fees go.
        address feeRecipient;
        /// Who owns the Hub from then on; zero leaves it to whoever initialises it.
        address owner;
        /// Who may pause, beside the owner; zero for nobody.
        address guardian;
        /// Tokens that routes may pass through, at most eight.
        address[] connectorTokens;
        /// Numbered from one, in this order.
        VenueConfig[] venues;
        /// Numbered from one, in this order.
        ListedPool[] pools;
        /// The Routers that get their settings from this Hub, at most eight. One may be created later.
        address[] routers;
    }

    /// @notice The chain's configuration was written; the venues, pools and tokens have events of their own.
    event Initialized(address wrappedNative, address feeRecipient);
    /// @notice A venue was added and has `number` for good.
    event VenueAdded(uint16 indexed number, bytes32 indexed id, VenueConfig config);
    /// @notice The venue is off: no new route uses it, and legs on it revert.
    event VenueRemoved(uint16 indexed number);
    /// @notice A pool of a listed kind was added and has `number` for good; `tokens` in the order in which the pool counts them.
    event PoolAdded(uint16 indexed number, address indexed pool, uint16 indexed venue, address[] tokens);
    /// @notice The pool is off: no new route uses it, and legs on it revert.
    event PoolRemoved(uint16 indexed number);
    /// @notice Routes may pass through `token` from now on.
    event ConnectorAdded(address indexed token);
    /// @notice New routes no longer pass through `token`. Routes quoted before still execute.
    event ConnectorRemoved(address indexed token);
    /// @notice `router` has the Hub's settings from now on, or from when it is created and `handOn` is called.
    event RouterAdded(address indexed router);
    /// @notice The pause holds everywhere but in `router`, which refused it. Nobody should swap there.
    event RouterRefused(address indexed router);
    /// @notice Fees go to `feeRecipient` from now on.
    event FeeRecipientChanged(address indexed feeRecipient);
    /// @notice Swaps of all generations are stopped, or go on.
    event PausedChanged(bool paused);
    /// @notice `guardian` may pause, beside the owner; zero for nobody.
    event GuardianChanged(address indexed guardian);
    /// @notice The Router of this generation never swaps again; the others go on.
    event GenerationRetired(uint256 indexed generation);
    /// @notice The owner may make this very call from `readyAt` until `expiresAt` (unix seconds, both included).
    event ChangeScheduled(bytes32 indexed change, bytes call, uint256 readyAt, uint256 expiresAt);
    /// @notice A scheduled call was forgotten before it was made.
    event ChangeCancelled(bytes32 indexed change);
    /// @notice A scheduled call was made; the same call must be scheduled again to be repeated.
    event ChangeCarriedOut(bytes32 indexed change);

    /// @notice `initialize` works once.
    error AlreadyInitialized();
    /// @notice Nothing can be scheduled before `initialize`.
    error NotInitialized();
    /// @notice The owner has not announced this very call, or it was cancelled or carried out.
    error ChangeNotScheduled(bytes32 change);
    /// @notice The call may be made from `readyAt` on, in unix seconds.
    error ChangeNotReady(bytes32 change, uint256 readyAt);
    /// @notice The change was not carried out in time. Schedule it again.
    error ChangeExpired(bytes32 change, uint256 expiredAt);
    /// @notice Calls of this function are not scheduled: they act at once, or are no changes.
    error NotTimelocked(bytes4 selector);
    /// @notice Generations count from one to 95.
    error UnknownGeneration(uint256 generation);
    /// @notice An enabled venue has this id, or the same pools.
    error DuplicateVenue(bytes32 id);
    /// @notice The token is a connector token.
    error DuplicateConnector(address token);
    /// @notice No enabled venue has this number.
    error UnknownVenueNumber(uint16 number);
    /// @notice The token is no connector token.
    error UnknownConnector(address token);
    /// @notice As many venues as a Hub takes were added, those that were removed included.
    error TooManyVenues(uint256 limit);
    /// @notice There are as many connector tokens as a Hub takes. Remove one first.
    error TooManyConnectors(uint256 limit);
    /// @notice The id, an address or a tier is missing, or the data is not what the venue's kind needs.
    error BadVenue(bytes32 id);
    /// @notice The Router has this Hub's settings already.
    error DuplicateRouter(address router);
    /// @notice As many Routers as a Hub takes were added.
    error TooManyRouters(uint256 limit);
    /// @notice The contract belongs to another Hub.
    error BadRouter(address router);
    /// @notice With so little gas left a Router may not get the pause. Send it with `enough` and what it has used so far.
    error TooLittleGas(uint256 left, uint256 enough);
    /// @notice The pool is listed for this venue.
    error DuplicatePool(address pool);
    /// @notice No listed pool has this number.
    error UnknownPoolNumber(uint16 number);
    /// @notice As many pools as a Hub takes were listed, those that were removed included.
    error TooManyPools(uint256 limit);
    /// @notice The venue's pools are not listed, or the tokens are not two to eight different ones.
    error BadPool(address pool);
    /// @notice An address that must be given is zero.
    error ZeroAddress();

    /// @notice Writes the chain's configuration and hands the Hub to its owner; once, by whom the deployment names.
    /// @dev Warning: nothing in it is timelocked. Whoever deploys must compare what was written before anyone relies on it.
    function initialize(Config calldata config) external;

    /// @notice The venue of a number. All zero for a number that was never given.
    function venue(uint16 number) external view returns (Venue memory);
    /// @notice Where fees go, and whether swaps are stopped.
    function settlement() external view returns (address feeRecipient, bool paused);
    /// @notice Whether a generation is switched off for good: 1 is 1.0.0, 2 is 2.0.0.
    function isRetired(uint256 generation) external view returns (bool);
    /// @notice What swaps need, as each Router has it: where fees go and what is stopped, and all venues ever added, in
    /// order; entry 0 has number 1.
    function settings() external view returns (Settlement current, PackedVenue[] memory list);
    /// @notice The Routers that have these settings, in the order in which they were added.
    function routers() external view returns (address[] memory);
    /// @notice All venues ever added, in order; entry 0 has number 1. A removed one has `venue.enabled` false.
    function venues() external view returns (VenueConfig[] memory);
    /// @notice What a search needs of them, in the same order.
    function packedVenues() external view returns (PackedVenue[] memory, Tier[][] memory tiers);
    /// @notice Whether the venue lists the key among its tiers.
    function hasTier(uint16 number, uint256 key) external view returns (bool);
    /// @notice All pools ever listed, in order; entry 0 has number 1. A removed one has `pool` zero.
    function pools() external view returns (ListedPool[] memory);
    /// @notice The listed pool that a leg's key names; zero if it is not this venue's or holds other tokens there.
    function poolAt(uint16 venueNumber, address tokenIn, address tokenOut, uint256 key) external view returns (address);
    /// @notice The tokens that routes may pass through, in no order.
    function connectorTokens() external view returns (address[] memory);
    /// @notice The token that stands for the chain's native currency; zero before `initialize`.
    function wrappedNative() external view returns (address);

    /// @notice The account that may pause, beside the owner; zero for none.
    function guardian() external view returns (address);

    /// @notice Announces a call of `addVenue`, `addPool`, `addConnector`, `addRouter`, `setFeeRecipient` or `resume` that
    /// the owner will make, and starts its time. Announcing it again starts it anew.
    /// @param call The whole call data, `msg.data` of the later call to the byte.
    function schedule(bytes calldata call) external;
    /// @notice Forgets a scheduled call; the owner, at once.
    /// @param change `keccak256` of the call data.
    function cancel(bytes32 change) external;
    /// @notice Adds a venue; the owner, after its time. It gets the next number.
    /// @dev Warning: routes are sent to whatever pools its deployer creates, so a deployer that creates hostile ones harms
    /// quotes until it is removed. What the Router delivers stays behind the floor. Reverts with `UnknownVenueKind` for a
    /// kind that is not in `VenueKinds`.
    function addVenue(VenueConfig calldata config) external;
    /// @notice Lists a pool of a venue whose kind is listed; the owner, after its time. It gets the next number.
    /// @dev Warning: the pool may be upgradeable or turn hostile later; the tokens must be in the order in which it counts
    /// them, or its legs revert.
    function addPool(ListedPool calldata config) external;
    /// @notice Lets routes pass through a token; the owner, after its time.
    /// @dev Every connector token makes every quote read more pools, and so cost more gas.
    function addConnector(address token) external;
    /// @notice Lets a Router swap by this Hub's settings; the owner, after its time. It stays for good: `retire` ends its
    /// swaps.
    /// @dev Warning: each change here is written to every Router and reverts if one refuses it, all but a pause. A contract
    /// that may change its code must not be added.
    function addRouter(address router) external;
    /// @notice Hands the settings to the Routers once more. By anybody, at any time: it changes nothing for a Router that
    /// has them, and opens one that was created after it was added.
    function handOn() external;
    /// @notice Sends the fees elsewhere; the owner, after its time.
    /// @dev Warning: a token that refuses payments to the recipient pays no fee; the swap goes on.
    function setFeeRecipient(address feeRecipient) external;
    /// @notice Ends the pause, no sooner than a day after it was scheduled, which was after the last pause.
    function resume() external;
    /// @notice Switches a venue off; the owner, at once. The number is not given again.
    function removeVenue(uint16 number) external;
    /// @notice Takes a pool off the list; the owner, at once. The number is not given again.
    function removePool(uint16 number) external;
    /// @notice Takes a token off the connector tokens; the owner, at once.
    function removeConnector(address token) external;
    /// @notice Stops the swaps of all generations. By the owner or the guardian. Forgets a `resume` that is scheduled.
    /// @dev Goes on if a Router refuses it, and names that one with `RouterRefused`. Wants 4,200,000 gas left for each Router,
    /// of which it takes what it needs.
    function pause() external;
    /// @notice Switches the Router of one generation off; the owner, at once.
    /// @dev Warning: this is for good, and nothing switches it on again.
    function retire(uint256 generation) external;
    /// @notice Appoints who may pause, beside the owner; zero for nobody.
    function setGuardian(address account) external;
}
