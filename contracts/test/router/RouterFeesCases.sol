// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {IRouterV1} from "../../src/interfaces/IRouterV1.sol";
import {IRouterV2} from "../../src/interfaces/IRouterV2.sol";
import {Route} from "../../src/types/Route.sol";
import {
    BlockingToken,
    FalseToken,
    GasBombToken,
    HeavyToken,
    ProxyToken,
    ReasonToken,
    ReturnBombToken,
    SilentToken
} from "../fixtures/BlockingTokens.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {Vm} from "forge-std/Vm.sol";

/// @notice A token that refuses the fee stops no swap, and no caller can make it look as if a token had refused.
abstract contract RouterFeesCases is ProtocolFixture {
    uint256 private constant AMOUNT = 1e18;
    /// @dev More than a swap takes of any token here but one that burns all it gets.
    uint256 private constant PLENTY = 2_000_000;

    function setUp() public {
        deployProtocol();
    }

    /* A COLLECTOR THAT IS BLOCKED */

    function test_swapExactIn_goesOnIf_theCollectorIsBlockedWithAReason() public {
        _assertGoesOn(new ReasonToken());
    }

    function test_swapExactIn_goesOnIf_theCollectorIsBlockedWithoutAReason() public {
        _assertGoesOn(new SilentToken());
    }

    function test_swapExactIn_goesOnIf_theTokenAnswersFalse() public {
        _assertGoesOn(new FalseToken());
    }

    function test_swapExactIn_goesOnIf_theTokenAnswersWithABomb() public {
        _assertGoesOn(new ReturnBombToken());
    }

    function test_swapExactIn_goesOnIf_theTokenBurnsAllGas() public {
        _assertGoesOn(new GasBombToken());
    }

    function test_swapExactIn_goesOnIf_aProxysCollectorIsBlocked() public {
        BlockingToken[5] memory tokens = _kinds();
        for (uint256 i; i < tokens.length; ++i) {
            _assertGoesOn(BlockingToken(address(new ProxyToken(address(tokens[i])))));
        }
    }

    function test_swapExactIn_goesOnAsATokenInTheMiddle() public {
        ReasonToken token = new ReasonToken();
        address first = _pool(token);
        address second = createV2(address(token), address(dai), 3_000_000e6, 3_000_000e18);
        Route memory route =
            routeOf(legV2(first, address(weth), address(token)), legV2(second, address(token), address(dai)), AMOUNT);
        token.setBlocked(feeCollector(), true);
        assertEq(swap(route, AMOUNT), route.grossOut - route.grossOut * 28 / 10_000);
        assertEq(dai.balanceOf(feeCollector()), route.grossOut * 28 / 10_000);
    }

    /// @dev The least that a blocked account changes for others: a collector that is let in again collects again.
    function test_swapExactIn_collectsAgainWhenLetIn() public {
        ReasonToken token = new ReasonToken();
        Route memory route = _route(token);
        token.setBlocked(feeCollector(), true);
        swap(route, AMOUNT);
        token.setBlocked(feeCollector(), false);
        uint256 gross = trueOutputOf(route, AMOUNT);
        // The pool's price is lower by now, so is the quote.
        route.grossOut = gross;
        assertEq(swap(route, AMOUNT), gross - gross * 28 / 10_000);
        assertEq(token.balanceOf(feeCollector()), gross * 28 / 10_000);
    }

    function test_swapExactIn_revertsIf_theRecipientIsBlocked() public {
        BlockingToken[5] memory tokens = _kinds();
        for (uint256 i; i < tokens.length; ++i) {
            Route memory route = _route(tokens[i]);
            tokens[i].setBlocked(user, true);
            fund(user, address(weth), AMOUNT);
            vm.prank(user);
            vm.expectRevert();
            router.swapExactIn{gas: PLENTY}(route, AMOUNT, 1, user, block.timestamp);
        }
    }

    /// @dev The recipient's fee counts for the floor, because it is paid.
    function test_swapExactIn_theFloorCountsWhatIsPaid() public {
        ReasonToken token = new ReasonToken();
        Route memory route = _route(token);
        fund(user, address(weth), AMOUNT);
        vm.prank(user);
        vm.expectRevert(
            abi.encodeWithSelector(
                IRouter.BelowFloor.selector, route.grossOut, route.grossOut - route.grossOut * 28 / 10_000
            )
        );
        router.swapExactIn(route, AMOUNT, route.grossOut, user, block.timestamp);

        token.setBlocked(feeCollector(), true);
        vm.prank(user);
        assertEq(router.swapExactIn(route, AMOUNT, route.grossOut, user, block.timestamp), route.grossOut);
    }

    /* GAS */

    /// @dev Whatever gas a caller sends, a swap that succeeds has paid its fee in full.
    function testFuzz_swapExactIn_noGasLimitKeepsTheFee(uint256 gas, uint256 slots, bool isProxy) public {
        HeavyToken token = new HeavyToken();
        if (isProxy) token = HeavyToken(address(new ProxyToken(address(token))));
        token.setHeavy(feeCollector(), bound(slots, 0, 18));
        Route memory route = _route(PlainToken(address(token)));
        gas = bound(gas, 60_000, 1_200_000);
        fund(user, address(weth), AMOUNT);
        vm.prank(user);
        try router.swapExactIn{gas: gas}(route, AMOUNT, 1, user, block.timestamp) {
            assertEq(token.balanceOf(feeCollector()), route.grossOut * 28 / 10_000);
        } catch {
            assertEq(weth.balanceOf(user), AMOUNT);
        }
    }

    /// @dev The same in steps, around the place where the fee's payment just fits.
    function test_swapExactIn_noGasLimitKeepsTheFeeOfAPlainToken() public {
        PlainToken token = new PlainToken("PLAIN", 6);
        Route memory route = _route(token);
        fund(user, address(weth), AMOUNT);
        uint256 paid;
        for (uint256 gas = 80_000; gas < 400_000; gas += 250) {
            uint256 snapshot = vm.snapshotState();
            vm.prank(user);
            try router.swapExactIn{gas: gas}(route, AMOUNT, 1, user, block.timestamp) {
                assertEq(token.balanceOf(feeCollector()), route.grossOut * 28 / 10_000);
                ++paid;
            } catch {}
            vm.revertToStateAndDelete(snapshot);
        }
        assertGt(paid, 100);
    }

    /// @dev A token that wants more than `MOST_GAS` for one account has refused it, and the swap goes on.
    function test_swapExactIn_goesOnIf_theFeesTransferWantsTooMuchGas() public {
        HeavyToken token = new HeavyToken();
        token.setHeavy(feeCollector(), 40);
        Route memory route = _route(token);
        fund(user, address(weth), AMOUNT);
        vm.prank(user);
        assertEq(router.swapExactIn{gas: PLENTY}(route, AMOUNT, 1, user, block.timestamp), route.grossOut);
    }

    /// @dev With less than that nobody knows whether the token would take it.
    function test_swapExactIn_revertsIf_gasMayBeWhyTheFeeFailed() public {
        HeavyToken token = new HeavyToken();
        token.setHeavy(feeCollector(), 16);
        Route memory route = _route(token);
        fund(user, address(weth), AMOUNT);
        vm.prank(user);
        vm.expectPartialRevert(IRouter.TooLittleGas.selector);
        router.swapExactIn{gas: 380_000}(route, AMOUNT, 1, user, block.timestamp);
        vm.prank(user);
        router.swapExactIn{gas: 700_000}(route, AMOUNT, 1, user, block.timestamp);
        assertEq(token.balanceOf(feeCollector()), route.grossOut * 28 / 10_000);
    }

    /* HELPERS */

    function _assertGoesOn(BlockingToken token) private {
        Route memory route = _route(token);
        uint256 fee = route.grossOut * 28 / 10_000;
        fund(user, address(weth), AMOUNT);
        token.setBlocked(feeCollector(), true);
        vm.recordLogs();
        vm.prank(user);
        uint256 amountOut = router.swapExactIn{gas: PLENTY}(route, AMOUNT, 1, user, block.timestamp);

        assertEq(amountOut, route.grossOut, "all of it");
        assertEq(token.balanceOf(user), route.grossOut);
        assertEq(token.balanceOf(feeCollector()), 0);
        assertEq(token.balanceOf(address(router)), 0, "left in the Router");
        assertEq(weth.balanceOf(address(router)), 0);
        _assertAnnounced(address(token), fee, route.grossOut);
    }

    /// @dev What was paid, and no fee; on 1.0.0 that the recipient has more than was quoted.
    function _assertAnnounced(address token, uint256 fee, uint256 amountOut) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 swaps;
        uint256 surpluses;
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter != address(router)) continue;
            bytes32 topic = logs[i].topics[0];
            assertTrue(topic != IRouterV2.Fee.selector, "a fee that nobody has");
            if (topic == IRouterV1.Surplus.selector) {
                assertEq(logs[i].topics[1], bytes32(uint256(uint160(token))));
                assertEq(logs[i].data, abi.encode(fee));
                ++surpluses;
            }
            if (topic == IRouter.Swap.selector) {
                assertEq(logs[i].data, abi.encode(AMOUNT, amountOut, 1));
                ++swaps;
            }
        }
        assertEq(swaps, 1);
        assertEq(surpluses, generationNumber() == 1 ? 1 : 0);
    }

    function _kinds() private returns (BlockingToken[5] memory) {
        return [
            BlockingToken(new ReasonToken()),
            new SilentToken(),
            new FalseToken(),
            new ReturnBombToken(),
            new GasBombToken()
        ];
    }

    function _pool(PlainToken token) private returns (address) {
        return createV2(address(weth), address(token), 1000e18, 3_000_000e6);
    }

    function _route(PlainToken token) private returns (Route memory) {
        return routeOf(legV2(_pool(token), address(weth), address(token)), AMOUNT);
    }
}
