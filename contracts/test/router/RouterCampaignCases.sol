// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Route} from "../../src/types/Route.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {Test} from "forge-std/Test.sol";

/// @notice Swaps with its own tokens, and calls nothing but the Router. It keeps no model beside the contracts, which a call
/// that is replaced would leave behind, and which would make long campaigns slow.
abstract contract RouterCampaignHandler is ProtocolFixture {
    address public immutable victim = makeAddr("victim");
    address[3] public tokens;
    /// Whether a swap was not what it said.
    bool public broken;

    bytes[] private _routes;

    /// @dev Not in the constructor, because pools call back for their liquidity.
    function open() public {
        deployProtocol();
        tokens = [address(weth), address(usdc), address(dai)];
        for (uint256 i; i < 3; ++i) {
            address tokenIn = tokens[i];
            PlainToken(tokenIn).mint(victim, 1e30);
            vm.prank(victim);
            PlainToken(tokenIn).approve(address(router), type(uint256).max);
            PlainToken(tokenIn).mint(address(this), 1e30);
            PlainToken(tokenIn).approve(address(router), type(uint256).max);
        }
        for (uint256 i; i < 3; ++i) {
            _addRoutes(tokens[i], tokens[(i + 1) % 3], tokens[(i + 2) % 3]);
        }
    }

    function routerAddress() external view returns (address) {
        return address(router);
    }

    /// @notice A swap that goes through, and whose numbers add up.
    function swapOne(uint256 which, uint256 amountIn) external {
        Route memory route = abi.decode(_routes[which % _routes.length], (Route));
        amountIn = bound(amountIn, 1e6, 1e20);
        uint256 sold = PlainToken(route.tokenIn).balanceOf(address(this));
        uint256 bought = PlainToken(route.tokenOut).balanceOf(address(this));
        uint256 fees = PlainToken(route.tokenOut).balanceOf(feeCollector());
        uint256 amountOut = router.swapExactIn(route, amountIn, 1, address(this), block.timestamp);
        assertEq(sold - PlainToken(route.tokenIn).balanceOf(address(this)), amountIn, "pulled");
        assertEq(PlainToken(route.tokenOut).balanceOf(address(this)) - bought, amountOut, "paid");
        uint256 fee = PlainToken(route.tokenOut).balanceOf(feeCollector()) - fees;
        assertEq(fee, (amountOut + fee) * 28 / 10_000, "fee");
    }

    /// @notice A swap of which any call may be replaced by another one: a transfer, a pool's swap or a callback by a second
    /// swap, with the contract that was to be called as its caller.
    function swapAnyhow(uint256 which, uint256 amountIn, uint256 minOut) external {
        Route memory route = abi.decode(_routes[which % _routes.length], (Route));
        amountIn = bound(amountIn, 1e6, 1e20);
        minOut = bound(minOut, 1, amountIn / 2);
        uint256 sold = PlainToken(route.tokenIn).balanceOf(address(this));
        uint256 bought = PlainToken(route.tokenOut).balanceOf(address(this));
        try router.swapExactIn(route, amountIn, minOut, address(this), block.timestamp) {
            if (sold - PlainToken(route.tokenIn).balanceOf(address(this)) > amountIn) broken = true;
            if (PlainToken(route.tokenOut).balanceOf(address(this)) - bought < minOut) broken = true;
        } catch {
            if (PlainToken(route.tokenIn).balanceOf(address(this)) != sold) broken = true;
        }
    }

    /// @dev Straight, over another token, and split; on pairs and on concentrated liquidity.
    function _addRoutes(address tokenIn, address middle, address tokenOut) private {
        address pair = createV2(tokenIn, tokenOut, 1e24, 1e24);
        address concentrated = createV3(tokenIn, middle, 500, 1, 1);
        addAround(concentrated, 1000, 1e26);
        _note(routeOf(legV2(pair, tokenIn, tokenOut), 1e18));
        _note(routeOf(legV3(concentrated, tokenIn, middle, 500), 1e18));
        _note(routeOf(legV2(pair, tokenOut, tokenIn), legV3(concentrated, tokenIn, middle, 500), 1e18));
    }

    /// @dev Quoted so low that no floor but the caller's is in the way.
    function _note(Route memory route) private {
        route.grossOut = 1;
        _routes.push(abi.encode(route));
    }
}

/// @notice What holds in long sequences of swaps, and whatever calls are replaced in them.
abstract contract RouterCampaignCases is Test {
    RouterCampaignHandler internal handler;

    function createHandler() internal virtual returns (RouterCampaignHandler);

    /// @dev Which of the handler's functions is called.
    function swapFunction() internal pure virtual returns (bytes4) {
        return RouterCampaignHandler.swapOne.selector;
    }

    function setUp() public virtual {
        handler = createHandler();
        handler.open();
        targetContract(address(handler));
        bytes4[] memory selectors = new bytes4[](1);
        selectors[0] = swapFunction();
        targetSelector(FuzzSelector({addr: address(handler), selectors: selectors}));
    }

    function invariant_nothingIsTakenAndNothingStays() public view {
        address router = handler.routerAddress();
        assertFalse(handler.broken(), "a swap took more or paid less than it said");
        for (uint256 i; i < 3; ++i) {
            PlainToken token = PlainToken(handler.tokens(i));
            assertEq(token.balanceOf(handler.victim()), 1e30, "an allowance to the Router costs nothing");
            assertEq(token.balanceOf(router), 0, "nothing stays");
        }
    }
}

/// @notice The same where calls are replaced, by some of the Router's own among others.
abstract contract RouterOverrideCases is RouterCampaignCases {
    function setUp() public override {
        super.setUp();
        targetContract(handler.routerAddress());
    }

    function swapFunction() internal pure override returns (bytes4) {
        return RouterCampaignHandler.swapAnyhow.selector;
    }
}
