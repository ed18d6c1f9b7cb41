// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ironFloorOf, protocolFee} from "../../src/math/FeeMath.sol";
import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {FirstGeneration} from "../fixtures/FirstGeneration.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {SecondGeneration} from "../fixtures/SecondGeneration.sol";
import {HookToken, PlainToken, TaxedToken} from "../fixtures/Tokens.sol";
import {IV2Pair} from "../fixtures/VenuesFixture.sol";
import {Vm} from "forge-std/Vm.sol";

/// @notice Takes a pair's surplus when it is told to, and gives a part of it back.
contract Skimmer {
    function take(IV2Pair pair, PlainToken token, uint256 keptBps) external {
        pair.skim(address(this));
        uint256 taken = token.balanceOf(address(this));
        token.transfer(address(pair), taken - taken * keptBps / 10_000);
    }
}

/// @notice A leg whose output the next one takes whole pays it straight into that one's pool, and nowhere else.
abstract contract PaidAheadCases is ProtocolFixture {
    uint256 private constant AMOUNT = 1e18;

    address private v2First;
    address private v2Next;
    address private v3First;

    function setUp() public {
        deployProtocol();
        v2First = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        v2Next = createV2(address(usdc), address(dai), 3_000_000e6, 3_000_000e18);
        v3First = createV3(address(weth), address(usdc), 500, 1e18, 3000e6);
        addAround(v3First, 2000, 1e18);
    }

    /* WHERE THE TOKENS GO */

    function test_swapExactIn_paysThePairAfterAPair() public {
        Route memory route = routeOf(_v2(), _next(), AMOUNT);
        assertEq(_payments(route), 0, "past the Router");
    }

    function test_swapExactIn_paysThePairAfterAPool() public {
        Route memory route = routeOf(_v3(), _next(), AMOUNT);
        assertEq(_payments(route), 0, "past the Router");
    }

    function test_swapExactIn_keepsWhatAPoolCallsBackFor() public {
        address v3Next = createV3(address(usdc), address(dai), 500, 1e6, 1e18);
        addAround(v3Next, 2000, 1e18);
        Leg memory next = legV3(v3Next, address(usdc), address(dai), 500);
        assertEq(_payments(routeOf(_v2(), next, AMOUNT)), 2, "in and out");
    }

    /// @dev Both pairs sell the same token: what is whose is told by the balance here.
    function test_swapExactIn_keepsWhatTwoLegsBuy() public {
        Leg memory half = _v2();
        half.share = WHOLE_SHARE / 2;
        assertEq(_payments(routeOf(half, _v3(), _next(), AMOUNT)), 3, "two in and one out");
    }

    function test_swapExactIn_keepsWhatTwoLegsSell() public {
        address other = createV3(address(usdc), address(dai), 3000, 1e6, 1e18);
        addAround(other, 3000, 1e18);
        Leg memory half = _next();
        half.share = WHOLE_SHARE / 2;
        Leg memory rest = legV3(other, address(usdc), address(dai), 3000);
        assertEq(_payments(routeOf(_v2(), half, rest, AMOUNT)), 3, "one in and two out");
    }

    /// @dev What lies in the Router is nobody's, and in the pair the next swap's, as ever.
    function testFuzz_swapExactIn_whatLiesInTheRouterStaysThere(uint256 donated) public {
        donated = bound(donated, 1, 1e12);
        Route memory route = routeOf(_v2(), _next(), AMOUNT);
        usdc.mint(address(router), donated);
        assertEq(swap(route, AMOUNT), route.grossOut - protocolFee(route.grossOut));
        assertEq(usdc.balanceOf(address(router)), donated);
    }

    /// @dev One payment instead of two, so it is taxed once.
    function test_swapExactIn_aTaxedTokenIsTaxedOnce() public {
        TaxedToken taxed = new TaxedToken("TAX", 18, 300);
        address first = createV2(address(weth), address(taxed), 1000e18, 1000e18);
        address next = createV2(address(taxed), address(dai), 1000e18, 3_000_000e18);
        Leg memory leg = legV2(first, address(weth), address(taxed));
        Route memory route = routeOf(leg, legV2(next, address(taxed), address(dai)), AMOUNT);
        (uint256 reserveIn, uint256 reserveOut) = _reserves(first, address(weth));
        uint256 bought = _out(AMOUNT, reserveIn, reserveOut);
        (reserveIn, reserveOut) = _reserves(next, address(taxed));
        uint256 gross = _out(bought - bought * 300 / 10_000, reserveIn, reserveOut);
        route.grossOut = gross;
        assertEq(swap(route, AMOUNT), gross - protocolFee(gross));
    }

    /* WHO MEDDLES IN BETWEEN */

    function test_swapExactIn_revertsIf_thePaymentIsSkimmed() public {
        _assertLost(abi.encodeCall(IV2Pair.skim, (address(0xbad))));
    }

    function test_swapExactIn_revertsIf_thePaymentIsSynced() public {
        _assertLost(abi.encodeCall(IV2Pair.sync, ()));
    }

    /// @dev Whoever takes a part of it takes it from the output, which the floor holds.
    function testFuzz_swapExactIn_aPartThatIsSkimmedCostsNoMoreThanTheFloorAllows(uint256 keptBps) public {
        keptBps = bound(keptBps, 1, 10_000);
        (Route memory route, HookToken hooked) = _hookedRoute();
        Skimmer skimmer = new Skimmer();
        hooked.setHook(
            address(skimmer), abi.encodeCall(Skimmer.take, (IV2Pair(v2Next), PlainToken(address(usdc)), keptBps)), false
        );
        fund(user, address(hooked), AMOUNT);
        uint256 floor = ironFloorOf(route.grossOut, 0);
        vm.prank(user);
        try router.swapExactIn(route, AMOUNT, 1, user, block.timestamp) returns (uint256 amountOut) {
            assertGe(amountOut, floor);
            assertEq(dai.balanceOf(user), amountOut);
        } catch {
            assertGt(keptBps, 90, "less than the floor allows");
            assertEq(hooked.balanceOf(user), AMOUNT);
            assertEq(usdc.balanceOf(address(skimmer)), 0);
        }
    }

    function _assertLost(bytes memory meddling) private {
        (Route memory route, HookToken hooked) = _hookedRoute();
        hooked.setHook(v2Next, meddling, false);
        fund(user, address(hooked), AMOUNT);
        vm.prank(user);
        vm.expectRevert("UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT");
        router.swapExactIn(route, AMOUNT, 1, user, block.timestamp);
        assertEq(hooked.balanceOf(user), AMOUNT);
        assertEq(usdc.balanceOf(address(0xbad)), 0);
    }

    /// @dev Its input runs somebody's code after the pool has paid and before the pair swaps.
    function _hookedRoute() private returns (Route memory route, HookToken hooked) {
        hooked = new HookToken("HOOK", 18);
        address first = createV3(address(hooked), address(usdc), 500, 1e18, 3000e6);
        addAround(first, 2000, 1e18);
        route = routeOf(legV3(first, address(hooked), address(usdc), 500), _next(), AMOUNT);
    }

    /// @dev How often the middle token comes to the Router and leaves it, in a swap that delivers what was quoted.
    function _payments(Route memory route) private returns (uint256 count) {
        vm.recordLogs();
        assertEq(swap(route, route.amountIn), route.grossOut - protocolFee(route.grossOut));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bytes32 itself = bytes32(uint256(uint160(address(router))));
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter != address(usdc) || logs[i].topics.length != 3) continue;
            if (logs[i].topics[1] == itself || logs[i].topics[2] == itself) ++count;
        }
    }

    function _v2() private view returns (Leg memory) {
        return legV2(v2First, address(weth), address(usdc));
    }

    function _v3() private view returns (Leg memory) {
        return legV3(v3First, address(weth), address(usdc), 500);
    }

    function _next() private view returns (Leg memory) {
        return legV2(v2Next, address(usdc), address(dai));
    }

    function _reserves(address pair, address sold) private view returns (uint256, uint256) {
        (uint112 reserve0, uint112 reserve1,) = IV2Pair(pair).getReserves();
        return IV2Pair(pair).token0() == sold ? (reserve0, reserve1) : (reserve1, reserve0);
    }

    function _out(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) private pure returns (uint256) {
        uint256 kept = amountIn * 997;
        return kept * reserveOut / (reserveIn * 1000 + kept);
    }
}

contract PaidAheadTest is PaidAheadCases, FirstGeneration {}

contract PaidAheadSecondTest is PaidAheadCases, SecondGeneration {}
