// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Hub} from "../src/Hub.sol";
import {IHub} from "../src/interfaces/IHub.sol";
import {IRouter} from "../src/interfaces/IRouter.sol";
import {Leg, Route, WHOLE_SHARE} from "../src/types/Route.sol";
import {Settlement} from "../src/types/Settlement.sol";
import {PackedVenue, VenueConfig} from "../src/types/Venue.sol";
import {Router} from "../src/v1/Router.sol";
import {FirstGeneration} from "./fixtures/FirstGeneration.sol";
import {ProtocolFixture} from "./fixtures/ProtocolFixture.sol";
import {SecondGeneration} from "./fixtures/SecondGeneration.sol";

/// @notice A Router that takes its settings until it is told to refuse them.
contract RefusingRouter {
    enum Manner {
        Takes,
        Reverts,
        BurnsGas,
        Bombs
    }

    error Refused();

    IHub public immutable hub;
    Manner private _manner;

    constructor(IHub hub_) {
        hub = hub_;
    }

    function setManner(Manner manner) external {
        _manner = manner;
    }

    function setSettings(Settlement, PackedVenue[] calldata) external view {
        if (_manner == Manner.Reverts) revert Refused();
        if (_manner == Manner.Takes) return;
        bool isBomb = _manner == Manner.Bombs;
        assembly {
            if isBomb { revert(0, 500000) }
            invalid()
        }
    }
}

/// @notice Every change that governance can make, in any order, with Routers of both generations; and what it expects of
/// them, kept apart from what the contracts keep.
contract GovernanceHandler is ProtocolFixture, SecondGeneration {
    address[2] public owners = [owner, makeAddr("nextOwner")];
    Router public first;

    address public expectedRecipient;
    bool public expectedPaused;
    bool[3] public expectedRetired;
    bool[65] public expectedEnabled;
    uint16 public venueCount;
    uint256 private _nonce;

    function open() external {
        deployProtocol();
        first = new Router(hub);
        addRouter(first);
        expectedRecipient = feeRecipient;
        (venueCount, expectedEnabled[1], expectedEnabled[2]) = (2, true, true);
    }

    function hubAddress() external view returns (Hub) {
        return hub;
    }

    function routersOfBoth() external view returns (IRouter[2] memory) {
        return [router, IRouter(first)];
    }

    /* WHAT GOVERNANCE DOES */

    function addVenue(uint160 deployer, bool isShared) external {
        if (venueCount == 64) return;
        bytes32 hash = isShared ? V2_INIT_CODE_HASH : keccak256(abi.encode(++_nonce));
        bytes32 id = keccak256(abi.encode(++_nonce));
        VenueConfig memory config =
            v2Config(id, address(uint160(uint256(keccak256(abi.encode(deployer, _nonce))))), hash, 3000);
        _carryOut(abi.encodeCall(IHub.addVenue, (config)));
        expectedEnabled[++venueCount] = true;
    }

    function removeVenue(uint16 number) external {
        number = uint16(bound(number, 1, venueCount));
        if (!expectedEnabled[number]) return;
        vm.prank(hub.owner());
        hub.removeVenue(number);
        expectedEnabled[number] = false;
    }

    function setFeeRecipient(address recipient) external {
        if (recipient == address(0)) return;
        _carryOut(abi.encodeCall(IHub.setFeeRecipient, (recipient)));
        expectedRecipient = recipient;
    }

    function pause() external {
        vm.prank(hub.owner());
        hub.pause();
        expectedPaused = true;
    }

    function resume() external {
        _carryOut(abi.encodeCall(IHub.resume, ()));
        expectedPaused = false;
    }

    function retire(uint256 generation) external {
        // Rarely, because it is for good.
        if (generation % 8 != 0) return;
        generation = bound(generation, 1, 2);
        vm.prank(hub.owner());
        hub.retire(generation);
        expectedRetired[generation] = true;
    }

    /// @dev A change that is announced and comes to nothing: cancelled, or too late.
    function announce(address recipient, bool isCancelled) external {
        if (recipient == address(0)) return;
        bytes memory call = abi.encodeCall(IHub.setFeeRecipient, (recipient));
        _schedule(call);
        if (isCancelled) {
            vm.prank(hub.owner());
            hub.cancel(keccak256(call));
        }
        skip(isCancelled ? 2 days : 17 days);
        vm.prank(hub.owner());
        (bool ok,) = address(hub).call(call);
        assertFalse(ok);
    }

    function handOver() external {
        address next = hub.owner() == owners[0] ? owners[1] : owners[0];
        vm.prank(hub.owner());
        hub.transferOwnership(next);
        vm.prank(next);
        hub.acceptOwnership();
    }

    /* WHAT ANYBODY DOES */

    function handOn(address anybody) external {
        vm.prank(anybody);
        hub.handOn();
    }

    function writePastTheHub(address anybody, uint256 current, uint256 word) external {
        if (anybody == address(hub)) return;
        PackedVenue[] memory venues = new PackedVenue[](1);
        venues[0].settings = word;
        vm.prank(anybody);
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnexpectedCall.selector, anybody));
        router.setSettings(Settlement.wrap(current), venues);
    }

    function _schedule(bytes memory call) private {
        vm.prank(hub.owner());
        hub.schedule(call);
    }

    function _carryOut(bytes memory call) private {
        _schedule(call);
        skip(2 days);
        vm.prank(hub.owner());
        (bool ok,) = address(hub).call(call);
        assertTrue(ok);
    }

    /// @notice How a swap on a venue ends that gives a pool which is not the venue's: the error's selector.
    function errorOf(IRouter which, uint16 venue) external returns (bytes4) {
        Leg[] memory legs = new Leg[](1);
        legs[0] = Leg(venue, address(1), address(weth), address(usdc), 0, WHOLE_SHARE);
        Route memory route = Route(address(weth), address(usdc), 1, 1, 0, legs);
        try which.swapExactIn(route, 1, 1, user, block.timestamp) {
            return 0;
        } catch (bytes memory reason) {
            return bytes4(reason);
        }
    }
}

