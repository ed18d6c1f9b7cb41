// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

import {IHub} from "./interfaces/IHub.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {MAX_GENERATION, Settlement} from "./types/Settlement.sol";
import {
    CODE_SHIFT,
    ENABLED_SHIFT,
    ListedPool,
    MAX_VENUE_NUMBER,
    PackedVenue,
    Tier,
    Venue,
    VenueConfig
} from "./types/Venue.sol";
import {UnknownVenueKind} from "./types/VenueKind.sol";
import {MAX_LISTED_TOKENS, indexesOf, numberOf} from "./venues/Listed.sol";
import {sharedCode, sharedCodeNumber} from "./venues/SharedCode.sol";
import {Venues} from "./venues/Venues.sol";

/// @title Hub
/// @notice Registry of a chain; see `IHub`.
/// @dev Whatever changes a setting that swaps need hands all of them to every Router in the same call, so that no Router has
/// other ones at any time.
contract Hub is IHub, Ownable2Step {
    /// @dev The rest of a venue, which no swap reads.
    struct Listing {
        bytes32 id;
        address factory;
        Tier[] tiers;
    }

    /// @notice What an addition waits for.
    uint256 public constant TIMELOCK = 2 days;
    /// @notice What the end of a pause waits for.
    uint256 public constant RESUME_DELAY = 1 days;
    /// @notice For so long after that a scheduled change may be carried out.
    uint256 public constant GRACE = 14 days;
    uint256 public constant MAX_VENUES = MAX_VENUE_NUMBER;
    uint256 public constant MAX_CONNECTORS = 8;
    /// @notice Routers ever added: a pause writes to all of them, and none is taken off.
    uint256 public constant MAX_ROUTERS = 8;
    /// @notice Pools ever listed, for the same reasons.
    uint256 public constant MAX_POOLS = 64;
    uint256 public constant MAX_TIERS = 16;

    uint256 private constant WHOLE_PIPS = 1e6;
    /// @dev What a Router may burn of a pause: more than it takes to write the settings of as many venues as a Hub takes for
    /// the first time.
    uint256 private constant PAUSE_GAS = 4_000_000;
    /// @dev With this much left, a Router is handed all of `PAUSE_GAS`: 64/63 of it, and the call itself.
    uint256 private constant ENOUGH_GAS = 4_200_000;

    address public wrappedNative;
    /// @inheritdoc IHub
    address public guardian;
    /// @notice When a scheduled change may be carried out, in unix seconds; zero if it is not scheduled.
    mapping(bytes32 change => uint256 readyAt) public readyAt;

    Settlement private _settlement;
    mapping(uint16 number => PackedVenue) private _venues;
    /// @dev Entry 0 belongs to number 1.
    Listing[] private _listings;
    address[] private _connectors;
    /// @dev Entry 0 belongs to number 1.
    ListedPool[] private _pools;
    address[] private _routers;

    constructor(address initialOwner) Ownable(initialOwner) {}

    /// @dev Hands what the call has changed to the Routers.
    modifier handedOn() {
        _;
        _handOn();
    }

    /// @dev Uses up the schedule of this very call.
    modifier timelocked() {
        bytes32 change = keccak256(msg.data);
        uint256 ready = readyAt[change];
        if (ready == 0) revert ChangeNotScheduled(change);
        if (block.timestamp < ready) revert ChangeNotReady(change, ready);
        if (block.timestamp > ready + GRACE) revert ChangeExpired(change, ready + GRACE);
        delete readyAt[change];
        emit ChangeCarriedOut(change);
        _;
    }

    /* SETTING UP */

    /// @inheritdoc IHub
    function initialize(Config calldata config) external onlyOwner handedOn {
        if (wrappedNative != address(0)) revert AlreadyInitialized();
        if (config.wrappedNative == address(0)) revert ZeroAddress();
        wrappedNative = config.wrappedNative;
        emit Initialized(config.wrappedNative, config.feeRecipient);

        _setGuardian(config.guardian);
        _setFeeRecipient(config.feeRecipient);
        for (uint256 i; i < config.connectorTokens.length; ++i) {
            _addConnector(config.connectorTokens[i]);
        }
        for (uint256 i; i < config.venues.length; ++i) {
            _addVenue(config.venues[i]);
        }
        for (uint256 i; i < config.pools.length; ++i) {
            _addPool(config.pools[i]);
        }
        for (uint256 i; i < config.routers.length; ++i) {
            _addRouter(config.routers[i]);
        }
        // At once, because an account that has yet to accept would leave this one in charge.
        if (config.owner != address(0)) _transferOwnership(config.owner);
    }

    /* READING */

    /// @inheritdoc IHub
    function venue(uint16 number) external view returns (Venue memory) {
        return _venueOf(number);
    }

    /// @inheritdoc IHub
    function settlement() external view returns (address feeRecipient, bool paused) {
        Settlement current = _settlement;
        return (current.feeRecipient(), current.isPaused());
    }

    /// @inheritdoc IHub
    function isRetired(uint256 generation) external view returns (bool) {
        return _isGeneration(generation) && _settlement.isRetired(generation);
    }

    /// @inheritdoc IHub
    function settings() public view returns (Settlement current, PackedVenue[] memory list) {
        current = _settlement;
        list = new PackedVenue[](_listings.length);
        for (uint16 i; i < list.length; ++i) {
            (list[i].settings, list[i].initCodeHash) = _packedVenueOf(i + 1);
        }
    }

    /// @inheritdoc IHub
    function routers() external view returns (address[] memory) {
        return _routers;
    }

    /// @inheritdoc IHub
    function venues() external view returns (VenueConfig[] memory list) {
        list = new VenueConfig[](_listings.length);
        for (uint16 i; i < list.length; ++i) {
            Listing storage listing = _listings[i];
            list[i] =
                VenueConfig({id: listing.id, factory: listing.factory, venue: _venueOf(i + 1), tiers: listing.tiers});
        }
    }

    /// @inheritdoc IHub
    function packedVenues() external view returns (PackedVenue[] memory list, Tier[][] memory tiers) {
        (, list) = settings();
        tiers = new Tier[][](list.length);
        for (uint256 i; i < list.length; ++i) {
            tiers[i] = _listings[i].tiers;
        }
    }

    /// @inheritdoc IHub
    function hasTier(uint16 number, uint256 key) external view returns (bool) {
        if (number == 0 || number > _listings.length) return false;
        Tier[] storage tiers = _listings[number - 1].tiers;
        for (uint256 i; i < tiers.length; ++i) {
            if (tiers[i].key == key) return true;
        }
        return false;
    }

    /// @inheritdoc IHub
    function pools() external view returns (ListedPool[] memory) {
        return _pools;
    }

    /// @inheritdoc IHub
    function poolAt(uint16 venueNumber, address tokenIn, address tokenOut, uint256 key)
        external
        view
        returns (address)
    {
        uint256 number = numberOf(key);
        if (number == 0 || number > _pools.length) return address(0);
        ListedPool storage listed = _pools[number - 1];
        if (listed.venue != venueNumber) return address(0);
        (uint256 sold, uint256 bought) = indexesOf(key, tokenIn < tokenOut);
        uint256 count = listed.tokens.length;
        if (sold >= count || bought >= count) return address(0);
        return listed.tokens[sold] == tokenIn && listed.tokens[bought] == tokenOut ? listed.pool : address(0);
    }

    /// @inheritdoc IHub
    function connectorTokens() external view returns (address[] memory) {
        return _connectors;
    }

    /* CHANGES THAT WAIT OUT THE TIMELOCK */

    /// @inheritdoc IHub
    function schedule(bytes calldata call) external onlyOwner {
        if (wrappedNative == address(0)) revert NotInitialized();
        bytes32 change = keccak256(call);
        uint256 ready = block.timestamp + _delayOf(call);
        readyAt[change] = ready;
        emit ChangeScheduled(change, call, ready, ready + GRACE);
    }

    /// @inheritdoc IHub
    function cancel(bytes32 change) external onlyOwner {
        if (readyAt[change] == 0) revert ChangeNotScheduled(change);
        delete readyAt[change];
        emit ChangeCancelled(change);
    }

    /// @inheritdoc IHub
    function addVenue(VenueConfig calldata config) external onlyOwner timelocked handedOn {
        _addVenue(config);
    }

    /// @inheritdoc IHub
    function addPool(ListedPool calldata config) external onlyOwner timelocked {
        _addPool(config);
    }

    /// @inheritdoc IHub
    function addConnector(address token) external onlyOwner timelocked {
        _addConnector(token);
    }

    /// @inheritdoc IHub
    function addRouter(address router) external onlyOwner timelocked handedOn {
        _addRouter(router);
    }

    /// @inheritdoc IHub
    function setFeeRecipient(address feeRecipient) external onlyOwner timelocked handedOn {
        _setFeeRecipient(feeRecipient);
    }

    /// @inheritdoc IHub
    function resume() external onlyOwner timelocked handedOn {
        _setPaused(false);
    }

    /* CHANGES THAT ACT AT ONCE */

    /// @inheritdoc IHub
    function pause() external {
        if (msg.sender != guardian) _checkOwner();
        // Its end was not scheduled with this pause in mind.
        delete readyAt[keccak256(abi.encodeCall(IHub.resume, ()))];
        _setPaused(true);
        _handOnPause();
    }

    /// @inheritdoc IHub
    function retire(uint256 generation) external onlyOwner handedOn {
        if (!_isGeneration(generation)) revert UnknownGeneration(generation);
        _settlement = _settlement.withRetired(generation);
        emit GenerationRetired(generation);
    }

    /// @inheritdoc IHub
    function setGuardian(address account) external onlyOwner {
        _setGuardian(account);
    }

    /// @inheritdoc IHub
    function removeVenue(uint16 number) external onlyOwner handedOn {
        if (!_venueOf(number).enabled) revert UnknownVenueNumber(number);
        _venues[number].settings &= ~(1 << ENABLED_SHIFT);
        emit VenueRemoved(number);
    }

    /// @inheritdoc IHub
    function removePool(uint16 number) external onlyOwner {
        if (number == 0 || number > _pools.length || _pools[number - 1].pool == address(0)) {
            revert UnknownPoolNumber(number);
        }
        _pools[number - 1].pool = address(0);
        emit PoolRemoved(number);
    }

    /// @inheritdoc IHub
    function removeConnector(address token) external onlyOwner {
        uint256 last = _connectors.length;
        for (uint256 i; i < last; ++i) {
            if (_connectors[i] != token) continue;
            _connectors[i] = _connectors[last - 1];
            _connectors.pop();
            emit ConnectorRemoved(token);
            return;
        }
        revert UnknownConnector(token);
    }

    /// @notice Always refused: without an owner nobody could remove a venue or pause.
    function renounceOwnership() public pure override {
        revert OwnableInvalidOwner(address(0));
    }

    /// @inheritdoc IHub
    function handOn() external {
        _handOn();
    }

    /* INTERNAL */

    /// @dev To every Router that stands. One that is yet to be created has no settings, and so swaps nothing.
    function _handOn() private {
        (Settlement current, PackedVenue[] memory list) = settings();
        for (uint256 i; i < _routers.length; ++i) {
            if (_routers[i].code.length != 0) IRouter(_routers[i]).setSettings(current, list);
        }
    }

    /// @dev To every Router that takes it: one that does not must not keep the others from stopping. Whoever pauses chooses
    /// the gas, and must not choose it so that a Router runs out.
    function _handOnPause() private {
        (Settlement current, PackedVenue[] memory list) = settings();
        for (uint256 i; i < _routers.length; ++i) {
            address router = _routers[i];
            if (router.code.length == 0) continue;
            if (gasleft() < ENOUGH_GAS) revert TooLittleGas(gasleft(), ENOUGH_GAS);
            try IRouter(router).setSettings{gas: PAUSE_GAS}(current, list) {}
            catch {
                emit RouterRefused(router);
            }
        }
    }

    function _addRouter(address router) private {
        if (router == address(0)) revert ZeroAddress();
        if (_routers.length == MAX_ROUTERS) revert TooManyRouters(MAX_ROUTERS);
        for (uint256 i; i < _routers.length; ++i) {
            if (_routers[i] == router) revert DuplicateRouter(router);
        }
        if (router.code.length != 0 && address(IRouter(router).hub()) != address(this)) revert BadRouter(router);
        _routers.push(router);
        emit RouterAdded(router);
    }

    /// @dev Without reading a hash that is code here.
    function _packedVenueOf(uint16 number) private view returns (uint256 word, bytes32 initCodeHash) {
        PackedVenue storage stored = _venues[number];
        word = stored.settings;
        initCodeHash = sharedCode(word >> CODE_SHIFT);
        if (initCodeHash == 0) initCodeHash = stored.initCodeHash;
    }

    function _venueOf(uint16 number) private view returns (Venue memory) {
        return _venues[number].unpacked();
    }

    function _setFeeRecipient(address feeRecipient) private {
        if (feeRecipient == address(0)) revert ZeroAddress();
        _settlement = _settlement.withFeeRecipient(feeRecipient);
        emit FeeRecipientChanged(feeRecipient);
    }

    function _setPaused(bool paused) private {
        _settlement = _settlement.withPaused(paused);
        emit PausedChanged(paused);
    }

    function _setGuardian(address account) private {
        guardian = account;
        emit GuardianChanged(account);
    }

    /// @dev What the call has to wait for; reverts for one that needs no schedule, or is none of these.
    function _delayOf(bytes calldata call) private pure returns (uint256) {
        bytes4 selector = bytes4(call);
        if (selector == IHub.resume.selector) return RESUME_DELAY;
        if (
            selector == IHub.addVenue.selector || selector == IHub.addPool.selector
                || selector == IHub.addConnector.selector || selector == IHub.addRouter.selector
                || selector == IHub.setFeeRecipient.selector
        ) return TIMELOCK;
        revert NotTimelocked(selector);
    }

    function _isGeneration(uint256 generation) private pure returns (bool) {
        return generation != 0 && generation <= MAX_GENERATION;
    }

    function _addConnector(address token) private {
        if (token == address(0)) revert ZeroAddress();
        if (_connectors.length == MAX_CONNECTORS) revert TooManyConnectors(MAX_CONNECTORS);
        for (uint256 i; i < _connectors.length; ++i) {
            if (_connectors[i] == token) revert DuplicateConnector(token);
        }
        _connectors.push(token);
        emit ConnectorAdded(token);
    }

    function _addVenue(VenueConfig calldata config) private {
        if (!_isValid(config)) revert BadVenue(config.id);
        if (_listings.length == MAX_VENUES) revert TooManyVenues(MAX_VENUES);
        for (uint16 i; i < _listings.length; ++i) {
            if (_isSame(config, _listings[i].id, _venueOf(i + 1))) revert DuplicateVenue(config.id);
        }

        Listing storage listing = _listings.push();
        listing.id = config.id;
        listing.factory = config.factory;
        for (uint256 i; i < config.tiers.length; ++i) {
            listing.tiers.push(config.tiers[i]);
        }
        uint16 number = uint16(_listings.length);
        _venues[number] = config.venue.packed();
        _venues[number].settings |= sharedCodeNumber(config.venue.initCodeHash) << CODE_SHIFT;
        emit VenueAdded(number, config.id, config);
    }

    function _addPool(ListedPool calldata config) private {
        if (!_isValidPool(config)) revert BadPool(config.pool);
        if (_pools.length == MAX_POOLS) revert TooManyPools(MAX_POOLS);
        for (uint256 i; i < _pools.length; ++i) {
            if (_pools[i].pool == config.pool && _pools[i].venue == config.venue) revert DuplicatePool(config.pool);
        }
        _pools.push(config);
        emit PoolAdded(uint16(_pools.length), config.pool, config.venue, config.tokens);
    }

    function _isValidPool(ListedPool calldata config) private view returns (bool) {
        Venue memory itsVenue = _venueOf(config.venue);
        uint256 count = config.tokens.length;
        if (!itsVenue.enabled || !itsVenue.kind.isListed() || config.pool == address(0)) return false;
        if (count < 2 || count > MAX_LISTED_TOKENS) return false;
        for (uint256 i; i < count; ++i) {
            if (config.tokens[i] == address(0)) return false;
            for (uint256 j; j < i; ++j) {
                if (config.tokens[i] == config.tokens[j]) return false;
            }
        }
        return true;
    }

    /// @dev The same name, or the same pools under another name. A removed venue may come back, with a new number.
    function _isSame(VenueConfig calldata config, bytes32 id, Venue memory other) private pure returns (bool) {
        if (!other.enabled) return false;
        if (id == config.id) return true;
        // One Vault keeps the pools of several kinds, and the owner lists them one by one.
        if (config.venue.kind.isListed() && other.kind != config.venue.kind) return false;
        return other.deployer == config.venue.deployer && other.initCodeHash == config.venue.initCodeHash;
    }

    function _isValid(VenueConfig calldata config) private pure returns (bool) {
        if (config.id == 0 || config.factory == address(0) || !config.venue.enabled) return false;
        if (config.venue.deployer == address(0)) return false;
        if (!config.venue.kind.isKnown()) revert UnknownVenueKind(config.venue.kind);
        if (!config.venue.kind.isDerived()) return Venues.isValid(config);
        if (config.venue.initCodeHash == 0) return false;
        if (config.venue.feePips >= WHOLE_PIPS) return false;
        if (config.tiers.length == 0 || config.tiers.length > MAX_TIERS) return false;
        for (uint256 i; i < config.tiers.length; ++i) {
            if (config.tiers[i].feePips >= WHOLE_PIPS) return false;
            for (uint256 j; j < i; ++j) {
                if (config.tiers[j].key == config.tiers[i].key) return false;
            }
        }
        return Venues.isValid(config);
    }
}
