// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Converter} from "../../src/adapters/Converter.sol";
import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {ISampler} from "../../src/interfaces/ISampler.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {adapterKey, adapterPool} from "../../src/venues/AdapterKey.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {Turn, Turned} from "../fixtures/Turned.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What every converter must keep, in both directions, and what nobody can do to it or through it.
abstract contract ConverterCases is Turned {
    uint256 internal constant RESERVE = 1e9;
    uint256 private constant READ_GAS = 600_000;
    uint256 private constant QUOTE_GAS = 500_000;
    uint256 private constant SWAP_GAS = 3_000_000;
    /// @dev What a search pays for a pair of tokens that the converter does not have, addresses warm and cold.
    uint256 private constant OTHER_PAIR_GAS = 20_000;
    /// @dev What calling the adapter itself may add.
    uint256 private constant CALL_GAS = 30_000;
    /// @dev A curve is at most so little above the quotes, as a shift: 6e-8, or 0.0006 basis points.
    uint256 private constant GAP_SHIFT = 24;

    Converter internal adapter;
    address internal pool;
    /// @dev The two tokens, by address.
    PlainToken internal a;
    PlainToken internal b;
    uint256 internal key;
    address internal user = makeAddr("user");

    /* WHAT A CONVERTER TEACHES */

    /// @dev Deploys the adapter and the pool, which has `RESERVE` whole tokens of both. Returns its tokens.
    function _deploy() internal virtual returns (address tokenA, address tokenB);
    /// @dev Changes the price, as a seed has it.
    function _change(uint256 seed) internal virtual;
    /// @dev What is called of the pool, and whose answers hostile code may change.
    function _calledFunctions() internal view virtual returns (bytes4[] memory);

    function _give(PlainToken token, address to, uint256 amount) internal virtual {
        token.mint(to, amount);
    }

    function setUp() public virtual {
        (address tokenA, address tokenB) = _deploy();
        (a, b) = tokenA < tokenB ? (PlainToken(tokenA), PlainToken(tokenB)) : (PlainToken(tokenB), PlainToken(tokenA));
        key = _keys(address(a), address(b))[0];
    }

    /* PRICES */

    function testFuzz_quote_equalsExecution(uint256 seed, uint256 random, bool zeroForOne) public {
        _change(seed);
        (PlainToken sold, PlainToken bought) = zeroForOne ? (a, b) : (b, a);
        uint256 amountIn = _amount(random, zeroForOne);
        _give(sold, address(adapter), amountIn);
        uint256 quoted = _quote(zeroForOne, amountIn);
        if (quoted == 0) return;
        assertEq(adapter.swap(key, address(sold), address(bought), amountIn, user), quoted);
        assertEq(bought.balanceOf(user), quoted);
        _assertNothingKept();
    }

    /// @dev All but the smallest amounts are quoted.
    function testFuzz_quote_isThere(uint256 seed, uint256 random, bool zeroForOne) public {
        _change(seed);
        uint256 amountIn = _amount(random, zeroForOne);
        ISampler.Drawing memory drawing = _draw(zeroForOne);
        uint256 drawn = _drawnOut(drawing, amountIn);
        if (drawn > 4 * _unitOf(drawing)) assertGt(_quote(zeroForOne, amountIn), 0);
    }

    function testFuzz_curve_isNeverBelowAndHardlyAbove(uint256 seed, uint256 random, bool zeroForOne) public {
        _change(seed);
        uint256 amountIn = _amount(random, zeroForOne);
        ISampler.Drawing memory drawing = _draw(zeroForOne);
        uint256 drawn = _drawnOut(drawing, amountIn);
        uint256 quoted = _quote(zeroForOne, amountIn);
        assertGe(drawn, quoted, "below");
        if (quoted != 0) assertLe(drawn, quoted + (quoted >> GAP_SHIFT) + 5 * _unitOf(drawing), "above");
    }

    /// @dev Outside of that the optimizer leaves a curve out.
    function testFuzz_curve_isInTheDomain(uint256 seed, bool zeroForOne) public {
        _change(seed);
        ISampler.Drawing memory drawing = _draw(zeroForOne);
        uint256[] memory words = drawing.segments;
        assertEq(words.length, 5);
        assertEq(drawing.startRatio, words[1]);
        assertFalse(drawing.open);
        assertTrue(words[0] != 0 && words[0] < 1 << 126, "liquidity");
        assertTrue(words[2] != 0 && words[2] < words[1] && words[1] < 1 << 160, "ratios");
        assertLt(words[0], (1 << 248) / words[1], "output reserve");
        assertTrue(words[3] < 1 << 160 && words[4] < 1 << 152, "amounts");
    }

    function testFuzz_quote_refusesMoreThanTheCurveHas(uint256 seed, uint256 random, bool zeroForOne) public {
        _change(seed);
        uint256 most = _draw(zeroForOne).segments[3];
        assertEq(_quote(zeroForOne, bound(random, most + 1, type(uint256).max)), 0);
        assertEq(_quote(zeroForOne, 0), 0);
    }

    /* WHICH POOLS */

    function test_keysOf_hasThePoolOnce() public {
        uint256[] memory hints = new uint256[](3);
        (hints[0], hints[1], hints[2]) = (uint160(pool), uint160(address(this)), type(uint256).max);
        assertEq(adapter.keysOf(address(a), address(b), hints).length, 1);
        assertEq(_keys(address(b), address(a))[0], key, "either order");
        assertEq(adapterPool(key), pool);
        address other = address(new PlainToken("OTHER", 18));
        assertEq(adapter.keysOf(address(a), other, hints).length, 0, "for another token");
        assertEq(adapter.keysOf(address(a), address(a), hints).length, 0, "for one token");
    }

    /// @dev A search asks for each of its pairs.
    function test_keysOf_costsLittleForOtherTokens() public {
        (address x, address y) = (address(new PlainToken("X", 18)), address(new PlainToken("Y", 6)));
        uint256 gas = gasleft();
        assertEq(_keys(x, y).length, 0);
        assertLt(gas - gasleft(), OTHER_PAIR_GAS);
    }

    function testFuzz_swap_revertsIf_theKeyIsOfAnotherPool(uint256 other) public {
        address target = address(uint160(other >> 8));
        if (target != pool) _expectRefusal(uint208(other), target);
    }

    function test_swap_revertsIf_thePlacesAreOthers() public {
        _expectRefusal(key ^ 255, pool);
        _expectRefusal(adapterKey(pool, 0, 0), pool);
    }

    function test_swap_revertsIf_aTokenIsAnother() public {
        PlainToken other = new PlainToken("OTHER", 18);
        other.mint(address(adapter), 1e18);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, pool));
        adapter.swap(key, address(other), address(b), 1e18, user);
        _give(a, address(adapter), 1e6);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, pool));
        adapter.swap(key, address(a), address(other), 1e6, user);
    }

    function test_swap_revertsIf_onlyTheCodeIsThePools() public {
        address copy = makeAddr("copy");
        vm.etch(copy, pool.code);
        _expectRefusal(key & 255 | uint256(uint160(copy)) << 8, copy);
    }

    /* WHAT IS PAID */

    function test_swap_revertsIf_lessArrived() public {
        _give(a, address(adapter), 1e6 - 1);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotPaid.selector, address(a), 1e6, 1e6 - 1));
        adapter.swap(key, address(a), address(b), 1e6, user);
    }

    /// @dev What lies in the adapter belongs to nobody, and changes no swap of a told amount.
    function testFuzz_swap_isTheSameWithDonations(uint256 random, bool zeroForOne) public {
        (PlainToken sold, PlainToken bought) = zeroForOne ? (a, b) : (b, a);
        uint256 amountIn = _amount(random, zeroForOne);
        _give(sold, address(adapter), amountIn + 12_345);
        _give(bought, address(adapter), 54_321);
        uint256 quoted = _quote(zeroForOne, amountIn);
        if (quoted == 0) return;
        assertEq(adapter.swap(key, address(sold), address(bought), amountIn, user), quoted);
        assertEq(sold.balanceOf(address(adapter)), 12_345);
        assertEq(bought.balanceOf(address(adapter)), 54_321);
    }

    function test_swap_sellsAllThatItHolds() public {
        uint256 amountIn = _draw(true).segments[3] >> 20;
        _give(a, address(adapter), amountIn);
        uint256 quoted = _quote(true, amountIn);
        assertEq(adapter.swap(key, address(a), address(b), 0, user), quoted);
        _assertNothingKept();
    }

    /// @dev The next leg may be on the same adapter, which is paid then.
    function test_swap_paysTheAdapterItself() public {
        uint256 amountIn = _draw(true).segments[3] >> 20;
        _give(a, address(adapter), amountIn);
        uint256 quoted = _quote(true, amountIn);
        assertEq(adapter.swap(key, address(a), address(b), 0, address(adapter)), quoted);
        assertEq(b.balanceOf(address(adapter)), quoted);
    }

    /* HOSTILE ANSWERS */

    function test_adapter_survivesWhateverIsAnswered() public {
        bytes4[] memory selectors = _calledFunctions();
        uint256[] memory state = _read();
        for (uint256 i; i < selectors.length; ++i) {
            for (uint256 how = 1; how < TURNS; ++how) {
                for (uint256 way; way < 2; ++way) {
                    uint256 snapshot = vm.snapshotState();
                    uint256 amountIn = _draw(way == 0).segments[3] >> 20;
                    _give(way == 0 ? a : b, address(adapter), amountIn);
                    turn(pool, selectors[i], Turn(how));
                    reenter(pool, address(adapter), IAdapter.registry.selector);
                    _priceWithinGas(state, way == 0);
                    _swapOrRevert(way == 0, amountIn);
                    vm.revertToStateAndDelete(snapshot);
                }
            }
        }
    }

    function _priceWithinGas(uint256[] memory state, bool zeroForOne) private view {
        uint256 gas = gasleft();
        try adapter.read{gas: READ_GAS}(VenueKinds.ADAPTER, address(adapter), address(adapter), key) {} catch {}
        assertLt(gas - gasleft(), READ_GAS + CALL_GAS);
        gas = gasleft();
        try adapter.quote{gas: QUOTE_GAS}(VenueKinds.ADAPTER, address(adapter), state, zeroForOne, 1e6) {} catch {}
        assertLt(gas - gasleft(), QUOTE_GAS + CALL_GAS);
        _keys(address(a), address(b));
    }

    /// @dev A swap pays what it says, or nothing moves.
    function _swapOrRevert(bool zeroForOne, uint256 amountIn) private {
        (PlainToken sold, PlainToken bought) = zeroForOne ? (a, b) : (b, a);
        // A token that has turned says nothing about itself.
        bool saysAll = address(sold) != pool && address(bought) != pool;
        try adapter.swap{gas: SWAP_GAS}(key, address(sold), address(bought), amountIn, user) returns (
            uint256 amountOut
        ) {
            if (saysAll) assertEq(sold.balanceOf(address(adapter)), 0, "all was sold");
            if (address(bought) != pool) assertEq(bought.balanceOf(user), amountOut, "says what it paid");
        } catch {
            if (address(bought) != pool) assertEq(bought.balanceOf(user), 0);
            if (address(sold) != pool) assertEq(sold.balanceOf(address(adapter)), amountIn);
        }
        if (address(sold) != pool) assertEq(sold.allowance(address(adapter), pool), 0);
        if (address(bought) != pool) assertEq(bought.balanceOf(address(adapter)), 0);
    }

    /* SHORTHANDS */

    function _assertNothingKept() internal view {
        assertEq(a.balanceOf(address(adapter)), 0, "kept");
        assertEq(b.balanceOf(address(adapter)), 0, "kept");
        assertEq(a.allowance(address(adapter), pool), 0, "allowed");
        assertEq(b.allowance(address(adapter), pool), 0, "allowed");
    }

    function _expectRefusal(uint256 key_, address refused) internal {
        _give(a, address(adapter), 1e6);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, refused));
        adapter.swap(key_, address(a), address(b), 1e6, user);
    }

    /// @dev Up to the curve's limit, every order of magnitude alike.
    function _amount(uint256 random, bool zeroForOne) internal view returns (uint256) {
        uint256 most = _draw(zeroForOne).segments[3] >> (random & 63);
        return 1 + (random >> 8) % (most == 0 ? 1 : most);
    }

    function _keys(address x, address y) internal view returns (uint256[] memory) {
        return adapter.keysOf(x, y, new uint256[](0));
    }

    function _read() internal view returns (uint256[] memory) {
        return adapter.read(VenueKinds.ADAPTER, address(adapter), address(adapter), key);
    }

    function _quote(bool zeroForOne, uint256 amountIn) internal view returns (uint256 amountOut) {
        uint256 gas;
        (amountOut, gas) = adapter.quote(VenueKinds.ADAPTER, address(adapter), _read(), zeroForOne, amountIn);
        assertEq(gas == 0, amountOut == 0);
    }

    function _draw(bool zeroForOne) internal view returns (ISampler.Drawing memory drawing) {
        drawing = adapter.draw(VenueKinds.ADAPTER, _read(), zeroForOne, ISampler.Stretch(0, 4, 0, 0));
    }

    /// @dev What a unit of the input is worth, or a unit of the output.
    function _unitOf(ISampler.Drawing memory drawing) private pure returns (uint256) {
        return drawing.segments[4] / drawing.segments[3] + 1;
    }

    /// @dev What the drawn segment pays, to the unit: `IOptimizer` has the formula.
    function _drawnOut(ISampler.Drawing memory drawing, uint256 amountIn) private pure returns (uint256) {
        (uint256 liquidity, uint256 start) = (drawing.segments[0], drawing.segments[1]);
        uint256 atStart = amountIn * start;
        return FixedPointMathLib.fullMulDivUp(liquidity * start, atStart, (liquidity << 96) + atStart) >> 96;
    }
}
