// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AdapterBase} from "../../src/adapters/AdapterBase.sol";
import {FluidKey, IFluidDexLite} from "../../src/adapters/FluidLite.sol";
import {FluidLiteAdapter} from "../../src/adapters/FluidLiteAdapter.sol";
import {DevFluidLite, FluidSetup} from "../../src/devnet/DevFluidLite.sol";
import {ISampler} from "../../src/interfaces/ISampler.sol";
import {SEGMENT_WORDS} from "../../src/types/Market.sol";
import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {drawnOut} from "../fixtures/DrawnCurve.sol";
import {PlainToken, WrappedToken} from "../fixtures/Tokens.sol";
import {KindCases} from "../venues/KindCases.sol";
import {AdapterSafetyCases} from "./AdapterSafetyCases.sol";
import {Test} from "forge-std/Test.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice The venue, its adapter, and pools.
abstract contract FluidLiteFixture is Test {
    address internal constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    DevFluidLite internal lite;
    FluidLiteAdapter internal fluid;

    function deployFluid(address wrapped) internal {
        lite = deployLite();
        fluid = new FluidLiteAdapter(address(lite), wrapped);
    }

    function deployLite() internal virtual returns (DevFluidLite) {
        return new DevFluidLite();
    }

    function createFluid(FluidKey memory key, FluidSetup memory setup) internal virtual {
        lite.create(key, setup);
    }

    /// @notice A pool of as much of each token, with 9 decimals, around a price of one.
    function evenSetup(uint256 supply) internal view returns (FluidSetup memory) {
        return FluidSetup({
            feePips: 50,
            revenueCut: 10,
            center: 1e27,
            up: 100,
            down: 100,
            supply0: supply,
            supply1: supply,
            way: 0,
            since: block.timestamp,
            duration: 1 days,
            most: 1e28,
            least: 1e26
        });
    }
}

/// forge-config: default.fuzz.runs = 100
contract FluidLiteKindTest is KindCases, FluidLiteFixture {
    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.ADAPTER;
    }

    function deployKind() internal override returns (uint16, address, uint256) {
        deployFluid(address(weth));
        VenueConfig memory config;
        (config.id, config.factory, config.tiers) = ("fluid-dex-lite", address(lite), new Tier[](0));
        (config.venue.kind, config.venue.enabled, config.venue.deployer) = (VenueKinds.ADAPTER, true, address(fluid));
        uint16 venue = addVenue(config);
        (PlainToken low, PlainToken high) = usdc < dai ? (usdc, dai) : (dai, usdc);
        usdc.mint(address(lite), worth(USDC_INDEX, 8_000_000));
        dai.mint(address(lite), worth(DAI_INDEX, 8_000_000));
        createFluid(FluidKey(address(low), address(weth) > address(low) ? address(weth) : NATIVE, 0), evenSetup(1));
        createFluid(FluidKey(address(low), address(high), 0), evenSetup(8_000_000e9));
        return (venue, address(fluid), 2 << 8);
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        selectors = new bytes4[](2);
        (selectors[0], selectors[1]) = (IFluidDexLite.readFromStorage.selector, IFluidDexLite.swapSingle.selector);
        return (address(lite), selectors);
    }
}

