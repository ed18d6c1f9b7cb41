// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Hub} from "../src/Hub.sol";
import {IHub} from "../src/interfaces/IHub.sol";
import {Settlement} from "../src/types/Settlement.sol";
import {PackedVenue, Tier, VenueConfig} from "../src/types/Venue.sol";
import {UnknownVenueKind, VenueKind, VenueKinds} from "../src/types/VenueKind.sol";
import {FirstGeneration} from "./fixtures/FirstGeneration.sol";
import {ProtocolFixture} from "./fixtures/ProtocolFixture.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract HubTest is ProtocolFixture, FirstGeneration {
    address private immutable stranger = makeAddr("stranger");

    function setUp() public {
        deployProtocol();
    }

    /* SETTING UP */

    function test_initialize_writesWhatReadersSee() public view {
        IHub.Config memory config = hubConfig();
        assertEq(hub.wrappedNative(), config.wrappedNative);
        assertEq(hub.connectorTokens(), config.connectorTokens);
        assertEq(abi.encode(hub.venues()), abi.encode(config.venues));
        assertEq(abi.encode(hub.venue(1)), abi.encode(config.venues[0].venue));
        assertEq(abi.encode(hub.venue(2)), abi.encode(config.venues[1].venue));
        (address recipient, bool paused) = hub.settlement();
        assertEq(recipient, feeRecipient);
        assertFalse(paused);
        assertEq(hub.owner(), owner);
    }

    function test_initialize_announcesEverything() public {
        Hub fresh = new Hub(owner);
        IHub.Config memory config = hubConfig();
        vm.expectEmit(address(fresh));
        emit IHub.Initialized(config.wrappedNative, feeRecipient);
        vm.expectEmit(address(fresh));
        emit IHub.FeeRecipientChanged(feeRecipient);
        vm.expectEmit(address(fresh));
        emit IHub.ConnectorAdded(config.connectorTokens[0]);
        vm.expectEmit(address(fresh));
        emit IHub.VenueAdded(1, config.venues[0].id, config.venues[0]);
        vm.expectEmit(address(fresh));
        emit IHub.VenueAdded(2, config.venues[1].id, config.venues[1]);
        vm.prank(owner);
        fresh.initialize(config);
    }

    function test_initialize_onceAndByTheOwnerOnly() public {
        vm.expectRevert(IHub.AlreadyInitialized.selector);
        vm.prank(owner);
        hub.initialize(hubConfig());

        Hub fresh = new Hub(owner);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        fresh.initialize(hubConfig());
    }

    function test_initialize_revertsIf_anAddressIsZero() public {
        IHub.Config[3] memory configs = [hubConfig(), hubConfig(), hubConfig()];
        configs[0].wrappedNative = address(0);
        configs[1].feeRecipient = address(0);
        configs[2].connectorTokens[2] = address(0);
        for (uint256 i; i < configs.length; ++i) {
            Hub fresh = new Hub(owner);
            vm.prank(owner);
            vm.expectRevert(IHub.ZeroAddress.selector);
            fresh.initialize(configs[i]);
        }
    }

    function test_venue_isNoKindForANumberNeverGiven() public view {
        assertEq(VenueKind.unwrap(hub.venue(0).kind), 0);
        assertEq(VenueKind.unwrap(hub.venue(3).kind), 0);
        assertFalse(hub.venue(3).enabled);
    }

    function test_settings_areAllOfThem() public {
        _asOwner(abi.encodeCall(IHub.removeVenue, (1)));
        (Settlement current, PackedVenue[] memory list) = hub.settings();
        assertEq(current.feeRecipient(), feeRecipient);
        assertEq(Settlement.unwrap(current) >> 160, 0, "nothing is stopped");
        assertEq(list.length, 2);
        for (uint16 i; i < 2; ++i) {
            assertEq(abi.encode(list[i].unpacked()), abi.encode(hub.venue(i + 1)));
        }
    }

    function test_packedVenues_areTheVenues() public {
        _asOwner(abi.encodeCall(IHub.removeVenue, (1)));
        VenueConfig[] memory configs = hub.venues();
        (PackedVenue[] memory packed, Tier[][] memory tiers) = hub.packedVenues();
        assertEq(packed.length, 2);
        for (uint256 i; i < 2; ++i) {
            assertEq(abi.encode(packed[i].unpacked()), abi.encode(configs[i].venue));
            assertEq(abi.encode(tiers[i]), abi.encode(configs[i].tiers));
        }
    }

    /* TIMELOCK */

    function test_schedule_thenAddVenue() public {
        VenueConfig memory config = _anotherVenue(1);
        bytes memory call = abi.encodeCall(IHub.addVenue, (config));
        vm.expectEmit(address(hub));
        emit IHub.ChangeScheduled(keccak256(call), call, block.timestamp + 2 days, block.timestamp + 16 days);
        _schedule(call);
        assertEq(hub.readyAt(keccak256(call)), block.timestamp + 2 days);

        skip(2 days);
        vm.expectEmit(address(hub));
        emit IHub.VenueAdded(3, config.id, config);
        _asOwner(call);
        assertEq(abi.encode(hub.venue(3)), abi.encode(config.venue));
        assertEq(abi.encode(hub.venues()[2]), abi.encode(config));
    }

    function test_schedule_thenAddConnector() public {
        bytes memory call = abi.encodeCall(IHub.addConnector, (stranger));
        _schedule(call);
        skip(2 days);
        vm.expectEmit(address(hub));
        emit IHub.ConnectorAdded(stranger);
        _asOwner(call);
        assertEq(hub.connectorTokens()[4], stranger);
    }

    function test_schedule_thenSetFeeRecipient() public {
        bytes memory call = abi.encodeCall(IHub.setFeeRecipient, (stranger));
        _schedule(call);
        skip(2 days);
        vm.expectEmit(address(hub));
        emit IHub.FeeRecipientChanged(stranger);
        _asOwner(call);
        (address recipient,) = hub.settlement();
        assertEq(recipient, stranger);
    }

    function test_additions_revertIf_notScheduled() public {
        bytes[3] memory calls = _additions();
        for (uint256 i; i < calls.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotScheduled.selector, keccak256(calls[i])));
            _asOwner(calls[i]);
        }
    }

    function testFuzz_additions_revertIf_notReady(uint256 early) public {
        early = bound(early, 1, 2 days);
        bytes[3] memory calls = _additions();
        uint256 readyAt = block.timestamp + 2 days;
        for (uint256 i; i < calls.length; ++i) {
            _schedule(calls[i]);
        }
        vm.warp(readyAt - early);
        for (uint256 i; i < calls.length; ++i) {
            bytes32 change = keccak256(calls[i]);
            vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotReady.selector, change, readyAt));
            _asOwner(calls[i]);
        }
    }

    function test_additions_useTheirScheduleUp() public {
        bytes memory call = abi.encodeCall(IHub.setFeeRecipient, (stranger));
        _schedule(call);
        skip(2 days);
        _asOwner(call);
        vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotScheduled.selector, keccak256(call)));
        _asOwner(call);
    }

    function test_additions_revertIf_scheduledForOtherArguments() public {
        _schedule(abi.encodeCall(IHub.setFeeRecipient, (stranger)));
        skip(2 days);
        bytes memory other = abi.encodeCall(IHub.setFeeRecipient, (user));
        vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotScheduled.selector, keccak256(other)));
        _asOwner(other);
    }

    function test_schedule_revertsIf_notInitialized() public {
        Hub fresh = new Hub(owner);
        vm.prank(owner);
        vm.expectRevert(IHub.NotInitialized.selector);
        fresh.schedule(abi.encodeCall(IHub.setFeeRecipient, (stranger)));
    }

    function test_cancel_forgetsTheSchedule() public {
        bytes memory call = abi.encodeCall(IHub.setFeeRecipient, (stranger));
        bytes32 change = keccak256(call);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotScheduled.selector, change));
        hub.cancel(change);

        _schedule(call);
        vm.prank(owner);
        vm.expectEmit(address(hub));
        emit IHub.ChangeCancelled(change);
        hub.cancel(change);
        skip(2 days);
        vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotScheduled.selector, change));
        _asOwner(call);
    }

    /* WHAT ACTS AT ONCE */

    function test_removeVenue_atOnceAndItsNumberIsNotGivenAgain() public {
        VenueConfig memory config = hubConfig().venues[0];
        vm.prank(owner);
        vm.expectEmit(address(hub));
        emit IHub.VenueRemoved(1);
        hub.removeVenue(1);
        assertFalse(hub.venue(1).enabled);
        assertFalse(hub.venues()[0].venue.enabled);

        // The same venue may come back, after the timelock, with a number of its own.
        bytes memory call = abi.encodeCall(IHub.addVenue, (config));
        _schedule(call);
        skip(2 days);
        _asOwner(call);
        assertFalse(hub.venue(1).enabled);
        assertEq(abi.encode(hub.venue(3)), abi.encode(config.venue));
    }

    function test_removeVenue_revertsIf_unknownOrRemoved() public {
        vm.startPrank(owner);
        hub.removeVenue(2);
        uint16[3] memory unknown = [uint16(0), 2, 3];
        for (uint256 i; i < unknown.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IHub.UnknownVenueNumber.selector, unknown[i]));
            hub.removeVenue(unknown[i]);
        }
        vm.stopPrank();
    }

    function test_removeConnector_atOnce() public {
        vm.startPrank(owner);
        vm.expectEmit(address(hub));
        emit IHub.ConnectorRemoved(address(usdc));
        hub.removeConnector(address(usdc));
        address[] memory left = hub.connectorTokens();
        assertEq(left.length, 3);
        assertEq(left[0], address(weth));
        assertEq(left[1], address(wbtc));
        assertEq(left[2], address(dai));

        vm.expectRevert(abi.encodeWithSelector(IHub.UnknownConnector.selector, address(usdc)));
        hub.removeConnector(address(usdc));
        vm.stopPrank();
    }

    /* WHAT IS REFUSED */

    function test_addVenue_revertsIf_sameNameOrSamePools() public {
        VenueConfig memory config = _anotherVenue(1);
        config.id = "uniswap-v2";
        _expectVenueRefused(config, abi.encodeWithSelector(IHub.DuplicateVenue.selector, config.id));

        config = hubConfig().venues[1];
        config.id = "uniswap-v3-again";
        _expectVenueRefused(config, abi.encodeWithSelector(IHub.DuplicateVenue.selector, config.id));
    }

    function test_addConnector_revertsIf_duplicate() public {
        bytes memory call = abi.encodeCall(IHub.addConnector, (address(dai)));
        _schedule(call);
        skip(2 days);
        vm.expectRevert(abi.encodeWithSelector(IHub.DuplicateConnector.selector, address(dai)));
        _asOwner(call);
    }

    function test_setFeeRecipient_revertsIf_zero() public {
        bytes memory call = abi.encodeCall(IHub.setFeeRecipient, (address(0)));
        _schedule(call);
        skip(2 days);
        vm.expectRevert(IHub.ZeroAddress.selector);
        _asOwner(call);
    }

    function test_addVenue_revertsIf_malformed() public {
        VenueConfig[] memory bad = new VenueConfig[](18);
        for (uint256 i; i < bad.length; ++i) {
            bad[i] = i < 11 ? _anotherVenue(1) : _anotherV3();
        }
        bad[0].id = 0;
        bad[1].factory = address(0);
        bad[2].venue.enabled = false;
        bad[3].venue.deployer = address(0);
        bad[4].venue.initCodeHash = 0;
        bad[5].venue.feePips = 1e6;
        bad[6].tiers = new Tier[](0);
        bad[7].venue.kind = VenueKinds.SOLIDLY;
        bad[8].venue.callback = V3_CALLBACK;
        bad[9].tiers[0].key = 1;
        bad[10].tiers[0].feePips = 2999;
        bad[11].tiers[3].key = bad[11].tiers[0].key;
        bad[12].tiers[1].feePips = 1e6;
        bad[13].tiers[2].tickSpacing = 0;
        bad[14].venue.callback = 0;
        bad[15].venue.unlockedWord = 0;
        bad[16].venue.feePips = 1e6;
        bad[17].tiers = new Tier[](0);
        for (uint256 i; i < bad.length; ++i) {
            _expectVenueRefused(bad[i], abi.encodeWithSelector(IHub.BadVenue.selector, bad[i].id));
        }
    }

    function test_addVenue_revertsIf_theKindIsUnknown() public {
        uint8[3] memory unknown = [0, 200, 255];
        for (uint256 i; i < unknown.length; ++i) {
            VenueConfig memory config = _anotherVenue(1);
            config.venue.kind = VenueKind.wrap(unknown[i]);
            _expectVenueRefused(config, abi.encodeWithSelector(UnknownVenueKind.selector, unknown[i]));
        }
    }

    function test_addVenue_revertsIf_moreThanSixteenTiers() public {
        VenueConfig memory config = _anotherV3();
        config.tiers = new Tier[](17);
        for (uint24 i; i < 17; ++i) {
            config.tiers[i] = Tier({key: i, feePips: i, tickSpacing: 1});
        }
        _expectVenueRefused(config, abi.encodeWithSelector(IHub.BadVenue.selector, config.id));
    }

    function test_limits_venuesEverAdded() public {
        Hub fresh = new Hub(owner);
        IHub.Config memory config = hubConfig();
        config.venues = new VenueConfig[](64);
        for (uint256 i; i < 64; ++i) {
            config.venues[i] = _anotherVenue(i + 1);
        }
        vm.startPrank(owner);
        fresh.initialize(config);
        fresh.removeVenue(64);
        bytes memory call = abi.encodeCall(IHub.addVenue, (_anotherVenue(65)));
        fresh.schedule(call);
        skip(2 days);
        vm.expectRevert(abi.encodeWithSelector(IHub.TooManyVenues.selector, 64));
        fresh.addVenue(_anotherVenue(65));
        vm.stopPrank();
    }

    function test_limits_connectors() public {
        Hub fresh = new Hub(owner);
        IHub.Config memory config = hubConfig();
        config.connectorTokens = new address[](9);
        for (uint160 i; i < 9; ++i) {
            config.connectorTokens[i] = address(i + 1);
        }
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IHub.TooManyConnectors.selector, 8));
        fresh.initialize(config);
    }

    /* HELPERS */

    /// @dev A venue over other pools than Uniswap's; each `index` gives another.
    function _anotherVenue(uint256 index) private pure returns (VenueConfig memory) {
        return v2Config(bytes32(index), address(uint160(index + 1000)), bytes32(index), 3000);
    }

    function _anotherV3() private pure returns (VenueConfig memory) {
        return v3Config("another-v3", address(2000), bytes32(uint256(1)), V3_CALLBACK);
    }

    function _additions() private view returns (bytes[3] memory) {
        return [
            abi.encodeCall(IHub.addVenue, (_anotherVenue(1))),
            abi.encodeCall(IHub.addConnector, (stranger)),
            abi.encodeCall(IHub.setFeeRecipient, (stranger))
        ];
    }

    function _schedule(bytes memory call) private {
        vm.prank(owner);
        hub.schedule(call);
    }

    /// @dev For a call that is expected to revert, `ok` is what the cheatcode makes of it.
    function _asOwner(bytes memory call) private {
        vm.prank(owner);
        (bool ok,) = address(hub).call(call);
        assertTrue(ok);
    }

    function _expectVenueRefused(VenueConfig memory config, bytes memory reason) private {
        _schedule(abi.encodeCall(IHub.addVenue, (config)));
        skip(2 days);
        vm.prank(owner);
        vm.expectRevert(reason);
        hub.addVenue(config);
    }

    function _distinct(bytes32[] memory slots) private pure returns (uint256 count) {
        for (uint256 i; i < slots.length; ++i) {
            bool seen;
            for (uint256 j; j < i; ++j) {
                if (slots[j] == slots[i]) seen = true;
            }
            if (!seen) ++count;
        }
    }
}
