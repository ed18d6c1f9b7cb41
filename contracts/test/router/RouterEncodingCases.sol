// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Leg, Route} from "../../src/types/Route.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";

/// @notice Decodes the arguments of `swapExactIn` by the compiler's own decoder, all at once and before anything is done.
contract Reference {
    function decode(bytes calldata arguments) external pure returns (Route memory, uint256, uint256, address, uint256) {
        return abi.decode(arguments, (Route, uint256, uint256, address, uint256));
    }
}

/// @notice Calldata that nobody's encoder writes: offsets that overlap, lead back, lead out or wrap around. The Router,
/// which reads a route where it lies, understands it as the reference does, or refuses it.
abstract contract RouterEncodingCases is ProtocolFixture {
    uint256 private constant AMOUNT = 1e18;
    /// @dev Words before the route's own: five arguments.
    uint256 private constant HEAD_WORDS = 5;
    /// @dev Place of the offset of the legs, in words from the first argument.
    uint256 private constant LEGS_OFFSET_WORD = HEAD_WORDS + 5;

    Reference private plain;
    address private v2Pool;
    address private v3Pool;

    function setUp() public {
        deployProtocol();
        plain = new Reference();
        v2Pool = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        v3Pool = createV3(address(weth), address(usdc), 500, 1e18, 3000e6);
        addAround(v3Pool, 2000, 1e18);
        fund(user, address(weth), AMOUNT);
    }

    /// @dev The offsets point anywhere among the words of a good call and a second route behind it.
    function testFuzz_swapExactIn_readsOffsetsAsTheReference(uint256 routeAt, uint256 legsAt, uint256 shift) public {
        bytes memory arguments = bytes.concat(_arguments(), _arguments());
        _setWord(arguments, 0, _offset(routeAt, shift, arguments.length));
        _setWord(arguments, LEGS_OFFSET_WORD, _offset(legsAt, shift >> 128, arguments.length));
        _assertSameMeaning(arguments);
    }

    /// @dev Any one word is replaced by another one of the call, or by anything.
    function testFuzz_swapExactIn_readsWordsAsTheReference(uint256 place, uint256 source, uint256 word) public {
        bytes memory arguments = _arguments();
        uint256 words = arguments.length / 32;
        uint256 value = source % 3 == 0 ? word : _word(arguments, source % words);
        _setWord(arguments, place % words, value);
        _assertSameMeaning(arguments);
    }

    /// @dev The call is cut off, or goes on for longer than it should.
    function testFuzz_swapExactIn_readsLengthsAsTheReference(uint256 length, bytes calldata more) public {
        bytes memory arguments = bytes.concat(_arguments(), more);
        length = bound(length, 0, arguments.length);
        assembly {
            mstore(arguments, length)
        }
        _assertSameMeaning(arguments);
    }

    /// @dev Both routes of a call may share their legs; each swap means what its own offsets say.
    function test_swapExactIn_aRouteInsideOfAnotherIsThatRoute() public {
        bytes memory inner = _arguments();
        bytes memory arguments = bytes.concat(_arguments(), inner);
        // The route of the second half, whose offsets count from its own start.
        _setWord(arguments, 0, inner.length + HEAD_WORDS * 32);
        assertTrue(_assertSameMeaning(arguments));
    }

    function test_swapExactIn_revertsIf_theLegsAreTheRouteItself() public {
        bytes memory arguments = _arguments();
        _setWord(arguments, LEGS_OFFSET_WORD, 0);
        assertFalse(_assertSameMeaning(arguments));
        // Two's complement: 32 bytes before the route's own start.
        _setWord(arguments, LEGS_OFFSET_WORD, type(uint256).max - 31);
        assertFalse(_assertSameMeaning(arguments));
    }

    function test_swapExactIn_revertsIf_theRouteIsTheArgumentsThemselves() public {
        bytes memory arguments = _arguments();
        for (uint256 offset; offset < HEAD_WORDS * 32; offset += 32) {
            _setWord(arguments, 0, offset);
            assertFalse(_assertSameMeaning(arguments));
        }
    }

    function test_swapExactIn_revertsIf_theNumberOfLegsIsAbsurd() public {
        bytes memory arguments = _arguments();
        uint256[4] memory counts = [type(uint256).max, 1 << 64, 1 << 255, 3];
        for (uint256 i; i < counts.length; ++i) {
            _setWord(arguments, LEGS_OFFSET_WORD + 1, counts[i]);
            assertFalse(_assertSameMeaning(arguments));
        }
    }

    /// @dev Half of the offsets are words, the others any byte; a few are absurd.
    function _offset(uint256 seed, uint256 kind, uint256 length) private pure returns (uint256) {
        if (kind % 8 == 0) return seed;
        if (kind % 8 == 1) return type(uint256).max - seed % length;
        if (kind % 8 == 2) return seed % length;
        return seed % (length / 32) * 32;
    }

    /// @dev Whether the call went through.
    function _assertSameMeaning(bytes memory arguments) private returns (bool ok) {
        uint256 snapshot = vm.snapshotState();
        bytes memory answer;
        (ok, answer) = _call(bytes.concat(IRouter.swapExactIn.selector, arguments));
        uint256 spent = AMOUNT - weth.balanceOf(user);
        uint256 held = usdc.balanceOf(user);
        assertEq(weth.balanceOf(address(router)), 0);
        assertEq(usdc.balanceOf(address(router)), 0);
        vm.revertToStateAndDelete(snapshot);

        try plain.decode(arguments) returns (
            Route memory route, uint256 amountIn, uint256 minOut, address recipient, uint256 deadline
        ) {
            (bool meant, bytes memory meaning) =
                _call(abi.encodeCall(IRouter.swapExactIn, (route, amountIn, minOut, recipient, deadline)));
            assertEq(ok, meant, "another outcome");
            if (ok) assertEq(answer, meaning, "another answer");
            assertEq(spent, AMOUNT - weth.balanceOf(user), "another price");
            assertEq(held, usdc.balanceOf(user), "another payout");
        } catch {
            assertFalse(ok, "the reference refuses it");
            assertEq(spent, 0);
        }
    }

    function _call(bytes memory data) private returns (bool ok, bytes memory answer) {
        vm.prank(user);
        (ok, answer) = address(router).call(data);
    }

    /// @dev Of a good call, without its selector.
    function _arguments() private view returns (bytes memory) {
        Route memory route = Route(address(weth), address(usdc), AMOUNT, 1, 10_000, new Leg[](2));
        route.legs[0] = legV2(v2Pool, address(weth), address(usdc));
        route.legs[0].share = 0.5e18;
        route.legs[1] = legV3(v3Pool, address(weth), address(usdc), 500);
        return abi.encode(route, AMOUNT, uint256(1), user, block.timestamp);
    }

    function _word(bytes memory data, uint256 index) private pure returns (uint256 value) {
        assembly {
            value := mload(add(add(data, 32), mul(index, 32)))
        }
    }

    function _setWord(bytes memory data, uint256 index, uint256 value) private pure {
        assembly {
            mstore(add(add(data, 32), mul(index, 32)), value)
        }
    }
}
