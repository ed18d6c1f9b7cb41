// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Pricer} from "../../src/Pricer.sol";
import {Sampler} from "../../src/Sampler.sol";
import {ISampler} from "../../src/interfaces/ISampler.sol";
import {Payment} from "../../src/libraries/Payment.sol";
import {CurveWords} from "../../src/solver/CurveWords.sol";
import {PoolWords} from "../../src/solver/PoolWords.sol";
import {Curve, Pool} from "../../src/types/Market.sol";
import {PackedVenue} from "../../src/types/Venue.sol";
import {UnknownVenueKind, VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {Test} from "forge-std/Test.sol";

/// @notice What the Router, the Finder and the Quoter do with a venue, to be called from outside.
contract VenueCalls {
    function derive(uint256 settings) external pure returns (address) {
        return Venues.derive(PackedVenue(settings, 0), address(1), address(2), 0);
    }

    function fill(uint256 settings) external {
        Venues.fill(
            PackedVenue(settings, 0), Payment(address(1), address(this), address(2), 1), address(3), 0, address(4)
        );
    }

    function borrow(uint256 settings) external {
        Venues.borrow(PackedVenue(settings, 0), address(1), address(2), address(3), 1, "");
    }

    function loanData(VenueKind kind) external returns (bytes memory) {
        return Venues.loanData(kind);
    }

    function read(uint256 settings) external returns (bool) {
        Pool memory pool;
        (pool.venue.settings, pool.pool) = (settings, address(this));
        return Venues.read(pool);
    }
}

contract VenueKindTest is Test {
    uint8 private constant KINDS = 10;
    uint256 private constant WIDTH = 16;

    VenueCalls private immutable calls = new VenueCalls();
    Sampler private immutable sampler = new Sampler();
    Pricer private immutable pricer = new Pricer();

    /// @dev Hubs have stored them.
    function test_numbers_areFrozen() public pure {
        VenueKind[KINDS] memory kinds = [
            VenueKinds.UNISWAP_V2,
            VenueKinds.UNISWAP_V3,
            VenueKinds.SLIPSTREAM,
            VenueKinds.ALGEBRA,
            VenueKinds.UNISWAP_V4,
            VenueKinds.SOLIDLY,
            VenueKinds.CURVE,
            VenueKinds.BALANCER_WEIGHTED,
            VenueKinds.BALANCER_STABLE,
            VenueKinds.ADAPTER
        ];
        for (uint256 i; i < KINDS; ++i) {
            assertEq(VenueKind.unwrap(kinds[i]), i + 1);
        }
    }

    function test_table_hasOneWayForEachKind() public pure {
        for (uint256 number; number < WIDTH; ++number) {
            uint256 row = VenueKinds.TABLE >> number;
            bool known = number != 0 && number <= KINDS;
            assertEq(VenueKind.wrap(uint8(number)).isKnown(), known);
            assertEq(_count(row, VenueKinds.DERIVED, VenueKinds.LISTED, VenueKinds.ATTESTED), known ? 1 : 0, "pools");
            assertEq(_count(row, VenueKinds.CALLBACK, VenueKinds.PUSH, VenueKinds.ALLOWANCE), known ? 1 : 0, "input");
            assertLe(_count(row, VenueKinds.TICKS, VenueKinds.SAMPLED, 0), 1, "curve");
            if (!known) assertEq(row & _columns(), 0, "unknown");
        }
    }

    /// @dev Each question against the table, for every number there can be.
    function testFuzz_traits_areThoseOfTheTable(uint8 number) public pure {
        VenueKind kind = VenueKind.wrap(number);
        uint256 row = number < WIDTH ? VenueKinds.TABLE >> number : 0;
        assertEq(kind.isKnown(), row & (VenueKinds.DERIVED | VenueKinds.LISTED | VenueKinds.ATTESTED) != 0);
        assertEq(kind.isDerived(), row & VenueKinds.DERIVED != 0);
        assertEq(kind.isAttested(), row & VenueKinds.ATTESTED != 0);
        assertEq(kind.isListed(), row & VenueKinds.LISTED != 0);
        assertEq(kind.hasTicks(), row & VenueKinds.TICKS != 0);
        assertEq(kind.isSampled(), row & VenueKinds.SAMPLED != 0);
        assertEq(kind.callsBack(), row & VenueKinds.CALLBACK != 0);
        assertEq(kind.isShared(), row & VenueKinds.SHARED != 0);
        assertEq(kind.lends(), row & VenueKinds.LENDS != 0);
        assertEq(kind.roundsFeeDown(), row & VenueKinds.FEE_ROUNDS_DOWN != 0);
        assertEq(kind == VenueKinds.CURVE, number == 7);
        assertEq(kind != VenueKinds.CURVE, number != 7);
    }

    function testFuzz_venues_revertIf_theKindIsUnknown(uint8 number) public {
        number = number <= KINDS ? 0 : number;
        VenueKind kind = VenueKind.wrap(number);
        _expectUnknown(kind);
        calls.derive(number);
        _expectUnknown(kind);
        calls.fill(number);
        _expectUnknown(kind);
        calls.borrow(number);
        _expectUnknown(kind);
        calls.loanData(kind);
        _expectUnknown(kind);
        calls.read(number);
    }

    /// @dev A kind that does not lend is not borrowed from, whatever its pools would do.
    function testFuzz_borrow_revertsIf_theKindDoesNotLend(uint8 number) public {
        VenueKind kind = VenueKind.wrap(number);
        vm.assume(!kind.lends());
        _expectUnknown(kind);
        calls.borrow(number);
    }

    function testFuzz_pricer_revertsIf_theKindIsUnknown(uint8 number) public {
        VenueKind kind = VenueKind.wrap(number <= KINDS ? 0 : number);
        Pool memory pool;
        pool.venue.settings = VenueKind.unwrap(kind);
        Curve memory curve;
        _expectUnknown(kind);
        pricer.extend(PoolWords.pack(pool), true, CurveWords.pack(curve, 0), 1);
        _expectUnknown(kind);
        pricer.quote(PoolWords.pack(pool), true, 1);
    }

    function testFuzz_pricer_readsPoolsOfAlgebraAlone(uint8 number) public {
        VenueKind kind = VenueKind.wrap(number);
        if (kind == VenueKinds.ALGEBRA) {
            assertEq(pricer.read(kind, address(1), address(this), 7).length, 0);
        } else {
            _expectUnknown(kind);
            pricer.read(kind, address(1), address(this), 7);
        }
    }

    function testFuzz_sampler_revertsIf_theKindIsNotSampled(uint8 number) public {
        VenueKind kind = VenueKind.wrap(number);
        vm.assume(!kind.isSampled());
        _expectUnknown(kind);
        sampler.read(kind, address(1), address(2), 0);
        _expectUnknown(kind);
        sampler.draw(kind, new uint256[](16), true, ISampler.Stretch(0, 1, 0, 0));
        _expectUnknown(kind);
        sampler.quote(kind, address(2), new uint256[](16), true, 1);
    }

    function _expectUnknown(VenueKind kind) private {
        vm.expectRevert(abi.encodeWithSelector(UnknownVenueKind.selector, kind));
    }

    function _count(uint256 row, uint256 a, uint256 b, uint256 c) private pure returns (uint256 count) {
        if (row & a != 0) ++count;
        if (row & b != 0) ++count;
        if (row & c != 0) ++count;
    }

    /// @dev The first bit of each column.
    function _columns() private pure returns (uint256 columns) {
        for (uint256 shift; shift < 256; shift += WIDTH) {
            columns |= 1 << shift;
        }
    }
}
