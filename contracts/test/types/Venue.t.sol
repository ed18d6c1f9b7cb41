// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CODE_SHIFT, PackedVenue, Venue} from "../../src/types/Venue.sol";
import {VenueKind} from "../../src/types/VenueKind.sol";
import {sharedCode, sharedCodeNumber} from "../../src/venues/SharedCode.sol";
import {Test} from "forge-std/Test.sol";

contract VenueTest is Test {
    function testFuzz_packed_unpacks(
        uint8 kind,
        bool enabled,
        uint8 unlockedWord,
        uint24 feePips,
        bytes4 callback,
        address deployer,
        bytes32 initCodeHash,
        uint16 codeNumber
    ) public pure {
        Venue memory venue = Venue({
            kind: VenueKind.wrap(kind),
            enabled: enabled,
            unlockedWord: unlockedWord,
            feePips: feePips,
            callback: callback,
            deployer: deployer,
            initCodeHash: initCodeHash
        });
        PackedVenue memory packed = venue.packed();
        assertEq(packed.settings >> CODE_SHIFT, 0);
        packed.settings |= uint256(codeNumber) << CODE_SHIFT;

        assertEq(abi.encode(packed.unpacked()), abi.encode(venue));
        assertEq(VenueKind.unwrap(packed.kind()), kind);
        assertEq(packed.isEnabled(), enabled);
        assertEq(packed.unlockedWord(), unlockedWord);
        assertEq(packed.feePips(), feePips);
        assertEq(packed.callback(), callback);
        assertEq(packed.deployer(), deployer);
    }

    function test_sharedCode_eachHasItsNumber() public pure {
        uint256 number;
        for (number = 1; sharedCode(number) != 0; ++number) {
            assertEq(sharedCodeNumber(sharedCode(number)), number);
        }
        assertEq(number, 6);
        assertEq(sharedCodeNumber(0), 0);
        assertEq(sharedCodeNumber(keccak256("another")), 0);
    }
}
