// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {VmSafe} from "forge-std/Vm.sol";

/// @notice What a swap through the Router costs against the least that swaps on the same pool. Every call here is a
/// transaction of its own, with nothing warm in it; all accounts hold the tokens beforehand, as they do in daily use.
/// forge-config: default.isolate = true
contract RouterGasTest is ProtocolFixture {
    string private constant GROUP = "Router";
    uint256 private constant AMOUNT = 1e18;

    address private v2Pool;
    address private v3Pool;
    address private v2Next;
    address private v3Next;

    function setUp() public {
        deployProtocol();
        v2Pool = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        v2Next = createV2(address(usdc), address(dai), 3_000_000e6, 3_000_000e18);
        v3Pool = createV3(address(weth), address(usdc), 500, 1e18, 3000e6);
        v3Next = createV3(address(usdc), address(dai), 500, 1e6, 1e18);
        addAround(v3Pool, 2000, 1e18);
        addAround(v3Next, 2000, 1e24);

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
        _swap(routeOf(legV3(v3Pool, address(weth), address(usdc), 500), AMOUNT));
        vm.warp(block.timestamp + 60);
    }

    function test_gas_oneLegV2() public {
        Route memory route = routeOf(legV2(v2Pool, address(weth), address(usdc)), AMOUNT);
        uint256 snapshot = vm.snapshotState();
        vm.prank(user);
        direct.swapV2(v2Pool, address(weth), AMOUNT, 9970);
        uint256 least = _lastGas("direct V2");
        vm.revertToState(snapshot);
        _swap(route);
        _ratio("V2 leg / direct, permille", _lastGas("one V2 leg"), least);
    }

    function test_gas_oneLegV3() public {
        Route memory route = routeOf(legV3(v3Pool, address(weth), address(usdc), 500), AMOUNT);
        uint256 snapshot = vm.snapshotState();
        vm.prank(user);
        direct.swapV3(v3Pool, address(weth), weth < usdc, AMOUNT);
        uint256 least = _lastGas("direct V3");
        vm.revertToState(snapshot);
        _swap(route);
        _ratio("V3 leg / direct, permille", _lastGas("one V3 leg"), least);
    }

    function _swap(Route memory route) private {
        vm.prank(user);
        router.swapExactIn(route, AMOUNT, 1, user, block.timestamp);
    }

    function _lastGas(string memory name) private returns (uint256 gasUsed) {
        VmSafe.Gas memory g = vm.lastCallGas();
        emit log_named_uint(name, g.gasTotalUsed);
        emit log_named_int("  refunded", g.gasRefunded);
        gasUsed = vm.snapshotGasLastCall(GROUP, name);
    }

    function _ratio(string memory name, uint256 gasUsed, uint256 least) private {
        vm.snapshotValue(GROUP, name, gasUsed * 1000 / least);
        emit log_named_uint(name, gasUsed * 1000 / least);
    }
}
