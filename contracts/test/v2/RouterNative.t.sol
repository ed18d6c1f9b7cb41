// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {IRouterV2} from "../../src/interfaces/IRouterV2.sol";
import {protocolFee} from "../../src/math/FeeMath.sol";
import {Leg, Route} from "../../src/types/Route.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {SecondGeneration} from "../fixtures/SecondGeneration.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {stdError} from "forge-std/StdError.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @notice Native tokens in and out: the same swap as with the wrapped ones, and nothing of them stays.
contract RouterNativeTest is ProtocolFixture, SecondGeneration {
    uint256 private constant AMOUNT = 1e18;

    address private v2Pool;
    address private v3Pool;
    address private immutable recipient = makeAddr("recipient");

    function setUp() public {
        deployProtocol();
        v2Pool = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        v3Pool = createV3(address(weth), address(usdc), 500, 1e18, 3000e6);
        addAround(v3Pool, 2000, 1e18);
        // What the pools were given of the wrapped token is covered.
        vm.deal(address(weth), 1e30);
    }

    /* IN */

    function testFuzz_swapExactInNative_isTheSwapOfTheWrapped(uint256 amountIn, bool split) public {
        amountIn = bound(amountIn, 1e12, 100e18);
        Route memory route = _routeIn(amountIn, split);
        vm.deal(user, amountIn + 5);
        vm.expectEmit(address(router));
        emit IRouter.Swap(
            user,
            address(weth),
            address(usdc),
            amountIn,
            route.grossOut - protocolFee(route.grossOut),
            route.legs.length
        );
        vm.prank(user);
        uint256 amountOut = router2.swapExactInNative{value: amountIn}(route, 1, recipient, block.timestamp);

        assertEq(amountOut, route.grossOut - protocolFee(route.grossOut));
        assertEq(usdc.balanceOf(recipient), amountOut);
        assertEq(usdc.balanceOf(address(core)), protocolFee(route.grossOut));
        assertEq(user.balance, 5);
        _assertNothingStays();
    }

    function test_swapExactInNative_needsNoAllowanceAndUsesNone() public {
        Route memory route = _routeIn(AMOUNT, false);
        fund(user, address(weth), AMOUNT);
        vm.deal(user, AMOUNT);
        vm.prank(user);
        router2.swapExactInNative{value: AMOUNT}(route, 1, recipient, block.timestamp);
        assertEq(weth.balanceOf(user), AMOUNT);
        assertEq(weth.allowance(user, address(router)), AMOUNT);
    }

    function test_swapExactInNative_floorScalesWithTheValue() public {
        Route memory route = _routeIn(AMOUNT, false);
        uint256 quoted = route.grossOut * 33;
        vm.deal(user, 33 * AMOUNT);
        vm.prank(user);
        vm.expectPartialRevert(IRouter.BelowFloor.selector);
        router2.swapExactInNative{value: 33 * AMOUNT}(route, 1, recipient, block.timestamp);
        assertGt(quoted, trueOutputOf(route, 33 * AMOUNT));
    }

    function test_swapExactInNative_revertsIf_tokenInIsNotTheWrappedOne() public {
        Route memory route = routeOf(legV2(v2Pool, address(usdc), address(weth)), 3000e6);
        vm.deal(user, 3000e6);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouterV2.NotWrappedNative.selector, address(usdc)));
        router2.swapExactInNative{value: 3000e6}(route, 1, recipient, block.timestamp);
    }

    function test_swapExactInNative_revertsIf_noValueIsSent() public {
        Route memory route = _routeIn(AMOUNT, false);
        vm.expectRevert(IRouter.ZeroAmount.selector);
        router2.swapExactInNative(route, 1, recipient, block.timestamp);
    }

    function test_swapExactInNative_revertsIf_aFirstLegLeavesSomeBehind() public {
        Route memory route = _routeIn(AMOUNT, false);
        route.legs[0].share = 0.75e18;
        vm.deal(user, AMOUNT);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.LeftBehind.selector, address(weth), AMOUNT / 4));
        router2.swapExactInNative{value: AMOUNT}(route, 1, recipient, block.timestamp);
        assertEq(user.balance, AMOUNT);
    }

    function test_swapExactInNative_checksTheOrder() public {
        Route memory route = _routeIn(AMOUNT, false);
        vm.deal(user, AMOUNT);
        vm.startPrank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.Expired.selector, block.timestamp - 1, block.timestamp));
        router2.swapExactInNative{value: AMOUNT}(route, 1, recipient, block.timestamp - 1);
        vm.expectRevert(IRouter.ZeroMinimum.selector);
        router2.swapExactInNative{value: AMOUNT}(route, 0, recipient, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IRouter.BadRecipient.selector, address(weth)));
        router2.swapExactInNative{value: AMOUNT}(route, 1, address(weth), block.timestamp);
        vm.stopPrank();
        vm.prank(owner);
        hub.pause();
        vm.prank(user);
        vm.expectRevert(IRouter.Paused.selector);
        router2.swapExactInNative{value: AMOUNT}(route, 1, recipient, block.timestamp);
    }

    /* OUT */

    function testFuzz_swapExactInForNative_isTheSwapForTheWrapped(uint256 amountIn) public {
        amountIn = bound(amountIn, 1e4, 1_000_000e6);
        Route memory route = _routeOut(amountIn);
        uint256 netOut = route.grossOut - protocolFee(route.grossOut);
        fund(user, address(usdc), amountIn);
        vm.expectEmit(address(router));
        emit IRouter.Swap(user, address(usdc), address(weth), amountIn, netOut, 1);
        vm.prank(user);
        uint256 amountOut = router2.swapExactInForNative(route, amountIn, 1, recipient, block.timestamp);

        assertEq(amountOut, netOut);
        assertEq(recipient.balance, netOut);
        assertEq(weth.balanceOf(recipient), 0);
        assertEq(weth.balanceOf(address(core)), protocolFee(route.grossOut), "the fee stays wrapped");
        _assertNothingStays();
    }

    /// @dev Once a payout is over, native tokens from the wrapped one would stay here; in one transaction too.
    function test_swapExactInForNative_expectsNoNativeAfterwards() public {
        Route memory route = _routeOut(3000e6);
        fund(user, address(usdc), 3000e6);
        vm.prank(user);
        router2.swapExactInForNative(route, 3000e6, 1, recipient, block.timestamp);
        vm.prank(address(weth));
        (bool ok, bytes memory reason) = address(router).call{value: 1}("");
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(weth)));
    }

    function test_swapExactInForNative_callersMinimumIsExact() public {
        Route memory route = _routeOut(3000e6);
        uint256 netOut = route.grossOut - protocolFee(route.grossOut);
        fund(user, address(usdc), 3000e6);
        vm.startPrank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.BelowFloor.selector, netOut + 1, netOut));
        router2.swapExactInForNative(route, 3000e6, netOut + 1, recipient, block.timestamp);
        assertEq(router2.swapExactInForNative(route, 3000e6, netOut, recipient, block.timestamp), netOut);
        vm.stopPrank();
    }

    function test_swapExactInForNative_revertsIf_tokenOutIsNotTheWrappedOne() public {
        Route memory route = _routeIn(AMOUNT, false);
        fund(user, address(weth), AMOUNT);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouterV2.NotWrappedNative.selector, address(usdc)));
        router2.swapExactInForNative(route, AMOUNT, 1, recipient, block.timestamp);
    }

    function test_swapExactInForNative_paysARecipientThatPassesItOn() public {
        Route memory route = _routeOut(3000e6);
        address payable forwarder = payable(address(new Forwarder(recipient)));
        fund(user, address(usdc), 3000e6);
        vm.prank(user);
        uint256 amountOut = router2.swapExactInForNative(route, 3000e6, 1, forwarder, block.timestamp);
        assertEq(recipient.balance, amountOut);
    }

    function test_swapExactInForNative_revertsIf_recipientRefuses() public {
        address refusing = address(new RefusesNative());
        Route memory route = _routeOut(3000e6);
        fund(user, address(usdc), 3000e6);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouterV2.NativeRefused.selector, refusing));
        router2.swapExactInForNative(route, 3000e6, 1, refusing, block.timestamp);
        assertEq(usdc.balanceOf(user), 3000e6);
    }

    function test_swapExactInForNative_aRecipientBurnsAHundredThousandGasAtMost() public {
        Route memory route = _routeOut(3000e6);
        uint256 honest = _gasOf(route, recipient);
        address burner = address(new BurnsGas());
        fund(user, address(usdc), 3000e6);
        vm.prank(user);
        uint256 before = gasleft();
        vm.expectRevert(abi.encodeWithSelector(IRouterV2.NativeRefused.selector, burner));
        router2.swapExactInForNative(route, 3000e6, 1, burner, block.timestamp);
        assertLt(before - gasleft(), honest + 150_000);
    }

    function test_swapExactInForNative_aRecipientsAnswerIsNotCopied() public {
        Route memory route = _routeOut(3000e6);
        address bomb = address(new AnswersAtLength());
        fund(user, address(usdc), 3000e6);
        vm.prank(user);
        uint256 amountOut = router2.swapExactInForNative(route, 3000e6, 1, bomb, block.timestamp);
        assertEq(bomb.balance, amountOut);
    }

    function test_swapExactInForNative_aRecipientCannotReenter() public {
        Route memory route = _routeOut(3000e6);
        Route memory inner = _routeIn(0.1e18, false);
        Reenterer reenterer = new Reenterer(address(router));
        bytes[3] memory calls = [
            abi.encodeCall(IRouterV2.swapExactInNative, (inner, 1, recipient, block.timestamp)),
            abi.encodeCall(IRouter.swapExactIn, (inner, 0.1e18, 1, recipient, block.timestamp)),
            bytes("")
        ];
        for (uint256 i; i < calls.length; ++i) {
            reenterer.setCall(calls[i]);
            fund(user, address(usdc), 3000e6);
            vm.prank(user);
            uint256 amountOut = router2.swapExactInForNative(route, 3000e6, 1, address(reenterer), block.timestamp);
            assertFalse(reenterer.succeeded());
            assertEq(reenterer.answer(), abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(reenterer)));
            assertEq(address(reenterer).balance, amountOut);
            vm.deal(address(reenterer), 0);
            route = _routeOut(3000e6);
        }
        assertEq(usdc.balanceOf(recipient), 0);
    }

    /* DUST */

    function testFuzz_native_whatIsThereAlreadyIsInert(uint96 native, uint96 wrapped) public {
        vm.deal(address(router), native);
        weth.mint(address(router), wrapped);
        Route memory route = _routeIn(AMOUNT, false);
        vm.deal(user, AMOUNT);
        vm.prank(user);
        uint256 amountOut = router2.swapExactInNative{value: AMOUNT}(route, 1, user, block.timestamp);
        assertEq(amountOut, route.grossOut - protocolFee(route.grossOut));

        route = _routeOut(3000e6);
        fund(user, address(usdc), 3000e6);
        vm.prank(user);
        amountOut = router2.swapExactInForNative(route, 3000e6, 1, recipient, block.timestamp);
        assertEq(amountOut, route.grossOut - protocolFee(route.grossOut));
        assertEq(address(router).balance, native);
        assertEq(weth.balanceOf(address(router)), wrapped);
    }

    function test_native_dustCannotPay() public {
        weth.mint(address(router), AMOUNT);
        vm.deal(address(router), AMOUNT);
        Route memory route = _routeIn(AMOUNT, false);
        vm.prank(user);
        vm.expectRevert(
            abi.encodeWithSelector(IRouter.TransferRefused.selector, address(weth), stdError.arithmeticError)
        );
        router.swapExactIn(route, AMOUNT, 1, user, block.timestamp);
        vm.deal(user, AMOUNT / 2);
        vm.prank(user);
        router2.swapExactInNative{value: AMOUNT / 2}(route, 1, user, block.timestamp);
        assertEq(weth.balanceOf(address(router)), AMOUNT);
        assertEq(address(router).balance, AMOUNT);
    }

    /* HELPERS */

    function _routeIn(uint256 amountIn, bool split) private returns (Route memory) {
        Leg memory leg = legV2(v2Pool, address(weth), address(usdc));
        if (!split) return routeOf(leg, amountIn);
        leg.share = 0.4e18;
        return routeOf(leg, legV3(v3Pool, address(weth), address(usdc), 500), amountIn);
    }

    function _routeOut(uint256 amountIn) private returns (Route memory) {
        return routeOf(legV2(v2Pool, address(usdc), address(weth)), amountIn);
    }

    function _gasOf(Route memory route, address to) private returns (uint256 gas) {
        uint256 snapshot = vm.snapshotState();
        fund(user, address(usdc), route.amountIn);
        vm.prank(user);
        gas = gasleft();
        router2.swapExactInForNative(route, route.amountIn, 1, to, block.timestamp);
        gas -= gasleft();
        vm.revertToStateAndDelete(snapshot);
    }

    function _assertNothingStays() private view {
        assertEq(address(router).balance, 0);
        assertEq(weth.balanceOf(address(router)), 0);
        assertEq(usdc.balanceOf(address(router)), 0);
    }
}

/// @notice Passes on what it receives, as exchanges' deposit addresses do.
contract Forwarder {
    address private immutable to;

    constructor(address to_) {
        to = to_;
    }

    receive() external payable {
        SafeTransferLib.safeTransferETH(to, msg.value);
    }
}

contract RefusesNative {
    error Refused();

    receive() external payable {
        revert Refused();
    }
}

contract BurnsGas {
    receive() external payable {
        while (true) {}
    }
}

/// @notice Takes native tokens and answers with all the memory that its gas buys.
contract AnswersAtLength {
    receive() external payable {
        assembly {
            return(0, 20000)
        }
    }
}

/// @notice Calls back in the middle of being paid.
contract Reenterer {
    address private immutable target;
    bytes private call;
    bool public succeeded;
    bytes public answer;

    constructor(address target_) {
        target = target_;
    }

    function setCall(bytes calldata call_) external {
        call = call_;
    }

    receive() external payable {
        uint256 value = bytes4(call) == IRouterV2.swapExactInNative.selector ? 0.1e18 : 0;
        (bool ok, bytes memory reason) = target.call{value: value}(call);
        (succeeded, answer) = (ok, reason);
    }
}
