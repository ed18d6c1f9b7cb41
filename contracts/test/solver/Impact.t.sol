// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ironFloorOf} from "../../src/math/FeeMath.sol";
import {Plan, PreviewOptions} from "../../src/types/Plan.sol";
import {AllVenuesFixture} from "../fixtures/AllVenuesFixture.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {IV3Pool} from "../fixtures/VenuesFixture.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice The impact of a trade is what its size costs, worked out here from the reserves alone.
contract ImpactTest is MarketFixture {
    uint256 private constant RESERVE_IN = 1000e18;
    uint256 private constant RESERVE_OUT = 2_700_000e6;
    /// @dev The price after this part of a trade counts as its first: it is the middle of a thousandth.
    uint256 private constant FIRST_PARTS = 2000;

    function setUp() public {
        deployMarket();
        createV2(address(weth), address(usdc), RESERVE_IN, RESERVE_OUT);
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_impactBps_isWhatTheSizeCosts(uint256 amountIn) public view {
        // From a basis point of the reserve to nine times all of it.
        amountIn = bound(amountIn, RESERVE_IN / 10_000, 9 * RESERVE_IN);
        Plan memory plan = preview(weth, usdc, amountIn);
        uint256 grossOut = _out(amountIn);
        assertEq(plan.route.grossOut, grossOut);
        // With x sold of a, and all but the fee of it kept, the price is 0.997 a b / (a + 0.997 x)^2.
        uint256 held = 1000 * RESERVE_IN + 997 * (amountIn / FIRST_PARTS);
        uint256 atFirst = FixedPointMathLib.fullMulDiv(amountIn * 997 * RESERVE_OUT, 1000 * RESERVE_IN, held);
        assertApproxEqAbs(plan.route.impactBps, _impact(grossOut, atFirst / held), 1);
    }

    function test_impactBps_ofTheWholeReserve_isHalf() public view {
        Plan memory plan = preview(weth, usdc, RESERVE_IN);
        // 1 - 1 / 1.997 of spot, less at most a thousandth for the first part.
        assertGe(plan.route.impactBps, 4987);
        assertLe(plan.route.impactBps, 4992);
        assertEq(plan.ironFloor, ironFloorOf(plan.route.grossOut, plan.route.impactBps));
        assertLt(plan.ironFloor, ironFloorOf(plan.route.grossOut, 0), "a large trade may move more");
    }

    /// @dev A thousandth of so few units is one or two of them, or none.
    function test_impactBps_ofFewUnits_isWhatTheSizeCosts() public {
        PlainToken few = new PlainToken("FEW", 0);
        createV2(address(few), address(usdc), 1e6, RESERVE_OUT);
        for (uint256 amountIn = 500; amountIn < 20_000; amountIn += 499) {
            Plan memory plan = preview(few, usdc, amountIn);
            uint256 atSpot = amountIn * 997 * RESERVE_OUT / 1e9;
            uint256 grossOut = amountIn * 997 * RESERVE_OUT / (1e9 + amountIn * 997);
            assertEq(plan.route.grossOut, grossOut);
            assertApproxEqAbs(plan.route.impactBps, _impact(grossOut, atSpot), 1);
        }
    }

    /// @dev Somebody's pool pays up to a hundred times the market's price for a few units. Each of its ranges takes up to a unit for
    /// rounding, so that it pays far less than its curve says.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_impactBps_ofFewUnits_loosensNoFloor(uint256 better, uint256 units, uint256 ranges) public {
        PlainToken few = new PlainToken("FEW", 0);
        createV2(address(few), address(usdc), 1e8, 100 * RESERVE_OUT);
        uint256 amountIn = 200_000;
        Plan memory before = preview(few, usdc, amountIn);
        uint256 price = RESERVE_OUT / 1e6 * bound(better, 2, 100);
        address pool = createV3(address(few), address(usdc), 500, 1e6, price * 1e6);
        (, int24 tick,,,,,) = IV3Pool(pool).slot0();
        tick -= tick % 10;
        units = bound(units, 1, 60);
        ranges = bound(ranges, 1, 12);
        for (uint256 k; k < ranges; ++k) {
            // A price of usdc per unit falls towards the market's, on either side by address.
            int24 far = int24(uint24(k * 460 * 10 / ranges)) * 10;
            int24 next = int24(uint24((k + 1) * 460 * 10 / ranges)) * 10;
            uint128 liquidity = uint128(units * FixedPointMathLib.sqrt(price) + k);
            if (address(few) < address(usdc)) addRange(pool, tick - next, tick - far, liquidity);
            else addRange(pool, tick + far, tick + next, liquidity);
        }
        Plan memory plan = preview(few, usdc, amountIn);
        assertGe(plan.ironFloor, before.ironFloor - before.ironFloor / 10_000, "a basis point");
    }

    function _impact(uint256 grossOut, uint256 reference_) private pure returns (uint256) {
        return grossOut >= reference_ ? 0 : (reference_ - grossOut) * 10_000 / reference_;
    }

    /// @dev The pair's own formula.
    function _out(uint256 amountIn) private pure returns (uint256) {
        return amountIn * 997 * RESERVE_OUT / (RESERVE_IN * 1000 + amountIn * 997);
    }
}

