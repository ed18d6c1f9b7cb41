// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {IV3Pool} from "../fixtures/VenuesFixture.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice A pool that holds next to nothing moves no quote, whatever its price; and no pool loosens the floor.
contract DustPoolsTest is MarketFixture {
    uint256 private constant LEAST_DOLLARS = 1000;
    uint256 private constant MOST_DOLLARS = 2_000_000;
    /// @dev What dust is worth at most, in millionths of a dollar, and the part of a trade that it may be.
    uint256 private constant MOST_DUST = 10e6;
    uint256 private constant DUST_PARTS = 10_000;
    /// @dev A leg that carries less than this part of the trade is dropped.
    uint256 private constant LEAST_LEG_PARTS = 1_000_000;
    uint256 private constant BPS = 10_000;
    uint256 private constant MICRO_BPS = 1e10;
    /// @dev A trade that moves the market by more is far too large for it.
    uint256 private constant FAR_TOO_LARGE_BPS = 1000;
    /// @dev What the floor of a plan with fewer legs may lie below another's, whose legs are worth their gas as nearly.
    uint256 private constant OTHER_PLAN_BPS = 10;
    /// @dev Seldom-used tiers, so that the market leaves them free: the market takes those of 0.05 %.
    uint24 private constant FREE_FEE = 10_000;
    uint256 private constant GWEI = 1e9;

    function setUp() public {
        deployMarket();
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_dust_movesNothing(uint256 seed, uint256 dollars, int256 off, bool wide, bool priced) public {
        seedMarket(seed);
        dollars = bound(dollars, LEAST_DOLLARS, MOST_DOLLARS);
        (uint256 a, uint256 b) = _pair(seed);
        Plan memory before = _plan(a, b, dollars, priced);
        vm.assume(before.verdict == Verdict.Executable);

        uint256 most = FixedPointMathLib.min(MOST_DUST, dollars * 1e6 / DUST_PARTS);
        (uint256 c, uint256 d) = _leg(a, b, seed);
        address dust = _addDust(c, d, off, most, wide);
        Plan memory then = _plan(a, b, dollars, priced);

        assertEq(uint8(then.verdict), uint8(Verdict.Executable));
        _assertPays(_afterGas(then, b, priced), _afterGas(before, b, priced), before, then);
        _assertSameFloor(before, then, priced);
        // Near the market it is as good as any other small pool.
        if (_isNear(c, d, dust)) return;
        _assertNoDustLeg(then, c, dust, dollars);
    }

    /// @dev What the dust was to take goes to the last leg, and its token then to a pool that was full.
    function test_dustThatIsDropped_costsNoFullPool() public {
        testFuzz_dust_movesNothing(81000, 11, -80, true, true);
    }

    /// @dev Five dollars of a shallow market, for three millionths of a trade that loses half to impact.
    function test_dust_isALegForWhatItAdds() public {
        testFuzz_dust_movesNothing(1790248, 125783261603871, -1209103692268864316, true, false);
    }

    /// @dev It adds a leg to a plan of eight, two of which trade tokens for each other both ways.
    function test_dustThatIsALeg_dropsNoOther() public {
        testFuzz_dust_movesNothing(4828, 4_000_000, 6780, true, true);
    }

    /// @dev Ten dollars, where two million leave next to nothing in the pools and lose two thirds to impact.
    function test_dust_inAMarketThatIsTooSmall_takesLessThanTheStatedGap() public {
        testFuzz_dust_movesNothing(1800, 34, -80, true, false);
    }

    /// @dev A million dollars, of which a third is lost to impact: one of sixteen legs less, and a lower floor, as the gap says.
    function test_dust_inATradeOfManyLegs_takesLessThanTheStatedGap() public {
        testFuzz_dust_movesNothing(2208, 1_002_000, 12_523, true, true);
    }

    /// @dev Dust at an absurd price in front of real liquidity, of any size.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_anyPool_loosensNoFloor(uint256 seed, uint256 dollars, uint256 own, int24 off, int24 gap) public {
        seedMarket(seed);
        dollars = bound(dollars, LEAST_DOLLARS, MOST_DOLLARS);
        (uint256 a, uint256 b) = _pair(seed);
        Plan memory before = _plan(a, b, dollars, false);
        vm.assume(before.verdict == Verdict.Executable);

        _addHeaded(a, b, bound(own, 1, 1_000_000), int24(bound(off, -20_000, 20_000)), int24(bound(gap, -400, 400)));
        Plan memory then = _plan(a, b, dollars, false);

        assertEq(uint8(then.verdict), uint8(Verdict.Executable));
        _assertPays(then.netOut, before.netOut, before, then);
        // Allowances are whole basis points, so that the next one may be reached.
        uint256 lost = FixedPointMathLib.zeroFloorSub(before.netOut, then.netOut);
        assertGe(then.ironFloor + before.netOut / BPS + lost + 1, before.ironFloor);
    }

    /// @dev The split counts on it for half a basis point, but it is no leg.
    function test_anyPool_thatIsNoLegAfterAll_costsNothing() public {
        testFuzz_anyPool_loosensNoFloor(500_000, 44, 2239, 12_004, 11_901);
    }

    /// @dev Two million dollars in a market that holds little more: the plan is cut off and states what it may lose.
    function test_anyPool_inAMarketThatIsTooSmall_takesLessThanTheStatedGap() public {
        testFuzz_anyPool_loosensNoFloor(
            1123186520365672534345802935138, 1_936_178, 1272394010844796725158223385517526003995, 164, 9197
        );
    }

    /// @dev Half a cent beside five million dollars, at ten thousand trillion times the price.
    function test_dustBesideADeepPair_leavesTheFloorWhereItWas() public {
        createV2(address(weth), address(usdc), worth(0, 5_000_000), worth(1, 5_000_000));
        Plan memory before = _plan(0, 1, 100_000, false);
        address dust = createV3(address(weth), address(usdc), FREE_FEE, worth(0, 1_000_000), worth(1, 1_000_000) * 1e16);
        addFullRange(dust, 1);

        Plan memory then = _plan(0, 1, 100_000, false);
        assertEq(before.route.impactBps, 195);
        assertEq(then.route.impactBps, before.route.impactBps);
        assertEq(then.netOut, before.netOut);
        assertEq(then.ironFloor, before.ironFloor);
        assertEq(then.route.legs.length, 1);
    }

    /// @dev The trade itself is small, and so is what it may use.
    function test_dust_isAllThereIs() public {
        createV2(address(weth), address(usdc), worth(0, 10), worth(1, 10));
        Plan memory plan = preview(weth, usdc, worth(0, 1));
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertEq(execute(plan), plan.netOut);
    }

    function _plan(uint256 a, uint256 b, uint256 dollars, bool priced) private view returns (Plan memory) {
        PreviewOptions memory options = PreviewOptions(priced ? 2 * GWEI : 0, new address[](0), 0, new uint256[](0));
        return quoter.previewPlan(address(tokens[a]), address(tokens[b]), worth(a, dollars), options);
    }

    /// @dev The pool takes no part in a trade of so many dollars, or not with dust.
    function _assertNoDustLeg(Plan memory plan, uint256 tokenIn, address pool, uint256 dollars) private {
        uint256 held = tokens[tokenIn].balanceOf(pool);
        execute(plan);
        uint256 carried = tokens[tokenIn].balanceOf(pool) - held;
        assertTrue(carried == 0 || carried >= worth(tokenIn, dollars) / LEAST_LEG_PARTS, "dust is no leg");
    }

    /// @dev Not a basis point less than before. A trade that is far too large for its market may get less, but not below
    /// what its plan states as its gap.
    function _assertPays(uint256 paid, uint256 paidBefore, Plan memory before, Plan memory then) private pure {
        assertGe((paid + _stated(then.netOut, before, then)) * BPS, paidBefore * (BPS - 1));
    }

    /// @dev The part of an amount that the plan states as its gap, if the trade is far too large for the market.
    function _stated(uint256 amount, Plan memory before, Plan memory then) private pure returns (uint256) {
        bool states = before.route.impactBps > FAR_TOO_LARGE_BPS && then.gapMicroBps != type(uint256).max;
        return states ? FixedPointMathLib.fullMulDiv(amount, then.gapMicroBps, MICRO_BPS) : 0;
    }

    /// @dev What is left of a plan's output when its gas is paid from it.
    function _afterGas(Plan memory plan, uint256 b, bool priced) private view returns (uint256) {
        if (!priced) return plan.netOut;
        return plan.netOut - FixedPointMathLib.fullMulDiv(plan.estGas * 2 * GWEI, worth(b, 1e9), worth(0, 1e9));
    }

    /// @dev Allowances are whole basis points of the net output, so that the next one may be reached. Where gas has a price,
    /// a plan may have other legs that are worth their gas as nearly, and an impact of its own; so may one that pays more.
    function _assertSameFloor(Plan memory before, Plan memory then, bool priced) private pure {
        uint256 step = before.netOut / BPS + 1;
        bool isOther = priced && before.route.legs.length != then.route.legs.length;
        if (isOther || FixedPointMathLib.dist(before.netOut, then.netOut) >= step) {
            uint256 floor = then.ironFloor + _stated(then.ironFloor, before, then);
            assertGe(floor * BPS, before.ironFloor * (BPS - OTHER_PLAN_BPS));
            return;
        }
        assertApproxEqAbs(then.ironFloor, before.ironFloor, 2 * step);
        assertApproxEqAbs(then.route.impactBps, before.route.impactBps, 1);
    }

    function _pair(uint256 seed) private view returns (uint256 a, uint256 b) {
        a = seed % tokens.length;
        b = (a + 1 + (seed >> 8) % (tokens.length - 1)) % tokens.length;
    }

    /// @dev The pair itself, or one of its sides with a connector token.
    function _leg(uint256 a, uint256 b, uint256 seed) private view returns (uint256, uint256) {
        uint256 middle = (seed >> 16) % tokens.length;
        if (middle == a || middle == b || seed >> 24 & 1 == 0) return (a, b);
        return seed >> 25 & 1 == 0 ? (a, middle) : (middle, b);
    }

    /// @dev A pool whose contents are worth at most so much, at a price up to 10^17 times off.
    function _addDust(uint256 a, uint256 b, int256 off, uint256 most, bool wide) private returns (address pool) {
        if (tokens[a] > tokens[b]) (a, b) = (b, a);
        uint160 price = TickMath.getSqrtPriceAtTick(_tickOf(a, b) + int24(bound(off, -400_000, 400_000)));
        pool = v3Factory.createPool(address(tokens[a]), address(tokens[b]), FREE_FEE);
        IV3Pool(pool).initialize(price);
        // What half of it is worth in each token; a full range of liquidity L holds L / price and L * price.
        (uint256 most0, uint256 most1) = (_units(a, most / 2), _units(b, most / 2));
        uint256 liquidity = FixedPointMathLib.min(
            FixedPointMathLib.fullMulDiv(most0, price, 1 << 96), FixedPointMathLib.fullMulDiv(most1, 1 << 96, price)
        );
        liquidity = FixedPointMathLib.min(liquidity, type(uint96).max);
        if (liquidity == 0) return pool;
        if (wide) addFullRange(pool, uint128(liquidity));
        else addAround(pool, 200, uint128(liquidity));
        assertLe(tokens[a].balanceOf(pool), most0 + 1);
        assertLe(tokens[b].balanceOf(pool), most1 + 1);
    }

    /// @dev Next to nothing `off` ticks away from the market, and `dollars` from `gap` ticks beside it on.
    function _addHeaded(uint256 a, uint256 b, uint256 dollars, int24 off, int24 gap) private {
        // Who sells `a` moves the price down if it is the pool's first token.
        int24 sign = tokens[a] < tokens[b] ? int24(1) : -1;
        int24 tick = sign > 0 ? _tickOf(a, b) : _tickOf(b, a);
        address pool = v3Factory.createPool(address(tokens[a]), address(tokens[b]), FREE_FEE);
        IV3Pool(pool).initialize(TickMath.getSqrtPriceAtTick(tick + sign * off));
        uint256 depth = FixedPointMathLib.sqrt(worth(a, dollars)) * FixedPointMathLib.sqrt(worth(b, dollars));
        addAround(pool, 200, uint128(depth / 1e4 + 1));
        int24 near = tick + sign * gap;
        addRange(pool, sign > 0 ? near - 800 : near, sign > 0 ? near : near + 800, uint128(depth));
    }

    /// @dev The market's, of two tokens by address.
    function _tickOf(uint256 a, uint256 b) private view returns (int24) {
        uint256 price = FixedPointMathLib.sqrt(FixedPointMathLib.fullMulDiv(worth(b, 1e9), 1 << 192, worth(a, 1e9)));
        return TickMath.getTickAtSqrtPrice(uint160(price));
    }

    /// @dev Within ten times the market's price.
    function _isNear(uint256 a, uint256 b, address pool) private view returns (bool) {
        if (tokens[a] > tokens[b]) (a, b) = (b, a);
        (, int24 tick,,,,,) = IV3Pool(pool).slot0();
        int24 off = tick - _tickOf(a, b);
        return off > -23_028 && off < 23_028;
    }

    function _units(uint256 token, uint256 micro) private view returns (uint256) {
        return micro * 10 ** tokens[token].decimals() / microDollars[token];
    }
}
