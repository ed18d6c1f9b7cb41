// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {IRouterV2, Permit, Permit2Transfer, Terms} from "../../src/interfaces/IRouterV2.sol";
import {floorOfNet, netOf, protocolFee} from "../../src/math/FeeMath.sol";
import {Route} from "../../src/types/Route.sol";
import {Settlement} from "../../src/types/Settlement.sol";
import {PackedVenue} from "../../src/types/Venue.sol";
import {BlockingToken, FalseToken, ReasonToken, SilentToken} from "../fixtures/BlockingTokens.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {SecondGeneration} from "../fixtures/SecondGeneration.sol";
import {HookToken, PlainToken, TaxedToken} from "../fixtures/Tokens.sol";
import {Vm} from "forge-std/Vm.sol";

/// @notice Swaps of which an integrator takes a part, by all ways to pay and to be paid.
contract RouterIntegratorFeeTest is ProtocolFixture, SecondGeneration {
    uint256 private constant AMOUNT = 1e18;
    uint256 private constant KEY = 0xA11CE;
    bytes4 private constant INVALID_SIGNER = bytes4(keccak256("InvalidSigner()"));

    address private immutable signer = vm.addr(KEY);
    address private immutable relayer = makeAddr("relayer");
    address private immutable recipient = makeAddr("recipient");
    address private immutable integrator = makeAddr("integrator");
    address private pool;
    address private sluPool;

    function setUp() public {
        deployProtocol();
        pool = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        sluPool = v2Factory.createPair(address(slu), address(usdc));
        slu.transfer(sluPool, 1_000_000e18);
        fundV2(sluPool, address(usdc), address(usdc), 50_000e6, 0);
        weth.mint(signer, 10 * AMOUNT);
        vm.prank(signer);
        weth.approve(address(PERMIT2), type(uint256).max);
        vm.deal(address(weth), 1e30);
    }

    /* EVERY WAY */

    function testFuzz_swapWithIntegratorFee_allowance(uint256 amountIn, uint256 bps) public {
        Route memory route = _route(bound(amountIn, 1e12, 1000e18));
        fund(user, address(weth), route.amountIn);
        _assertPaid(user, 0, route, bps, _plain(route, 1));
    }

    function test_swapWithIntegratorFee_ofOneBasisPoint() public {
        Route memory route = _route(AMOUNT);
        fund(user, address(weth), route.amountIn);
        _assertPaid(user, 0, route, 1, _plain(route, 1));
    }

    function testFuzz_swapWithIntegratorFee_nativeIn(uint256 amountIn, uint256 bps) public {
        Route memory route = _route(bound(amountIn, 1e12, 1000e18));
        vm.deal(user, route.amountIn);
        bytes memory swap = abi.encodeCall(IRouterV2.swapExactInNative, (route, 1, recipient, block.timestamp));
        _assertPaid(user, route.amountIn, route, bps, swap);
    }

    /// @dev The integrator is paid the wrapped token.
    function testFuzz_swapWithIntegratorFee_nativeOut(uint256 amountIn, uint256 bps) public {
        amountIn = bound(amountIn, 1e4, 1_000_000e6);
        bps = bound(bps, 1, 100);
        Route memory route = routeOf(legV2(pool, address(usdc), address(weth)), amountIn);
        fund(user, address(usdc), amountIn);
        bytes memory swap =
            abi.encodeCall(IRouterV2.swapExactInForNative, (route, amountIn, 1, recipient, block.timestamp));
        vm.prank(user);
        uint256 amountOut = router2.swapWithIntegratorFee(integrator, bps, swap);
        assertEq(amountOut, netOf(route.grossOut, bps));
        assertEq(recipient.balance, amountOut);
        assertEq(weth.balanceOf(integrator), route.grossOut * bps / 10_000);
        assertEq(weth.balanceOf(address(core)), protocolFee(route.grossOut));
        _assertNothingStays();
    }

    function testFuzz_swapWithIntegratorFee_permit(uint256 amountIn, uint256 bps) public {
        amountIn = bound(amountIn, 1e15, 1000e18);
        // SLU cannot be minted, so nobody can walk its pool to find the output.
        Route memory route = _route(AMOUNT);
        (route.tokenIn, route.amountIn) = (address(slu), amountIn);
        route.grossOut = amountIn * 997 * 50_000e6 / (1_000_000e18 * 1000 + amountIn * 997);
        route.legs[0] = legV2(sluPool, address(slu), address(usdc));
        slu.transfer(signer, amountIn);
        bytes32 message = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                signer,
                address(router),
                amountIn,
                0,
                block.timestamp
            )
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", slu.DOMAIN_SEPARATOR(), message));
        Permit memory permit;
        (permit.v, permit.r, permit.s) = vm.sign(KEY, digest);
        bytes memory swap = abi.encodeCall(IRouterV2.swapExactInWithPermit, (route, _terms(route), permit));
        _assertPaid(signer, 0, route, bps, swap);
    }

    /// @dev Anybody may send what the owner has signed with the fee.
    function testFuzz_swapWithIntegratorFee_permit2(uint256 amountIn, uint256 bps) public {
        Route memory route = _route(bound(amountIn, 1e12, 10 * AMOUNT));
        bps = bound(bps, 1, 100);
        Permit2Transfer memory permit = signPermit2(KEY, route, _terms(route), 0, integrator, bps);
        _assertPaid(relayer, 0, route, bps, _sent(route, permit));
        assertEq(weth.balanceOf(signer), 10 * AMOUNT - route.amountIn);
    }

    /* NOBODY ELSE'S WORD */

    function testFuzz_swapWithIntegratorFee_aFeeCannotBeAddedToASignedSwap(uint256 bps) public {
        Route memory route = _route(AMOUNT);
        bytes memory swap = _sent(route, signPermit2(KEY, route, _terms(route), 0));
        vm.prank(relayer);
        vm.expectRevert(INVALID_SIGNER);
        router2.swapWithIntegratorFee(relayer, bound(bps, 1, 100), swap);
    }

    function testFuzz_swapWithIntegratorFee_aSignedFeeCannotBeChanged(uint256 bps, uint256 other) public {
        Route memory route = _route(AMOUNT);
        (bps, other) = (bound(bps, 1, 100), bound(other, 1, 100));
        Permit2Transfer memory permit = signPermit2(KEY, route, _terms(route), 0, integrator, bps);
        vm.startPrank(relayer);
        vm.expectRevert(INVALID_SIGNER);
        router2.swapWithIntegratorFee(relayer, bps, _sent(route, permit));
        if (other != bps) {
            vm.expectRevert(INVALID_SIGNER);
            router2.swapWithIntegratorFee(integrator, other, _sent(route, permit));
        }
        vm.expectRevert(INVALID_SIGNER);
        router2.swapExactInWithPermit2(route, _terms(route), permit);
        vm.stopPrank();
    }

    /// @dev A token calls in the middle of a swap, when its user's allowance could be used.
    function test_swapWithIntegratorFee_isRefusedWithinASwap() public {
        HookToken hooked = new HookToken("HOOK", 18);
        address hookPool = createV2(address(hooked), address(usdc), 1000e18, 3_000_000e6);
        Route memory route = routeOf(legV2(hookPool, address(hooked), address(usdc)), AMOUNT);
        bytes memory inner = abi.encodeCall(IRouterV2.swapWithIntegratorFee, (relayer, 100, _plain(_route(AMOUNT), 1)));
        hooked.setHook(address(router), inner, true);
        fund(user, address(hooked), AMOUNT);
        _assertPaid(user, 0, route, 50, _plain(route, 1));
        assertGt(hooked.hookCalls(), 0);
        assertEq(hooked.hookAnswer(), abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(hooked)));
    }

    /// @dev Whoever is paid the fee may be called by the token, and call the Router.
    function test_swapWithIntegratorFee_theIntegratorCannotReenter() public {
        HookToken hooked = new HookToken("HOOK", 18);
        address hookPool = createV2(address(weth), address(hooked), 1000e18, 1000e18);
        Route memory route = routeOf(legV2(hookPool, address(weth), address(hooked)), AMOUNT);
        hooked.setHook(address(router), _plain(_route(AMOUNT), 1), false);
        fund(user, address(weth), AMOUNT);
        _assertPaid(user, 0, route, 100, _plain(route, 1));
        assertEq(hooked.hookAnswer(), abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(hooked)));
    }

    /* WHAT BINDS */

    function testFuzz_swapWithIntegratorFee_theMinimumIsAfterAllFees(uint256 bps) public {
        bps = bound(bps, 1, 100);
        Route memory route = _route(AMOUNT);
        uint256 netOut = netOf(route.grossOut, bps);
        fund(user, address(weth), AMOUNT);
        vm.startPrank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.BelowFloor.selector, netOut + 1, netOut));
        router2.swapWithIntegratorFee(integrator, bps, _plain(route, netOut + 1));
        assertEq(router2.swapWithIntegratorFee(integrator, bps, _plain(route, netOut)), netOut);
        vm.stopPrank();
    }

    /// @dev The protocol's floor is that of a quote after all fees: a route that promised too much is refused.
    function testFuzz_swapWithIntegratorFee_theFloorIsAfterAllFees(uint256 bps, uint256 promised) public {
        bps = bound(bps, 1, 100);
        Route memory route = _route(AMOUNT);
        uint256 netOut = netOf(route.grossOut, bps);
        route.grossOut = bound(promised, route.grossOut, route.grossOut * 102 / 100);
        uint256 floor = floorOfNet(netOf(route.grossOut, bps), route.impactBps);
        fund(user, address(weth), AMOUNT);
        vm.prank(user);
        if (floor > netOut) vm.expectRevert(abi.encodeWithSelector(IRouter.BelowFloor.selector, floor, netOut));
        router2.swapWithIntegratorFee(integrator, bps, _plain(route, 1));
    }

    function test_swapWithIntegratorFee_proofTellsTheQuoteAfterAllFees() public {
        Route memory route = _route(AMOUNT);
        uint256 netOut = netOf(route.grossOut, 30);
        fund(user, address(weth), AMOUNT);
        vm.expectEmit(address(router));
        emit IRouterV2.IntegratorFee(integrator, address(usdc), route.grossOut * 30 / 10_000);
        vm.expectEmit(address(router));
        emit IRouter.Swap(user, address(weth), address(usdc), AMOUNT, netOut, 1);
        vm.expectEmit(address(router));
        emit IRouterV2.ExecutionProof(user, address(usdc), netOut, netOut, floorOfNet(netOut, 0), block.number);
        vm.prank(user);
        router2.swapWithIntegratorFee(integrator, 30, _plain(route, 1));
    }

    /* REFUSALS */

    function testFuzz_swapWithIntegratorFee_revertsIf_theFeeIsOutOfRange(uint256 bps) public {
        bps = bound(bps, 0, 1) == 0 ? 0 : bound(bps, 101, type(uint256).max);
        bytes memory swap = _plain(_route(AMOUNT), 1);
        vm.expectRevert(abi.encodeWithSelector(IRouterV2.BadIntegratorFee.selector, integrator, bps));
        router2.swapWithIntegratorFee(integrator, bps, swap);
    }

    function test_swapWithIntegratorFee_revertsIf_theIntegratorIsNobodyOrTheRouter() public {
        bytes memory swap = _plain(_route(AMOUNT), 1);
        address[2] memory bad = [address(0), address(router)];
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IRouterV2.BadIntegratorFee.selector, bad[i], 10));
            router2.swapWithIntegratorFee(bad[i], 10, swap);
        }
    }

    /// @dev Views, callbacks and a fee within a fee are no swaps.
    function test_swapWithIntegratorFee_revertsIf_itIsNoSwap() public {
        PackedVenue[] memory venues;
        bytes memory swap = _plain(_route(AMOUNT), 1);
        bytes[7] memory calls = [
            abi.encodeCall(IRouter.hub, ()),
            abi.encodeCall(IRouter.settings, ()),
            abi.encodeCall(IRouter.settlementGas, (address(usdc))),
            abi.encodeCall(IRouter.setSettings, (Settlement.wrap(0), venues)),
            abi.encodeCall(IRouterV2.swapWithIntegratorFee, (integrator, 10, swap)),
            abi.encodeWithSelector(V3_CALLBACK, int256(1), int256(1), ""),
            bytes("")
        ];
        fund(user, address(weth), AMOUNT);
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(user);
            vm.expectRevert(abi.encodeWithSelector(IRouter.UnexpectedCall.selector, user));
            router2.swapWithIntegratorFee(integrator, 10, calls[i]);
        }
    }

    function test_swapWithIntegratorFee_revertsIf_nativeIsSentToASwapOfTokens() public {
        bytes memory swap = _plain(_route(AMOUNT), 1);
        fund(user, address(weth), AMOUNT);
        vm.deal(user, 1);
        vm.prank(user);
        vm.expectRevert(bytes(""));
        router2.swapWithIntegratorFee{value: 1}(integrator, 10, swap);
    }

    /// @dev The fee ends with its swap, whether that goes through or not.
    function test_swapWithIntegratorFee_theNextSwapPaysNone() public {
        Route memory route = _route(AMOUNT);
        fund(user, address(weth), 2 * AMOUNT);
        vm.startPrank(user);
        router2.swapWithIntegratorFee(integrator, 100, _plain(route, 1));
        uint256 paid = usdc.balanceOf(integrator);
        vm.expectPartialRevert(IRouter.BelowFloor.selector);
        router2.swapWithIntegratorFee(integrator, 100, _plain(route, route.grossOut));
        vm.stopPrank();
        route.grossOut = trueOutputOf(route, AMOUNT);
        vm.prank(user);
        assertEq(
            router.swapExactIn(route, AMOUNT, 1, recipient, block.timestamp),
            route.grossOut - protocolFee(route.grossOut)
        );
        assertEq(usdc.balanceOf(integrator), paid);
    }

    /* TOKENS THAT REFUSE OR TAX */

    function test_swapWithIntegratorFee_goesOnIf_theTokenRefusesTheIntegrator() public {
        BlockingToken[3] memory tokens = [BlockingToken(new ReasonToken()), new SilentToken(), new FalseToken()];
        for (uint256 i; i < tokens.length; ++i) {
            BlockingToken token = tokens[i];
            address blocked = createV2(address(weth), address(token), 1000e18, 3_000_000e6);
            Route memory route = routeOf(legV2(blocked, address(weth), address(token)), AMOUNT);
            token.setBlocked(integrator, true);
            fund(user, address(weth), AMOUNT);
            vm.recordLogs();
            vm.prank(user);
            uint256 amountOut = router2.swapWithIntegratorFee(integrator, 100, _plain(route, 1));
            assertEq(amountOut, route.grossOut - protocolFee(route.grossOut), "the user has it");
            assertEq(token.balanceOf(recipient), amountOut);
            assertEq(token.balanceOf(address(router)), 0);
            assertEq(_fees().length, 0);
        }
    }

    function test_swapWithIntegratorFee_announcesWhatArrivedOfATaxedToken() public {
        TaxedToken taxed = new TaxedToken("TAX", 18, 200);
        address taxedPool = createV2(address(usdc), address(taxed), 3_000_000e6, 1000e18);
        Route memory route = routeOf(legV2(taxedPool, address(usdc), address(taxed)), 3000e6);
        uint256 fee = route.grossOut / 100;
        route.grossOut = route.grossOut * 97 / 100;
        fund(user, address(usdc), 3000e6);
        vm.recordLogs();
        vm.prank(user);
        router2.swapWithIntegratorFee(integrator, 100, _plain(route, 1));
        assertEq(_fees()[0].data, abi.encode(fee - fee * 200 / 10_000));
        assertEq(taxed.balanceOf(integrator), fee - fee * 200 / 10_000);
    }

    function test_swapWithIntegratorFee_aFeeOfZeroIsNotAnnounced() public {
        PlainToken tokenA = new PlainToken("A", 0);
        PlainToken tokenB = new PlainToken("B", 0);
        address pair = createV2(address(tokenA), address(tokenB), 1e6, 1e6);
        Route memory route = routeOf(legV2(pair, address(tokenA), address(tokenB)), 100);
        fund(user, address(tokenA), 100);
        vm.recordLogs();
        vm.prank(user);
        assertEq(router2.swapWithIntegratorFee(integrator, 100, _plain(route, 1)), route.grossOut);
        assertEq(_fees().length, 0);
    }

    /* HELPERS */

    function _assertPaid(address sender, uint256 value, Route memory route, uint256 bps, bytes memory swap) private {
        bps = bound(bps, 1, 100);
        PlainToken token = PlainToken(route.tokenOut);
        vm.recordLogs();
        vm.prank(sender);
        uint256 amountOut = router2.swapWithIntegratorFee{value: value}(integrator, bps, swap);

        uint256 fee = route.grossOut * bps / 10_000;
        assertEq(amountOut, netOf(route.grossOut, bps), "as quoted");
        assertEq(token.balanceOf(recipient), amountOut);
        assertEq(token.balanceOf(integrator), fee);
        assertEq(token.balanceOf(address(core)), route.grossOut * 28 / 10_000);
        assertEq(amountOut + fee + token.balanceOf(address(core)), route.grossOut, "conservation");
        Vm.Log[] memory logs = _fees();
        assertEq(logs.length, fee == 0 ? 0 : 1);
        if (fee != 0) assertEq(logs[0].data, abi.encode(fee));
        _assertNothingStays();
    }

    function _fees() private returns (Vm.Log[] memory) {
        return routerLogs(IRouterV2.IntegratorFee.selector);
    }

    function _route(uint256 amountIn) private returns (Route memory) {
        return routeOf(legV2(pool, address(weth), address(usdc)), amountIn);
    }

    function _plain(Route memory route, uint256 minOut) private view returns (bytes memory) {
        return abi.encodeCall(IRouter.swapExactIn, (route, route.amountIn, minOut, recipient, block.timestamp));
    }

    function _sent(Route memory route, Permit2Transfer memory permit) private view returns (bytes memory) {
        return abi.encodeCall(IRouterV2.swapExactInWithPermit2, (route, _terms(route), permit));
    }

    function _terms(Route memory route) private view returns (Terms memory) {
        return Terms({amountIn: route.amountIn, minOut: 1, recipient: recipient, deadline: block.timestamp});
    }

    function _assertNothingStays() private view {
        assertEq(weth.balanceOf(address(router)), 0);
        assertEq(usdc.balanceOf(address(router)), 0);
        assertEq(address(router).balance, 0);
    }
}