/// @notice The Hub's settings and those that the Routers swap by are the same at all times, whatever governance does.
/// forge-config: default.invariant.runs = 64
/// forge-config: default.invariant.depth = 40
contract HubSettingsTest is ProtocolFixture, FirstGeneration {
    GovernanceHandler private handler;

    function setUp() public {
        handler = new GovernanceHandler();
        handler.open();
        targetContract(address(handler));
        bytes4[] memory selectors = new bytes4[](10);
        selectors[0] = GovernanceHandler.addVenue.selector;
        selectors[1] = GovernanceHandler.removeVenue.selector;
        selectors[2] = GovernanceHandler.setFeeRecipient.selector;
        selectors[3] = GovernanceHandler.pause.selector;
        selectors[4] = GovernanceHandler.resume.selector;
        selectors[5] = GovernanceHandler.retire.selector;
        selectors[6] = GovernanceHandler.announce.selector;
        selectors[7] = GovernanceHandler.handOver.selector;
        selectors[8] = GovernanceHandler.handOn.selector;
        selectors[9] = GovernanceHandler.writePastTheHub.selector;
        targetSelector(FuzzSelector(address(handler), selectors));
    }

    /// forge-config: default.invariant.fail-on-revert = true
    function invariant_everyRouterHasTheHubsSettings() public {
        Hub its = handler.hubAddress();
        IRouter[2] memory routers = handler.routersOfBoth();
        bytes32 wanted = _digest(its.settings);
        for (uint256 i; i < routers.length; ++i) {
            assertEq(_digest(routers[i].settings), wanted);
            _assertFollows(its, routers[i], i == 0 ? 2 : 1);
        }
    }

    /// @dev What swaps do, against what governance has decided.
    function _assertFollows(Hub its, IRouter which, uint256 generation) private {
        (address recipient, bool paused) = its.settlement();
        assertEq(recipient, handler.expectedRecipient());
        assertEq(paused, handler.expectedPaused());
        // Those that there are, one before, one behind, and the first that there can never be.
        for (uint16 i; i <= handler.venueCount() + 2; ++i) {
            uint16 number = i <= handler.venueCount() + 1 ? i : 65;
            bool isEnabled = number < 65 && handler.expectedEnabled(number);
            bytes4 wanted = isEnabled ? IRouter.UnknownPool.selector : IRouter.UnknownVenue.selector;
            if (handler.expectedRetired(generation)) wanted = IRouter.Retired.selector;
            if (handler.expectedPaused()) wanted = IRouter.Paused.selector;
            assertEq(handler.errorOf(which, number), wanted);
        }
    }

    function _digest(function() external view returns (Settlement, PackedVenue[] memory) read)
        private
        view
        returns (bytes32)
    {
        (Settlement current, PackedVenue[] memory venues) = read();
        return keccak256(abi.encode(current, venues));
    }
}

