// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, Verdict} from "../../src/types/Plan.sol";
import {RoutingsFixture} from "../bound/RoutingsFixture.sol";
import {IV3Pool} from "../fixtures/VenuesFixture.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice A pool that somebody adds can only add: whatever its kind, its price and where its liquidity lies, no trade is
/// paid less than before, and none loses its route. Over markets of pools of all kinds.
contract AddedPoolsTest is RoutingsFixture {
    uint256 private constant LEAST_DOLLARS = 1;
    uint256 private constant MOST_DOLLARS = 2_000_000;
    uint256 private constant BPS = 10_000;
    /// @dev Millionths of a basis point in the whole.
    uint256 private constant MICRO_BPS = 1e10;
    uint256 private constant KINDS = 7;
    /// @dev Ticks that a price is off the market at most: a factor of 10^13.
    int256 private constant FAR = 300_000;

    function setUp() public {
        deployRoutings();
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_addedPool_takesNothingAway(uint256 seed, uint256 dollars, uint256 kind, uint256 own) public {
        _assertTakesNothingAway(seed, dollars, kind, own);
    }

    function _assertTakesNothingAway(uint256 seed, uint256 dollars, uint256 kind, uint256 own) private {
        seedRoutings(seed);
        uint256 a = seed % tokens.length;
        uint256 b = (a + 1 + (seed >> 8) % (tokens.length - 1)) % tokens.length;
        uint256 amountIn = worth(a, bound(dollars, LEAST_DOLLARS, MOST_DOLLARS));
        Plan memory before = preview(tokens[a], tokens[b], amountIn);
        vm.assume(before.verdict == Verdict.Executable);

        uint256 random = uint256(keccak256(abi.encode(seed, kind)));
        _addPool(a, b, kind % KINDS, random, bound(own, 1, 1_000_000));
        Plan memory then = preview(tokens[a], tokens[b], amountIn);
        assertEq(uint8(then.verdict), uint8(Verdict.Executable), "the route is lost");
        // A plan may be as far from the best one as it says.
        uint256 gap = then.gapMicroBps == type(uint256).max ? 0 : then.gapMicroBps;
        assertGe((then.netOut + then.netOut * gap / MICRO_BPS) * BPS, before.netOut * (BPS - 1));
        assertEq(execute(then), then.netOut);
    }

    /// @dev The added pool pays far more than the trade for thirteen units of its input. Other pools take the rest.
    function test_addedPool_thatPaysAFortuneForUnits_takesNothingAway() public {
        _assertTakesNothingAway(18_313, 10_000_000_000_000_000_000, 14_329, 121_583_965_556_652);
    }

    /// @dev The added pool pays for units of its input more of a connector token than the last pools of the way can take.
    function test_addedPool_thatOverflowsTheLastPools_takesNothingAway() public {
        _assertTakesNothingAway(24, 294, 4221, 9163);
    }

    /// @dev The last pools of two connector tokens are full, each to a millionth.
    function test_addedPool_whereTheLastPoolsAreFull_takesNothingAway() public {
        _assertTakesNothingAway({
            seed: 5_605_459_460_098_153_638_010_209_766_323_389_295,
            dollars: 569_897_738_159_382_065_676_415_033_385_494_465_312_919_847,
            kind: 3,
            own: 757_897_617_845_074_573_174_256_886_468_724_845_209_523_711_093_748_167_128_833_210_867
        });
    }

    /// @dev The added pool pays more than the trade for less than a unit.
    function test_addedPool_thatPaysAFortuneForNothing_takesNothingAway() public {
        _assertTakesNothingAway({
            seed: 1_647_566_929_271,
            dollars: 2_135_413_756_590_725_046_427_486_630_944_856_928_810_637_313_646_966_162_386_146_227_901,
            kind: 50_689_393_508_161,
            own: 68_933_325_325_012_428_276_211_280_730_552_338_699_037_300_146_929_014_397_803_302_046_183_436_826
        });
    }

    /// @dev Most of the trade for dust: no leg carries less, and everything else counts on it.
    function test_addedPool_thatPaysAFortuneForDust_isALeg() public {
        _assertTakesNothingAway(1_000_000, 66_000_000, 41_000_000_000_000_000_000, 17_034);
    }

    /// @dev A unit of dust in front of a gap that nobody reads across. What the split puts there is a unit more, by
    /// rounding, and says nothing of the other pools.
    function test_addedPool_thatIsFullInFrontOfAGap_takesNothingAway() public {
        _assertTakesNothingAway(
            3_715_876_946_723_503_635_679_529_945_878_866,
            3_950_320_422_118_044_785_229_799_048_295_823_872_989_411_764_804_415,
            171_923_872_850,
            622_923_613_359_443_018
        );
    }

    /// @dev The added pool takes more at an absurd price, at which all of the trade seems to be worth billions of times what it pays, so
    /// that a leg that pays half of it looked like dust.
    function test_addedPool_thatMakesItsLegLookLikeDust_takesNothingAway() public {
        _assertTakesNothingAway(1879, 28, 5756, 1_175_720_728);
    }

    /// @dev Dust above the market, nothing between, and real liquidity below it.
    function test_aGapInThePoolWithTheBestPrice_leavesEverySizeItsRoute() public {
        address honest = createV3(address(dai), address(usdc), 3000, 1e18, 1e6);
        addAround(honest, 200, 5e20);
        uint256[7] memory sizes = [uint256(1e16), 1e18, 10e18, 100e18, 1000e18, 5000e18, 20_000e18];
        uint256[7] memory before;
        for (uint256 i; i < sizes.length; ++i) {
            before[i] = preview(dai, usdc, sizes[i]).netOut;
        }
        address pool = createV3(address(dai), address(usdc), 100, 100e18, 115e6);
        addAround(pool, 1, 1e6);
        _sellBelow(pool, 10, 20, 2e19);
        for (uint256 i; i < sizes.length; ++i) {
            Plan memory plan = preview(dai, usdc, sizes[i]);
            assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
            assertGe(plan.netOut, before[i]);
        }
    }

    /// @dev USDC for sale from so many to so many ticks below an even price.
    function _sellBelow(address pool, int24 from, int24 to, uint128 liquidity) private {
        int24 sign = address(dai) < address(usdc) ? int24(-1) : int24(1);
        int24 tick = sign > 0 ? _tickOf(USDC_INDEX, DAI_INDEX) : _tickOf(DAI_INDEX, USDC_INDEX);
        (int24 low, int24 high) = (tick + sign * from, tick + sign * to);
        if (low > high) (low, high) = (high, low);
        addRange(pool, low, high, liquidity);
    }

    function _addPool(uint256 a, uint256 b, uint256 kind, uint256 random, uint256 dollars) private {
        uint256 middle = (random >> 16) % tokens.length;
        if (middle != a && middle != b && random & 1 == 0) {
            (a, b) = random & 2 == 0 ? (a, middle) : (middle, b);
        }
        if (tokens[a] > tokens[b]) (a, b) = (b, a);
        if (kind == 0 && v2Factory.getPair(address(tokens[a]), address(tokens[b])) == address(0)) {
            createV2(
                address(tokens[a]), address(tokens[b]), _skewed(a, dollars, random), _skewed(b, dollars, random >> 64)
            );
            return;
        }
        uint24 fee = [uint24(100), 3000, 10_000][(random >> 24) % 3];
        address pool = v3Factory.createPool(address(tokens[a]), address(tokens[b]), fee);
        int24 fair = _tickOf(a, b);
        int24 tick = fair + int24(int256((random >> 32) % uint256(2 * FAR)) - FAR);
        IV3Pool(pool).initialize(TickMath.getSqrtPriceAtTick(tick));
        uint256 depth = FixedPointMathLib.sqrt(worth(a, dollars)) * FixedPointMathLib.sqrt(worth(b, dollars));
        _fill(pool, kind, fair, tick, random, uint128(depth));
    }

    /// @dev Empty; next to nothing at its price; a gap; liquidity on both sides of a hole; islands; one side alone.
    function _fill(address pool, uint256 kind, int24 fair, int24 tick, uint256 random, uint128 depth) private {
        int24 step = 200;
        int24 wide = step * int24(1 + int256((random >> 96) % 40));
        int24 gap = step * int24(int256((random >> 104) % 200) - 100);
        if (kind == 1) return;
        if (kind == 2 || kind == 3) addRange(pool, tick - step, tick + step, 1e6);
        if (kind == 3 || kind == 4) addRange(pool, fair + gap, fair + gap + wide, depth);
        if (kind == 4) addRange(pool, fair - gap - wide, fair - gap, depth);
        if (kind == 5) {
            for (int24 i; i < 4; ++i) {
                addRange(pool, fair + i * (gap + wide), fair + i * (gap + wide) + step, depth >> uint24(i));
            }
        }
        if (kind == 0 || kind == 6) addRange(pool, tick + step, tick + step + wide, depth);
    }

    /// @dev Up to a million times less than it is worth.
    function _skewed(uint256 token, uint256 dollars, uint256 random) private view returns (uint256) {
        return worth(token, dollars) / 10 ** (random % 7) + 1e4;
    }

    function _tickOf(uint256 a, uint256 b) private view returns (int24) {
        uint256 price = FixedPointMathLib.sqrt(FixedPointMathLib.fullMulDiv(worth(b, 1e9), 1 << 192, worth(a, 1e9)));
        return TickMath.getTickAtSqrtPrice(uint160(price));
    }
}
