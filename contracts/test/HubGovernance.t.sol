// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Hub} from "../src/Hub.sol";
import {IHub} from "../src/interfaces/IHub.sol";
import {Settlement} from "../src/types/Settlement.sol";
import {ListedPool, VenueConfig} from "../src/types/Venue.sol";
import {FirstGeneration} from "./fixtures/FirstGeneration.sol";
import {ProtocolFixture} from "./fixtures/ProtocolFixture.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @notice Who may change what of a Hub, when, and what anybody can read of it beforehand.
contract HubGovernanceTest is ProtocolFixture, FirstGeneration {
    address private immutable stranger = makeAddr("stranger");
    address private immutable guardian = makeAddr("guardian");

    function setUp() public {
        deployProtocol();
        vm.prank(owner);
        hub.setGuardian(guardian);
    }

    /* HANDING OVER */

    /// @dev In the transaction that writes the configuration, so that no moment is left in which two could act.
    function test_initialize_handsTheHubToItsOwner() public {
        address deployer = makeAddr("deployer");
        Hub fresh = new Hub(deployer);
        IHub.Config memory config = hubConfig();
        (config.owner, config.guardian) = (owner, guardian);
        vm.startPrank(deployer);
        // Whatever the deployer prepared ends here as well.
        fresh.setGuardian(deployer);
        fresh.transferOwnership(deployer);
        fresh.initialize(config);
        assertEq(fresh.owner(), owner);
        assertEq(fresh.pendingOwner(), address(0));
        assertEq(fresh.guardian(), guardian);

        bytes[] memory calls = _everyChange();
        for (uint256 i; i < calls.length; ++i) {
            (bool ok, bytes memory reason) = address(fresh).call(calls[i]);
            assertFalse(ok);
            assertEq(reason, abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, deployer));
        }
        (bool accepted,) = address(fresh).call(abi.encodeCall(fresh.acceptOwnership, ()));
        assertFalse(accepted);
        vm.stopPrank();
    }

    function test_initialize_withoutAnOwnerLeavesItToItsDeployer() public view {
        assertEq(hub.owner(), owner);
        assertEq(hub.pendingOwner(), address(0));
    }

    function test_transferOwnership_takesTwoSteps() public {
        vm.prank(owner);
        hub.transferOwnership(stranger);
        assertEq(hub.owner(), owner);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, user));
        hub.acceptOwnership();
        vm.prank(stranger);
        hub.acceptOwnership();
        assertEq(hub.owner(), stranger);
    }

    function test_renounceOwnership_isRefused() public {
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0)));
        hub.renounceOwnership();
        assertEq(hub.owner(), owner);
    }

    /* ROLES */

    function test_everyChange_isTheOwnersAlone() public {
        _scheduleAll();
        bytes[] memory calls = _everyChange();
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(stranger);
            (bool ok, bytes memory reason) = address(hub).call(calls[i]);
            assertFalse(ok);
            assertEq(reason, abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        }
    }

    /// @dev The key that has to be at hand day and night can do nothing else, so that losing it costs a pause.
    function test_guardian_canPauseAndNothingElse() public {
        _scheduleAll();
        bytes[] memory calls = _everyChange();
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(guardian);
            (bool ok, bytes memory reason) = address(hub).call(calls[i]);
            if (bytes4(calls[i]) == IHub.pause.selector) {
                assertTrue(ok);
                continue;
            }
            assertFalse(ok);
            assertEq(reason, abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, guardian));
        }
        (, bool paused) = hub.settlement();
        assertTrue(paused);
    }

    function testFuzz_guardian_noCallOfItsOwnDoesMoreThanPause(bytes4 selector, bytes calldata data) public {
        vm.record();
        vm.prank(guardian);
        (bool ok,) = address(hub).call(abi.encodePacked(selector, data));
        (, bytes32[] memory writes) = vm.accesses(address(hub));
        assertTrue(!ok || writes.length == 0 || selector == IHub.pause.selector);
    }

    function test_setGuardian_atOnce() public {
        vm.startPrank(owner);
        vm.expectEmit(address(hub));
        emit IHub.GuardianChanged(stranger);
        hub.setGuardian(stranger);
        assertEq(hub.guardian(), stranger);
        vm.stopPrank();
        vm.prank(guardian);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, guardian));
        hub.pause();
    }

    /* PAUSE */

    function test_pause_atOnceAndItsEndWaitsADay() public {
        vm.expectEmit(address(hub));
        emit IHub.PausedChanged(true);
        vm.prank(guardian);
        hub.pause();
        (address recipient, bool paused) = hub.settlement();
        assertTrue(paused);
        assertEq(recipient, feeRecipient);

        bytes memory call = abi.encodeCall(IHub.resume, ());
        vm.startPrank(owner);
        vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotScheduled.selector, keccak256(call)));
        hub.resume();
        uint256 readyAt = block.timestamp + 1 days;
        vm.expectEmit(address(hub));
        emit IHub.ChangeScheduled(keccak256(call), call, readyAt, readyAt + 14 days);
        hub.schedule(call);
        vm.warp(readyAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotReady.selector, keccak256(call), readyAt));
        hub.resume();
        vm.warp(readyAt);
        vm.expectEmit(address(hub));
        emit IHub.ChangeCarriedOut(keccak256(call));
        vm.expectEmit(address(hub));
        emit IHub.PausedChanged(false);
        hub.resume();
        vm.stopPrank();
        (recipient, paused) = hub.settlement();
        assertFalse(paused);
        assertEq(recipient, feeRecipient);
    }

    function test_pause_forgetsAnEndThatWasScheduledBefore() public {
        bytes memory call = abi.encodeCall(IHub.resume, ());
        vm.startPrank(owner);
        hub.schedule(call);
        skip(1 days);
        hub.pause();
        vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotScheduled.selector, keccak256(call)));
        hub.resume();
        hub.schedule(call);
        skip(1 days);
        hub.resume();
        vm.stopPrank();
    }

    function test_setFeeRecipient_leavesPauseAndRetirementAsTheyAre() public {
        vm.startPrank(owner);
        hub.pause();
        hub.retire(2);
        bytes memory call = abi.encodeCall(IHub.setFeeRecipient, (stranger));
        hub.schedule(call);
        skip(2 days);
        hub.setFeeRecipient(stranger);
        vm.stopPrank();
        (address recipient, bool paused) = hub.settlement();
        assertEq(recipient, stranger);
        assertTrue(paused);
        assertTrue(hub.isRetired(2));
        assertFalse(hub.isRetired(1));
    }

    /* GENERATIONS */

    function test_retire_isForGoodAndForOneGeneration() public {
        vm.startPrank(owner);
        vm.expectEmit(address(hub));
        emit IHub.GenerationRetired(1);
        hub.retire(1);
        hub.pause();
        hub.schedule(abi.encodeCall(IHub.resume, ()));
        skip(1 days);
        hub.resume();
        vm.stopPrank();
        assertTrue(hub.isRetired(1));
        (Settlement current,) = hub.settings();
        assertEq(Settlement.unwrap(current) >> 160, 2, "of all bits, that of the first generation");
        for (uint256 generation = 2; generation < 96; ++generation) {
            assertFalse(hub.isRetired(generation));
        }
        assertEq(current.feeRecipient(), feeRecipient);
    }

    function test_retire_revertsIf_noSuchGeneration() public {
        uint256[3] memory unknown = [uint256(0), 96, type(uint256).max];
        for (uint256 i; i < unknown.length; ++i) {
            vm.prank(owner);
            vm.expectRevert(abi.encodeWithSelector(IHub.UnknownGeneration.selector, unknown[i]));
            hub.retire(unknown[i]);
            assertFalse(hub.isRetired(unknown[i]));
        }
        vm.prank(owner);
        hub.retire(95);
        assertTrue(hub.isRetired(95));
    }

    /* SCHEDULED CHANGES */

    /// @dev Whoever reads the log of the Hub can decode each change before it happens, and knows when it no longer can.
    function test_schedule_announcesTheWholeCall() public {
        bytes[] memory calls = _scheduledChanges();
        for (uint256 i; i < calls.length; ++i) {
            uint256 readyAt = block.timestamp + (i == 0 ? 1 days : 2 days);
            vm.expectEmit(address(hub));
            emit IHub.ChangeScheduled(keccak256(calls[i]), calls[i], readyAt, readyAt + 14 days);
            vm.prank(owner);
            hub.schedule(calls[i]);
        }
    }

    function test_schedule_revertsIf_theCallActsAtOnceOrIsNone() public {
        bytes[6] memory calls = [
            abi.encodeCall(IHub.pause, ()),
            abi.encodeCall(IHub.removeVenue, (1)),
            abi.encodeCall(IHub.retire, (1)),
            abi.encodeCall(hub.transferOwnership, (stranger)),
            bytes(""),
            bytes(hex"12345678")
        ];
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(owner);
            vm.expectRevert(abi.encodeWithSelector(IHub.NotTimelocked.selector, bytes4(calls[i])));
            hub.schedule(calls[i]);
        }
    }

    function test_scheduledChanges_expireFourteenDaysAfterTheyAreReady() public {
        bytes memory call = abi.encodeCall(IHub.setFeeRecipient, (stranger));
        uint256 expiresAt = block.timestamp + 16 days;
        vm.startPrank(owner);
        hub.schedule(call);
        vm.warp(expiresAt + 1);
        vm.expectRevert(abi.encodeWithSelector(IHub.ChangeExpired.selector, keccak256(call), expiresAt));
        hub.setFeeRecipient(stranger);
        vm.warp(expiresAt);
        hub.setFeeRecipient(stranger);
        vm.stopPrank();
        (address recipient,) = hub.settlement();
        assertEq(recipient, stranger);
    }

    function test_scheduledChanges_mayBeScheduledAgainWhenExpired() public {
        bytes memory call = abi.encodeCall(IHub.setFeeRecipient, (stranger));
        vm.startPrank(owner);
        hub.schedule(call);
        skip(17 days);
        hub.schedule(call);
        vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotReady.selector, keccak256(call), block.timestamp + 2 days));
        hub.setFeeRecipient(stranger);
        skip(2 days);
        hub.setFeeRecipient(stranger);
        vm.stopPrank();
    }

    /// @dev Trailing bytes make another call, which nobody has announced.
    function test_scheduledChanges_areCarriedOutToTheByte() public {
        bytes memory call = abi.encodeCall(IHub.setFeeRecipient, (stranger));
        bytes memory longer = abi.encodePacked(call, uint8(0));
        vm.startPrank(owner);
        hub.schedule(call);
        skip(2 days);
        (bool ok, bytes memory reason) = address(hub).call(longer);
        vm.stopPrank();
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSelector(IHub.ChangeNotScheduled.selector, keccak256(longer)));
    }

    /* HELPERS */

    function _scheduledChanges() private view returns (bytes[] memory calls) {
        VenueConfig memory venue = v2Config("another", address(1000), bytes32(uint256(1)), 3000);
        calls = new bytes[](6);
        calls[0] = abi.encodeCall(IHub.resume, ());
        calls[1] = abi.encodeCall(IHub.addVenue, (venue));
        calls[2] = abi.encodeCall(IHub.addPool, (ListedPool(1, address(1), new address[](2))));
        calls[3] = abi.encodeCall(IHub.addConnector, (stranger));
        calls[4] = abi.encodeCall(IHub.setFeeRecipient, (stranger));
        calls[5] = abi.encodeCall(IHub.addRouter, (stranger));
    }

    function _everyChange() private view returns (bytes[] memory calls) {
        bytes[] memory scheduled = _scheduledChanges();
        calls = new bytes[](scheduled.length + 10);
        for (uint256 i; i < scheduled.length; ++i) {
            calls[i] = scheduled[i];
        }
        uint256 next = scheduled.length;
        calls[next++] = abi.encodeCall(IHub.initialize, (hubConfig()));
        calls[next++] = abi.encodeCall(IHub.schedule, (scheduled[4]));
        calls[next++] = abi.encodeCall(IHub.cancel, (keccak256(scheduled[4])));
        calls[next++] = abi.encodeCall(IHub.removeVenue, (1));
        calls[next++] = abi.encodeCall(IHub.removePool, (1));
        calls[next++] = abi.encodeCall(IHub.removeConnector, (address(weth)));
        calls[next++] = abi.encodeCall(IHub.pause, ());
        calls[next++] = abi.encodeCall(IHub.retire, (1));
        calls[next++] = abi.encodeCall(IHub.setGuardian, (stranger));
        calls[next++] = abi.encodeCall(hub.transferOwnership, (stranger));
    }

    /// @dev So that only who calls can be why a change is refused.
    function _scheduleAll() private {
        bytes[] memory calls = _scheduledChanges();
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(owner);
            hub.schedule(calls[i]);
        }
        skip(2 days);
    }
}
