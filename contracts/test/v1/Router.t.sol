// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouterV1} from "../../src/interfaces/IRouterV1.sol";
import {protocolFee} from "../../src/math/FeeMath.sol";
import {Route} from "../../src/types/Route.sol";
import {FirstGeneration} from "../fixtures/FirstGeneration.sol";
import {RouterAttacksCases} from "../router/RouterAttacksCases.sol";
import {RouterCases} from "../router/RouterCases.sol";
import {RouterEncodingCases} from "../router/RouterEncodingCases.sol";
import {RouterErrorsCases} from "../router/RouterErrorsCases.sol";
import {RouterFeesCases} from "../router/RouterFeesCases.sol";
import {RouterForksCases} from "../router/RouterForksCases.sol";
import {RouterTokensCases} from "../router/RouterTokensCases.sol";

contract RouterAttacksTest is RouterAttacksCases, FirstGeneration {}

contract RouterFeesTest is RouterFeesCases, FirstGeneration {}

contract RouterEncodingTest is RouterEncodingCases, FirstGeneration {}

contract RouterErrorsTest is RouterErrorsCases, FirstGeneration {}

contract RouterForksTest is RouterForksCases, FirstGeneration {}

contract RouterTokensTest is RouterTokensCases, FirstGeneration {}

/// @notice And what 1.0.0 alone does: it announces surplus, and the fee recipient is an account like others.
contract RouterTest is RouterCases, FirstGeneration {
    function test_swapExactIn_announcesSurplus() public {
        Route memory route = routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18);
        uint256 gross = route.grossOut;
        route.grossOut = gross - gross / 100;
        fund(user, address(weth), 1e18);
        vm.expectEmit(address(router));
        emit IRouterV1.Surplus(
            address(usdc), (gross - protocolFee(gross)) - (route.grossOut - protocolFee(route.grossOut))
        );
        vm.prank(user);
        router.swapExactIn(route, 1e18, 1, user, block.timestamp);
    }

    function test_swapExactIn_aFillAtItsQuoteHasNoSurplus() public {
        Route memory route = _threeWaySplit(5e18, 0.3e18, 0.6e18);
        vm.recordLogs();
        swap(route, 5e18);
        assertEq(routerLogs(IRouterV1.Surplus.selector).length, 0);
    }

    function test_swapExactIn_feeRecipientMaySwapToo() public {
        Route memory route = routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18);
        fund(feeRecipient, address(weth), 1e18);
        vm.prank(feeRecipient);
        uint256 amountOut = router.swapExactIn(route, 1e18, 1, feeRecipient, block.timestamp);
        assertEq(amountOut, route.grossOut - protocolFee(route.grossOut));
        assertEq(usdc.balanceOf(feeRecipient), route.grossOut);
    }
}
