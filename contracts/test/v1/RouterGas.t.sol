// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {DirectCaller} from "../fixtures/DirectCaller.sol";
import {FirstGeneration} from "../fixtures/FirstGeneration.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice What a swap through the Router costs against the least that swaps on the same pool. Every call here is a
/// transaction of its own, with nothing warm in it; all accounts hold the tokens beforehand, as they do in daily use.
/// forge-config: default.isolate = true
contract RouterGasTest is ProtocolFixture, FirstGeneration {
    string private constant GROUP = "Router";
    uint256 private constant AMOUNT = 1e18;

    address private v2Pool;
    address private v3Pool;
    address private v2Next;
    address private v3Second;

    function setUp() public {
        deployProtocol();
        v2Pool = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        v2Next = createV2(address(usdc), address(dai), 3_000_000e6, 3_000_000e18);
        v3Pool = createV3(address(weth), address(usdc), 500, 1e18, 3000e6);
        v3Second = createV3(address(weth), address(usdc), 3000, 1e18, 3000e6);
        addAround(v3Pool, 2000, 1e18);
        addAround(v3Second, 2000, 1e18);

        PlainToken[3] memory tokens = [weth, usdc, dai];
        address[2] memory accounts = [user, feeRecipient];
        for (uint256 i; i < tokens.length; ++i) {
            for (uint256 j; j < accounts.length; ++j) {
                tokens[i].mint(accounts[j], 1000e18);
            }
            vm.startPrank(user);
            tokens[i].approve(address(router), type(uint256).max);
            tokens[i].approve(address(direct), type(uint256).max);
            vm.stopPrank();
        }
        // Pools write their oracle's slots the first time.
        vm.warp(block.timestamp + 60);
        _swap(routeOf(legV2(v2Pool, address(weth), address(usdc)), AMOUNT));
        _swap(routeOf(legV2(v2Next, address(usdc), address(dai)), AMOUNT / 1e9));
        _swap(routeOf(legV3(v3Pool, address(weth), address(usdc), 500), AMOUNT));
        _swap(routeOf(legV3(v3Second, address(weth), address(usdc), 3000), AMOUNT));
        vm.warp(block.timestamp + 60);
    }

    function test_gas_oneLegV2() public {
        Route memory route = routeOf(legV2(v2Pool, address(weth), address(usdc)), AMOUNT);
        _compare("one V2 leg", route, _directV2(v2Pool, address(weth), AMOUNT));
    }

    function test_gas_oneLegV3() public {
        Route memory route = routeOf(legV3(v3Pool, address(weth), address(usdc), 500), AMOUNT);
        _compare("one V3 leg", route, _directV3(v3Pool, weth, usdc, AMOUNT));
    }

    function test_gas_splitV3() public {
        Leg memory half = legV3(v3Pool, address(weth), address(usdc), 500);
        half.share = WHOLE_SHARE / 2;
        Route memory route = routeOf(half, legV3(v3Second, address(weth), address(usdc), 3000), AMOUNT);
        bytes memory first = _directV3(v3Pool, weth, usdc, AMOUNT / 2);
        bytes memory second = _directV3(v3Second, weth, usdc, AMOUNT / 2);
        _compare("split over two V3 legs", route, abi.encodeCall(DirectCaller.both, (first, second)));
    }

    function test_gas_hopsV2() public {
        Leg memory hop = legV2(v2Pool, address(weth), address(usdc));
        uint256 middle = routeOf(hop, AMOUNT).grossOut;
        Route memory route = routeOf(hop, legV2(v2Next, address(usdc), address(dai)), AMOUNT);
        bytes memory first = _directV2(v2Pool, address(weth), AMOUNT);
        bytes memory second = _directV2(v2Next, address(usdc), middle);
        _compare("two V2 hops", route, abi.encodeCall(DirectCaller.both, (first, second)));
    }

    function _directV2(address pool, address tokenIn, uint256 amount) private pure returns (bytes memory) {
        return abi.encodeCall(DirectCaller.swapV2, (pool, tokenIn, amount, 9970));
    }

    function _directV3(address pool, PlainToken tokenIn, PlainToken tokenOut, uint256 amount)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodeCall(DirectCaller.swapV3, (pool, address(tokenIn), tokenIn < tokenOut, amount));
    }

    /// @dev Both from the same state, each in a transaction of its own.
    function _compare(string memory name, Route memory route, bytes memory directCall) private {
        uint256 snapshot = vm.snapshotState();
        vm.prank(user);
        (bool ok,) = address(direct).call(directCall);
        uint256 least = vm.snapshotGasLastCall(GROUP, string.concat(name, ", direct"));
        assertTrue(ok);
        vm.revertToState(snapshot);

        _swap(route);
        uint256 gasUsed = vm.snapshotGasLastCall(GROUP, name);
        vm.snapshotValue(GROUP, string.concat(name, ", permille of direct"), gasUsed * 1000 / least);
        assertLt(gasUsed, 2 * least);
    }

    function _swap(Route memory route) private {
        vm.prank(user);
        router.swapExactIn(route, route.amountIn, 1, user, block.timestamp);
    }
}