/// @notice Pools with a salt, which come as hints. A pool is named by its place in the list.
contract FluidLiteSafetyTest is AdapterSafetyCases, FluidLiteFixture {
    WrappedToken private wrapped;

    function test_swap_revertsIf_theTokensAreOthers() public {
        PlainToken c = new PlainToken("C", 18);
        _expectRefusal(key, address(lite), c, b);
        _expectRefusal(key, address(lite), a, c);
        _expectRefusal(key, address(lite), a, a);
    }

    function test_dexCallback_revertsIf_theCallerIsNotTheRegistry() public {
        a.mint(address(adapter), AMOUNT);
        vm.expectRevert();
        fluid.dexCallback(address(a), AMOUNT, "");
    }

    function test_receive_revertsIf_nothingIsExpected() public {
        vm.deal(address(this), 1);
        (bool ok,) = address(adapter).call{value: 1}("");
        assertFalse(ok);
    }

    /// @dev Another contract names its center price, and nobody says which.
    function test_read_isEmptyIf_theCenterPriceIsNamedOrThereIsNoPool() public {
        assertEq(_read(key).length, 11);
        assertEq(_read(key + 256).length, 0);
        assertEq(_read(key + 1).length, 0);
        assertEq(_read(0).length, 0);
        lite.nameCenter(FluidKey(address(a), address(b), bytes32(uint256(1))), 7);
        assertEq(_read(key).length, 0);
    }

    /// @dev Without a hint if it has no salt, in either order.
    function test_keysOf_findsThePoolWithoutASalt() public {
        createFluid(FluidKey(address(a), address(b), 0), evenSetup(1e15));
        assertEq(adapter.keysOf(address(a), address(b), new uint256[](0)).length, 1);
        assertEq(adapter.keysOf(address(b), address(a), new uint256[](0))[0], lite.count() << 8);
        assertEq(adapter.keysOf(address(a), address(wrapped), new uint256[](0)).length, 0);
        createFluid(FluidKey(address(a), NATIVE, 0), evenSetup(1e15));
        assertEq(adapter.keysOf(address(a), address(wrapped), new uint256[](0))[0], lite.count() << 8);
    }

    function testFuzz_swap_tradesNativePoolsAsWrapped(uint256 amountIn, bool sellsA) public {
        createFluid(FluidKey(address(a), NATIVE, 0), evenSetup(1e15));
        vm.deal(address(lite), 1e24);
        amountIn = bound(amountIn, 1e16, 1e23);
        (address sold, address bought) = sellsA ? (address(a), address(wrapped)) : (address(wrapped), address(a));
        uint256[] memory state = _read(lite.count() << 8);
        (uint256 quoted,) = adapter.quote(VenueKinds.ADAPTER, address(adapter), state, sold < bought, amountIn);
        assertGt(quoted, 0);
        if (sellsA) a.mint(address(adapter), amountIn);
        else wrapped.mint(address(adapter), amountIn);
        vm.deal(address(wrapped), 1e30);
        assertEq(adapter.swap(lite.count() << 8, sold, bought, amountIn, user), quoted);
        assertEq(PlainToken(bought).balanceOf(user), quoted);
        assertEq(address(adapter).balance, 0);
        assertEq(wrapped.balanceOf(address(adapter)), 0);
        assertEq(a.balanceOf(address(adapter)), 0);
    }

    function _deployAdapter() internal override returns (AdapterBase) {
        wrapped = new WrappedToken("WETH", 18);
        deployFluid(address(wrapped));
        return fluid;
    }

    function _createPool(PlainToken token0, PlainToken token1) internal override returns (address) {
        token0.mint(address(lite), RESERVE);
        token1.mint(address(lite), RESERVE);
        uint256 place = lite.count() + 1;
        createFluid(FluidKey(address(token0), address(token1), bytes32(place)), evenSetup(RESERVE / 1e9));
        return address(uint160(place));
    }

    /// @dev There is no such place.
    function _forge(PlainToken, PlainToken, uint256 seed) internal view override returns (address) {
        return address(uint160(lite.count() + 1 + seed % 1e9));
    }

    function _keyOf(address place) internal pure override returns (uint256) {
        return uint256(uint160(place)) << 8;
    }

    function _hintOf(address place) internal pure override returns (uint256) {
        return uint256(uint160(place)) << 56;
    }

    /// @dev Each pool has one key.
    function test_swap_revertsIf_theKeyHasMoreThanThePlace(uint8 more) public {
        if (more != 0) _expectRefusal(key | more, address(lite), a, b);
    }

    function _namedOf(uint256) internal view override returns (address) {
        return address(lite);
    }

    function _holder() internal view override returns (address) {
        return address(lite);
    }

    function _calledFunctions() internal view override returns (address[] memory targets, bytes4[] memory selectors) {
        (targets, selectors) = (new address[](2), new bytes4[](2));
        (targets[0], selectors[0]) = (address(lite), IFluidDexLite.readFromStorage.selector);
        (targets[1], selectors[1]) = (address(lite), IFluidDexLite.swapSingle.selector);
    }
}

