// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHub} from "../../src/interfaces/IHub.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Route} from "../../src/types/Route.sol";
import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {UniswapV4Cases} from "../fixtures/UniswapV4Cases.sol";
import {UniswapV4Trader} from "../fixtures/UniswapV4Trader.sol";
import {KindCases} from "./KindCases.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";

/// @notice A hooks contract before swaps, which answers as it is told: it may take another fee than the pool says.
contract TurningHook {
    enum Mood {
        Honest,
        Reverts,
        BurnsGas,
        AnswersNonsense,
        TakesATenth
    }

    uint24 private constant OVERRIDE = 0x400000;
    uint24 private constant TENTH = 100_000;

    Mood public mood;

    function set(Mood mood_) external {
        mood = mood_;
    }

    fallback() external {
        if (mood == Mood.Reverts) revert("turned");
        if (mood == Mood.BurnsGas) while (true) {}
        bytes32 selector = mood == Mood.AnswersNonsense ? bytes32(0) : bytes32(msg.sig);
        uint256 fee = mood == Mood.TakesATenth ? OVERRIDE | TENTH : 0;
        assembly {
            mstore(0, selector)
            mstore(32, 0)
            mstore(64, fee)
            return(0, 96)
        }
    }
}

/// @notice Pools of two tokens on Uniswap V4, and what the Router refuses there.
/// forge-config: default.fuzz.runs = 100
contract UniswapV4Test is UniswapV4Cases {
    function tierIndex() internal pure override returns (uint256) {
        return 0;
    }

    /* FEES OF THE PROTOCOL */

    function testFuzz_quote_addsTheProtocolFeeOfTheDirection(uint16 fee0, uint16 fee1, uint256 amountIn) public {
        _openAt(0);
        addLiquidity(-3000, 3000, 1e18);
        manager.setProtocolFee(poolKey(), uint24(fee0 % 1001) | uint24(fee1 % 1001) << 12);
        _assertPays(true, bound(amountIn, 1, 1e17));
        _assertPays(false, bound(amountIn, 1, 1e17));
    }

    /* KEYS */

    function test_read_tellsPoolsWithOneFeeApartByTheirSpacing() public {
        _openAt(0);
        addLiquidity(-3000, 3000, 1e18);
        Route memory route = _route(true, 1, 1e6);
        route.legs[0].key = keyOf(FEE, 1);
        _expectRevertOf(route, abi.encodeWithSignature("PoolNotInitialized()"));
    }

    function testFuzz_swapExactIn_revertsIf_theHooksAreNotListed(uint160 hooks, uint48 rest) public {
        _openAt(0);
        addLiquidity(-3000, 3000, 1e18);
        Route memory route = _route(true, 1, 1e6);
        route.legs[0].key = uint208(bound(hooks, 1, type(uint160).max)) << 48 | (rest & ~uint256(NATIVE));
        _expectRevertOf(route, abi.encodeWithSelector(IRouter.UnknownPool.selector, address(manager), address(0)));
    }

    function testFuzz_swapExactIn_revertsIf_theKeyIsTooLong(uint256 key) public {
        _openAt(0);
        Route memory route = _route(true, 1, 1e6);
        route.legs[0].key = bound(key, 1 << 208, type(uint256).max);
        _expectRevertOf(route, abi.encodeWithSelector(IRouter.UnknownPool.selector, address(manager), address(0)));
    }

    function test_swapExactIn_revertsIf_nativeIsNoPartOfThePair() public {
        _openAt(0);
        Route memory route = _route(true, 1, 1e6);
        route.legs[0].key |= NATIVE;
        _expectRevertOf(route, abi.encodeWithSelector(IRouter.UnknownPool.selector, address(manager), address(0)));
        route.legs[0].pool = address(0);
        _expectRevertOf(route, abi.encodeWithSelector(IRouter.UnknownPool.selector, address(0), address(0)));
    }

    function test_swapExactIn_tradesOnAListedPoolWithHooks() public {
        // The lowest bits of its address are what a hooks contract does: it follows donations.
        address hooks = address(uint160(1 << 20 | 1 << 4));
        VenueConfig memory config =
            v4Config(tiersOf(keyOf(FEE, SPACING) | uint208(uint160(hooks)) << 48, keyOf(100, 1)));
        config.id = "listed";
        vm.startPrank(owner);
        hub.removeVenue(VENUE);
        hub.schedule(abi.encodeCall(IHub.addVenue, (config)));
        skip(2 days);
        hub.addVenue(config);
        vm.stopPrank();
        assertTrue(hub.hasTier(VENUE + 1, config.tiers[0].key));
        assertFalse(hub.hasTier(VENUE + 1, config.tiers[0].key + 1));

        (low, high) = address(dai) < address(usdc) ? (address(dai), address(usdc)) : (address(usdc), address(dai));
        PoolKey memory key = poolKey();
        key.hooks = IHooks(hooks);
        vm.etch(hooks, hex"00");
        manager.initialize(key, 1 << 96);
        pool = address(manager);
        trader.addLiquidity(key, -3000, 3000, 1e18);
        Route memory route = _route(true, 9e5, 1e6);
        route.legs[0].venue = VENUE + 1;
        route.legs[0].key = config.tiers[0].key;
        assertGt(swap(route, 1e6), 9e5);
    }

    /// @dev A hook that was listed can turn. No swap then costs its user anything, and the venue can be removed.
    function test_swapExactIn_losesNothingToAListedHookThatTurns() public {
        TurningHook hook = TurningHook(address(uint160(1 << 20 | 1 << 7)));
        Route memory route = _listedRoute(hook);
        for (uint256 mood = uint256(TurningHook.Mood.Reverts); mood <= uint256(TurningHook.Mood.TakesATenth); ++mood) {
            hook.set(TurningHook.Mood(mood));
            fund(user, route.tokenIn, route.amountIn);
            uint256 held = IERC20(route.tokenIn).balanceOf(user);
            vm.prank(user);
            try router.swapExactIn{gas: 5_000_000}(route, route.amountIn, 1, user, block.timestamp) {
                fail();
            } catch (bytes memory reason) {
                bool isLess = mood == uint256(TurningHook.Mood.TakesATenth);
                if (isLess) assertEq(bytes4(reason), IRouter.BelowFloor.selector);
            }
            assertEq(IERC20(route.tokenIn).balanceOf(user), held);
            assertEq(IERC20(route.tokenIn).balanceOf(address(router)), 0);
        }
        hook.set(TurningHook.Mood.Honest);
        assertGt(swap(route, route.amountIn), route.grossOut - route.grossOut / 100);
    }

    /// @dev A route over a pool of the hook with a fee that the hook can change, on a venue that lists it.
    function _listedRoute(TurningHook hook) private returns (Route memory route) {
        uint24 dynamicFee = 0x800000;
        uint208 key = keyOf(dynamicFee, SPACING) | uint208(uint160(address(hook))) << 48;
        VenueConfig memory config = v4Config(tiersOf(key, keyOf(100, 1)));
        config.id = "listed";
        config.tiers[0].feePips = 0;
        vm.startPrank(owner);
        hub.removeVenue(VENUE);
        hub.schedule(abi.encodeCall(IHub.addVenue, (config)));
        skip(2 days);
        hub.addVenue(config);
        vm.stopPrank();

        (low, high) = address(dai) < address(usdc) ? (address(dai), address(usdc)) : (address(usdc), address(dai));
        PoolKey memory its = poolKey();
        (its.hooks, its.fee) = (IHooks(address(hook)), dynamicFee);
        vm.etch(address(hook), address(new TurningHook()).code);
        manager.initialize(its, 1 << 96);
        pool = address(manager);
        trader.addLiquidity(its, -3000, 3000, 1e18);
        route = _route(true, 1e6 - 1, 1e6);
        (route.legs[0].venue, route.legs[0].key) = (VENUE + 1, key);
    }

    function test_isValid_wantsTiersThatAgreeWithTheirKeys() public view {
        Tier[] memory tiers = tiersOf(keyOf(FEE, SPACING), keyOf(100, 1));
        assertTrue(this.isValid(v4Config(tiers)));
        tiers[0].tickSpacing += 1;
        assertFalse(this.isValid(v4Config(tiers)));
        tiers[0].tickSpacing -= 1;
        tiers[1].feePips += 1;
        assertFalse(this.isValid(v4Config(tiers)));
        tiers[1].feePips -= 1;
        VenueConfig memory config = v4Config(tiers);
        config.venue.initCodeHash |= bytes32(uint256(1 << 160));
        assertFalse(this.isValid(config));
        config = v4Config(tiers);
        config.venue.callback = V3_CALLBACK;
        assertFalse(this.isValid(config));
    }

    function isValid(VenueConfig calldata config) external pure returns (bool) {
        return Venues.isValid(config);
    }

    /* AMOUNTS */

    /// @dev Beyond 127 bits a number would change its sign, or be cut, on the way to the PoolManager.
    function testFuzz_swapExactIn_revertsIf_theAmountIsMoreThanTheManagerCounts(uint256 amountIn) public {
        _openAt(0);
        addLiquidity(-3000, 3000, 1e18);
        uint256[4] memory amounts =
            [uint256(1 << 127), type(uint256).max, 1 << 255, bound(amountIn, 1 << 127, type(uint256).max)];
        for (uint256 i; i < amounts.length; ++i) {
            Route memory route = _route(true, 1, amounts[i]);
            vm.prank(user);
            vm.expectRevert(
                abi.encodeWithSelector(IRouter.PartialFill.selector, address(manager), amounts[i], uint256(0))
            );
            router.swapExactIn(route, amounts[i], 1, user, block.timestamp);
        }
        // The largest that it counts reaches the pool, which takes a part.
        uint256 most = (1 << 127) - 1;
        uint256 snapshot = vm.snapshotState();
        (uint256 taken,) = trade(true, most);
        vm.revertToState(snapshot);
        _expectRevertOf(
            _route(true, 1, most), abi.encodeWithSelector(IRouter.PartialFill.selector, address(manager), most, taken)
        );
    }

    /* CALLS FROM OUTSIDE */

    function testFuzz_unlockCallback_isRefusedOutsideOfALeg(address caller, bytes calldata data) public {
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnexpectedCall.selector, caller));
        (bool ok,) = address(router).call(abi.encodeWithSelector(UNLOCK_CALLBACK, data));
        ok;
        vm.prank(address(manager));
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(manager)));
        (ok,) = address(router).call(abi.encodeWithSelector(UNLOCK_CALLBACK, data));
    }

    function testFuzz_receive_isRefusedOutsideOfALeg(address caller, uint96 amount) public {
        vm.assume(caller != address(0));
        address[3] memory callers = [caller, address(weth), address(manager)];
        for (uint256 i; i < callers.length; ++i) {
            vm.deal(callers[i], amount);
            vm.prank(callers[i]);
            (bool ok, bytes memory reason) = address(router).call{value: amount}("");
            assertFalse(ok);
            assertEq(reason, abi.encodeWithSelector(IRouter.UnexpectedCall.selector, callers[i]));
        }
    }

    function _expectRevertOf(Route memory route, bytes memory reason) private {
        fund(user, route.tokenIn, route.amountIn);
        vm.prank(user);
        vm.expectRevert(reason);
        router.swapExactIn(route, route.amountIn, 1, user, block.timestamp);
    }
}

