// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../../src/interfaces/IHub.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {VenueConfig} from "../../src/types/Venue.sol";
import {ForkFactory, ForkPair, ScriptedDeployer, ScriptedPool} from "../fixtures/Forks.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {HookToken} from "../fixtures/Tokens.sol";

/// @notice Forks are data of the Hub: another fee, another deployer, another callback. And what a pool that misbehaves
/// in its callback gets.
abstract contract RouterForksCases is ProtocolFixture {
    uint16 private constant FORK_V2 = 3;
    uint16 private constant FORK_V3 = 4;
    uint256 private constant FORK_FEE_BPS = 25;
    uint256 private constant AMOUNT = 1e18;
    bytes4 private constant FORK_CALLBACK = bytes4(keccak256("pancakeV3SwapCallback(int256,int256,bytes)"));

    ForkFactory private forkFactory;
    ScriptedDeployer private forkDeployer;
    ScriptedPool private pool;

    function setUp() public {
        deployProtocol();
        forkFactory = new ForkFactory(FORK_FEE_BPS);
        forkDeployer = new ScriptedDeployer();
        _addVenue(v2Config("fork-v2", address(forkFactory), forkFactory.initCodeHash(), uint24(FORK_FEE_BPS * 100)));
        VenueConfig memory config =
            v3Config("fork-v3", address(forkDeployer), forkDeployer.initCodeHash(), FORK_CALLBACK);
        config.factory = makeAddr("a factory beside the deployer");
        _addVenue(config);

        pool = ScriptedPool(forkDeployer.createPool(address(weth), address(dai), 2500, FORK_CALLBACK));
        weth.mint(address(pool), 1000e18);
        dai.mint(address(pool), 1000e18);
    }

    function testFuzz_swapExactIn_forkFeeIsPaidAndNoMore(uint256 amountIn) public {
        amountIn = bound(amountIn, 1e6, 100e18);
        ForkPair pair = _forkPair();
        uint256 gross = amountIn * 9975 * 3_000_000e18 / (1000e18 * 10_000 + amountIn * 9975);
        Route memory route = _route(_legForkV2(address(pair)), gross, amountIn);
        assertEq(swap(route, amountIn), gross - gross * 28 / 10_000);
    }

    function test_swapExactIn_forkPairWouldRefuseOneUnitMore() public {
        ForkPair pair = _forkPair();
        uint256 gross = AMOUNT * 9975 * 3_000_000e18 / (1000e18 * 10_000 + AMOUNT * 9975);
        weth.mint(address(pair), AMOUNT);
        bool zeroForOne = pair.token0() == address(weth);
        vm.expectRevert(ForkPair.BelowK.selector);
        pair.swap(zeroForOne ? 0 : gross + 1, zeroForOne ? gross + 1 : 0, user, "");
    }

    function test_swapExactIn_forkCallback() public {
        assertEq(swap(_route(_legForkV3(), AMOUNT, AMOUNT), AMOUNT), AMOUNT - AMOUNT * 28 / 10_000);
        assertEq(weth.balanceOf(address(pool)), 1001e18);
    }

    function test_swapExactIn_forkBeforeAndAfterARealPool() public {
        address real = createV3(address(dai), address(usdc), 500, 1e18, 1e6);
        addAround(real, 2000, 1e15);
        Route memory route = routeOf(_legForkV3(), legV3(real, address(dai), address(usdc), 500), AMOUNT);
        assertEq(swap(route, AMOUNT), route.grossOut - route.grossOut * 28 / 10_000);
    }

    /* AMOUNTS OF ANY SIZE */

    function testFuzz_swapExactIn_forkCallbackCollectsAnyAmount(uint256 amount, uint256 shift) public {
        amount = bound(amount, 1, uint256(type(int256).max)) >> bound(shift, 0, 254);
        _assertCollects(amount == 0 ? 1 : amount);
    }

    function test_swapExactIn_forkCallbackCollectsAmountsAroundNinetyFiveBits() public {
        uint256 snapshot = vm.snapshotState();
        for (uint256 i; i < 5; ++i) {
            _assertCollects((1 << 95) - 3 + i);
            vm.revertToState(snapshot);
        }
        // One after the other: the earlier amount is not taken for the later.
        _assertCollects(1 << 100);
        _assertCollects((1 << 95) - 1);
        _assertCollects(7);
        _assertCollects(1 << 96);
    }

    function testFuzz_fallback_revertsIf_poolAsksForAnotherLargeAmount(uint256 amount, int256 extra) public {
        amount = bound(amount, 1 << 94, 1 << 200);
        extra = bound(extra, -1e18, 1e18);
        if (extra == 0) extra = 1;
        dai.mint(address(pool), amount);
        pool.script(FORK_CALLBACK, 1, extra);
        fund(user, address(weth), amount + 1e18);
        Route memory route = _route(_legForkV3(), amount, amount);
        vm.prank(user);
        vm.expectRevert(
            extra > 0
                ? abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(pool))
                : abi.encodeWithSelector(
                    IRouter.PartialFill.selector, address(pool), amount, uint256(int256(amount) + extra)
                )
        );
        router.swapExactIn(route, amount, 1, user, block.timestamp);
    }

    function _assertCollects(uint256 amount) private {
        dai.mint(address(pool), amount);
        uint256 held = weth.balanceOf(address(pool));
        Route memory route = _route(_legForkV3(), amount, amount);
        fund(user, address(weth), amount);
        vm.prank(user);
        router.swapExactIn(route, amount, 1, user, block.timestamp);
        assertEq(weth.balanceOf(address(pool)) - held, amount);
        assertEq(weth.balanceOf(user), 0);
        assertEq(weth.balanceOf(address(router)), 0);
    }

    /* A POOL'S MISTAKES */

    function test_fallback_revertsIf_callbackIsOfAnotherFork() public {
        pool.script(V3_CALLBACK, 1, 0);
        _expectRevertFromPool(abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(pool)));
    }

    function test_fallback_revertsIf_calledTwice() public {
        pool.script(FORK_CALLBACK, 2, 0);
        _expectRevertFromPool(abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(pool)));
    }

    function test_fallback_revertsIf_poolAsksForMore() public {
        pool.script(FORK_CALLBACK, 1, 1);
        _expectRevertFromPool(abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(pool)));
    }

    function testFuzz_fallback_revertsIf_poolAsksForLess(uint256 less) public {
        less = bound(less, 1, AMOUNT - 1);
        pool.script(FORK_CALLBACK, 1, -int256(less));
        _expectRevertFromPool(
            abi.encodeWithSelector(IRouter.PartialFill.selector, address(pool), AMOUNT, AMOUNT - less)
        );
    }

    function test_fallback_revertsIf_poolNeverCalls() public {
        pool.script(FORK_CALLBACK, 0, 0);
        _expectRevertFromPool(abi.encodeWithSelector(IRouter.PartialFill.selector, address(pool), AMOUNT, 0));
    }

    function testFuzz_fallback_refusesEverybodyElseWhileArmed(bytes4 selector, bytes calldata data) public {
        _assertRefusedWhileArmed(abi.encodePacked(selector, data));
    }

    function test_fallback_refusesTheDueCallbackFromAnotherWhileArmed() public {
        _assertRefusedWhileArmed(abi.encodeWithSelector(FORK_CALLBACK, int256(AMOUNT), int256(AMOUNT), ""));
    }

    function test_fallback_isDisarmedAfterTheSwap() public {
        swap(_route(_legForkV3(), AMOUNT, AMOUNT), AMOUNT);
        fund(user, address(weth), AMOUNT);
        vm.prank(address(pool));
        (bool ok, bytes memory reason) =
            address(router).call(abi.encodeWithSelector(FORK_CALLBACK, int256(AMOUNT), int256(AMOUNT), ""));
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(pool)));
    }

    /* HELPERS */

    /// @dev In the middle of the swap, before the pool's own callback, a relay calls the Router.
    function _assertRefusedWhileArmed(bytes memory data) private {
        HookToken relay = new HookToken("RELAY", 18);
        relay.setHook(address(router), data, true);
        pool.before(address(relay), abi.encodeCall(relay.transfer, (user, 0)));
        assertEq(swap(_route(_legForkV3(), AMOUNT, AMOUNT), AMOUNT), AMOUNT - AMOUNT * 28 / 10_000);
        assertEq(relay.hookCalls(), 1);
        if (relay.hookSucceeded()) {
            // The only functions that answer are views.
            assertTrue(isView(bytes4(data)));
        }
    }

    function _expectRevertFromPool(bytes memory reason) private {
        fund(user, address(weth), 10 * AMOUNT);
        Route memory route = _route(_legForkV3(), AMOUNT, AMOUNT);
        vm.prank(user);
        vm.expectRevert(reason);
        router.swapExactIn(route, AMOUNT, 1, user, block.timestamp);
        assertEq(weth.balanceOf(user), 10 * AMOUNT);
    }

    function _forkPair() private returns (ForkPair pair) {
        pair = ForkPair(forkFactory.createPair(address(weth), address(dai)));
        weth.mint(address(pair), 1000e18);
        dai.mint(address(pair), 3_000_000e18);
        pair.sync();
    }

    function _legForkV2(address pair) private view returns (Leg memory) {
        return
            Leg({
                venue: FORK_V2, pool: pair, tokenIn: address(weth), tokenOut: address(dai), key: 0, share: WHOLE_SHARE
            });
    }

    function _legForkV3() private view returns (Leg memory) {
        return Leg({
            venue: FORK_V3,
            pool: address(pool),
            tokenIn: address(weth),
            tokenOut: address(dai),
            key: 2500,
            share: WHOLE_SHARE
        });
    }

    function _route(Leg memory leg, uint256 grossOut, uint256 amountIn) private pure returns (Route memory route) {
        route.tokenIn = leg.tokenIn;
        route.tokenOut = leg.tokenOut;
        route.amountIn = amountIn;
        route.grossOut = grossOut;
        route.legs = new Leg[](1);
        route.legs[0] = leg;
    }

    function swapDirectly(Leg memory leg, uint256 amount) internal override {
        if (leg.venue != FORK_V3) return super.swapDirectly(leg, amount);
        // The scripted pool trades at one.
        weth.transfer(leg.pool, amount);
        vm.stopPrank();
        vm.prank(leg.pool);
        dai.transfer(makeAddr("walker"), amount);
        vm.startPrank(makeAddr("walker"));
    }

    function _addVenue(VenueConfig memory config) private {
        vm.startPrank(owner);
        hub.schedule(abi.encodeCall(IHub.addVenue, (config)));
        skip(2 days);
        hub.addVenue(config);
        vm.stopPrank();
    }
}
