// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Hub} from "../src/Hub.sol";
import {IHub} from "../src/interfaces/IHub.sol";
import {ListedPool, VenueConfig} from "../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../src/types/VenueKind.sol";
import {listedKey} from "../src/venues/Listed.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Test} from "forge-std/Test.sol";

/// @notice The Hub's list of pools that nothing derives.
contract HubPoolsTest is Test {
    uint16 private constant CURVE = 1;
    address private immutable owner = makeAddr("owner");
    address private constant POOL = address(0xF1);

    Hub private hub;

    function setUp() public {
        hub = new Hub(owner);
        IHub.Config memory config;
        (config.wrappedNative, config.feeRecipient) = (address(1), address(2));
        config.venues = new VenueConfig[](2);
        config.venues[0] = _venue("curve", VenueKinds.CURVE);
        config.venues[1] = _venue("balancer", VenueKinds.BALANCER_STABLE);
        config.pools = new ListedPool[](1);
        config.pools[0] = _pool(POOL);
        vm.prank(owner);
        hub.initialize(config);
    }

    function test_poolAt_answersForItsTokensAndPlacesAlone() public view {
        uint256 key = listedKey(1, 0, 2);
        assertEq(hub.poolAt(CURVE, address(0xA), address(0xC), key), POOL);
        assertEq(hub.poolAt(CURVE, address(0xC), address(0xA), key), POOL);
        assertEq(hub.poolAt(CURVE, address(0xA), address(0xB), key), address(0));
        assertEq(hub.poolAt(2, address(0xA), address(0xC), key), address(0));
        assertEq(hub.poolAt(CURVE, address(0xA), address(0xC), listedKey(1, 2, 0)), address(0));
        assertEq(hub.poolAt(CURVE, address(0xA), address(0xC), listedKey(2, 0, 2)), address(0));
        assertEq(hub.poolAt(CURVE, address(0xA), address(0xC), listedKey(0, 0, 2)), address(0));
        assertEq(hub.poolAt(CURVE, address(0xA), address(0xC), listedKey(1, 0, 15)), address(0));
    }

    function test_removePool_actsAtOnceAndKeepsTheNumber() public {
        vm.prank(owner);
        hub.removePool(1);
        assertEq(hub.poolAt(CURVE, address(0xA), address(0xC), listedKey(1, 0, 2)), address(0));
        _add(_pool(POOL));
        assertEq(hub.pools().length, 2);
        assertEq(hub.pools()[0].pool, address(0));
        assertEq(hub.poolAt(CURVE, address(0xA), address(0xC), listedKey(2, 0, 2)), POOL);
        vm.expectRevert(abi.encodeWithSelector(IHub.UnknownPoolNumber.selector, 1));
        vm.prank(owner);
        hub.removePool(1);
    }

    function test_addPool_waitsOutTheTimelock() public {
        ListedPool memory added = _pool(address(0xF2));
        bytes32 change = keccak256(abi.encodeCall(hub.addPool, (added)));
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IHub.ChangeNotScheduled.selector, change));
        hub.addPool(added);
        _add(added);
        assertEq(hub.poolAt(CURVE, address(0xA), address(0xB), listedKey(2, 0, 1)), address(0xF2));
    }

    function test_addPool_revertsIf_malformed() public {
        ListedPool memory bad = _pool(POOL);
        _expectRevert(bad, abi.encodeWithSelector(IHub.DuplicatePool.selector, POOL));
        bad = _pool(address(0xF2));
        bad.venue = 9;
        _expectRevert(bad, abi.encodeWithSelector(IHub.BadPool.selector, address(0xF2)));
        bad.venue = CURVE;
        bad.tokens[1] = bad.tokens[0];
        _expectRevert(bad, abi.encodeWithSelector(IHub.BadPool.selector, address(0xF2)));
        bad.tokens[1] = address(0);
        _expectRevert(bad, abi.encodeWithSelector(IHub.BadPool.selector, address(0xF2)));
        bad.tokens = _tokens(1);
        _expectRevert(bad, abi.encodeWithSelector(IHub.BadPool.selector, address(0xF2)));
        bad.tokens = _tokens(9);
        _expectRevert(bad, abi.encodeWithSelector(IHub.BadPool.selector, address(0xF2)));
        bad.tokens = _tokens(8);
        _add(bad);
    }

    function test_addPool_revertsIf_thereAreTooMany() public {
        for (uint160 i = 1; i < 64; ++i) {
            _add(_pool(address(0x1000 + i)));
        }
        _expectRevert(_pool(address(0x2000)), abi.encodeWithSelector(IHub.TooManyPools.selector, 64));
    }

    function test_addPool_revertsIf_notTheOwner() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        hub.addPool(_pool(address(0xF2)));
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        hub.removePool(1);
    }

    function _tokens(uint256 count) private pure returns (address[] memory tokens) {
        tokens = new address[](count);
        for (uint256 i; i < count; ++i) {
            tokens[i] = address(uint160(0x10 + i));
        }
    }

    function _expectRevert(ListedPool memory bad, bytes memory reason) private {
        _schedule(bad);
        vm.prank(owner);
        vm.expectRevert(reason);
        hub.addPool(bad);
    }

    function _add(ListedPool memory added) private {
        _schedule(added);
        vm.prank(owner);
        hub.addPool(added);
    }

    function _schedule(ListedPool memory added) private {
        bytes memory call = abi.encodeCall(hub.addPool, (added));
        vm.prank(owner);
        hub.schedule(call);
        skip(hub.TIMELOCK());
    }

    function _pool(address pool) private pure returns (ListedPool memory listed) {
        (listed.venue, listed.pool, listed.tokens) = (CURVE, pool, new address[](3));
        (listed.tokens[0], listed.tokens[1], listed.tokens[2]) = (address(0xA), address(0xB), address(0xC));
    }

    function _venue(bytes32 id, VenueKind kind) private pure returns (VenueConfig memory config) {
        (config.id, config.factory) = (id, address(0xFA));
        (config.venue.kind, config.venue.enabled, config.venue.deployer) = (kind, true, address(0xFA));
    }
}
