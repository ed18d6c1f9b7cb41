// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Route} from "../../src/types/Route.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {FalseReturnToken, HookToken, LyingToken, NoReturnToken, PlainToken, TaxedToken} from "../fixtures/Tokens.sol";

/// @notice Tokens that do not behave: output is what was measured, never what was claimed.
abstract contract RouterTokensCases is ProtocolFixture {
    uint256 private constant AMOUNT = 1e18;
    uint256 private constant TAX_BPS = 200;

    function setUp() public {
        deployProtocol();
    }

    function test_swapExactIn_tokensThatReturnNothing() public {
        NoReturnToken usdt = new NoReturnToken("USDT", 6);
        address v2 = createV2(address(weth), address(usdt), 1000e18, 3_000_000e6);
        address v3 = createV3(address(usdt), address(dai), 500, 1e6, 1e18);
        addAround(v3, 2000, 1e24);
        Route memory route =
            routeOf(legV2(v2, address(weth), address(usdt)), legV3(v3, address(usdt), address(dai), 500), AMOUNT);
        assertEq(swap(route, AMOUNT), route.grossOut - route.grossOut * 28 / 10_000);
        route = routeOf(legV2(v2, address(usdt), address(weth)), 3000e6);
        assertEq(swap(route, 3000e6), route.grossOut - route.grossOut * 28 / 10_000);
        route = routeOf(legV2(v2, address(weth), address(usdt)), AMOUNT);
        assertEq(swap(route, AMOUNT), route.grossOut - route.grossOut * 28 / 10_000);
        assertEq(usdt.allowance(address(router), v2), 0);
        assertEq(usdt.allowance(address(router), v3), 0);
    }

    function test_swapExactIn_revertsIf_tokenAnswersFalse() public {
        FalseReturnToken token = new FalseReturnToken("FALSE", 18);
        address pool = createV2(address(token), address(usdc), 1000e18, 3_000_000e6);
        Route memory route = routeOf(legV2(pool, address(token), address(usdc)), AMOUNT);
        assertEq(swap(route, AMOUNT), route.grossOut - route.grossOut * 28 / 10_000);

        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.TransferRefused.selector, address(token), ""));
        router.swapExactIn(route, AMOUNT, 1, user, block.timestamp);
    }

    function test_swapExactIn_taxedInputIsPricedByWhatThePairReceived() public {
        (TaxedToken taxed, address pool) = _taxedPool();
        Route memory route = routeOf(legV2(pool, address(taxed), address(usdc)), AMOUNT);
        uint256 received = AMOUNT - AMOUNT * TAX_BPS / 10_000;
        uint256 reserveIn = taxed.balanceOf(pool);
        uint256 expected = received * 997 * usdc.balanceOf(pool) / (reserveIn * 1000 + received * 997);
        assertEq(route.grossOut, expected);
        assertEq(swap(route, AMOUNT), expected - expected * 28 / 10_000);
    }

    function test_swapExactIn_revertsIf_taxWasNotQuoted() public {
        (TaxedToken taxed, address pool) = _taxedPool();
        Route memory route = routeOf(legV2(pool, address(taxed), address(usdc)), AMOUNT);
        uint256 delivered = route.grossOut;
        // What a quote that knows nothing of the tax promises.
        uint256 reserveIn = taxed.balanceOf(pool);
        route.grossOut = AMOUNT * 997 * usdc.balanceOf(pool) / (reserveIn * 1000 + AMOUNT * 997);
        fund(user, address(taxed), AMOUNT);
        uint256 netQuoted = route.grossOut - route.grossOut * 28 / 10_000;
        uint256 floor = (netQuoted * 9900 + 9999) / 10_000;
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.BelowFloor.selector, floor, delivered - delivered * 28 / 10_000));
        router.swapExactIn(route, AMOUNT, 1, user, block.timestamp);
    }

    function test_swapExactIn_revertsIf_taxOnThePayoutIsBelowTheFloor() public {
        (TaxedToken taxed, address pool) = _taxedPool();
        Route memory route = routeOf(legV2(pool, address(usdc), address(taxed)), 3000e6);
        // The first tax, from the pool to the Router, is in the quote; the second, to the recipient, is not.
        uint256 gross = route.grossOut;
        uint256 net = gross - gross * 28 / 10_000;
        uint256 arrives = net - net * TAX_BPS / 10_000;
        fund(user, address(usdc), 3000e6);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.BelowFloor.selector, (net * 9900 + 9999) / 10_000, arrives));
        router.swapExactIn(route, 3000e6, 1, user, block.timestamp);

        // Quoted with both taxes it passes, and the answer is what arrived.
        route.grossOut = gross - gross * TAX_BPS / 10_000;
        vm.prank(user);
        uint256 amountOut = router.swapExactIn(route, 3000e6, 1, user, block.timestamp);
        assertEq(amountOut, taxed.balanceOf(user));
        assertEq(amountOut, arrives);
    }

    function test_swapExactIn_taxedPayoutToAHolderCountsWhatArrived() public {
        (TaxedToken taxed, address pool) = _taxedPool();
        Route memory route = routeOf(legV2(pool, address(usdc), address(taxed)), 3000e6);
        uint256 gross = route.grossOut;
        route.grossOut = gross * 9 / 10;
        uint256 net = gross - gross * 28 / 10_000;
        taxed.mint(user, 5e18);
        assertEq(swap(route, 3000e6), net - net * TAX_BPS / 10_000);
        assertEq(taxed.balanceOf(user), 5e18 + net - net * TAX_BPS / 10_000);
    }

    function test_swapExactIn_aBonusBesideThePayoutIsNotCounted() public {
        HookToken hooked = new HookToken("BONUS", 18);
        address pool = createV2(address(usdc), address(hooked), 3_000_000e6, 1000e18);
        Route memory route = routeOf(legV2(pool, address(usdc), address(hooked)), 3000e6);
        // Minted to the user at each transfer: to the Router, to the user, and of the fee.
        hooked.setHook(address(hooked), abi.encodeCall(PlainToken.mint, (user, 1e18)), false);
        uint256 net = route.grossOut - route.grossOut * 28 / 10_000;
        assertEq(swap(route, 3000e6), net);
        assertEq(hooked.balanceOf(user), net + 3e18);
    }

    function test_swapExactIn_revertsIf_payoutIsALie() public {
        LyingToken liar = new LyingToken("LIAR", 18);
        address pool = createV2(address(usdc), address(liar), 3_000_000e6, 1000e18);
        Route memory route = routeOf(legV2(pool, address(usdc), address(liar)), 3000e6);
        uint256 net = route.grossOut - route.grossOut * 28 / 10_000;
        fund(user, address(usdc), 3000e6);
        liar.setLies(user, true);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.BelowFloor.selector, (net * 9900 + 9999) / 10_000, 0));
        router.swapExactIn(route, 3000e6, 1, user, block.timestamp);
    }

    function test_swapExactIn_revertsIf_poolPaysALie() public {
        LyingToken liar = new LyingToken("LIAR", 18);
        address pool = createV2(address(usdc), address(liar), 3_000_000e6, 1000e18);
        Route memory route = routeOf(legV2(pool, address(usdc), address(liar)), 3000e6);
        fund(user, address(usdc), 3000e6);
        liar.setLies(address(router), true);
        vm.prank(user);
        vm.expectPartialRevert(IRouter.BelowFloor.selector);
        router.swapExactIn(route, 3000e6, 1, user, block.timestamp);
    }

    function testFuzz_swapExactIn_decimals(uint8 decimalsIn, uint8 decimalsOut) public {
        // A whole token in base units; the pair counts in 112 bits.
        uint256 oneIn = 10 ** bound(decimalsIn, 0, 24);
        uint256 oneOut = 10 ** bound(decimalsOut, 0, 24);
        PlainToken tokenIn = new PlainToken("IN", 0);
        PlainToken tokenOut = new PlainToken("OUT", 0);
        address pool = createV2(address(tokenIn), address(tokenOut), 1e6 * oneIn, 1e6 * oneOut);
        Route memory route = routeOf(legV2(pool, address(tokenIn), address(tokenOut)), 1000 * oneIn);
        assertEq(swap(route, 1000 * oneIn), route.grossOut - route.grossOut * 28 / 10_000);
    }

    function _taxedPool() private returns (TaxedToken taxed, address pool) {
        taxed = new TaxedToken("TAX", 18, TAX_BPS);
        pool = createV2(address(taxed), address(usdc), 1000e18, 3_000_000e6);
    }
}
