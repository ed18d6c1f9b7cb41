// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../../src/interfaces/IHub.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice Every error of the Router. Each test starts from a route that works and spoils one thing.
abstract contract RouterErrorsCases is ProtocolFixture {
    uint256 private constant AMOUNT = 1e18;

    address private v2Pool;
    address private v3Pool;
    address private v2Next;
    uint256 private quoted;

    function setUp() public {
        deployProtocol();
        v2Pool = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        v2Next = createV2(address(usdc), address(dai), 3_000_000e6, 3_000_000e18);
        v3Pool = createV3(address(weth), address(usdc), 500, 1e18, 3000e6);
        addAround(v3Pool, 200, 3e16);
        fund(user, address(weth), type(uint128).max);
        quoted = routeOf(legV2(v2Pool, address(weth), address(usdc)), AMOUNT).grossOut;
    }

    function test_swapExactIn_theRouteWorksUnspoilt() public {
        Route memory route = _route();
        vm.prank(user);
        assertGt(router.swapExactIn(route, AMOUNT, 1, user, block.timestamp), 0);
    }

    /* THE ORDER */

    function testFuzz_swapExactIn_revertsIf_expired(uint256 time, uint256 late) public {
        Route memory route = _route();
        time = bound(time, 1, type(uint64).max);
        late = bound(late, 1, time);
        vm.warp(time);
        vm.expectRevert(abi.encodeWithSelector(IRouter.Expired.selector, time - late, time));
        _swap(route, AMOUNT, 1, user, time - late);
    }

    function test_swapExactIn_revertsIf_minimumIsZero() public {
        Route memory route = _route();
        vm.expectRevert(IRouter.ZeroMinimum.selector);
        _swap(route, AMOUNT, 0, user, block.timestamp);
    }

    function test_swapExactIn_revertsIf_amountIsZero() public {
        Route memory route = _route();
        vm.expectRevert(IRouter.ZeroAmount.selector);
        _swap(route, 0, 1, user, block.timestamp);
    }

    function test_swapExactIn_revertsIf_recipientIsBad() public {
        Route memory route = _route();
        address[4] memory recipients = [address(0), address(router), address(weth), address(usdc)];
        for (uint256 i; i < recipients.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IRouter.BadRecipient.selector, recipients[i]));
            _swap(route, AMOUNT, 1, recipients[i], block.timestamp);
        }
    }

    function test_swapExactIn_revertsIf_paused() public {
        Route memory route = _route();
        vm.prank(owner);
        hub.pause();
        vm.expectRevert(IRouter.Paused.selector);
        _swap(route);

        vm.prank(owner);
        hub.schedule(abi.encodeCall(IHub.resume, ()));
        skip(1 days);
        vm.prank(owner);
        hub.resume();
        _swap(route);
    }

    function test_swapExactIn_revertsIf_itsGenerationIsRetired() public {
        Route memory route = _route();
        vm.prank(owner);
        hub.retire(3 - generationNumber());
        _swap(route);

        vm.prank(owner);
        hub.retire(generationNumber());
        vm.expectRevert(IRouter.Retired.selector);
        _swap(route);
    }

    function test_swapExactIn_revertsIf_valueIsSent() public {
        Route memory route = _route();
        vm.deal(user, 1 ether);
        vm.prank(user);
        (bool ok,) = address(router).call{value: 1}(
            abi.encodeCall(IRouter.swapExactIn, (route, AMOUNT, 1, user, block.timestamp))
        );
        assertFalse(ok);
    }

    function test_receive_isRefused() public {
        (bool ok,) = address(router).call{value: 1}("");
        assertFalse(ok);
        (ok,) = address(router).call{value: 1}(abi.encodeWithSelector(V3_CALLBACK, 1, 1, ""));
        assertFalse(ok);
    }

    /* THE ROUTE'S NUMBERS */

    function test_swapExactIn_revertsIf_routeHasNoLegs() public {
        Route memory route = _route();
        route.legs = new Leg[](0);
        _expectBadRoute(route, 0);
    }

    function test_swapExactIn_revertsIf_quotedAmountInIsZero() public {
        Route memory route = _route();
        route.amountIn = 0;
        _expectBadRoute(route, 1);
    }

    function test_swapExactIn_revertsIf_quotedOutputIsZero() public {
        Route memory route = _route();
        route.grossOut = 0;
        _expectBadRoute(route, 1);
    }

    function test_swapExactIn_revertsIf_impactIsAboveTheWhole() public {
        Route memory route = _route();
        route.impactBps = 10_001;
        _expectBadRoute(route, 1);
        route.impactBps = 10_000;
        _swap(route);
    }

    function test_swapExactIn_revertsIf_tokensAreTheSame() public {
        Route memory route = _route();
        route.tokenOut = address(weth);
        _expectBadRoute(route, 1);
    }

    function test_swapExactIn_revertsIf_scalingTheQuoteOverflows() public {
        Route memory route = _route();
        route.amountIn = 1;
        route.grossOut = type(uint256).max;
        vm.expectRevert();
        _swap(route);
    }

    /* THE LEGS */

    function test_swapExactIn_revertsIf_legSellsTheTokenOut() public {
        Route memory route = _route();
        _append(route, legV2(v2Pool, address(usdc), address(weth)));
        _expectBadRoute(route, 1);
    }

    function test_swapExactIn_revertsIf_legBuysTheTokenIn() public {
        Route memory route = _route();
        route.tokenOut = address(dai);
        _append(route, legV2(v2Pool, address(usdc), address(weth)));
        _expectBadRoute(route, 1);
    }

    function test_swapExactIn_revertsIf_aMiddleLegBuysTheTokenIn() public {
        Route memory route = _route();
        route.tokenOut = address(dai);
        _append(route, legV2(v2Pool, address(usdc), address(weth)));
        _append(route, legV2(v2Next, address(usdc), address(dai)));
        _expectBadRoute(route, 1);
    }

    function test_swapExactIn_revertsIf_aMiddleLegSellsTheTokenOut() public {
        Route memory route = _route();
        route.legs[0].share = 0.5e18;
        _append(route, legV2(v2Next, address(usdc), address(dai)));
        _append(route, legV2(v2Pool, address(weth), address(usdc)));
        _expectBadRoute(route, 1);
    }

    function test_swapExactIn_revertsIf_aMiddleLegSwapsATokenForItself() public {
        Route memory route = _route();
        route.tokenOut = address(dai);
        _append(route, legV2(v2Next, address(usdc), address(usdc)));
        _append(route, legV2(v2Next, address(usdc), address(dai)));
        _expectBadRoute(route, 1);
        route.legs[1].tokenIn = address(0);
        _expectBadRoute(route, 1);
        route.legs[1] = legV2(v2Next, address(usdc), address(0));
        _expectBadRoute(route, 1);
    }

    function test_swapExactIn_revertsIf_legSellsWhatIsNotHeld() public {
        Route memory route = _route();
        route.tokenOut = address(wbtc);
        _append(route, legV2(v2Next, address(dai), address(usdc)));
        _expectBadRoute(route, 1);
    }

    function test_swapExactIn_revertsIf_firstLegSellsAnotherToken() public {
        Route memory route = _route();
        route.legs[0].tokenIn = address(dai);
        _expectBadRoute(route, 0);
    }

    function test_swapExactIn_revertsIf_holdingIsUsedUp() public {
        Route memory route = _route();
        _append(route, route.legs[0]);
        _expectBadRoute(route, 1);
    }

    function test_swapExactIn_revertsIf_legTokensAreTheSameOrZero() public {
        Route memory route = _route();
        route.legs[0].tokenIn = address(0);
        _expectBadRoute(route, 0);
        route.legs[0] = legV2(v2Pool, address(weth), address(0));
        _expectBadRoute(route, 0);
        route.legs[0] = legV2(v2Pool, address(weth), address(weth));
        _expectBadRoute(route, 0);
    }

    function test_swapExactIn_revertsIf_shareIsZeroOrAboveTheWhole() public {
        Route memory route = _route();
        route.legs[0].share = 0;
        _expectBadRoute(route, 0);
        route.legs[0].share = WHOLE_SHARE + 1;
        _expectBadRoute(route, 0);
        // Rounds down to nothing of one unit.
        route.legs[0].share = WHOLE_SHARE - 1;
        vm.expectRevert(abi.encodeWithSelector(IRouter.BadRoute.selector, 0));
        _swap(route, 1, 1, user, block.timestamp);
    }

    function test_swapExactIn_revertsIf_shareTimesHoldingOverflows() public {
        Route memory route = _route();
        route.legs[0].share = 0.5e18;
        vm.expectRevert();
        _swap(route, type(uint256).max, 1, user, block.timestamp);
    }

    function test_swapExactIn_revertsIf_lastLegBuysAThirdToken() public {
        Route memory route = _route();
        route.tokenOut = address(dai);
        _expectBadRoute(route, 0);
    }

    function test_swapExactIn_revertsIf_inputIsLeftBehind() public {
        Route memory route = _route();
        route.legs[0].share = 0.75e18;
        vm.expectRevert(abi.encodeWithSelector(IRouter.LeftBehind.selector, address(weth), AMOUNT / 4));
        _swap(route);
    }

    function test_swapExactIn_revertsIf_aMiddleTokenIsLeftBehind() public {
        Route memory route = _route();
        uint256 bought = route.grossOut;
        route.tokenOut = address(dai);
        Leg memory next = legV2(v2Next, address(usdc), address(dai));
        next.share = 0.5e18;
        _append(route, next);
        uint256 left = bought - bought / 2;
        vm.expectRevert(abi.encodeWithSelector(IRouter.LeftBehind.selector, address(usdc), left));
        _swap(route);
    }

    function test_swapExactIn_revertsIf_aMiddleTokenIsNeverSold() public {
        Route memory route = _route();
        address next = createV2(address(weth), address(dai), 1000e18, 3_000_000e18);
        route.tokenOut = address(dai);
        route.legs[0].share = 0.5e18;
        _append(route, legV2(next, address(weth), address(dai)));
        uint256 left = routeOf(legV2(v2Pool, address(weth), address(usdc)), AMOUNT / 2).grossOut;
        vm.expectRevert(abi.encodeWithSelector(IRouter.LeftBehind.selector, address(usdc), left));
        _swap(route);
    }

    /* VENUE AND POOL */

    function test_swapExactIn_revertsIf_venueIsUnknown() public {
        Route memory route = _route();
        uint16[3] memory unknown = [uint16(0), 3, type(uint16).max];
        for (uint256 i; i < unknown.length; ++i) {
            route.legs[0].venue = unknown[i];
            vm.expectRevert(abi.encodeWithSelector(IRouter.UnknownVenue.selector, unknown[i]));
            _swap(route);
        }
    }

    function test_swapExactIn_revertsIf_venueIsRemoved() public {
        Route memory route = _route();
        vm.prank(owner);
        hub.removeVenue(UNISWAP_V2);
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnknownVenue.selector, UNISWAP_V2));
        _swap(route);
    }

    function testFuzz_swapExactIn_revertsIf_poolIsNotDerived(address pool) public {
        Route memory route = _route();
        vm.assume(pool != v2Pool);
        route.legs[0].pool = pool;
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnknownPool.selector, pool, v2Pool));
        _swap(route);
        assertEq(weth.balanceOf(user), type(uint128).max);
    }

    function test_swapExactIn_revertsIf_poolIsOfAnotherVenueOrKey() public {
        Route memory route = _route();
        route.legs[0] = legV3(v3Pool, address(weth), address(usdc), 500);
        _swap(route);

        route.legs[0].venue = UNISWAP_V2;
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnknownPool.selector, v3Pool, v2Pool));
        _swap(route);

        route.legs[0].venue = UNISWAP_V3;
        route.legs[0].key = 500 + (1 << 24);
        vm.expectPartialRevert(IRouter.UnknownPool.selector);
        _swap(route);
    }

    function test_swapExactIn_revertsIf_poolWasNeverCreated() public {
        Route memory route = _route();
        PlainToken other = new PlainToken("OTHER", 18);
        bytes32 salt = other < weth
            ? keccak256(abi.encodePacked(address(other), address(weth)))
            : keccak256(abi.encodePacked(address(weth), address(other)));
        address pool = vm.computeCreate2Address(salt, V2_INIT_CODE_HASH, address(v2Factory));
        route.tokenOut = address(other);
        route.legs[0] = legV2(pool, address(weth), address(other));
        vm.expectRevert();
        _swap(route);
        assertEq(weth.balanceOf(pool), 0);
    }

    function test_swapExactIn_revertsIf_tokenOutHoldsNoCode() public {
        Route memory route = _route();
        route.tokenOut = makeAddr("nothing here");
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnreadableBalance.selector, route.tokenOut));
        _swap(route);
    }

    function test_swapExactIn_revertsIf_liquidityEnds() public {
        Route memory route = _route();
        route.legs[0] = legV3(v3Pool, address(weth), address(usdc), 500);
        fund(user, address(weth), 1e30);
        vm.expectPartialRevert(IRouter.PartialFill.selector);
        _swap(route, 1e30, 1, user, block.timestamp);
    }

    function test_swapExactIn_revertsIf_amountTurnsNegativeForThePool() public {
        Route memory route = _route();
        route.legs[0] = legV3(v3Pool, address(weth), address(usdc), 500);
        uint256 amount = uint256(type(int256).max) + 1;
        route.amountIn = amount;
        vm.expectRevert(abi.encodeWithSelector(IRouter.PartialFill.selector, v3Pool, amount, 0));
        _swap(route, amount, 1, user, block.timestamp);
    }

    function testFuzz_swapExactIn_anyAmountIsFilledOrRevertsCleanly(uint256 amountIn, bool concentrated) public {
        Route memory route = _route();
        amountIn = bound(amountIn, 1, type(uint256).max);
        if (concentrated) route.legs[0] = legV3(v3Pool, address(weth), address(usdc), 500);
        uint256 balance = weth.balanceOf(user);
        vm.prank(user);
        weth.approve(address(router), type(uint256).max);
        vm.prank(user);
        try router.swapExactIn(route, amountIn, 1, user, block.timestamp) {
            assertEq(balance - weth.balanceOf(user), amountIn);
        } catch {
            assertEq(weth.balanceOf(user), balance);
        }
    }

    /* HELPERS */

    /// @dev One leg that works.
    function _route() private view returns (Route memory route) {
        route.tokenIn = address(weth);
        route.tokenOut = address(usdc);
        route.amountIn = AMOUNT;
        route.grossOut = quoted;
        route.legs = new Leg[](1);
        route.legs[0] = legV2(v2Pool, address(weth), address(usdc));
    }

    function _append(Route memory route, Leg memory leg) private pure {
        Leg[] memory longer = new Leg[](route.legs.length + 1);
        for (uint256 i; i < route.legs.length; ++i) {
            longer[i] = route.legs[i];
        }
        longer[route.legs.length] = leg;
        route.legs = longer;
    }

    function _expectBadRoute(Route memory route, uint256 leg) private {
        vm.expectRevert(abi.encodeWithSelector(IRouter.BadRoute.selector, leg));
        _swap(route);
    }

    function _swap(Route memory route) private {
        _swap(route, AMOUNT, 1, user, block.timestamp);
    }

    function _swap(Route memory route, uint256 amountIn, uint256 minOut, address recipient, uint256 deadline) private {
        vm.prank(user);
        router.swapExactIn(route, amountIn, minOut, recipient, deadline);
    }
}