/// @notice The cases that every kind passes.
/// forge-config: default.fuzz.runs = 100
contract UniswapV4KindTest is KindCases {
    uint24 private constant FEE = 100;
    int24 private constant SPACING = 10;
    bytes4 private constant UNLOCK_CALLBACK = bytes4(keccak256("unlockCallback(bytes)"));

    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.UNISWAP_V4;
    }

    function deployKind() internal override returns (uint16 number_, address pool_, uint256 key_) {
        pool_ = deployCode("node_modules/@uniswap/v4-core/out/PoolManager.sol/PoolManager.json", abi.encode(this));
        VenueConfig memory config =
            v3Config("uniswap-v4", pool_, bytes32(uint256(uint160(address(weth)))), UNLOCK_CALLBACK);
        (config.venue.kind, config.venue.unlockedWord) = (VenueKinds.UNISWAP_V4, 0);
        key_ = FEE | uint256(uint24(SPACING)) << 24;
        config.tiers = new Tier[](1);
        config.tiers[0] = Tier({key: uint208(key_), feePips: FEE, tickSpacing: SPACING});
        number_ = addVenue(config);
        (address low, address high) = usdc < dai ? (address(usdc), address(dai)) : (address(dai), address(usdc));
        PoolKey memory poolKey = PoolKey(Currency.wrap(low), Currency.wrap(high), FEE, SPACING, IHooks(address(0)));
        (uint160 price, int24 tick) = evenPrice();
        IPoolManager(pool_).initialize(poolKey, price);
        tick = tick / SPACING * SPACING;
        new UniswapV4Trader(IPoolManager(pool_)).addLiquidity(poolKey, tick - 1000, tick + 1000, 1e21);
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        (target, selectors) = (pool, new bytes4[](5));
        selectors[0] = bytes4(keccak256("extsload(bytes32)"));
        selectors[1] = bytes4(keccak256("extsload(bytes32,uint256)"));
        selectors[2] = IPoolManager.unlock.selector;
        selectors[3] = IPoolManager.swap.selector;
        selectors[4] = IPoolManager.settle.selector;
    }
}
