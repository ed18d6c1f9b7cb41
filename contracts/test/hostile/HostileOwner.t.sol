// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../../src/interfaces/IHub.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {MAX_ALLOWANCE_BPS, allowanceBps} from "../../src/math/FeeMath.sol";
import {Plan, Verdict} from "../../src/types/Plan.sol";
import {VenueConfig} from "../../src/types/Venue.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice A pair of the owner's own making: it says what reserves it likes, and pays what it likes.
contract OwnersPair {
    uint112 private _reserve0;
    uint112 private _reserve1;
    address private _token0;
    address private _token1;
    /// What it keeps of each payment, in 10^-18.
    uint256 public greed;

    function claim(address token0, address token1, uint256 reserve0, uint256 reserve1) external {
        (_token0, _token1) = (token0, token1);
        (_reserve0, _reserve1) = (uint112(reserve0), uint112(reserve1));
    }

    function setGreed(uint256 greed_) external {
        greed = greed_;
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (_reserve0, _reserve1, 0);
    }

    function price0CumulativeLast() external pure returns (uint256) {
        return 1;
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external {
        (address token, uint256 amount) = amount0Out == 0 ? (_token1, amount1Out) : (_token0, amount0Out);
        PlainToken(token).transfer(to, amount - amount * greed / 1e18);
    }
}

/// @notice The worst that an owner can do to a user: add a venue whose pools lie to the preview and pay less. What they take
/// of a trade with the default minimum is at most what its quote allows: 1 %, and a quarter of the impact that it states.
contract HostileOwnerTest is MarketFixture {
    uint256 private constant AMOUNT = 10e18;

    OwnersPair private pair;
    uint256 private netWithout;

    function setUp() public {
        deployMarket();
        createV2(address(weth), address(usdc), 1000e18, 2_700_000e6);
        netWithout = preview(weth, usdc, AMOUNT).netOut;

        VenueConfig memory config = v2Config("owners", address(this), keccak256(type(OwnersPair).creationCode), 0);
        vm.startPrank(owner);
        hub.schedule(abi.encodeCall(IHub.addVenue, (config)));
        // Nobody's trade is at risk before the users have had two days to see it coming.
        vm.expectPartialRevert(IHub.ChangeNotReady.selector);
        hub.addVenue(config);
        skip(2 days);
        hub.addVenue(config);
        vm.stopPrank();
        (address token0, address token1) = _sorted();
        pair = new OwnersPair{salt: keccak256(abi.encodePacked(token0, token1))}();
        usdc.mint(address(pair), 1e30);
    }

    /// @dev So deep that it says it has no impact: one in a hundred at most, and the rest is what was quoted.
    function testFuzz_anOwnersVenue_takesOnePercentAtMost(uint256 greed, uint256 price) public {
        _claim(1e30, bound(price, 2700e6, 5000e6));
        Plan memory plan = preview(weth, usdc, AMOUNT);
        assertEq(plan.route.impactBps, 0);
        pair.setGreed(bound(greed, 0, 0.03e18));
        (bool filled, uint256 received) = _trade(plan);
        if (filled) assertGe(received * 100, plan.netOut * 99);
        // And it had to promise more than the honest pools to be asked at all.
        assertGe(plan.netOut, netWithout);
    }

    /// @dev A pair that states an impact is allowed a quarter of it more, and never more than the most.
    function testFuzz_anOwnersVenue_takesNoMoreThanTheStatedImpactAllows(uint256 greed, uint256 depth, uint256 price)
        public
    {
        _claim(bound(depth, AMOUNT / 100, 1e24), bound(price, 100e6, 1e12));
        Plan memory plan = preview(weth, usdc, AMOUNT);
        vm.assume(plan.verdict == Verdict.Executable);
        pair.setGreed(bound(greed, 0, 0.2e18));
        (bool filled, uint256 received) = _trade(plan);
        uint256 allowed = allowanceBps(plan.route.impactBps);
        assertLe(allowed, MAX_ALLOWANCE_BPS);
        if (filled) assertGe(received * 10_000, plan.netOut * (10_000 - allowed));
    }

    /// @dev The greediest that still passes, so that the two above are known to come near what they allow.
    function test_anOwnersVenue_canTakeNearlyOnePercent() public {
        _claim(1e30, 3000e6);
        Plan memory plan = preview(weth, usdc, AMOUNT);
        pair.setGreed(0.00999e18);
        (bool filled, uint256 received) = _trade(plan);
        assertTrue(filled);
        assertGe(received * 100, plan.netOut * 99);
        _claim(1e30, 3000e6);
        pair.setGreed(0.01001e18);
        (filled,) = _trade(plan);
        assertFalse(filled);
    }

    /// @dev `depth` of WETH at `price` for each.
    function _claim(uint256 depth, uint256 price) private {
        (address token0, address token1) = _sorted();
        uint256 other = depth * price / 1e18;
        if (other > type(uint112).max) other = type(uint112).max;
        (uint256 reserve0, uint256 reserve1) = token0 == address(weth) ? (depth, other) : (other, depth);
        pair.claim(token0, token1, reserve0, reserve1);
        // The pair of the venue's kind counts what it was sent beyond its reserve.
        deal(address(weth), address(pair), depth);
    }

    /// @dev With the minimum that a quote has by default.
    function _trade(Plan memory plan) private returns (bool filled, uint256 received) {
        fund(user, address(weth), AMOUNT);
        uint256 wethBefore = weth.balanceOf(user);
        uint256 before = usdc.balanceOf(user);
        vm.prank(user);
        try router.swapExactIn(plan.route, AMOUNT, plan.ironFloor, user, block.timestamp) {
            filled = true;
            received = usdc.balanceOf(user) - before;
        } catch (bytes memory reason) {
            assertEq(bytes4(reason), IRouter.BelowFloor.selector);
            assertEq(weth.balanceOf(user), wethBefore);
        }
    }

    function _sorted() private view returns (address, address) {
        return address(weth) < address(usdc) ? (address(weth), address(usdc)) : (address(usdc), address(weth));
    }
}
