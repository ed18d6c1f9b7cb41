// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {HookToken, PlainToken} from "../fixtures/Tokens.sol";
import {IV3Pool} from "../fixtures/VenuesFixture.sol";

/// @notice What took money from other routers, tried on this one: foreign payers, forged callbacks and pools,
/// reentrancy, stranded balances.
abstract contract RouterAttacksCases is ProtocolFixture {
    uint256 private constant AMOUNT = 1e18;

    address private immutable victim = makeAddr("victim");
    address private immutable attacker = makeAddr("attacker");
    address private v2Pool;
    address private v3Pool;

    function setUp() public {
        deployProtocol();
        v2Pool = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        v3Pool = createV3(address(weth), address(usdc), 500, 1e18, 3000e6);
        addAround(v3Pool, 2000, 1e18);
        PlainToken[2] memory tokens = [weth, usdc];
        for (uint256 i; i < tokens.length; ++i) {
            tokens[i].mint(victim, 1e30);
            vm.startPrank(victim);
            tokens[i].approve(address(router), type(uint256).max);
            tokens[i].approve(address(hub), type(uint256).max);
            vm.stopPrank();
        }
    }

    /// @dev Whatever the test did, an allowance to the protocol costs its giver nothing.
    function _assertVictimKeepsAll() private view {
        assertEq(weth.balanceOf(victim), 1e30);
        assertEq(usdc.balanceOf(victim), 1e30);
        assertEq(weth.allowance(victim, address(router)), type(uint256).max);
    }

    /* FOREIGN PAYERS */

    function testFuzz_router_noCalldataMovesTheVictimsTokens(bytes4 selector, bytes calldata data) public {
        vm.startPrank(attacker);
        (bool ok,) = address(router).call(abi.encodePacked(selector, data));
        assertTrue(!ok || isView(selector));
        (ok,) = address(hub).call(abi.encodePacked(selector, data));
        vm.stopPrank();
        _assertVictimKeepsAll();
    }

    function testFuzz_router_noRouteMovesTheVictimsTokens(uint256 seed, uint256 amountIn, uint256 length) public {
        amountIn = bound(amountIn, 1, 1e24);
        Route memory route;
        (route.tokenIn, route.tokenOut) =
            seed % 2 == 0 ? (address(weth), address(usdc)) : (_someAddress(seed, 0), _someAddress(seed, 1));
        (route.amountIn, route.grossOut, route.impactBps) = (amountIn, 1, 10_000);
        route.legs = new Leg[](bound(length, 1, 4));
        for (uint256 i; i < route.legs.length; ++i) {
            route.legs[i] = Leg({
                venue: uint16(_random(seed, 10 + i) % 4),
                pool: _someAddress(seed, 20 + i),
                tokenIn: _someAddress(seed, 30 + i),
                tokenOut: _someAddress(seed, 40 + i),
                key: [uint256(0), 500, 3000, 10_000][_random(seed, 50 + i) % 4],
                share: _random(seed, 60 + i) % 2 == 0 ? WHOLE_SHARE : 0.5e18
            });
            // Half of the legs are good ones, so that the attempt reaches the payment.
            if (_random(seed, 70 + i) % 4 == 0) route.legs[i] = legV2(v2Pool, route.tokenIn, route.tokenOut);
            if (_random(seed, 70 + i) % 4 == 1) route.legs[i] = legV3(v3Pool, address(weth), address(usdc), 500);
        }
        vm.prank(attacker);
        try router.swapExactIn(route, amountIn, 1, attacker, block.timestamp) {
            assertTrue(false, "the attacker owns nothing to swap");
        } catch {}
        _assertVictimKeepsAll();
    }

    function testFuzz_router_pullsFromItsCallerAlone(address caller, uint256 amountIn) public {
        vm.assume(caller != victim && caller != address(router) && caller != v2Pool && caller != v3Pool);
        vm.assume(
            caller != feeCollector() && caller != address(weth) && caller != address(usdc) && caller != address(0)
        );
        assumeNotForgeAddress(caller);
        amountIn = bound(amountIn, 1e12, 10e18);
        Leg memory half = legV2(v2Pool, address(weth), address(usdc));
        half.share = 0.5e18;
        Route memory route = routeOf(half, legV3(v3Pool, address(weth), address(usdc), 500), amountIn);
        fund(caller, address(weth), amountIn + 1);
        vm.prank(caller);
        router.swapExactIn(route, amountIn, 1, attacker, block.timestamp);
        assertEq(weth.balanceOf(caller), 1);
        assertEq(usdc.balanceOf(attacker), route.grossOut - route.grossOut * 28 / 10_000);
        _assertVictimKeepsAll();
    }

    function testFuzz_router_aFlippedByteRevertsOrStaysWithinTheAllowance(uint256 position, bytes1 value) public {
        Leg memory half = legV2(v2Pool, address(weth), address(usdc));
        half.share = 0.5e18;
        Route memory route = routeOf(half, legV3(v3Pool, address(weth), address(usdc), 500), AMOUNT);
        bytes memory call = abi.encodeCall(IRouter.swapExactIn, (route, AMOUNT, 1, user, block.timestamp));
        call[bound(position, 0, call.length - 1)] = value;
        fund(user, address(weth), AMOUNT);
        weth.mint(user, AMOUNT);

        vm.prank(user);
        (bool ok,) = address(router).call(call);
        uint256 spent = 2 * AMOUNT - weth.balanceOf(user);
        assertLe(spent, AMOUNT);
        if (!ok) assertEq(spent, 0);
        assertEq(weth.balanceOf(address(router)), 0);
        assertEq(usdc.balanceOf(address(router)), 0);
        _assertVictimKeepsAll();
    }

    /* CALLBACKS */

    function testFuzz_fallback_refusesEveryDirectCallback(address caller, int256 amount0, int256 amount1) public {
        string[5] memory callbacks = [
            "uniswapV3SwapCallback(int256,int256,bytes)",
            "pancakeV3SwapCallback(int256,int256,bytes)",
            "algebraSwapCallback(int256,int256,bytes)",
            "uniswapV2Call(address,uint256,uint256,bytes)",
            "unlockCallback(bytes)"
        ];
        for (uint256 i; i < callbacks.length; ++i) {
            bytes4 selector = bytes4(keccak256(bytes(callbacks[i])));
            vm.prank(caller);
            (bool ok, bytes memory reason) =
                address(router).call(abi.encodeWithSelector(selector, amount0, amount1, abi.encode(weth, victim)));
            assertFalse(ok);
            assertEq(reason, abi.encodeWithSelector(IRouter.UnexpectedCall.selector, caller));
        }
        _assertVictimKeepsAll();
    }

    function test_fallback_refusesARealPoolThatIsNotDue() public {
        // The pool pays the Router and calls back its caller, who passes the callback on.
        CallbackForwarder forwarder = new CallbackForwarder(address(router));
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(forwarder)));
        forwarder.swap(v3Pool, weth < usdc);
        _assertVictimKeepsAll();
    }

    function test_fallback_refusesPlainCalls() public {
        vm.prank(attacker);
        (bool ok, bytes memory reason) = address(router).call("");
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSelector(IRouter.UnexpectedCall.selector, attacker));
    }

    /* FORGED POOLS */

    function test_swapExactIn_aPoolThatClaimsToHavePaidIsRefused() public {
        FakePool fake = new FakePool();
        Route memory route = routeOf(legV2(v2Pool, address(weth), address(usdc)), AMOUNT);
        route.legs[0].pool = address(fake);
        fund(user, address(weth), AMOUNT);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnknownPool.selector, address(fake), v2Pool));
        router.swapExactIn(route, AMOUNT, 1, user, block.timestamp);
        assertEq(weth.balanceOf(address(fake)), 0);
        assertEq(fake.calls(), 0);
    }

    function test_swapExactIn_aTokenOrAContractOfTheProtocolIsNoPool() public {
        address[4] memory targets = [address(weth), address(router), address(hub), victim];
        for (uint256 i; i < targets.length; ++i) {
            Route memory route = routeOf(legV3(v3Pool, address(weth), address(usdc), 500), AMOUNT);
            route.legs[0].pool = targets[i];
            fund(user, address(weth), AMOUNT);
            vm.prank(user);
            vm.expectRevert(abi.encodeWithSelector(IRouter.UnknownPool.selector, targets[i], v3Pool));
            router.swapExactIn(route, AMOUNT, 1, user, block.timestamp);
        }
    }

    /* REENTRANCY */

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_swapExactIn_reentrancyIsRefused(bool hookFirst, bool asInput, bool concentrated) public {
        HookToken hooked = new HookToken("HOOK", 18);
        address pool = concentrated
            ? createV3(address(hooked), address(usdc), 500, 1e18, 3000e6)
            : createV2(address(hooked), address(usdc), 1000e18, 3_000_000e6);
        if (concentrated) addAround(pool, 2000, 1e18);
        (address tokenIn, address tokenOut) =
            asInput ? (address(hooked), address(usdc)) : (address(usdc), address(hooked));
        uint256 amountIn = asInput ? AMOUNT : 3000e6;
        Route memory route =
            routeOf(concentrated ? legV3(pool, tokenIn, tokenOut, 500) : legV2(pool, tokenIn, tokenOut), amountIn);
        // The hook holds tokens and allowance of its own, so that only the lock stands in its way.
        fund(address(hooked), address(weth), AMOUNT);
        Route memory inner = routeOf(legV2(v2Pool, address(weth), address(usdc)), AMOUNT);
        bytes memory call = abi.encodeCall(IRouter.swapExactIn, (inner, AMOUNT, 1, address(hooked), block.timestamp));
        hooked.setHook(address(router), call, hookFirst);

        assertEq(swap(route, amountIn), route.grossOut - route.grossOut * 28 / 10_000);
        assertGt(hooked.hookCalls(), 0);
        assertFalse(hooked.hookSucceeded());
        assertEq(hooked.hookAnswer(), abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(hooked)));

        // The same call works once the swap is over.
        vm.prank(address(hooked));
        router.swapExactIn(inner, AMOUNT, 1, address(hooked), block.timestamp);
    }

    function test_swapExactIn_aHookThatTakesThePaymentAwayMeetsTheFloor() public {
        HookToken hooked = new HookToken("HOOK", 18);
        address pool = createV2(address(usdc), address(hooked), 3_000_000e6, 1000e18);
        Route memory route = routeOf(legV2(pool, address(usdc), address(hooked)), 3000e6);
        Thief thief = new Thief(hooked, user);
        vm.prank(user);
        hooked.approve(address(thief), type(uint256).max);
        hooked.setHook(address(thief), abi.encodeCall(Thief.steal, ()), false);
        fund(user, address(usdc), 3000e6);
        vm.prank(user);
        vm.expectPartialRevert(IRouter.BelowFloor.selector);
        router.swapExactIn(route, 3000e6, 1, user, block.timestamp);
    }

    /* STRANDED BALANCES */

    function testFuzz_swapExactIn_donatedDustIsInert(uint256 dustIn, uint256 dustOut) public {
        dustIn = bound(dustIn, 1, 1e24);
        dustOut = bound(dustOut, 1, 1e24);
        weth.mint(address(router), dustIn);
        usdc.mint(address(router), dustOut);
        vm.deal(address(router), 1 ether);
        Route memory route = routeOf(legV2(v2Pool, address(weth), address(usdc)), AMOUNT);
        assertEq(swap(route, AMOUNT), route.grossOut - route.grossOut * 28 / 10_000);
        assertEq(weth.balanceOf(address(router)), dustIn);
        assertEq(usdc.balanceOf(address(router)), dustOut);
        assertEq(address(router).balance, 1 ether);
    }

    function test_swapExactIn_donatedMiddleTokensAreInert() public {
        address next = createV2(address(usdc), address(dai), 3_000_000e6, 3_000_000e18);
        usdc.mint(address(router), 1e12);
        Route memory route =
            routeOf(legV2(v2Pool, address(weth), address(usdc)), legV2(next, address(usdc), address(dai)), AMOUNT);
        assertEq(swap(route, AMOUNT), route.grossOut - route.grossOut * 28 / 10_000);
        assertEq(usdc.balanceOf(address(router)), 1e12);
    }

    function test_swapExactIn_dustCannotPay() public {
        weth.mint(address(router), AMOUNT);
        Route memory route = routeOf(legV2(v2Pool, address(weth), address(usdc)), AMOUNT);
        vm.prank(attacker);
        vm.expectRevert();
        router.swapExactIn(route, AMOUNT, 1, attacker, block.timestamp);
        assertEq(weth.balanceOf(address(router)), AMOUNT);
    }

    function test_swapExactIn_aDonationToThePairIsTheTradersSurplus() public {
        Route memory route = routeOf(legV2(v2Pool, address(weth), address(usdc)), AMOUNT);
        uint256 quoted = route.grossOut;
        weth.mint(v2Pool, AMOUNT);
        uint256 gross = trueOutputOf(route, AMOUNT);
        assertGt(gross, quoted);
        assertEq(swap(route, AMOUNT), gross - gross * 28 / 10_000);
    }

    /* HELPERS */

    function _random(uint256 seed, uint256 salt) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, salt)));
    }

    function _someAddress(uint256 seed, uint256 salt) private view returns (address) {
        address[8] memory known =
            [address(weth), address(usdc), v2Pool, v3Pool, address(router), address(hub), victim, address(0)];
        return known[_random(seed, salt) % known.length];
    }
}

/// @notice Passes the callbacks of the pools that it swaps on to the Router.
contract CallbackForwarder {
    address private immutable router;

    constructor(address router_) {
        router = router_;
    }

    function swap(address pool, bool zeroForOne) external {
        uint160 limit = zeroForOne ? 4_295_128_740 : 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341;
        IV3Pool(pool).swap(address(this), zeroForOne, 1e18, limit, "");
    }

    fallback() external {
        (bool ok, bytes memory reason) = router.call(msg.data);
        if (ok) return;
        assembly {
            revert(add(reason, 32), mload(reason))
        }
    }
}

/// @notice Answers every call as if it had paid.
contract FakePool {
    uint256 public calls;

    fallback() external {
        ++calls;
        assembly {
            mstore(0, not(0))
            mstore(32, not(0))
            return(0, 64)
        }
    }
}

/// @notice Takes what its mark has just received.
contract Thief {
    HookToken private immutable token;
    address private immutable mark;

    constructor(HookToken token_, address mark_) {
        (token, mark) = (token_, mark_);
    }

    function steal() external {
        uint256 balance = token.balanceOf(mark);
        if (balance != 0) token.transferFrom(mark, address(this), balance);
    }
}
