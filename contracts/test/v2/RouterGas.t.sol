// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Terms} from "../../src/interfaces/IRouterV2.sol";
import {Route} from "../../src/types/Route.sol";
import {Router} from "../../src/v1/Router.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {SecondGeneration} from "../fixtures/SecondGeneration.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice What 2.0.0 costs beside 1.0.0 for the same swap, and whether the Router knows it. Every call here is a
/// transaction of its own, with nothing warm in it.
/// forge-config: default.isolate = true
contract RouterV2GasTest is ProtocolFixture, SecondGeneration {
    string private constant GROUP = "RouterV2";
    uint256 private constant AMOUNT = 1e18;
    uint256 private constant KEY = 0xA11CE;
    /// @dev By which the stated extra may miss the measured one.
    uint256 private constant TOLERANCE = 1500;

    Router private first;
    address private pool;

    function setUp() public {
        deployProtocol();
        first = new Router(hub);
        addRouter(first);
        pool = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        vm.deal(address(weth), 1e30);
        PlainToken[2] memory tokens = [weth, usdc];
        address[3] memory accounts = [user, feeRecipient, vm.addr(KEY)];
        for (uint256 i; i < tokens.length; ++i) {
            for (uint256 j; j < accounts.length; ++j) {
                tokens[i].mint(accounts[j], 1000e18);
                vm.startPrank(accounts[j]);
                tokens[i].approve(address(router), type(uint256).max);
                tokens[i].approve(address(first), type(uint256).max);
                tokens[i].approve(address(PERMIT2), type(uint256).max);
                vm.stopPrank();
            }
        }
        // Pools write their oracle's slots the first time.
        vm.warp(block.timestamp + 60);
        _swap(first, _route());
        vm.warp(block.timestamp + 60);
    }

    function test_gas_settlementIsWhatTheRouterSays() public {
        Route memory route = _route();
        uint256 said = router.settlementGas(address(usdc));
        uint256 firstTime = _gasOf(router, route) - _gasOf(first, route);
        assertApproxEqAbs(firstTime, said, TOLERANCE, "of a token's first fee");

        _swap(router, route);
        vm.warp(block.timestamp + 60);
        route = _route();
        said = router.settlementGas(address(usdc));
        uint256 later = _gasOf(router, route) - _gasOf(first, route);
        vm.snapshotValue(GROUP, "more than 1.0.0", later);
        assertApproxEqAbs(later, said, TOLERANCE, "of a later one");
    }

    function test_gas_waysInAndOut() public {
        _swap(router, _route());
        vm.warp(block.timestamp + 60);
        Route memory route = _route();
        uint256 snapshot = vm.snapshotState();
        _swap(router, route);
        vm.snapshotGasLastCall(GROUP, "one V2 leg");
        vm.revertToState(snapshot);

        bytes memory swap = abi.encodeCall(IRouter.swapExactIn, (route, AMOUNT, 1, user, block.timestamp));
        vm.prank(user);
        router2.swapWithIntegratorFee(feeRecipient, 30, swap);
        vm.snapshotGasLastCall(GROUP, "one V2 leg, integrator");
        vm.revertToState(snapshot);

        vm.deal(user, AMOUNT);
        vm.prank(user);
        router2.swapExactInNative{value: AMOUNT}(route, 1, user, block.timestamp);
        vm.snapshotGasLastCall(GROUP, "one V2 leg, native in");
        vm.revertToState(snapshot);

        Terms memory terms = Terms(AMOUNT, 1, user, block.timestamp);
        router2.swapExactInWithPermit2(route, terms, signPermit2(KEY, route, terms, 1));
        vm.snapshotGasLastCall(GROUP, "one V2 leg, Permit2");
        vm.revertToState(snapshot);

        vm.deal(user, 1);
        Route memory back = routeOf(legV2(pool, address(usdc), address(weth)), 3000e6);
        vm.prank(user);
        router2.swapExactInForNative(back, 3000e6, 1, user, block.timestamp);
        vm.snapshotGasLastCall(GROUP, "one V2 leg, native out");
    }

    function _route() private returns (Route memory) {
        return routeOf(legV2(pool, address(weth), address(usdc)), AMOUNT);
    }

    function _gasOf(IRouter which, Route memory route) private returns (uint256 gas) {
        uint256 snapshot = vm.snapshotState();
        _swap(which, route);
        gas = vm.lastCallGas().gasTotalUsed;
        vm.revertToStateAndDelete(snapshot);
    }

    function _swap(IRouter which, Route memory route) private {
        vm.prank(user);
        which.swapExactIn(route, route.amountIn, 1, user, block.timestamp);
    }
}
