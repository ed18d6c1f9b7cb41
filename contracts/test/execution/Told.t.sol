// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHub} from "../../src/interfaces/IHub.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {protocolFee} from "../../src/math/FeeMath.sol";
import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {VenueConfig} from "../../src/types/Venue.sol";
import {FirstGeneration} from "../fixtures/FirstGeneration.sol";
import {ScriptedDeployer, ScriptedPool} from "../fixtures/Forks.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {SecondGeneration} from "../fixtures/SecondGeneration.sol";
import {TollToken} from "../fixtures/Tokens.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Between two pools of Uniswap V3 the second sells what the first says to have paid. What that is worth against
/// tokens that take a part, and against pools whose word is not taken.
abstract contract ToldCases is ProtocolFixture {
    uint256 private constant AMOUNT = 1e18;
    uint16 private constant FORK_V3 = 3;

    TollToken private toll;
    address private first;
    address private next;
    address private split;
    ScriptedPool private forkFirst;
    ScriptedPool private forkNext;

    function setUp() public {
        deployProtocol();
        toll = new TollToken("TOLL", 18);
        first = createV3(address(weth), address(toll), 500, 1e18, 3000e18);
        addAround(first, 2000, 1e21);
        next = createV3(address(toll), address(dai), 500, 1e18, 1e18);
        addAround(next, 2000, 1e23);
        split = createV2(address(toll), address(dai), 3_000_000e18, 3_000_000e18);

        ScriptedDeployer deployer = new ScriptedDeployer();
        _addVenue(v3Config("fork-v3", address(deployer), deployer.initCodeHash(), V3_CALLBACK));
        forkFirst = ScriptedPool(deployer.createPool(address(weth), address(toll), 500, V3_CALLBACK));
        forkNext = ScriptedPool(deployer.createPool(address(toll), address(dai), 500, V3_CALLBACK));
        toll.mint(address(forkFirst), 1000e18);
        dai.mint(address(forkNext), 1000e18);
    }

    function test_swapExactIn_doesNotAskForBalancesBetweenThePools() public {
        Route memory route = routeOf(_first(), _next(), AMOUNT);
        vm.expectCall(address(toll), abi.encodeCall(IERC20.balanceOf, (address(router))), 0);
        assertEq(swap(route, AMOUNT), route.grossOut - protocolFee(route.grossOut));
    }

    function testFuzz_swapExactIn_whatLiesInTheRouterStaysThere(uint256 amountIn, uint256 donated) public {
        amountIn = bound(amountIn, 1e9, 1e18);
        donated = bound(donated, 1, 1e30);
        Route memory route = routeOf(_first(), _next(), amountIn);
        toll.mint(address(router), donated);
        assertEq(swap(route, amountIn), route.grossOut - protocolFee(route.grossOut));
        assertEq(toll.balanceOf(address(router)), donated);
    }

    /// @dev The next pool wants all of it, so there is nothing to make do with.
    function testFuzz_swapExactIn_revertsIf_theTokenTakesAPart(uint256 tollBps) public {
        Route memory route = routeOf(_first(), _next(), AMOUNT);
        toll.setToll(address(router), bound(tollBps, 1, 10_000));
        fund(user, address(weth), AMOUNT);
        vm.prank(user);
        vm.expectPartialRevert(IRouter.TransferRefused.selector);
        router.swapExactIn(route, AMOUNT, 1, user, block.timestamp);
        assertEq(weth.balanceOf(user), AMOUNT);
    }

    /// @dev What somebody has given to the Router belongs to nobody, and is all that can be used up.
    function testFuzz_swapExactIn_aGiftMayPayWhatTheTokenTakes(uint256 tollBps, uint256 donated) public {
        Route memory route = routeOf(_first(), _next(), AMOUNT);
        uint256 bought = _boughtBy(_first());
        tollBps = bound(tollBps, 1, 100);
        uint256 taken = bought * tollBps / 10_000;
        donated = bound(donated, taken, 10 * bought);
        toll.mint(address(router), donated);
        toll.setToll(address(router), tollBps);
        assertEq(swap(route, AMOUNT), route.grossOut - protocolFee(route.grossOut));
        assertEq(toll.balanceOf(address(router)), donated - taken);
    }

    /* WHERE IT IS MEASURED */

    /// @dev A pair, and legs that take a part, make do with what has arrived.
    function testFuzz_swapExactIn_measuresBeforeLegsThatShareIt(uint256 tollBps, uint256 donated) public {
        tollBps = bound(tollBps, 0, 50);
        donated = bound(donated, 0, 1e24);
        Leg[] memory legs = new Leg[](3);
        (legs[0], legs[1]) = (_first(), _next());
        legs[1].share = WHOLE_SHARE / 2;
        legs[2] = legV2(split, address(toll), address(dai));
        Route memory route = routeOf(legs, AMOUNT);
        toll.mint(address(router), donated);
        toll.setToll(address(router), tollBps);
        uint256 arrived = swap(route, AMOUNT);
        assertLe(arrived, route.grossOut - protocolFee(route.grossOut));
        if (tollBps == 0) assertEq(arrived, route.grossOut - protocolFee(route.grossOut));
        assertEq(toll.balanceOf(address(router)), donated);
    }

    /// @dev The venue's code is not known, so its pools' word is not taken, and no gift is used up.
    function testFuzz_swapExactIn_measuresBetweenPoolsOfUnknownCode(uint256 tollBps, uint256 donated) public {
        tollBps = bound(tollBps, 0, 50);
        donated = bound(donated, 0, 1e24);
        Route memory route;
        (route.tokenIn, route.tokenOut) = (address(weth), address(dai));
        (route.amountIn, route.grossOut) = (AMOUNT, AMOUNT);
        route.legs = new Leg[](2);
        route.legs[0] = Leg(FORK_V3, address(forkFirst), address(weth), address(toll), 500, WHOLE_SHARE);
        route.legs[1] = Leg(FORK_V3, address(forkNext), address(toll), address(dai), 500, WHOLE_SHARE);
        toll.mint(address(router), donated);
        toll.setToll(address(router), tollBps);
        uint256 gross = AMOUNT - AMOUNT * tollBps / 10_000;
        assertEq(swap(route, AMOUNT), gross - protocolFee(gross));
        assertEq(toll.balanceOf(address(router)), donated);
    }

    function _boughtBy(Leg memory leg) private returns (uint256) {
        Leg[] memory legs = new Leg[](1);
        legs[0] = leg;
        return routeOf(legs, AMOUNT).grossOut;
    }

    function _first() private view returns (Leg memory) {
        return legV3(first, address(weth), address(toll), 500);
    }

    function _next() private view returns (Leg memory) {
        return legV3(next, address(toll), address(dai), 500);
    }

    function _addVenue(VenueConfig memory config) private {
        vm.startPrank(owner);
        hub.schedule(abi.encodeCall(IHub.addVenue, (config)));
        skip(2 days);
        hub.addVenue(config);
        vm.stopPrank();
    }
}

contract ToldTest is ToldCases, FirstGeneration {}

contract ToldSecondTest is ToldCases, SecondGeneration {}
