// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {LegAt, Legs} from "../../src/libraries/Legs.sol";
import {Leg} from "../../src/types/Route.sol";
import {Test} from "forge-std/Test.sol";

/// @notice Legs read by the library, and by the compiler.
contract Readers {
    using Legs for Leg[];

    function read(Leg[] calldata legs, uint256 index) external pure returns (bytes memory) {
        LegAt leg = legs.at(index);
        return abi.encode(leg.venue(), leg.pool(), leg.tokenIn(), leg.tokenOut(), leg.key(), leg.share());
    }

    function readPlain(Leg[] calldata legs, uint256 index) external pure returns (bytes memory) {
        Leg memory leg = legs[index];
        return abi.encode(leg);
    }
}

contract LegsTest is Test {
    Readers private readers = new Readers();

    function testFuzz_read_isWhatTheCompilerReads(Leg[] calldata legs, uint256 index) public view {
        vm.assume(legs.length != 0);
        index = index % legs.length;
        assertEq(readers.read(legs, index), readers.readPlain(legs, index));
    }

    /// @dev Any one word of a leg is replaced by anything: by what is too long for its place as well.
    function testFuzz_read_refusesWhatTheCompilerRefuses(Leg calldata leg, uint256 place, uint256 word, uint8 shift)
        public
        view
    {
        Leg[] memory legs = new Leg[](1);
        legs[0] = leg;
        bytes memory written = abi.encodeCall(Readers.read, (legs, 0));
        bytes memory plain = abi.encodeCall(Readers.readPlain, (legs, 0));
        // The selector, the offset, the index and the length are in front.
        uint256 at = 4 + 96 + 32 * (place % 6) + 32;
        word >>= shift;
        assembly {
            mstore(add(written, at), word)
            mstore(add(plain, at), word)
        }
        (bool ok, bytes memory result) = address(readers).staticcall(written);
        (bool plainOk, bytes memory plainResult) = address(readers).staticcall(plain);
        assertEq(ok, plainOk);
        assertEq(result, plainResult);
    }
}
