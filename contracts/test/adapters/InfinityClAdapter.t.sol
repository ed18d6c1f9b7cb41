// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AdapterBase} from "../../src/adapters/AdapterBase.sol";
import {InfinityClAdapter} from "../../src/adapters/InfinityClAdapter.sol";
import {ICLPoolManager, InfinityKey} from "../../src/adapters/InfinityPools.sol";
import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {ISampler} from "../../src/interfaces/ISampler.sol";
import {SEGMENT_WORDS} from "../../src/types/Market.sol";
import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {drawnOut, joined} from "../fixtures/DrawnCurve.sol";
import {InfinityFixture} from "../fixtures/InfinityFixture.sol";
import {PlainToken, WrappedToken} from "../fixtures/Tokens.sol";
import {KindCases} from "../venues/KindCases.sol";
import {AdapterSafetyCases} from "./AdapterSafetyCases.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// forge-config: default.fuzz.runs = 100
contract InfinityClKindTest is KindCases, InfinityFixture {
    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.ADAPTER;
    }

    function deployKind() internal override returns (uint16, address, uint256) {
        deployInfinity(address(weth));
        VenueConfig memory config;
        (config.id, config.factory, config.tiers) = ("pancakeswap-infinity", address(clPositions), new Tier[](0));
        (config.venue.kind, config.venue.enabled, config.venue.deployer) = (VenueKinds.ADAPTER, true, address(infinity));
        uint16 venue = addVenue(config);
        InfinityKey memory made = infinityKey(address(usdc), address(dai), 100, 1);
        (uint256 ofUsdc, uint256 ofDai) = (worth(USDC_INDEX, 8_000_000), worth(DAI_INDEX, 8_000_000));
        if (usdc < dai) createInfinity(made, ofUsdc, ofDai);
        else createInfinity(made, ofDai, ofUsdc);
        return (venue, address(infinity), infinityLegKey(made));
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        selectors = new bytes4[](7);
        (selectors[0], selectors[1]) = (ICLPoolManager.getSlot0.selector, ICLPoolManager.getLiquidity.selector);
        (selectors[2], selectors[3]) =
        (ICLPoolManager.getPoolBitmapInfo.selector, ICLPoolManager.getPoolTickInfo.selector);
        (selectors[4], selectors[5]) = (ICLPoolManager.paused.selector, ICLPoolManager.getFeeGrowthGlobals.selector);
        selectors[6] = ICLPoolManager.swap.selector;
        return (address(clManager), selectors);
    }
}

