// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHub} from "../../src/interfaces/IHub.sol";
import {HubAnswers} from "../../src/solver/HubAnswers.sol";
import {ListedPool, PackedVenue, Tier} from "../../src/types/Venue.sol";
import {Test} from "forge-std/Test.sol";

/// @notice Answers every call with the same bytes. Reverts if there are none.
contract Answering {
    bytes private _answer;

    constructor(bytes memory answer) {
        _answer = answer;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        require(_answer.length != 0);
        return _answer;
    }
}

/// @notice `HubAnswers` returns the same structs as Solidity's own decoding.
contract HubAnswersTest is Test {
    uint256 private constant MOST = 8;

    function venuesOf(IHub hub) external returns (PackedVenue[] memory, Tier[][] memory) {
        return HubAnswers.venuesOf(hub);
    }

    function poolsOf(IHub hub) external returns (ListedPool[] memory) {
        return HubAnswers.poolsOf(hub);
    }

    function testFuzz_venuesOf_isWhatSolidityDecodes(uint256 seed, uint256 count) public {
        PackedVenue[] memory list = new PackedVenue[](bound(count, 0, MOST));
        Tier[][] memory tiers = new Tier[][](list.length);
        for (uint256 v; v < list.length; ++v) {
            list[v] = PackedVenue(_draw(seed, v, 0), bytes32(_draw(seed, v, 1)));
            tiers[v] = new Tier[](_draw(seed, v, 2) % MOST);
            for (uint256 t; t < tiers[v].length; ++t) {
                uint256 drawn = _draw(seed, v, 3 + t);
                tiers[v][t] = Tier(uint208(drawn), uint24(drawn >> 208), int24(uint24(drawn >> 232)));
            }
        }
        bytes memory answer = abi.encode(list, tiers);
        (PackedVenue[] memory venues, Tier[][] memory own) = HubAnswers.venuesOf(_answering(answer));
        assertEq(abi.encode(venues, own), answer);
    }

    function testFuzz_poolsOf_isWhatSolidityDecodes(uint256 seed, uint256 count) public {
        ListedPool[] memory list = new ListedPool[](bound(count, 0, MOST));
        for (uint256 p; p < list.length; ++p) {
            list[p].venue = uint16(_draw(seed, p, 0));
            list[p].pool = address(uint160(_draw(seed, p, 1)));
            list[p].tokens = new address[](_draw(seed, p, 2) % MOST);
            for (uint256 t; t < list[p].tokens.length; ++t) {
                list[p].tokens[t] = address(uint160(_draw(seed, p, 3 + t)));
            }
        }
        bytes memory answer = abi.encode(list);
        assertEq(abi.encode(HubAnswers.poolsOf(_answering(answer))), answer);
    }

    function test_reverts_ifTheHubDoes() public {
        IHub silent = _answering("");
        vm.expectRevert();
        this.venuesOf(silent);
        vm.expectRevert();
        this.poolsOf(silent);
    }

    function _answering(bytes memory answer) private returns (IHub) {
        return IHub(address(new Answering(answer)));
    }

    function _draw(uint256 seed, uint256 at, uint256 what) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, at, what)));
    }
}
