// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {IQuoter} from "../../src/interfaces/IQuoter.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {VenueConfig} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {adapterKey, adapterPool} from "../../src/venues/AdapterKey.sol";
import {AllVenuesFixture} from "../fixtures/AllVenuesFixture.sol";
import {PairAdapter} from "../fixtures/PairAdapter.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {IV2Factory, IV2Pair} from "../fixtures/VenuesFixture.sol";
import {KindCases} from "./KindCases.sol";

/// @notice A registry, its adapter and the adapter's venue.
abstract contract AdapterFixture is AllVenuesFixture {
    IV2Factory internal registry;
    PairAdapter internal adapter;

    function deployAdapter(bool lists) internal returns (uint16 number) {
        string memory path = "node_modules/@uniswap/v2-core/build/UniswapV2Factory.json";
        string memory code = vm.parseJsonString(vm.readFile(path), ".evm.bytecode.object");
        registry = IV2Factory(
            deployBytes(abi.encodePacked(vm.parseBytes(string.concat("0x", code)), abi.encode(address(this))))
        );
        adapter = new PairAdapter(address(registry), lists);
        VenueConfig memory config;
        (config.id, config.factory) = ("pairs", address(registry));
        (config.venue.kind, config.venue.enabled, config.venue.deployer) = (VenueKinds.ADAPTER, true, address(adapter));
        return addVenue(config);
    }

    function createRegistered(address tokenA, address tokenB, uint256 amountA, uint256 amountB)
        internal
        returns (address pair)
    {
        pair = registry.createPair(tokenA, tokenB);
        fundV2(pair, tokenA, tokenB, amountA, amountB);
    }
}

/// forge-config: default.fuzz.runs = 100
contract AdapterKindTest is KindCases, AdapterFixture {
    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.ADAPTER;
    }

    function deployKind() internal override returns (uint16, address, uint256) {
        uint16 venue = deployAdapter(true);
        (uint256 ofUsdc, uint256 ofDai) = (worth(USDC_INDEX, 8_000_000), worth(DAI_INDEX, 8_000_000));
        address pair = createRegistered(address(usdc), address(dai), ofUsdc, ofDai);
        return (venue, address(adapter), adapterKey(pair, 0, 1));
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        selectors = new bytes4[](2);
        (selectors[0], selectors[1]) = (IV2Pair.getReserves.selector, IV2Pair.swap.selector);
        return (adapterPool(key), selectors);
    }
}

/// @notice How an adapter fails when it is asked for pools.
enum Failing {
    NoCode,
    Reverts,
    BurnsGas,
    AnswersNothing,
    AnswersOneWord,
    PointsFarAway
}

/// @notice Fails as the first slot of its storage says. Beyond the last way to fail, it answers 100,000 keys.
contract FailingAdapter {
    uint256 private _way;

    fallback() external {
        uint256 way = _way;
        if (way == uint256(Failing.Reverts)) revert("failing");
        if (way == uint256(Failing.BurnsGas)) while (true) {}
        assembly ("memory-safe") {
            let size := 0
            if eq(way, 4) { size := 32 }
            if eq(way, 5) { size := 640 }
            if gt(way, 5) { size := 3200000 }
            mstore(0, 32)
            if eq(way, 5) { mstore(0, sub(0, 1)) }
            if gt(way, 4) { mstore(32, 100000) }
            return(0, size)
        }
    }
}