/// @notice Pools of every shape: quotes are what is paid, and curves are never below.
contract FluidLiteCurveTest is FluidLiteFixture {
    PlainToken private token0;
    PlainToken private token1;
    FluidSetup private _setup;
    uint256[] private _state;

    function setUp() public {
        vm.warp(1_800_000_000);
        deployFluid(address(new WrappedToken("WETH", 18)));
    }

    function testFuzz_quote_isWhatThePoolPays(uint256 seed, bool zeroForOne, uint256 amount) public {
        _make(seed);
        uint256 amountIn = _amount(zeroForOne, amount);
        (uint256 quoted, uint256 gas) = _quote(zeroForOne, amountIn);
        uint256 paid = _pay(zeroForOne, amountIn);
        // Of the smallest amounts the pool forgets a part of the fee, so that they are not traded.
        if (quoted == 0) assertTrue(paid == 0 || _adjusted(zeroForOne, amountIn) < 1 << 22);
        else assertEq(quoted, paid);
        if (quoted != 0) assertGt(gas, 50_000);
    }

    function testFuzz_draw_isNeverBelowThePoolAndHardlyAbove(uint256 seed, bool zeroForOne, uint256 amount) public {
        _make(seed);
        ISampler.Drawing memory drawing =
            fluid.draw(VenueKinds.ADAPTER, _state, zeroForOne, ISampler.Stretch(0, 4, 0, 0));
        uint256 amountIn = _amount(zeroForOne, amount);
        (uint256 quoted,) = _quote(zeroForOne, amountIn);
        if (quoted == 0) return;
        assertEq(drawing.segments.length, SEGMENT_WORDS);
        assertFalse(drawing.open);
        assertGe(drawing.segments[3], amountIn, "ends before the pool does");
        uint256 drawn = drawnOut(drawing.segments, amountIn);
        assertGe(drawn, quoted, "below");
        uint256 unit = token1.decimals() > 9 || token0.decimals() > 9 ? 1e10 : 4;
        assertLe(drawn, quoted + quoted / 1e6 + 2 * unit + quoted / _adjusted(zeroForOne, amountIn), "above");
    }

    /// @dev The curve is exact again after a swap, however late.
    function testFuzz_quote_isWhatThePoolPaysAfterASwap(uint256 seed, bool zeroForOne, uint256 amount, uint256 wait)
        public
    {
        _make(seed);
        _pay(!zeroForOne, _amount(!zeroForOne, seed >> 7));
        vm.warp(block.timestamp + wait % 100_000);
        _state = fluid.read(VenueKinds.ADAPTER, address(fluid), address(fluid), 1 << 8);
        if (_state.length == 0) return;
        uint256 amountIn = _amount(zeroForOne, amount);
        (uint256 quoted,) = _quote(zeroForOne, amountIn);
        if (quoted != 0) assertEq(_pay(zeroForOne, amountIn), quoted);
    }

    function _pay(bool zeroForOne, uint256 amountIn) private returns (uint256 paid) {
        (PlainToken sold, PlainToken bought) = zeroForOne ? (token0, token1) : (token1, token0);
        sold.mint(address(fluid), amountIn);
        uint256 before = bought.balanceOf(address(this));
        try fluid.swap(1 << 8, address(sold), address(bought), amountIn, address(this)) returns (uint256 out) {
            paid = out;
            assertEq(bought.balanceOf(address(this)) - before, out);
            assertEq(sold.balanceOf(address(fluid)), 0);
        } catch {}
    }

    function _make(uint256 seed) private {
        token0 = new PlainToken("A", uint8(6 + seed % 13));
        token1 = new PlainToken("B", uint8(6 + (seed >> 8) % 13));
        if (token0 > token1) (token0, token1) = (token1, token0);
        FluidSetup memory setup = evenSetup(0);
        setup.feePips = (seed >> 16) % 8192;
        setup.revenueCut = (seed >> 32) % 101;
        setup.center = 1e23 * (1 + (seed >> 40) % 1e8);
        (setup.up, setup.down) = (1 + (seed >> 72) % 3000, 1 + (seed >> 88) % 3000);
        setup.supply0 = (seed >> 104) % 1e16;
        setup.supply1 = FixedPointMathLib.min(setup.supply0 * setup.center / 1e27 + (seed >> 160) % 1e15, 1e17);
        if (seed >> 220 & 7 == 0) setup.supply0 = 0;
        if (seed >> 220 & 7 == 1) setup.supply1 = 0;
        (setup.way, setup.since) = ((seed >> 224) & 3, block.timestamp - (seed >> 226) % 200_000);
        setup.duration = 1 + (seed >> 240) % 100_000;
        (setup.most, setup.least) = (setup.center + setup.center / 10, setup.center - setup.center / 10);
        FluidKey memory key = FluidKey(address(token0), address(token1), 0);
        createFluid(key, setup);
        token0.mint(address(lite), 1e40);
        token1.mint(address(lite), 1e40);
        if (seed & 3 == 0) _moveRange(key, seed);
        _setup = setup;
        _state = fluid.read(VenueKinds.ADAPTER, address(fluid), address(fluid), 1 << 8);
        if (setup.supply0 > 1e6 && setup.supply1 > 1e6) assertEq(_state.length, 11);
        vm.assume(_state.length != 0);
    }

    function _moveRange(FluidKey memory key, uint256 seed) internal virtual {
        uint256 start = block.timestamp - (seed >> 50) % 90_000;
        lite.moveRange(key, 1 + (seed >> 30) % 3000, 1 + (seed >> 60) % 3000, 1 + (seed >> 70) % 100_000, start);
    }

    /// @dev Up to more than the pool has, every order of magnitude alike; of each side as much as the other is worth.
    function _amount(bool zeroForOne, uint256 amount) private view returns (uint256) {
        uint256 most = zeroForOne
            ? _setup.supply0 + _setup.supply1 * 1e27 / _setup.center
            : _setup.supply1 + _setup.supply0 * _setup.center / 1e27;
        uint256 decimals = (zeroForOne ? token0 : token1).decimals();
        return 1 + (amount >> 8) % ((most * 10 ** decimals / 1e9 >> amount % 40) + 1);
    }

    function _adjusted(bool zeroForOne, uint256 amountIn) private view returns (uint256) {
        return amountIn * 1e9 / 10 ** (zeroForOne ? token0 : token1).decimals();
    }

    function _quote(bool zeroForOne, uint256 amountIn) private view returns (uint256, uint256) {
        return fluid.quote(VenueKinds.ADAPTER, address(fluid), _state, zeroForOne, amountIn);
    }
}
