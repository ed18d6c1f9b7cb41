// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../../src/interfaces/IHub.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {ListedPool, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {IBalancerVault} from "../../src/venues/Balancer.sol";
import {listedKey} from "../../src/venues/Listed.sol";
import {FirstGeneration} from "../fixtures/FirstGeneration.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice A Vault that pays, and takes as much of its allowance as it is told.
contract StingyVault {
    uint256 public keeps;
    uint256 public allowed;

    function setKeeps(uint256 amount) external {
        keeps = amount;
    }

    function getPoolId() external pure returns (bytes32) {
        return 0;
    }

    function swap(IBalancerVault.SingleSwap calldata order, IBalancerVault.FundManagement calldata, uint256, uint256)
        external
        returns (uint256)
    {
        allowed = PlainToken(order.assetIn).allowance(msg.sender, address(this));
        PlainToken(order.assetIn).transferFrom(msg.sender, address(this), order.amount - keeps);
        PlainToken(order.assetOut).mint(msg.sender, order.amount);
        return order.amount;
    }
}

/// @notice What a venue may take by allowance is its leg's payment, and nothing of it after the leg.
contract AllowanceLegTest is ProtocolFixture, FirstGeneration {
    uint256 private constant AMOUNT = 1e18;
    uint16 private constant VENUE = 3;

    StingyVault private vault;

    function setUp() public {
        deployProtocol();
        vault = new StingyVault();
        VenueConfig memory config;
        (config.id, config.factory) = ("stingy", address(vault));
        (config.venue.kind, config.venue.enabled) = (VenueKinds.BALANCER_WEIGHTED, true);
        config.venue.deployer = address(vault);
        _change(abi.encodeCall(IHub.addVenue, (config)));
        address[] memory pair = new address[](2);
        (pair[0], pair[1]) = _sorted();
        _change(abi.encodeCall(IHub.addPool, (ListedPool(VENUE, address(vault), pair))));
    }

    function test_swapExactIn_allowsTheLegsPaymentAndNoMore() public {
        usdc.mint(address(router), 5);
        weth.mint(address(router), 7);
        assertEq(swap(_route(), AMOUNT), AMOUNT - AMOUNT * 28 / 10_000);
        assertEq(vault.allowed(), AMOUNT);
        assertEq(weth.allowance(address(router), address(vault)), 0);
        assertEq(weth.balanceOf(address(router)), 7);
    }

    function testFuzz_swapExactIn_revertsIf_anAllowanceWouldOutliveItsLeg(uint256 keeps) public {
        keeps = bound(keeps, 1, AMOUNT);
        vault.setKeeps(keeps);
        Route memory route = _route();
        fund(user, address(weth), AMOUNT);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.PartialFill.selector, address(vault), AMOUNT, AMOUNT - keeps));
        router.swapExactIn(route, AMOUNT, 1, user, block.timestamp);
        assertEq(weth.balanceOf(user), AMOUNT);
    }

    function _route() private view returns (Route memory route) {
        route = Route(address(weth), address(usdc), AMOUNT, AMOUNT, 0, new Leg[](1));
        route.legs[0] = Leg(VENUE, address(vault), address(weth), address(usdc), listedKey(1, 0, 1), WHOLE_SHARE);
    }

    function _change(bytes memory call) private {
        vm.startPrank(owner);
        hub.schedule(call);
        skip(2 days);
        (bool ok,) = address(hub).call(call);
        assertTrue(ok);
        vm.stopPrank();
    }

    function _sorted() private view returns (address, address) {
        return address(weth) < address(usdc) ? (address(weth), address(usdc)) : (address(usdc), address(weth));
    }
}
