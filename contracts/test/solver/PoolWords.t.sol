// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISampler} from "../../src/interfaces/ISampler.sol";
import {CurveWords} from "../../src/solver/CurveWords.sol";
import {PoolWords} from "../../src/solver/PoolWords.sol";
import {Curve, Pool} from "../../src/types/Market.sol";
import {PackedVenue, Tier} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {adapterKey} from "../../src/venues/AdapterKey.sol";
import {Test} from "forge-std/Test.sol";

/// @notice Pools and curves arrive as they were sent.
contract PoolWordsTest is Test {
    function testFuzz_unpack_isWhatWasPacked(Pool memory pool) public pure {
        // Indexes among what one search reads.
        (pool.first, pool.token0, pool.token1) = (uint16(pool.first), uint16(pool.token0), uint16(pool.token1));
        uint256[] memory words = PoolWords.pack(pool);
        assertEq(abi.encode(PoolWords.unpack(words)), abi.encode(pool));
        assertEq(PoolWords.firstOf(words), pool.first);
        (uint256 token0, uint256 token1) = PoolWords.tokensOf(words);
        assertEq(token0, pool.token0);
        assertEq(token1, pool.token1);
        (uint16 venue, address at, uint256 key) = PoolWords.identify(words);
        assertEq(venue, pool.number);
        assertEq(at, pool.pool);
        assertEq(key, pool.tier.key);
    }

    /// @dev The Hub may list a pool that an adapter knows too, and two adapters may know one pool.
    function testFuzz_contractOf_tellsContractsAndNotVenues(address pool, address other, address adapter, uint8 places)
        public
        pure
    {
        vm.assume(pool != other);
        Pool memory listed;
        (listed.venue.settings, listed.pool) = (VenueKind.unwrap(VenueKinds.CURVE), pool);
        Pool memory attested;
        (attested.venue.settings, attested.pool) = (VenueKind.unwrap(VenueKinds.ADAPTER), adapter);
        attested.tier.key = uint208(adapterKey(pool, places & 15, places >> 4));
        assertEq(PoolWords.contractOf(listed), uint160(pool));
        assertEq(PoolWords.contractOf(attested), uint160(pool));
        assertEq(PoolWords.contractOf(PoolWords.pack(listed)), uint160(pool));
        assertEq(PoolWords.contractOf(PoolWords.pack(attested)), uint160(pool));
        attested.tier.key = uint208(adapterKey(other, places & 15, places >> 4));
        assertEq(PoolWords.contractOf(attested), uint160(other));
    }

    function testFuzz_unpackedCurve_isWhatWasPacked(Curve memory curve, uint8 room, uint256[100] memory words)
        public
        pure
    {
        curve.count = bound(curve.count, 0, 20);
        curve.segments = new uint256[](5 * curve.count);
        for (uint256 k; k < curve.segments.length; ++k) {
            curve.segments[k] = words[k];
        }
        Curve memory back;
        CurveWords.unpack(CurveWords.pack(curve, room), room, back);
        assertEq(abi.encode(back), abi.encode(curve));
    }
}
