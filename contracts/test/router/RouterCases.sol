// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {ironFloorOf, protocolFee} from "../../src/math/FeeMath.sol";
import {Leg, Route} from "../../src/types/Route.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {Vm} from "forge-std/Vm.sol";

/// @notice What swaps deliver, pay and announce, against what the pools' real code delivers without the protocol.
abstract contract RouterCases is ProtocolFixture {
    bytes32 internal constant SWAP = keccak256("Swap(address,address,address,uint256,uint256,uint256)");
    uint256 private constant MAX_TRADE = 100e18;

    address internal v2WethUsdc;
    address private v3WethUsdc;
    address private v3WethUsdcWide;
    address private v2UsdcDai;
    address private v3DaiWbtc;

    function setUp() public {
        deployProtocol();
        v2WethUsdc = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        v2UsdcDai = createV2(address(usdc), address(dai), 3_000_000e6, 3_000_000e18);
        v3WethUsdc = createV3(address(weth), address(usdc), 500, 1e18, 3000e6);
        addAround(v3WethUsdc, 200, 3e16);
        addAround(v3WethUsdc, 2000, 1e16);
        addFullRange(v3WethUsdc, 1e15);
        v3WethUsdcWide = createV3(address(weth), address(usdc), 3000, 1e18, 3010e6);
        addFullRange(v3WethUsdcWide, 5e16);
        v3DaiWbtc = createV3(address(dai), address(wbtc), 3000, 60_000e18, 1e8);
        addFullRange(v3DaiWbtc, 1e18);
    }

    /* ROUTES */

    function test_swapExactIn_oneLegV2() public {
        _assertDelivers(routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18));
    }

    function test_swapExactIn_oneLegV2Backwards() public {
        _assertDelivers(routeOf(legV2(v2WethUsdc, address(usdc), address(weth)), 1e9));
    }

    function test_swapExactIn_oneLegV3() public {
        _assertDelivers(routeOf(legV3(v3WethUsdc, address(weth), address(usdc), 500), 1e18));
    }

    function test_swapExactIn_oneLegV3Backwards() public {
        _assertDelivers(routeOf(legV3(v3WethUsdc, address(usdc), address(weth), 500), 1e9));
    }

    function test_swapExactIn_splitOverThreePools() public {
        _assertDelivers(_threeWaySplit(5e18, 0.3e18, 0.6e18));
    }

    function test_swapExactIn_threeHops() public {
        _assertDelivers(_threeHops(1e18));
    }

    function test_swapExactIn_splitThenSharedIntermediate() public {
        Leg[] memory legs = new Leg[](4);
        legs[0] = legV2(v2WethUsdc, address(weth), address(usdc));
        legs[0].share = 0.45e18;
        legs[1] = legV3(v3WethUsdc, address(weth), address(usdc), 500);
        legs[2] = legV2(v2UsdcDai, address(usdc), address(dai));
        legs[3] = legV3(v3DaiWbtc, address(dai), address(wbtc), 3000);
        _assertDelivers(routeOf(legs, 2e18));
    }

    function test_swapExactIn_aMiddleTokenIsSoldAndBoughtAgain() public {
        Leg[] memory legs = new Leg[](4);
        legs[0] = legV2(v2WethUsdc, address(weth), address(usdc));
        legs[0].share = 0.5e18;
        legs[1] = legV2(v2UsdcDai, address(usdc), address(dai));
        legs[2] = legV3(v3WethUsdc, address(weth), address(usdc), 500);
        legs[3] = legV2(v2UsdcDai, address(usdc), address(dai));
        usdc.mint(address(router), 1);
        Route memory route = routeOf(legs, 2e18);
        assertEq(swap(route, 2e18), route.grossOut - route.grossOut * 28 / 10_000);
        assertEq(usdc.balanceOf(address(router)), 1);
    }

    function test_swapExactIn_samePoolTwice() public {
        Leg memory half = legV2(v2WethUsdc, address(weth), address(usdc));
        half.share = 0.5e18;
        _assertDelivers(routeOf(half, legV2(v2WethUsdc, address(weth), address(usdc)), 1e18));
    }

    function testFuzz_swapExactIn_equalsThePools(uint256 amountIn, uint256 first, uint256 second) public {
        amountIn = bound(amountIn, 1e12, MAX_TRADE);
        _assertDelivers(_threeWaySplit(amountIn, bound(first, 1e15, 0.999e18), bound(second, 1e15, 0.999e18)));
    }

    function testFuzz_swapExactIn_equalsThePoolsOverThreeHops(uint256 amountIn) public {
        _assertDelivers(_threeHops(bound(amountIn, 1e14, MAX_TRADE)));
    }

    function test_swapExactIn_paysAnotherRecipient() public {
        Route memory route = routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18);
        address recipient = makeAddr("recipient");
        fund(user, address(weth), 1e18);
        vm.prank(user);
        uint256 amountOut = router.swapExactIn(route, 1e18, 1, recipient, block.timestamp);
        assertEq(usdc.balanceOf(recipient), amountOut);
        assertEq(usdc.balanceOf(user), 0);
    }

    function test_swapExactIn_twiceInOneTransaction() public {
        Route memory route = routeOf(legV3(v3WethUsdc, address(weth), address(usdc), 500), 1e15);
        swap(route, 1e15);
        uint256 expected = trueOutputOf(route, 1e15);
        assertEq(swap(route, 1e15), expected - protocolFee(expected));
    }

    /* FEE, SURPLUS, FLOOR */

    /// @dev The quote is the caller's word, so it decides about the floor alone.
    function testFuzz_swapExactIn_noQuoteChangesTheFee(uint256 quoted, uint256 amountIn) public {
        Route memory route = routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18);
        amountIn = bound(amountIn, 1e15, 1e18);
        uint256 gross = trueOutputOf(route, amountIn);
        route.grossOut = bound(quoted, 1, route.grossOut);
        uint256 amountOut = swap(route, amountIn);
        assertEq(usdc.balanceOf(feeCollector()), gross * 28 / 10_000);
        assertEq(amountOut, gross - gross * 28 / 10_000);
    }

    function test_swapExactIn_quoteIsScaledToTheAmount() public {
        Route memory route = routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18);
        uint256 gross = trueOutputOf(route, 0.5e18);
        assertGt(gross, route.grossOut / 2, "half the input meets a better price");
        assertEq(swap(route, 0.5e18), gross - gross * 28 / 10_000);
    }

    function test_swapExactIn_ironFloorHoldsWhateverTheCallerAccepts() public {
        Route memory route = routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18);
        uint256 gross = route.grossOut;
        uint256 net = gross - gross * 28 / 10_000;
        // A fill 101 bps below the quote.
        route.grossOut = gross * 10_000 / 9899;
        uint256 floor = ironFloorOf(route.grossOut, 0);
        assertGt(floor, net);
        fund(user, address(weth), 1e18);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.BelowFloor.selector, floor, net));
        router.swapExactIn(route, 1e18, 1, user, block.timestamp);

        // With eight bps of impact the allowance is two bps wider, and the same fill passes.
        route.impactBps = 8;
        vm.prank(user);
        assertEq(router.swapExactIn(route, 1e18, 1, user, block.timestamp), net);
    }

    function test_swapExactIn_ironFloorScalesWithTheAmountRoundedUp() public {
        Route memory route = routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18);
        uint256 amountIn = 33e18;
        uint256 gross = trueOutputOf(route, amountIn);
        uint256 net = gross - gross * 28 / 10_000;
        uint256 floor = ironFloorOf(route.grossOut, 0) * 33;
        assertGt(floor, net, "33 times the amount costs more than the allowance");
        fund(user, address(weth), amountIn);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.BelowFloor.selector, floor, net));
        router.swapExactIn(route, amountIn, 1, user, block.timestamp);
    }

    function test_swapExactIn_callersMinimumIsExact() public {
        Route memory route = routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18);
        uint256 net = route.grossOut - protocolFee(route.grossOut);
        fund(user, address(weth), 1e18);
        vm.startPrank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.BelowFloor.selector, net + 1, net));
        router.swapExactIn(route, 1e18, net + 1, user, block.timestamp);
        assertEq(router.swapExactIn(route, 1e18, net, user, block.timestamp), net);
        vm.stopPrank();
    }

    function test_swapExactIn_feeOfATinyAmountIsZero() public {
        PlainToken tokenA = new PlainToken("A", 0);
        PlainToken tokenB = new PlainToken("B", 0);
        address pool = createV2(address(tokenA), address(tokenB), 1e6, 1e6);
        Route memory route = routeOf(legV2(pool, address(tokenA), address(tokenB)), 100);
        assertEq(route.grossOut, 99);
        assertEq(swap(route, 100), 99);
        assertEq(tokenB.balanceOf(feeCollector()), 0);
    }

    function test_swapExactIn_atTheDeadline() public {
        Route memory route = routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18);
        fund(user, address(weth), 1e18);
        vm.prank(user);
        assertGt(router.swapExactIn(route, 1e18, 1, user, block.timestamp), 0);
    }

    /* EVENTS */

    function test_swapExactIn_announcesOneSwap() public {
        Route memory route = _threeWaySplit(5e18, 0.3e18, 0.6e18);
        fund(user, address(weth), 5e18);
        vm.expectEmit(address(router));
        emit IRouter.Swap(user, address(weth), address(usdc), 5e18, route.grossOut - protocolFee(route.grossOut), 3);
        vm.prank(user);
        vm.recordLogs();
        router.swapExactIn(route, 5e18, 1, makeAddr("recipient"), block.timestamp);
        assertEq(routerLogs(SWAP).length, 1);
    }

    /* HELPERS */

    function _threeWaySplit(uint256 amountIn, uint256 first, uint256 second) internal returns (Route memory) {
        Leg memory a = legV2(v2WethUsdc, address(weth), address(usdc));
        Leg memory b = legV3(v3WethUsdc, address(weth), address(usdc), 500);
        (a.share, b.share) = (first, second);
        return routeOf(a, b, legV3(v3WethUsdcWide, address(weth), address(usdc), 3000), amountIn);
    }

    function _threeHops(uint256 amountIn) private returns (Route memory) {
        return routeOf(
            legV3(v3WethUsdc, address(weth), address(usdc), 500),
            legV2(v2UsdcDai, address(usdc), address(dai)),
            legV3(v3DaiWbtc, address(dai), address(wbtc), 3000),
            amountIn
        );
    }

    /// @dev The user gets what the pools deliver less exactly the fee, and nothing stays behind.
    function _assertDelivers(Route memory route) private {
        assertGt(route.grossOut, 0);
        uint256 fee = route.grossOut * 28 / 10_000;
        uint256 paidBefore = PlainToken(route.tokenOut).balanceOf(user);
        uint256 amountOut = swap(route, route.amountIn);

        assertEq(amountOut, route.grossOut - fee, "amountOut");
        assertEq(PlainToken(route.tokenOut).balanceOf(user) - paidBefore, amountOut, "paid");
        assertEq(PlainToken(route.tokenOut).balanceOf(feeCollector()), fee, "fee");
        assertEq(PlainToken(route.tokenIn).balanceOf(user), 0, "pulled");
        assertEq(PlainToken(route.tokenIn).allowance(user, address(router)), 0, "allowance used up");
        PlainToken[4] memory tokens = [weth, usdc, dai, wbtc];
        for (uint256 i; i < tokens.length; ++i) {
            assertEq(tokens[i].balanceOf(address(router)), 0, "left in the Router");
        }
    }
}
