// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Words} from "../../src/libraries/Words.sol";
import {Test} from "forge-std/Test.sol";

/// @notice Answers what it was asked, to the byte.
contract Echo {
    fallback(bytes calldata data) external returns (bytes memory) {
        return data;
    }

    function refuse() external pure {
        revert();
    }
}

/// @notice Returns what it is given, at once.
contract Back {
    function back(uint256[] memory words) external pure returns (uint256[] memory) {
        Words.giveBack(words);
    }

    function decode(bytes memory answer) external pure returns (uint256[] memory) {
        return Words.decode(answer);
    }
}

/// @notice What is done at once is what Solidity does word by word.
contract WordsTest is Test {
    Echo private echo = new Echo();
    Back private backer = new Back();

    function testFuzz_ask_isTheAbisCall(uint256[] memory arguments, bytes4 selector) public {
        vm.assume(selector != Echo.refuse.selector);
        uint256[] memory given = abi.decode(abi.encode(arguments), (uint256[]));
        (bool ok, bytes memory answer) = Words.ask(address(echo), selector, given, gasleft());
        assertTrue(ok);
        assertEq(answer, abi.encodePacked(selector, arguments));
        assertEq(given, arguments, "arguments are as they were");
    }

    /// @dev The answer is as much longer than the arguments as a selector, and may not overwrite what lies before them.
    function testFuzz_askOnce_isTheAbisCall(uint256[] memory arguments, bytes4 selector, bytes memory before) public {
        vm.assume(selector != Echo.refuse.selector);
        bytes memory kept = bytes.concat(before);
        uint256[] memory given = abi.decode(abi.encode(arguments), (uint256[]));
        (bool ok, bytes memory answer) = Words.askOnce(address(echo), selector, given, gasleft());
        bytes memory later = new bytes(32);
        assertTrue(ok);
        assertEq(answer, abi.encodePacked(selector, arguments));
        assertEq(kept, before);
        assertEq(later, new bytes(32));
        (ok, answer) = Words.askOnce(address(echo), Echo.refuse.selector, new uint256[](1), gasleft());
        assertFalse(ok);
        assertEq(answer.length, 0);
    }

    /// @dev Else the answer could overwrite it.
    function test_askOnce_revertsIf_memoryWasAllocatedSince() public {
        vm.expectRevert();
        this.askTooLate();
    }

    function askTooLate() external {
        uint256[] memory arguments = new uint256[](1);
        new uint256[](1);
        Words.askOnce(address(echo), 0xaabbccdd, arguments, gasleft());
    }

    function test_ask_saysWhereTheTargetFails() public {
        (bool ok,) = Words.ask(address(echo), Echo.refuse.selector, new uint256[](1), gasleft());
        assertFalse(ok);
        (ok,) = Words.ask(address(echo), 0xaabbccdd, new uint256[](1), 100);
        assertFalse(ok);
    }

    function testFuzz_giveBack_isAReturn(uint256[] memory words) public view {
        (, bytes memory answer) = address(backer).staticcall(abi.encodeCall(Back.back, (words)));
        assertEq(answer, abi.encode(words));
    }

    function testFuzz_decode_isTheAbis(uint256[] memory words) public view {
        assertEq(backer.decode(abi.encode(words)), words);
    }

    function testFuzz_decode_revertsIf_wordsAreMissingOrTooMany(uint256[] memory words, uint256 length) public {
        length = bound(length, 0, type(uint128).max);
        vm.assume(length != words.length);
        bytes memory answer = bytes.concat(abi.encode(32, length), abi.encodePacked(words));
        vm.expectRevert();
        backer.decode(answer);
        vm.expectRevert();
        backer.decode(new bytes(length % 64));
    }

    function testFuzz_copy_isALoop(uint256[] memory source, uint8 from, uint8 to, uint8 count) public pure {
        vm.assume(uint256(from) + count <= source.length);
        uint256[] memory target = new uint256[](uint256(to) + count + 3);
        uint256[] memory expected = new uint256[](target.length);
        for (uint256 k; k < count; ++k) {
            expected[to + k] = source[from + k];
        }
        Words.copy(source, from, target, to, count);
        assertEq(target, expected);
    }

    function copy(uint256 length, uint256 from, uint256 room, uint256 to, uint256 count) external pure {
        Words.copy(new uint256[](length), from, new uint256[](room), to, count);
    }

    function testFuzz_copy_revertsIf_eitherIsShorter(uint8 length, uint256 from, uint8 room, uint256 to, uint256 count)
        public
    {
        vm.assume(from > length || count > length - from || to > room || count > room - to);
        vm.expectRevert();
        this.copy(length, from, room, to, count);
    }

    /// @dev Large numbers are seldom short of just one array, and just behind its end.
    function testFuzz_copy_revertsIf_oneIsShorterByALittle(uint8 length, uint8 from, uint8 count, uint8 short) public {
        uint256 needed = uint256(from) + count;
        uint256 missing = bound(short, 0, count);
        vm.assume(missing != 0);
        this.copy(needed, from, needed, from, count);
        vm.expectRevert();
        this.copy(needed - missing, from, needed + length, from, count);
        vm.expectRevert();
        this.copy(needed + length, from, needed - missing, from, count);
    }

    function testFuzz_widened_keepsTheWords(uint256[] memory words, uint8 first) public pure {
        uint256[] memory wide = Words.widened(words, first);
        assertEq(wide.length, words.length == 0 ? first : 3 * words.length);
        for (uint256 k; k < words.length; ++k) {
            assertEq(wide[k], words[k]);
        }
    }

    function testFuzz_split_isWhatWasJoined(uint256[][] memory arrays, uint256 count) public pure {
        count = bound(count, 0, arrays.length);
        uint256[][] memory back = Words.split(Words.join(arrays, count));
        assertEq(back.length, count);
        for (uint256 k; k < count; ++k) {
            assertEq(back[k], arrays[k]);
        }
    }

    function testFuzz_join_isTheLengthsAndTheWords(uint256[][] memory arrays) public pure {
        uint256 count = arrays.length < 3 ? arrays.length : 3;
        bytes memory expected;
        for (uint256 k; k < count; ++k) {
            expected = abi.encodePacked(expected, arrays[k].length, arrays[k]);
        }
        assertEq(Words.join(arrays, count), expected);
    }
}
