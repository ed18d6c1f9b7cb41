// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, Verdict} from "../../src/types/Plan.sol";
import {Leg, Route} from "../../src/types/Route.sol";
import {GrossRouter} from "../fixtures/GrossRouter.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {IV3Pool} from "../fixtures/VenuesFixture.sol";

/// @notice A curve that was read to its end proves nothing about what lies behind it: where the shadow price is below that
/// end, the pool is read further, or no bound is claimed.
contract ExhaustedTest is MarketFixture {
    uint256 private constant RESERVE = 100_000;
    uint256 private constant SOLD = 20_000e18;
    uint24 private constant FEE = 100;
    /// @dev Parts of the trade that the other routings lead through the concentrated pool.
    uint256 private constant PARTS = 10;
    uint256 private constant MANY_TICKS = 500;

    GrossRouter private gross;
    address private pair;
    address private pool;

    function setUp() public {
        deployMarket();
        gross = new GrossRouter(hub);
        pair = createV2(address(dai), address(usdc), RESERVE * 1e18, RESERVE * 1e6);
        pool = createV3(address(dai), address(usdc), FEE, 1e18, 1e6);
        addAround(pool, 10, 1e13);
    }

    /// @dev Nothing for some ticks, then much: the flow stops at the end of what was read, and the price goes on.
    /// forge-config: default.fuzz.runs = 30
    function testFuzz_upperBound_countsWhatLiesBehindAGap(uint256 gap, uint256 width, uint256 liquidity) public {
        _addBelow(bound(gap, 20, 400), bound(width, 50, 400), bound(liquidity, 1e18, 1e20));
        _assertNotBeaten();
    }

    /// @dev Next to nothing first, then more and more: the tail that was drawn is too thin.
    /// forge-config: default.fuzz.runs = 30
    function testFuzz_upperBound_countsWhatGrowsBehindTheEnd(uint256 step, uint256 factor) public {
        (step, factor) = (bound(step, 20, 200), bound(factor, 2, 10));
        uint256 liquidity = 1e17;
        for (uint256 k = 1; k < 6; ++k) {
            liquidity *= factor;
            _addBelow(step * k, step, liquidity);
        }
        _assertNotBeaten();
    }

    /// @dev The plan itself goes where the liquidity is.
    function test_plan_usesWhatLiesBehindAGap() public {
        uint256 before = preview(dai, usdc, SOLD).route.grossOut;
        _addBelow(100, 20, 1e19);
        Plan memory plan = preview(dai, usdc, SOLD);
        // At about 1 % below the market, where the pair alone is at a sixth below on average.
        assertGt(plan.route.grossOut, before + before / 8);
        assertEq(execute(plan), plan.netOut);
    }

    /// @dev More ticks of next to nothing than a search reads, and much behind them: what was read ends above the price.
    function test_upperBound_countsWhatLiesBehindManyTicks() public {
        for (uint256 k; k < MANY_TICKS; ++k) {
            _addBelow(10 + k, 1, 1e12);
        }
        _addBelow(10 + MANY_TICKS, 100, 1e19);
        _assertNotBeaten();
    }

    function _assertNotBeaten() private {
        Plan memory plan = preview(dai, usdc, SOLD);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        uint256 executed;
        for (uint256 part; part <= PARTS; ++part) {
            uint256 out = _delivered(1e18 * part / PARTS);
            if (out != 0) ++executed;
            assertLe(out, plan.upperBound, "beaten");
        }
        assertGt(executed, 1, "nothing went through the concentrated pool");
    }

    /// @dev What the two pools really pay where a share goes through the concentrated one; zero if it does not take it.
    function _delivered(uint256 share) private returns (uint256 out) {
        Leg[] memory legs = new Leg[](2);
        legs[0] = legV3(pool, address(dai), address(usdc), FEE);
        legs[0].share = share;
        legs[1] = legV2(pair, address(dai), address(usdc));
        uint256 snapshot = vm.snapshotState();
        dai.mint(address(this), SOLD);
        dai.approve(address(gross), SOLD);
        try gross.deliver(Route(address(dai), address(usdc), SOLD, 1, 0, legs)) returns (uint256 paid) {
            out = paid;
        } catch {}
        vm.revertToStateAndDelete(snapshot);
    }

    /// @dev Liquidity so many ticks below the market, as who sells DAI sees it.
    function _addBelow(uint256 away, uint256 width, uint256 liquidity) private {
        (, int24 tick,,,,,) = IV3Pool(pool).slot0();
        int24 sign = address(dai) < address(usdc) ? int24(-1) : int24(1);
        int24 near = tick + sign * int24(uint24(away));
        int24 far = near + sign * int24(uint24(width));
        if (near < far) addRange(pool, near, far, uint128(liquidity));
        else addRange(pool, far, near, uint128(liquidity));
    }
}
