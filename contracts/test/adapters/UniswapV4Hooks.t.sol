// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {PriceFloor} from "../../src/math/PriceFloor.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {
    AFTER_SWAP,
    AFTER_SWAP_DELTA,
    AntiSandwichHook,
    AsyncHook,
    BEFORE_SWAP,
    BEFORE_SWAP_DELTA,
    BonusHook,
    BurningHook,
    CallingHook,
    CurveHook,
    DYNAMIC_FEE,
    DynamicFeeHook,
    GarbageHook,
    GreedyHook,
    InputFeeHook,
    LyingHook,
    MeddlingHook,
    OutputFeeHook,
    PickyHook,
    PlainHook,
    TradingHook
} from "../fixtures/Hooks.sol";
import {HooksFixture} from "../fixtures/HooksFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";

/// @notice Each kind of hook: what is quoted is paid to the wei, or the pool is left out and changes nothing.
/// forge-config: default.fuzz.runs = 50
contract UniswapV4HooksTest is HooksFixture {
    uint256 private constant POOL_DOLLARS = 3_000_000;

    function setUp() public {
        deployHooks();
        createV2Of(DAI_INDEX, USDC_INDEX);
        createV2Of(WETH_INDEX, USDC_INDEX);
    }

    /* QUOTE EQUALS FILL */

    function testFuzz_plain(uint256 dollars, bool back) public {
        _expectExact(place(address(new PlainHook(manager)), BEFORE_SWAP | AFTER_SWAP), 500, dollars, back);
    }

    function testFuzz_dynamicFee(uint256 dollars, bool back) public {
        _expectExact(place(address(new DynamicFeeHook(manager)), BEFORE_SWAP), DYNAMIC_FEE, dollars, back);
    }

    function testFuzz_feeOnInput(uint256 dollars, bool back) public {
        _expectExact(place(address(new InputFeeHook(manager)), BEFORE_SWAP | BEFORE_SWAP_DELTA), 100, dollars, back);
    }

    function testFuzz_feeOnOutput(uint256 dollars, bool back) public {
        _expectExact(place(address(new OutputFeeHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA), 100, dollars, back);
    }

    function testFuzz_bonus(uint256 dollars, bool back) public {
        _expectExact(place(address(new BonusHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA), 500, dollars, back);
    }

    function testFuzz_antiSandwich(uint256 dollars, bool back) public {
        _expectExact(place(address(new AntiSandwichHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA), 500, dollars, back);
    }

    function testFuzz_burnsGasWithinTheLimit(uint256 dollars, bool back) public {
        _expectExact(place(address(new BurningHook(manager, 150_000)), BEFORE_SWAP), 500, dollars, back);
    }

    /// @dev It keeps its own reserves, so that no position makes it known.
    function testFuzz_customCurve(uint256 dollars, bool back) public {
        address hook = place(address(new CurveHook(manager)), BEFORE_SWAP | BEFORE_SWAP_DELTA);
        PoolKey memory key = keyOf(hook, DAI_INDEX, USDC_INDEX, 0, false);
        initializePool(key, 1, 1);
        assertEq(_keysOf(key).length, 0, "not announced");
        hooked.announce(key);
        _expectFill(key, dollars, back);
    }

    function testFuzz_tradesOnAnotherPool(uint256 dollars, bool back) public {
        address hook = place(address(new TradingHook(manager)), BEFORE_SWAP);
        PoolKey memory other = createHooked(address(0), DAI_INDEX, USDC_INDEX, 3000, false, 1_000_000);
        TradingHook(payable(hook)).setOther(other, false);
        _expectExact(hook, 500, dollars, back);
    }

    /// @dev Into the PoolManager, the adapter that prices or fills, the Router that fills, and the Quoter that quotes.
    function testFuzz_reentrant(uint256 dollars, bool back, uint256 which) public {
        address hook = place(address(new CallingHook(manager)), BEFORE_SWAP);
        PoolKey memory key = createHooked(hook, DAI_INDEX, USDC_INDEX, 500, false, POOL_DOLLARS);
        bytes[3] memory calls;
        calls[0] = abi.encodeCall(manager.unlock, (""));
        calls[1] = abi.encodeCall(hooked.swap, (legKeyOf(key), address(dai), address(usdc), 0, address(hook)));
        calls[2] = abi.encodeCall(router.swapExactIn, (_preview(key, 1e20, true).route, 1e20, 1, hook, 1e10));
        address[3] memory targets = [address(manager), address(hooked), address(router)];
        CallingHook(payable(hook)).setCall(targets[which % 3], calls[which % 3]);
        _expectFill(key, dollars, back);
        assertGt(CallingHook(payable(hook)).calls(), 0);
        assertFalse(CallingHook(payable(hook)).hasSucceeded());
    }

    function testFuzz_takesOnlySomeSizes(uint256 dollars) public {
        address hook = place(address(new PickyHook(manager, 1000e18, 200_000e18)), BEFORE_SWAP);
        PoolKey memory key = createHooked(hook, DAI_INDEX, USDC_INDEX, 500, false, POOL_DOLLARS);
        dollars = bound(dollars, 1, 1_000_000);
        Plan memory plan = _preview(key, worth(DAI_INDEX, dollars), true);
        if (dollars > 20_000 && dollars < 150_000) assertTrue(_isUsed(plan), "used");
        assertEq(execute(plan), plan.netOut);
        assertGe(plan.netOut, _plain(plan.route.amountIn, true).netOut);
    }

    function testFuzz_native(uint256 dollars, bool back) public {
        address hook = place(address(new OutputFeeHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA);
        PoolKey memory key = createHooked(hook, WETH_INDEX, USDC_INDEX, 100, true, POOL_DOLLARS);
        dollars = bound(dollars, 10, 2_000_000);
        (PlainToken sold, PlainToken bought) = back ? (usdc, weth) : (weth, usdc);
        uint256 amountIn = worth(back ? USDC_INDEX : WETH_INDEX, dollars);
        Plan memory plan = executingQuoter().previewPlan(address(sold), address(bought), amountIn, _options(key));
        assertTrue(_isUsed(plan), "used");
        assertEq(execute(plan), plan.netOut);
        assertEq(address(hooked).balance, 0);
        assertEq(weth.balanceOf(address(hooked)), 0);
    }

    /* REFUSED */

    function test_isLeftOutIf_itPaysLater() public {
        _expectRefused(place(address(new AsyncHook(manager)), BEFORE_SWAP | BEFORE_SWAP_DELTA), 500);
    }

    function test_isLeftOutIf_itBurnsGas() public {
        _expectRefused(place(address(new BurningHook(manager, type(uint256).max)), BEFORE_SWAP), 500);
        _expectRefused(place(address(new BurningHook(manager, 400_000)), BEFORE_SWAP), 500);
    }

    /// @dev What it leaves is enough within a quote, where storage is warm, and might not be in the fill.
    function test_isLeftOutIf_itTakesWhatGasItGets() public {
        address hook = place(address(new GreedyHook(manager, 60_000)), BEFORE_SWAP);
        PoolKey memory key = createHooked(hook, DAI_INDEX, USDC_INDEX, 500, false, POOL_DOLLARS);
        Plan memory plan = _preview(key, 100_000e18, true);
        assertFalse(_isUsed(plan), "used");
        assertEq(plan.netOut, _plain(100_000e18, true).netOut);
    }

    function test_isLeftOutIf_itRefuses() public {
        _expectRefused(place(address(new PickyHook(manager, 1, 0)), BEFORE_SWAP), 500);
    }

    function test_isLeftOutIf_itOwes() public {
        address hook = place(address(new TradingHook(manager)), BEFORE_SWAP);
        PoolKey memory other = createHooked(address(0), DAI_INDEX, USDC_INDEX, 3000, false, 1_000_000);
        TradingHook(payable(hook)).setOther(other, true);
        _expectRefused(hook, 500);
    }

    function test_isLeftOutIf_itPaysInTheSellersName() public {
        _expectRefused(place(address(new MeddlingHook(manager)), BEFORE_SWAP), 500);
    }

    function test_isLeftOutIf_itAnswersGarbage() public {
        for (uint256 way; way <= uint256(type(GarbageHook.Way).max); ++way) {
            GarbageHook hook = new GarbageHook(GarbageHook.Way(way));
            _expectRefused(place(address(hook), BEFORE_SWAP), 500);
        }
    }

    /// @dev The floor of its leg catches it. A caller that wants no less than the quote passes that as the minimum.
    function test_swap_revertsIf_itPaysLessThanItSaid() public {
        address hook = place(address(new LyingHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA);
        PoolKey memory key = createHooked(hook, DAI_INDEX, USDC_INDEX, 500, false, POOL_DOLLARS);
        Plan memory plan = _preview(key, 100_000e18, true);
        assertTrue(_isUsed(plan));
        fund(user, address(dai), plan.route.amountIn);
        vm.prank(user);
        vm.expectPartialRevert(IAdapter.BelowPriceFloor.selector);
        router.swapExactIn(plan.route, plan.route.amountIn, 1, user, block.timestamp);
        Plan memory exact = quoter.previewPlanExact(address(dai), address(usdc), 100_000e18, _options(key));
        assertNotEq(uint8(exact.verdict), uint8(Verdict.Executable));
    }

    /* LITTLE GAS */

    /// @dev Only the hinted pools connect the tokens, and some of their swaps take too much gas.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_previewPlan_shortOfGas_findsARouteOrSaysThatItIsCutOff(
        uint256 gas,
        uint256 dollars,
        uint256[3] memory burnt
    ) public {
        dollars = bound(dollars, 100, 5_000_000);
        uint256[2][3] memory pairs = [[WBTC_INDEX, DAI_INDEX], [WBTC_INDEX, WETH_INDEX], [WETH_INDEX, DAI_INDEX]];
        PreviewOptions memory options;
        options.pools = new uint256[](pairs.length);
        for (uint256 i; i < pairs.length; ++i) {
            address hook = place(address(new BurningHook(manager, bound(burnt[i], 0, 400_000))), BEFORE_SWAP);
            options.pools[i] = idOf(createHooked(hook, pairs[i][0], pairs[i][1], 500, false, POOL_DOLLARS));
        }
        uint256 amountIn = worth(WBTC_INDEX, dollars);
        Plan memory best = executingQuoter().previewPlan(address(wbtc), address(usdc), amountIn, options);
        vm.assume(best.verdict == Verdict.Executable);
        gas = bound(gas, 2_500_000, 25_000_000);
        Plan memory plan = executingQuoter().previewPlan{gas: gas}(address(wbtc), address(usdc), amountIn, options);
        if (plan.verdict != Verdict.Executable) assertTrue(plan.truncated, "says that it is cut off");
    }

    /* PRICE FLOORS */

    /// @dev The hook's leg is so small that its lie alone does not bring the route below its floor.
    function test_swap_revertsIf_aSmallLegPaysLessThanItSaid() public {
        address hook = place(address(new LyingHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA);
        PoolKey memory key = createHooked(hook, DAI_INDEX, USDC_INDEX, 500, false, 40_000);
        Plan memory plan = _preview(key, 100_000e18, true);
        uint256 i = _hookedLegOf(plan);
        fund(user, address(dai), 2 * plan.route.amountIn);
        uint256 snapshot = vm.snapshotState();
        vm.prank(user);
        vm.expectPartialRevert(IAdapter.BelowPriceFloor.selector);
        router.swapExactIn(plan.route, plan.route.amountIn, 1, user, block.timestamp);
        vm.revertToStateAndDelete(snapshot);

        plan.route.legs[i].key = legKeyOf(key);
        vm.prank(user);
        uint256 paid = router.swapExactIn(plan.route, plan.route.amountIn, 1, user, block.timestamp);
        assertLt(paid, plan.netOut, "without the floor it lies");
        assertGe(paid, plan.ironFloor);
    }

    function testFuzz_priceFloor_isTheLegsPriceLessTheAllowance(uint256 dollars, bool back) public {
        address hook = place(address(new OutputFeeHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA);
        PoolKey memory key = createHooked(hook, DAI_INDEX, WETH_INDEX, 100, false, POOL_DOLLARS);
        (PlainToken sold, PlainToken bought) = back ? (weth, dai) : (dai, weth);
        // So little that the route has this leg alone.
        uint256 amountIn = worth(back ? WETH_INDEX : DAI_INDEX, bound(dollars, 1, 100));
        Plan memory plan = executingQuoter().previewPlan(address(sold), address(bought), amountIn, _options(key));
        _assertOneLegWithFloor(plan, key);
    }

    function testFuzz_priceFloor_isThatOfTheInputForAnOutput(uint256 dollars, bool back) public {
        address hook = place(address(new OutputFeeHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA);
        PoolKey memory key = createHooked(hook, DAI_INDEX, WETH_INDEX, 100, false, POOL_DOLLARS);
        (PlainToken sold, PlainToken bought) = back ? (weth, dai) : (dai, weth);
        uint256 amountOut = worth(back ? DAI_INDEX : WETH_INDEX, bound(dollars, 1, 100));
        (Plan memory plan,,) =
            executingQuoter().previewPlanForOutput(address(sold), address(bought), amountOut, _options(key));
        assertGe(plan.netOut, amountOut);
        _assertOneLegWithFloor(plan, key);
    }

    function _assertOneLegWithFloor(Plan memory plan, PoolKey memory key) private {
        assertEq(plan.route.legs.length, 1);
        uint256 legKey = plan.route.legs[0].key;
        assertEq(PriceFloor.without(legKey), legKeyOf(key));
        uint256 floor = PriceFloor.inKey(plan.route.amountIn, plan.route.grossOut);
        assertEq(legKey, PriceFloor.lowered(floor, 100 + plan.route.impactBps / 4) | legKeyOf(key));
        assertEq(execute(plan), plan.netOut);
    }

    function _hookedLegOf(Plan memory plan) private view returns (uint256 i) {
        while (plan.route.legs[i].pool != address(hooked)) ++i;
    }

    /* WITHIN A STATICCALL */

    function test_previewPlan_leavesItOutWithinAStaticCall() public {
        address hook = place(address(new PlainHook(manager)), BEFORE_SWAP);
        PoolKey memory key = createHooked(hook, DAI_INDEX, USDC_INDEX, 500, false, POOL_DOLLARS);
        bytes memory call = abi.encodeWithSignature(
            "previewPlan(address,address,uint256,(uint256,address[],uint256,uint256[]))",
            dai,
            usdc,
            1000e18,
            _options(key)
        );
        (bool ok, bytes memory answer) = address(quoter).staticcall(call);
        assertTrue(ok);
        _expectSame(abi.decode(answer, (Plan)), _plain(1000e18, true));
        (, answer) = address(quoter).call(call);
        assertTrue(_isUsed(abi.decode(answer, (Plan))));
    }

    /* NOTHING LASTS */

    function test_previewPlan_leavesNothingBehind() public {
        address hook = place(address(new DynamicFeeHook(manager)), BEFORE_SWAP);
        PoolKey memory key = createHooked(hook, DAI_INDEX, USDC_INDEX, DYNAMIC_FEE, false, POOL_DOLLARS);
        Plan memory first = _preview(key, 50_000e18, true);
        Plan memory second = _preview(key, 50_000e18, true);
        assertEq(vm.load(hook, 0), 0, "swaps");
        assertEq(abi.encode(first.route), abi.encode(second.route));
    }

    /* SHORTHANDS */

    function _expectExact(address hook, uint24 fee, uint256 dollars, bool back) private {
        _expectFill(createHooked(hook, DAI_INDEX, USDC_INDEX, fee, false, POOL_DOLLARS), dollars, back);
    }

    function _expectFill(PoolKey memory key, uint256 dollars, bool back) private {
        dollars = bound(dollars, 10, 2_000_000);
        Plan memory plan = _preview(key, worth(back ? USDC_INDEX : DAI_INDEX, dollars), !back);
        assertTrue(_isUsed(plan), "used");
        assertFalse(plan.truncated);
        assertEq(execute(plan), plan.netOut);
        assertEq(dai.balanceOf(address(hooked)), 0);
        assertEq(usdc.balanceOf(address(hooked)), 0);
        assertLe(plan.route.grossOut, plan.upperBound);
        assertLt(plan.gapMicroBps, 1e6, "a basis point");
    }

    function _expectRefused(address hook, uint24 fee) private {
        PoolKey memory key = createHooked(hook, DAI_INDEX, USDC_INDEX, fee, false, POOL_DOLLARS);
        assertEq(_keysOf(key).length, 1);
        _expectSame(_preview(key, 100_000e18, true), _plain(100_000e18, true));
        _expectSame(_preview(key, 100_000e6, false), _plain(100_000e6, false));
    }

    function _expectSame(Plan memory plan, Plan memory other) private pure {
        assertEq(abi.encode(plan), abi.encode(other));
    }

    function _keysOf(PoolKey memory key) private view returns (uint256[] memory) {
        return hooked.keysOf(address(dai), address(usdc), _options(key).pools);
    }

    function _isUsed(Plan memory plan) private view returns (bool) {
        for (uint256 i; i < plan.route.legs.length; ++i) {
            if (plan.route.legs[i].pool == address(hooked)) return true;
        }
        return false;
    }

    function _preview(PoolKey memory key, uint256 amountIn, bool fromDai) private returns (Plan memory) {
        (address sold, address bought) = fromDai ? (address(dai), address(usdc)) : (address(usdc), address(dai));
        return executingQuoter().previewPlan(sold, bought, amountIn, _options(key));
    }

    function _plain(uint256 amountIn, bool fromDai) private view returns (Plan memory) {
        (address sold, address bought) = fromDai ? (address(dai), address(usdc)) : (address(usdc), address(dai));
        return quoter.previewPlan(sold, bought, amountIn);
    }

    function _options(PoolKey memory key) private pure returns (PreviewOptions memory options) {
        options.pools = new uint256[](1);
        options.pools[0] = idOf(key);
    }
}