/// @notice A pool is named by a number of its own here: the tick spacing that tells it apart.
contract InfinityClSafetyTest is AdapterSafetyCases, InfinityFixture {
    WrappedToken private wrapped;
    mapping(address name => InfinityKey) private _keys;
    uint24 private _count = 60;

    function test_swap_revertsIf_theTokensAreOthers() public {
        PlainToken c = new PlainToken("C", 18);
        _expectRefusal(key, address(0), c, b);
        _expectRefusal(key, address(0), a, c);
        _expectRefusal(key, address(0), a, a);
    }

    /// @dev Each pool has one key.
    function test_swap_revertsIf_theKeyHasAnotherEnd(uint8 end) public {
        if (end != uint8(key)) _expectRefusal(key >> 8 << 8 | end, address(0), a, b);
    }

    function test_lockAcquired_revertsIf_theCallerIsNotTheVault() public {
        a.mint(address(adapter), AMOUNT);
        InfinityClAdapter.Trade memory trade = InfinityClAdapter.Trade(_keys[pool], true, AMOUNT, user);
        vm.expectRevert();
        infinity.lockAcquired(abi.encode(trade));
    }

    function test_receive_revertsIf_nothingIsExpected() public {
        vm.deal(address(this), 1);
        (bool ok,) = address(adapter).call{value: 1}("");
        assertFalse(ok);
    }

    /// @dev Hooks around swaps change what they pay, so that such pools are left out; others are traded.
    function testFuzz_keysOf_hasOnlyPoolsWithoutHooksInSwaps(uint16 bits) public {
        InfinityKey memory made = _keys[pool];
        bits = uint16(bound(bits, 1, type(uint16).max >> 2));
        (made.hooks, made.parameters) = (makeAddr("hooks"), made.parameters | bytes32(uint256(bits)));
        createInfinity(made, RESERVE, RESERVE);
        uint256[] memory hints = new uint256[](1);
        hints[0] = infinityId(made);
        bool isPlain = bits & 0xcc0 == 0;
        assertEq(adapter.keysOf(address(a), address(b), hints).length, isPlain ? 1 : 0);
        assertEq(_read(infinityLegKey(made)).length, isPlain ? 7 : 0);
        if (!isPlain) _expectRefusal(infinityLegKey(made), address(0), a, b);
        else assertGt(_quote(infinityLegKey(made), true), 0);
    }

    function test_read_isEmptyIf_thereIsNoPoolOrItIsPausedOrItHoldsNothing() public {
        assertEq(_read(key).length, 7);
        assertEq(_read(key + 256).length, 0);
        clManager.setPaused(true);
        assertEq(_read(key).length, 0);
        clManager.setPaused(false);
        InfinityKey memory far = infinityKey(address(a), address(b), 3000, 7);
        initializeInfinity(far, 1, 1);
        addInfinity(far, 7, 70, 1e24);
        assertEq(_read(infinityLegKey(far)).length, 0);
    }

    /// @dev Without a hint, in either order, native ones as well.
    function test_keysOf_findsTheCommonTiers() public {
        uint24[2][4] memory tiers = [[uint24(100), 1], [uint24(500), 10], [uint24(2500), 50], [uint24(10_000), 200]];
        PlainToken low = a < PlainToken(address(wrapped)) ? a : PlainToken(address(wrapped));
        PlainToken high = low == a ? PlainToken(address(wrapped)) : a;
        for (uint256 i; i < tiers.length; ++i) {
            createInfinity(infinityKey(address(low), address(high), tiers[i][0], tiers[i][1]), RESERVE, RESERVE);
            createInfinity(infinityKey(address(0), address(a), tiers[i][0], tiers[i][1]), RESERVE, RESERVE);
        }
        assertEq(adapter.keysOf(address(a), address(wrapped), new uint256[](0)).length, 8);
        assertEq(adapter.keysOf(address(wrapped), address(a), new uint256[](0)).length, 8);
        assertEq(adapter.keysOf(address(b), address(wrapped), new uint256[](0)).length, 0);
    }

    function testFuzz_swap_tradesNativePoolsAsWrapped(uint256 amountIn, bool sellsA, bool isCommon) public {
        InfinityKey memory made = infinityKey(address(0), address(a), isCommon ? 500 : 501, 10);
        createInfinity(made, RESERVE, RESERVE);
        amountIn = bound(amountIn, 1, RESERVE);
        (address sold, address bought) = sellsA ? (address(a), address(wrapped)) : (address(wrapped), address(a));
        uint256[] memory state = _read(infinityLegKey(made));
        (uint256 quoted,) = adapter.quote(VenueKinds.ADAPTER, address(adapter), state, sold < bought, amountIn);
        if (sellsA) a.mint(address(adapter), amountIn);
        else _wrap(address(adapter), amountIn);
        if (quoted == 0) return;
        assertEq(adapter.swap(infinityLegKey(made), sold, bought, amountIn, user), quoted);
        assertEq(PlainToken(bought).balanceOf(user), quoted);
        assertEq(address(adapter).balance, 0);
        assertEq(wrapped.balanceOf(address(adapter)), 0);
        assertEq(a.balanceOf(address(adapter)), 0);
    }

    function _wrap(address to, uint256 amount) private {
        vm.deal(address(wrapped), address(wrapped).balance + amount);
        wrapped.mint(to, amount);
    }

    function _deployAdapter() internal override returns (AdapterBase) {
        wrapped = new WrappedToken("WETH", 18);
        deployInfinity(address(wrapped));
        return infinity;
    }

    function _createPool(PlainToken token0, PlainToken token1) internal override returns (address name) {
        InfinityKey memory made = infinityKey(address(token0), address(token1), 3000, ++_count);
        createInfinity(made, RESERVE, RESERVE);
        name = address(uint160(uint256(keccak256(abi.encode(_count)))));
        _keys[name] = made;
    }

    /// @dev There is no such pool.
    function _forge(PlainToken, PlainToken, uint256 seed) internal pure override returns (address) {
        return address(uint160(seed));
    }

    function _keyOf(address name) internal view override returns (uint256) {
        return _hintOf(name) >> 56 << 8 | 1;
    }

    function _hintOf(address name) internal view override returns (uint256) {
        InfinityKey memory made = _keys[name];
        if (made.currency1 == address(0)) {
            made = _keys[pool];
            made.hooks = name;
        }
        return infinityId(made);
    }

    function _namedOf(uint256) internal pure override returns (address) {
        return address(0);
    }

    function _holder() internal view override returns (address) {
        return address(infinityVault);
    }

    function _calledFunctions() internal view override returns (address[] memory targets, bytes4[] memory selectors) {
        (targets, selectors) = (new address[](6), new bytes4[](6));
        (targets[0], selectors[0]) = (address(clPositions), clPositions.poolKeys.selector);
        for (uint256 i = 1; i < targets.length; ++i) {
            targets[i] = address(clManager);
        }
        (selectors[1], selectors[2]) = (ICLPoolManager.getSlot0.selector, ICLPoolManager.getLiquidity.selector);
        (selectors[3], selectors[4]) = (ICLPoolManager.getPoolTickInfo.selector, ICLPoolManager.paused.selector);
        selectors[5] = ICLPoolManager.getPoolBitmapInfo.selector;
    }
}