/// @notice Curves of stable pools are drawn from samples, more finely in some searches than in others. Impact must not depend on that.
contract DrawnImpactTest is AllVenuesFixture {
    uint256 private constant AMPLIFICATION = 23;
    uint256 private constant FEE = 0.000367e18;
    /// @dev What is sold of the pool's reserve, in hundredths.
    uint256 private constant LEAST_PART = 1;
    uint256 private constant MOST_PART = 240;

    /// @dev More of the output than of the input, so that its price falls slowly, then fast.
    function setUp() public {
        deployAllVenues();
        (address[] memory pair, uint256[] memory amounts) = pairOf(DAI_INDEX, USDC_INDEX);
        for (uint256 i; i < 2; ++i) {
            if (pair[i] == address(usdc)) amounts[i] = amounts[i] * 23 / 10;
        }
        addPool(STABLE, createStable(pair, amounts, new address[](2), AMPLIFICATION, FEE), pair);
    }

    /// @dev Compared with the formula of `Planner`, on what the pool itself pays for a half and for a thousandth of the trade.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_impactBps_ofADrawnPool_isThatOfThePool(uint256 part) public view {
        uint256 amountIn = worth(DAI_INDEX, 4_000_000) * bound(part, LEAST_PART, MOST_PART) / 100;
        Plan memory plan = preview(dai, usdc, amountIn);
        assertEq(plan.route.legs.length, 1);
        uint256 out = plan.route.grossOut;
        uint256 half = preview(dai, usdc, amountIn / 2).route.grossOut;
        uint256 atFirst = 1000 * preview(dai, usdc, amountIn / 1000).route.grossOut;
        uint256 most = out * half / (out - half);
        if (atFirst > most) atFirst = most;
        assertApproxEqAbs(plan.route.impactBps, (atFirst - out) * 10_000 / atFirst, 1);
    }

    /// @dev Behind another pool, so that the input of the drawn one is not known when it is drawn first. Somebody's pools take some
    /// millionths of the trade.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_impactBps_behindAnotherPool_isNotMovedByDust(uint256 part, uint256 better) public {
        createV2(address(tail), address(dai), worth(4, 1e8), worth(DAI_INDEX, 1e8));
        uint256 amountIn = worth(4, 4_000_000) * bound(part, LEAST_PART, MOST_PART) / 100;
        PreviewOptions memory options = PreviewOptions(0, new address[](1), 0, new uint256[](0));
        PlainToken dust = new PlainToken("DUST", 18);
        options.connectors[0] = address(dust);
        Plan memory before = quoter.previewPlan(address(tail), address(usdc), amountIn, options);
        createV2(address(tail), address(dust), worth(4, 4), 4e18);
        createV2(address(dust), address(usdc), 4e18, worth(USDC_INDEX, 4) * (100 + bound(better, 0, 80)) / 100);
        Plan memory plan = quoter.previewPlan(address(tail), address(usdc), amountIn, options);
        assertApproxEqAbs(plan.route.impactBps, before.route.impactBps, 1);
        assertGe(plan.ironFloor, before.ironFloor - before.ironFloor / 10_000, "a basis point");
    }
}