/// @notice How Routers come to a Hub.
contract HubRoutersTest is ProtocolFixture, FirstGeneration {
    function setUp() public {
        deployProtocol();
    }

    function test_initialize_namesTheRouters() public view {
        assertEq(hub.routers().length, 1);
        assertEq(hub.routers()[0], address(router));
        assertEq(address(router.hub()), address(hub));
    }

    /// @dev So a generation can be created later than the Hub is wired, and by anybody.
    function test_handOn_opensARouterThatWasCreatedLater() public {
        address later = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        _add(later);
        Router created = new Router(hub);
        assertEq(address(created), later);
        Route memory route = routeOf(legV2(_pool(), address(weth), address(usdc)), 1e18);
        fund(user, address(weth), 1e18);
        vm.startPrank(user);
        weth.approve(later, 1e18);
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnknownVenue.selector, UNISWAP_V2));
        created.swapExactIn(route, 1e18, 1, user, block.timestamp);
        hub.handOn();
        assertGt(created.swapExactIn(route, 1e18, 1, user, block.timestamp), 0);
        vm.stopPrank();
    }

    function test_swapExactIn_revertsIf_theHubDoesNotKnowTheRouter() public {
        Router unknown = new Router(hub);
        hub.handOn();
        Route memory route = routeOf(legV2(_pool(), address(weth), address(usdc)), 1e18);
        fund(user, address(weth), 1e18);
        vm.startPrank(user);
        weth.approve(address(unknown), 1e18);
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnknownVenue.selector, UNISWAP_V2));
        unknown.swapExactIn(route, 1e18, 1, user, block.timestamp);
        vm.stopPrank();
    }

    function test_addRouter_announcesIt() public {
        Router added = new Router(hub);
        _schedule(address(added));
        vm.expectEmit(address(hub));
        emit IHub.RouterAdded(address(added));
        vm.prank(owner);
        hub.addRouter(address(added));
    }

    function test_addRouter_revertsIf_itBelongsToAnotherHub() public {
        _assertRefused(address(new Router(new Hub(owner))), IHub.BadRouter.selector);
    }

    function test_addRouter_revertsIf_itIsThereAlready() public {
        _assertRefused(address(router), IHub.DuplicateRouter.selector);
    }

    function test_addRouter_revertsIf_zero() public {
        _schedule(address(0));
        vm.prank(owner);
        vm.expectRevert(IHub.ZeroAddress.selector);
        hub.addRouter(address(0));
    }

    function test_addRouter_revertsIf_thereAreTooMany() public {
        for (uint160 i = 1; i < hub.MAX_ROUTERS(); ++i) {
            _add(address(0x10000 + i));
        }
        _schedule(address(0x20000));
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IHub.TooManyRouters.selector, 8));
        hub.addRouter(address(0x20000));
    }

    /// @dev It has as many venues, of hashes that are no code of ours, as a Hub takes, and as many Routers.
    function test_pause_fitsABlockHoweverMuchThereIs() public {
        for (uint256 i = hub.venues().length; i < 64; ++i) {
            VenueConfig memory config = v2Config(bytes32(i + 100), address(uint160(i + 100)), bytes32(i + 100), 3000);
            bytes memory call = abi.encodeCall(IHub.addVenue, (config));
            vm.prank(owner);
            hub.schedule(call);
            skip(2 days);
            vm.prank(owner);
            hub.addVenue(config);
        }
        for (uint256 i = 1; i < 8; ++i) {
            addRouter(new Router(hub));
        }
        vm.prank(owner);
        uint256 before = gasleft();
        hub.pause();
        assertLt(before - gasleft(), 5_000_000);
    }

    function test_pause_goesOnIf_aRouterRefusesIt() public {
        _assertPausesBeside(RefusingRouter.Manner.Reverts);
    }

    function test_pause_goesOnIf_aRouterBurnsAllGas() public {
        _assertPausesBeside(RefusingRouter.Manner.BurnsGas);
    }

    function test_pause_goesOnIf_aRouterAnswersWithABomb() public {
        _assertPausesBeside(RefusingRouter.Manner.Bombs);
    }

    /// @dev Every other change must be the same everywhere.
    function test_removeVenue_revertsIf_aRouterRefusesIt() public {
        RefusingRouter refusing = _addRefusing();
        refusing.setManner(RefusingRouter.Manner.Reverts);
        vm.prank(owner);
        vm.expectRevert(RefusingRouter.Refused.selector);
        hub.removeVenue(UNISWAP_V2);
        vm.expectRevert(RefusingRouter.Refused.selector);
        hub.handOn();
    }

    /// @dev Either it reverts, or every Router that takes it has it.
    function testFuzz_pause_noGasLimitLeavesARouterOut(uint256 gasLimit, bool isRefusing) public {
        RefusingRouter refusing = _addRefusing();
        Router last = new Router(hub);
        addRouter(last);
        if (isRefusing) refusing.setManner(RefusingRouter.Manner.BurnsGas);
        gasLimit = bound(gasLimit, 30_000, 15_000_000);
        vm.prank(owner);
        try hub.pause{gas: gasLimit}() {
            _assertPaused(router);
            _assertPaused(last);
        } catch {
            (, bool paused) = hub.settlement();
            assertFalse(paused);
        }
    }

    function test_pause_revertsIf_gasMayBeWhyARouterFails() public {
        vm.prank(owner);
        vm.expectPartialRevert(IHub.TooLittleGas.selector);
        hub.pause{gas: 4_000_000}();
    }

    function _assertPausesBeside(RefusingRouter.Manner manner) private {
        RefusingRouter refusing = _addRefusing();
        Router last = new Router(hub);
        addRouter(last);
        refusing.setManner(manner);
        vm.prank(owner);
        vm.expectEmit(address(hub));
        emit IHub.RouterRefused(address(refusing));
        uint256 before = gasleft();
        hub.pause();
        assertLt(before - gasleft(), 5_000_000);
        (, bool paused) = hub.settlement();
        assertTrue(paused);
        _assertPaused(router);
        _assertPaused(last);
    }

    function _assertPaused(IRouter paused) private view {
        (Settlement current,) = paused.settings();
        assertTrue(current.isPaused());
    }

    function _addRefusing() private returns (RefusingRouter refusing) {
        refusing = new RefusingRouter(hub);
        addRouter(IRouter(address(refusing)));
    }

    function _assertRefused(address added, bytes4 selector) private {
        _schedule(added);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(selector, added));
        hub.addRouter(added);
    }

    function _add(address added) private {
        _schedule(added);
        vm.prank(owner);
        hub.addRouter(added);
    }

    function _schedule(address added) private {
        vm.prank(owner);
        hub.schedule(abi.encodeCall(IHub.addRouter, (added)));
        skip(2 days);
    }

    function _pool() private returns (address) {
        return createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
    }
}