/// @notice Pools of random positions: quotes are what is paid, and curves are the pools' own.
/// forge-config: default.fuzz.runs = 100
contract InfinityClCurveTest is InfinityFixture {
    PlainToken private token0;
    PlainToken private token1;
    InfinityKey internal _made;
    uint256[] private _state;

    function setUp() public {
        deployInfinity(address(new WrappedToken("WETH", 18)));
        (token0, token1) = (new PlainToken("A", 18), new PlainToken("B", 6));
        if (token0 > token1) (token0, token1) = (token1, token0);
    }

    function testFuzz_quote_isWhatThePoolPays(uint256 seed, bool zeroForOne, uint256 amount) public {
        _make(seed);
        uint256 amountIn = 1 + (amount >> 8) % (1e26 >> (amount % 80));
        (uint256 quoted, uint256 gas) = _quote(zeroForOne, amountIn);
        (PlainToken sold, PlainToken bought) = zeroForOne ? (token0, token1) : (token1, token0);
        sold.mint(address(infinity), amountIn);
        uint256 paid;
        try infinity.swap(infinityLegKey(_made), address(sold), address(bought), amountIn, address(this)) returns (
            uint256 out
        ) {
            paid = out;
            assertEq(bought.balanceOf(address(this)), out);
            assertEq(sold.balanceOf(address(infinity)), 0);
        } catch {}
        assertEq(quoted, paid);
        if (quoted != 0) assertGt(gas, 50_000);
    }

    /// @dev Drawn in parts of few ranges. A gap that was not crossed ends what is drawn.
    function testFuzz_draw_isThePoolsCurve(uint256 seed, bool zeroForOne, uint256 amount, uint256 steps) public {
        _make(seed);
        (uint256[] memory words, bool open) = _drawAll(zeroForOne, 1 + steps % 5);
        uint256 most;
        for (uint256 i; i < words.length; i += SEGMENT_WORDS) {
            assertLt(words[i + 2], words[i + 1], "falls");
            if (i != 0) assertLe(words[i + 1], words[i - 3], "follows");
            most += words[i + 3];
        }
        uint256 amountIn = 1 + (amount >> 8) % (1e26 >> (amount % 80));
        (uint256 quoted,) = _quote(zeroForOne, amountIn);
        if (quoted == 0 || open && amountIn > most) return;
        uint256 drawn = drawnOut(words, amountIn);
        // What the Solver adds to its bound for the rounding of curves.
        assertGe(drawn + (drawn >> 28) + 2 + words.length / SEGMENT_WORDS, quoted, "below");
        // Each step of the pool, and each segment, rounds by less than a unit of either token.
        if (quoted > 1e9 && amountIn > 1e9) assertLe(drawn, quoted + quoted / 1e6 + 64, "above");
    }

    function testFuzz_quote_countsTheFeesOfTheProtocol(uint16 fee0, uint16 fee1, uint256 amount, bool zeroForOne)
        public
    {
        _make(7);
        _setFees(uint24(fee0 % 1001) | uint24(fee1 % 1001) << 12);
        _state = _read();
        _assertPays(zeroForOne, bound(amount, 1, 1e15));
    }

    function _assertPays(bool zeroForOne, uint256 amountIn) private {
        (PlainToken sold, PlainToken bought) = zeroForOne ? (token0, token1) : (token1, token0);
        (uint256 quoted,) = _quote(zeroForOne, amountIn);
        sold.mint(address(infinity), amountIn);
        if (quoted == 0) return;
        assertEq(infinity.swap(infinityLegKey(_made), address(sold), address(bought), amountIn, address(this)), quoted);
    }

    function _setFees(uint24 fees) internal virtual {
        clManager.setProtocolFee(_made, fees);
    }

    /// @dev Up to eight positions around the price, some with gaps between them.
    function _make(uint256 seed) private {
        uint24 spacing = [uint24(1), 10, 50, 200, 2000][seed % 5];
        _made = infinityKey(address(token0), address(token1), uint24((seed >> 8) % 20_000), spacing);
        int24 tick = initializeInfinity(_made, 1e18, FixedPointMathLib.max(1, 1e18 >> ((seed >> 24) % 40)));
        int24 middle = tick / int24(spacing);
        addInfinity(_made, (middle - 3) * int24(spacing), (middle + 3) * int24(spacing), 1e18);
        for (uint256 i; i < seed % 8; ++i) {
            uint256 random = uint256(keccak256(abi.encode(seed, i)));
            int24 lower = middle + int24(int256(random % 800)) - 400;
            int24 upper = lower + 1 + int24(int256((random >> 32) % 300));
            (lower, upper) = (lower * int24(spacing), upper * int24(spacing));
            if (lower < -880_000 || upper > 880_000) continue;
            addInfinity(_made, lower, upper, 1 + (random >> 64) % 1e21);
        }
        _state = _read();
        assertEq(_state.length, 7);
    }

    function _read() private view returns (uint256[] memory) {
        return infinity.read(VenueKinds.ADAPTER, address(infinity), address(infinity), infinityLegKey(_made));
    }

    function _quote(bool zeroForOne, uint256 amountIn) private view returns (uint256, uint256) {
        return infinity.quote(VenueKinds.ADAPTER, address(infinity), _state, zeroForOne, amountIn);
    }

    function _drawAll(bool zeroForOne, uint256 steps) private view returns (uint256[] memory words, bool open) {
        ISampler.Drawing memory part;
        part.open = true;
        for (uint256 i; i < 60 && part.open; ++i) {
            part = infinity.draw(VenueKinds.ADAPTER, _state, zeroForOne, ISampler.Stretch(part.cursor, steps, 0, 0));
            if (i == 0) assertGt(part.startRatio, 0);
            words = joined(words, part.segments);
        }
        return (words, part.open);
    }
}