/// @notice Pool hints, excluded venues, and swaps that the registry refuses.
contract AdapterTest is AdapterFixture {
    PlainToken private rare;
    address private pair;
    uint16 private venue;

    function setUp() public {
        deployAllVenues();
        createV2Of(WETH_INDEX, USDC_INDEX);
        rare = new PlainToken("RARE", 18);
        venue = deployAdapter(false);
        pair = createRegistered(address(rare), address(weth), 1_000_000e18, 400e18);
    }

    function test_previewPlan_findsAPoolOnlyAsAHint() public {
        PreviewOptions memory options;
        assertEq(uint8(_preview(options).verdict), uint8(Verdict.NoRoute));
        options.pools = _hint(uint160(pair));
        Plan memory plan = _preview(options);
        assertEq(plan.route.legs.length, 2);
        assertEq(plan.route.legs[0].pool, address(adapter));
        assertEq(adapterPool(plan.route.legs[0].key), pair);
        // Pushed from the adapter's pool into the pair of Uniswap V2.
        assertEq(swap(plan.route, plan.route.amountIn), plan.netOut);
    }

    function test_previewPlan_ignoresPoolsThatNoRegistryKnows() public view {
        PreviewOptions memory options;
        options.pools = new uint256[](3);
        (options.pools[0], options.pools[1], options.pools[2]) = (uint160(pair) + 1, type(uint256).max, uint160(pair));
        assertEq(_preview(options).route.legs.length, 2);
        options.pools[2] = 0;
        assertEq(uint8(_preview(options).verdict), uint8(Verdict.NoRoute));
    }

    /// @dev An adapter is asked for a pair with the hints that hold both of its tokens.
    function test_previewPlan_asksForAPairWithItsHintsAlone() public {
        PreviewOptions memory options;
        options.pools = new uint256[](2);
        address other = createRegistered(address(dai), address(weth), 1e24, 400e18);
        (options.pools[0], options.pools[1]) = (uint160(other), uint160(pair));
        _expectQuestion(address(rare), address(weth), _hint(uint160(pair)));
        _expectQuestion(address(rare), address(usdc), new uint256[](0));
        assertEq(_preview(options).route.legs.length, 2);
    }

    /// @dev The plan says so: it is not whole.
    function test_previewPlan_isTruncatedIf_theAdapterDoesNotSayWhatHintsHold() public {
        PreviewOptions memory options;
        options.pools = _hint(uint160(pair));
        vm.mockCallRevert(address(adapter), abi.encodeWithSelector(IAdapter.heldBy.selector), "");
        Plan memory plan = _preview(options);
        assertEq(uint8(plan.verdict), uint8(Verdict.NoRoute));
        assertTrue(plan.truncated);
        options.pools = new uint256[](0);
        assertFalse(_preview(options).truncated, "nothing is asked without hints");
    }

    function test_previewPlan_refusesNinePools() public {
        PreviewOptions memory options;
        options.pools = new uint256[](9);
        vm.expectRevert(abi.encodeWithSelector(IQuoter.TooManyPools.selector, 9, 8));
        _preview(options);
    }

    function test_previewPlan_usesNoExcludedVenue() public view {
        PreviewOptions memory options;
        options.pools = _hint(uint160(pair));
        options.excludedVenues = 1 << venue;
        assertEq(uint8(_preview(options).verdict), uint8(Verdict.NoRoute));
        // Uniswap V2 has the second pool of the path.
        options.excludedVenues = 1 << 1;
        assertEq(uint8(_preview(options).verdict), uint8(Verdict.NoRoute));
        // A number that no venue has, and the one before the first.
        options.excludedVenues = 1 << 200 | 1;
        assertEq(_preview(options).route.legs.length, 2);
    }

    function test_previewPlanForOutput_usesHintsAndNoExcludedVenue() public view {
        PreviewOptions memory options;
        options.pools = _hint(uint160(pair));
        (Plan memory plan, uint256 lowerBound,) =
            quoter.previewPlanForOutput(address(rare), address(usdc), 100e6, options);
        assertEq(plan.netOut, 100e6);
        assertApproxEqRel(plan.route.amountIn, lowerBound, 1e13);
        options.excludedVenues = 1 << venue;
        (plan,,) = quoter.previewPlanForOutput(address(rare), address(usdc), 100e6, options);
        assertEq(plan.route.legs.length, 0);
    }

    function testFuzz_swapExactIn_revertsIf_theRegistryDoesNotKnowThePool(address forged, uint8 places) public {
        vm.assume(forged != pair);
        _expectRefusal(adapterKey(forged, places >> 4, places & 15), forged);
    }

    function test_swapExactIn_revertsIf_theRegistryKnowsThePoolForOtherTokens() public {
        address other = createRegistered(address(dai), address(usdc), 1e24, 1e12);
        _expectRefusal(adapterKey(other, 0, 1), other);
    }

    /// @dev What lies in an adapter belongs to nobody, and changes no swap of a told amount.
    function test_swapExactIn_paysWhatWasQuotedAfterADonation() public {
        PreviewOptions memory options;
        options.pools = _hint(uint160(pair));
        Plan memory plan = quoter.previewPlan(address(rare), address(weth), 1e18, options);
        rare.mint(address(adapter), 5e18);
        assertEq(swap(plan.route, 1e18), plan.netOut);
        assertEq(rare.balanceOf(address(adapter)), 5e18);
    }

    /// @dev Whatever an adapter does when it is asked for pools, the other venues' routes stay.
    function test_previewPlan_goesOnWithoutAnAdapterThatFails() public {
        PreviewOptions memory options;
        options.excludedVenues = 1 << venue;
        Plan memory without = _previewOther(options);
        options.excludedVenues = 0;
        for (uint256 i; i < uint256(type(Failing).max) + 1; ++i) {
            vm.etch(address(adapter), Failing(i) == Failing.NoCode ? bytes("") : address(new FailingAdapter()).code);
            vm.store(address(adapter), 0, bytes32(i));
            Plan memory plan = _previewOther(options);
            assertEq(abi.encode(plan.route), abi.encode(without.route), vm.toString(i));
            assertTrue(plan.truncated, vm.toString(i));
        }
        assertFalse(without.truncated);
    }

    /// @dev An answer with more pools than are read is cut, and pools that do not exist are passed over.
    function test_previewPlan_survivesAnAdapterThatAnswersTooMuch() public {
        vm.etch(address(adapter), address(new FailingAdapter()).code);
        vm.store(address(adapter), 0, bytes32(uint256(type(Failing).max) + 1));
        PreviewOptions memory options;
        Plan memory plan = _previewOther(options);
        options.excludedVenues = 1 << venue;
        assertEq(abi.encode(plan.route), abi.encode(_previewOther(options).route));
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
    }

    function _previewOther(PreviewOptions memory options) private view returns (Plan memory) {
        return quoter.previewPlan(address(weth), address(usdc), 1e18, options);
    }

    function _expectQuestion(address tokenA, address tokenB, uint256[] memory hints) private {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        vm.expectCall(address(adapter), abi.encodeCall(IAdapter.keysOf, (token0, token1, hints)));
    }

    function _expectRefusal(uint256 key, address refused) private {
        Route memory route;
        (route.tokenIn, route.tokenOut, route.amountIn, route.grossOut) = (address(rare), address(weth), 1e18, 1);
        route.legs = new Leg[](1);
        route.legs[0] = Leg(venue, address(adapter), address(rare), address(weth), key, WHOLE_SHARE);
        fund(user, address(rare), 1e18);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, refused));
        router.swapExactIn(route, 1e18, 1, user, block.timestamp);
    }

    function _preview(PreviewOptions memory options) private view returns (Plan memory) {
        return quoter.previewPlan(address(rare), address(usdc), 100e18, options);
    }

    function _hint(uint256 word) private pure returns (uint256[] memory hints) {
        hints = new uint256[](1);
        hints[0] = word;
    }
}
