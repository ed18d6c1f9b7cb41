// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LiquidityBookAdapter} from "../../src/adapters/LiquidityBookAdapter.sol";
import {ILBPair} from "../../src/adapters/LiquidityBookWords.sol";
import {BookFees} from "../../src/devnet/DevLiquidityBook.sol";
import {ISampler} from "../../src/interfaces/ISampler.sol";
import {SEGMENT_WORDS} from "../../src/types/Market.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {joined} from "../fixtures/DrawnCurve.sol";
import {LiquidityBookFixture} from "../fixtures/LiquidityBookFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice Quotes and curves of Liquidity Book, against pairs of bins, gaps and fees at random.
/// forge-config: default.fuzz.runs = 100
contract LiquidityBookAdapterTest is LiquidityBookFixture {
    uint256 private constant BINS_A_SIDE = 7;
    /// @dev A ratio that no curve here reaches.
    uint256 private constant FAR = 1;
    /// @dev The curve is above the pair by at most this part, and by what is rounded.
    uint256 private constant LOOSE_PARTS = 1e7;
    uint256 private constant MOST_BINS = 32;

    struct Subject {
        address pair;
        PlainToken token0;
        PlainToken token1;
        uint256 key;
        uint256[] state;
    }

    function setUp() public {
        deployBook();
    }

    /* RANDOM PAIRS */

    function testFuzz_quote_isWhatThePairPays(uint256 seed, bool zeroForOne, uint256 part) public {
        Subject memory subject = _subject(seed);
        uint256 amountIn = _amount(subject, zeroForOne, part);
        (uint256 quoted, uint256 gas) = _quote(subject, zeroForOne, amountIn);
        uint256 paid;
        try this.pay(subject, zeroForOne, amountIn) returns (uint256 out) {
            paid = out;
        } catch {}
        assertEq(quoted, paid);
        // A leg through one bin.
        if (quoted != 0) assertGe(gas, 100_000);
    }

    function testFuzz_draw_isThePair(uint256 seed, bool zeroForOne, uint256 part) public {
        Subject memory subject = _subject(seed);
        uint256 amountIn = _amount(subject, zeroForOne, part);
        (uint256 quoted,) = _quote(subject, zeroForOne, amountIn);
        if (quoted == 0) return;
        uint256[] memory words = _drawAll(subject, zeroForOne, 1 + seed % 7);
        uint256 count = words.length / SEGMENT_WORDS;
        uint256 drawn = _drawnOut(words, amountIn);
        assertGe(drawn + count + 1, quoted, "below");
        // A bin takes up to four units more than it is worth, each of which is worth so much of the output at the best price.
        uint256 unit = FixedPointMathLib.fullMulDiv(words[1], words[1], 1 << 192) + 1;
        // Nor is a ratio more exact than so.
        for (uint256 i; i < words.length; i += SEGMENT_WORDS) {
            unit = FixedPointMathLib.max(unit, words[i] >> 96);
        }
        assertLe(drawn, quoted + quoted / LOOSE_PARTS + (4 * count + 4) * unit + 1, "loose");
    }

    function testFuzz_draw_keepsTheOptimizersDomain(uint256 seed, bool zeroForOne) public {
        Subject memory subject = _subject(seed);
        uint256[] memory words = _drawAll(subject, zeroForOne, 4);
        for (uint256 i; i < words.length; i += SEGMENT_WORDS) {
            assertLt(words[i], 1 << 126, "liquidity");
            assertGt(words[i], 0, "no liquidity");
            assertLt(words[i + 2], words[i + 1], "falls");
            if (i != 0) assertLe(words[i + 1], words[i - 3], "follows");
        }
    }

    function testFuzz_draw_isTheSameInPartsAndEndsBeyondTheFocus(uint256 seed, bool zeroForOne, uint256 part) public {
        Subject memory subject = _subject(seed);
        uint256 focus = _amount(subject, zeroForOne, part);
        uint256[] memory byOnes = _drawAll(subject, zeroForOne, 1);
        assertEq(keccak256(abi.encode(_drawAll(subject, zeroForOne, 100))), keccak256(abi.encode(byOnes)), "by ones");
        uint256[] memory whole = _draw(subject, zeroForOne, ISampler.Stretch(0, 100, 0, 0)).segments;
        if (whole.length == 0) return;
        uint256 until = whole[whole.length / SEGMENT_WORDS / 2 * SEGMENT_WORDS + 2];
        ISampler.Drawing memory less = _draw(subject, zeroForOne, ISampler.Stretch(0, 100, until, focus));
        uint256 drawnIn;
        for (uint256 i; i < less.segments.length; ++i) {
            assertEq(less.segments[i], whole[i]);
            if (i % SEGMENT_WORDS == 3) drawnIn += less.segments[i];
        }
        if (!less.open) return;
        assertLe(less.segments[less.segments.length - 3], until, "too early");
        assertGe(drawnIn + 4 * whole.length / SEGMENT_WORDS, focus);
    }

    /* LIMITS */

    function test_draw_hasNoMoreBinsAtFirstThanTheTradeFills() public {
        Subject memory subject = _deep(6);
        assertEq(_draw(subject, true, ISampler.Stretch(0, 4, 0, 0)).segments.length, 4 * SEGMENT_WORDS, "any trade");
        assertEq(_draw(subject, true, ISampler.Stretch(0, 4, 0, 900e18)).segments.length, SEGMENT_WORDS, "a small one");
        assertEq(_draw(subject, true, ISampler.Stretch(0, 4, 0, 1500e18)).segments.length, 2 * SEGMENT_WORDS);
        assertTrue(_draw(subject, true, ISampler.Stretch(0, 4, 0, 900e18)).open);
    }

    function test_quote_endsWithTheCurveAfterSoManyBins() public {
        Subject memory subject = _deep(40);
        uint256[] memory words = _drawAll(subject, true, 4);
        assertEq(words.length, MOST_BINS * SEGMENT_WORDS);
        uint256 total;
        for (uint256 i; i < words.length; i += SEGMENT_WORDS) {
            total += words[i + 3];
        }
        (uint256 quoted, uint256 gas) = _quote(subject, true, total);
        assertGt(quoted, 0);
        (uint256 less, uint256 lessGas) = _quote(subject, true, total / MOST_BINS / 2);
        assertGt(less, 0);
        assertEq(gas - lessGas, (MOST_BINS - 1) * 15_000, "gas of each bin");
        (quoted,) = _quote(subject, true, total + total / 1000);
        assertEq(quoted, 0, "beyond");
        assertGt(this.pay(subject, true, total + total / 1000), 0, "though the pair itself goes on");
    }

    function test_quote_isZeroBeyondTheBins() public {
        Subject memory subject = _deep(3);
        (uint256 quoted,) = _quote(subject, true, 4000e18);
        assertEq(quoted, 0);
        (quoted,) = _quote(subject, true, 0);
        assertEq(quoted, 0);
        (quoted,) = _quote(subject, true, type(uint256).max);
        assertEq(quoted, 0);
    }

    /// @dev Its fee would fall faster than its price on the way back to where volatility is counted from.
    function test_read_refusesPairsWhosePriceRises() public {
        BookFees memory fees = usualFees();
        (fees.variableFeeControl, fees.maxVolatilityAccumulator) = (600_000, 350_000);
        Subject memory subject = _pairOf(fees, 10, 10);
        assertGt(subject.state.length, 0, "before any swap");
        this.pay(subject, true, 9500e18);
        assertEq(bookAdapter.read(VenueKinds.ADAPTER, address(0), address(0), subject.key).length, 0, "after one");
        skip(600);
        assertGt(bookAdapter.read(VenueKinds.ADAPTER, address(0), address(0), subject.key).length, 0, "decayed");
    }

    function test_read_refusesDust() public {
        (PlainToken x, PlainToken y) = (new PlainToken("X", 18), new PlainToken("Y", 18));
        address pair = createBook(x, y, 10, EVEN_ID, usualFees());
        uint256 key = _keyOf(x, y);
        assertEq(bookAdapter.read(VenueKinds.ADAPTER, address(0), address(0), key).length, 0, "empty");
        addBin(pair, EVEN_ID, 999, 999);
        assertEq(bookAdapter.read(VenueKinds.ADAPTER, address(0), address(0), key).length, 0, "dust");
        addBin(pair, EVEN_ID, 1, 0);
        assertGt(bookAdapter.read(VenueKinds.ADAPTER, address(0), address(0), key).length, 0);
    }

    /// @dev A later version may count its fee otherwise.
    function test_draw_refusesAPairThatPaysAnotherAmount() public {
        Subject memory subject = _deep(6);
        ISampler.Drawing memory drawing = _draw(subject, true, ISampler.Stretch(0, 4, 0, 0));
        assertEq(drawing.segments.length, 4 * SEGMENT_WORDS);
        vm.mockCall(subject.pair, abi.encodeWithSelector(ILBPair.getSwapOut.selector), abi.encode(0, 4000e18 + 1, 0));
        drawing = _draw(subject, true, ISampler.Stretch(0, 4, 0, 0));
        assertEq(drawing.segments.length, 0);
        assertEq(drawing.startRatio, 0);
        assertFalse(drawing.open);
    }

    function test_quote_countsTheGasOfHooks() public {
        Subject memory subject = _deep(6);
        (uint256 quoted, uint256 gas) = _quote(subject, true, 1e18);
        vm.mockCall(subject.pair, abi.encodeWithSelector(ILBPair.getLBHooksParameters.selector), abi.encode(1 << 161));
        subject.state = bookAdapter.read(VenueKinds.ADAPTER, address(0), address(0), subject.key);
        (uint256 hooked, uint256 hookedGas) = _quote(subject, true, 1e18);
        assertEq(hooked, quoted);
        assertEq(hookedGas, gas + 150_000);
    }

    /// @dev Bids at next to nothing take an input that nobody has. The curve goes on to where quotes end.
    function test_draw_survivesBinsOfNoUse() public {
        Subject memory subject = _deep(2);
        addBin(subject.pair, EVEN_ID - 42_000, 0, 1e18);
        uint256[] memory words = _drawAll(subject, true, 4);
        assertEq(words.length, 3 * SEGMENT_WORDS);
        assertEq(words[2 * SEGMENT_WORDS + 3], 1 << 112);
        (uint256 quoted,) = _quote(subject, true, 1 << 112);
        assertGe(_drawnOut(words, 1 << 112) + 4, quoted);
        assertGt(quoted, 2000e18);
    }

    /* SHORTHANDS */

    function pay(Subject memory subject, bool zeroForOne, uint256 amountIn) external returns (uint256 paid) {
        (PlainToken sold, PlainToken bought) =
            zeroForOne ? (subject.token0, subject.token1) : (subject.token1, subject.token0);
        sold.mint(address(bookAdapter), amountIn);
        paid = bookAdapter.swap(subject.key, address(sold), address(bought), amountIn, address(this));
        assertEq(bought.balanceOf(address(this)), paid, "says what it paid");
        assertEq(sold.balanceOf(address(bookAdapter)), 0, "kept of the input");
        assertEq(bought.balanceOf(address(bookAdapter)), 0, "kept of the output");
    }

    /// @dev A thousand of Y in each of the bins below the active one, and of X in those above. X has the lower address.
    function _deep(uint24 bins) private returns (Subject memory) {
        return _pairOf(usualFees(), bins, 10);
    }

    function _pairOf(BookFees memory fees, uint24 bins, uint16 step) private returns (Subject memory subject) {
        (subject.token0, subject.token1) = (new PlainToken("A", 18), new PlainToken("B", 18));
        if (subject.token0 > subject.token1) (subject.token0, subject.token1) = (subject.token1, subject.token0);
        subject.pair = createBook(subject.token0, subject.token1, step, EVEN_ID, fees);
        addBin(subject.pair, EVEN_ID, 1000e18, 1000e18);
        for (uint24 k = 1; k < bins; ++k) {
            addBin(subject.pair, EVEN_ID + k, 1000e18, 0);
            addBin(subject.pair, EVEN_ID - k, 0, 1000e18);
        }
        subject.key = _keyOf(subject.token0, subject.token1);
        subject.state = bookAdapter.read(VenueKinds.ADAPTER, address(0), address(0), subject.key);
    }

    /// @dev Bins of all sizes, some of them far away, after a swap that has moved the fee.
    function _subject(uint256 seed) private returns (Subject memory subject) {
        PlainToken x = new PlainToken("X", uint8(6 + seed % 13));
        PlainToken y = new PlainToken("Y", uint8(6 + (seed >> 8) % 13));
        (subject.token0, subject.token1) = x < y ? (x, y) : (y, x);
        uint16 step = [1, 2, 5, 10, 15, 20, 25, 50, 100][(seed >> 16) % 9];
        uint256 dollars = 10 ** ((seed >> 24) % 5);
        uint24 active = idAt(step, 10 ** x.decimals(), dollars * 10 ** y.decimals());
        subject.pair = createBook(x, y, step, active, _feesOf(step, seed >> 32));
        uint256 random = uint256(keccak256(abi.encode(seed)));
        uint256 whole = 10 ** ((random & 15) % 6);
        uint128 mostX = uint128(whole * 10 ** x.decimals());
        uint128 mostY = uint128(whole * dollars * 10 ** y.decimals());
        addBin(subject.pair, active, _part(mostX, random >> 8), _part(mostY, random >> 16));
        for (uint24 side; side < 2; ++side) {
            uint24 id = active;
            for (uint256 k; k < BINS_A_SIDE; ++k) {
                random = uint256(keccak256(abi.encode(random)));
                uint24 gap = random & 3 == 0 ? uint24(1 + (random >> 8) % 40) : 1;
                id = side == 0 ? id + gap : id - gap;
                if (side == 0) addBin(subject.pair, id, _part(mostX, random >> 32), 0);
                else addBin(subject.pair, id, 0, _part(mostY, random >> 32));
            }
        }
        subject.key = _keyOf(x, y);
        _move(subject, random >> 64);
        subject.state = bookAdapter.read(VenueKinds.ADAPTER, address(0), address(0), subject.key);
        assertGt(subject.state.length, 0, "not read");
    }

    /// @dev A swap of up to half the bins, and some time or none after it.
    function _move(Subject memory subject, uint256 random) private {
        skip(1000);
        subject.state = bookAdapter.read(VenueKinds.ADAPTER, address(0), address(0), subject.key);
        uint256 amountIn = _amount(subject, random & 1 == 0, random >> 1) / 2;
        if (random >> 16 & 3 == 0) return;
        try this.payElsewhere(subject, random & 1 == 0, amountIn) {} catch {}
        skip((random >> 20) % 3 * ((random >> 24) % 200));
    }

    function payElsewhere(Subject memory subject, bool zeroForOne, uint256 amountIn) external {
        (PlainToken sold, PlainToken bought) =
            zeroForOne ? (subject.token0, subject.token1) : (subject.token1, subject.token0);
        sold.mint(address(bookAdapter), amountIn);
        bookAdapter.swap(subject.key, address(sold), address(bought), amountIn, address(0xdead));
    }

    /// @dev As those that are in use: a base of up to 2 steps, and a variable part that grows to some tenths of a percent.
    function _feesOf(uint16 step, uint256 random) private pure returns (BookFees memory fees) {
        fees.baseFactor = uint16(random % 20_000);
        fees.filterPeriod = uint16(1 + (random >> 16) % 60);
        fees.decayPeriod = fees.filterPeriod + uint16((random >> 32) % 600);
        fees.reductionFactor = uint16((random >> 48) % 10_001);
        fees.protocolShare = uint16((random >> 64) % 2501);
        fees.maxVolatilityAccumulator = uint24((random >> 80) % 350_001);
        fees.variableFeeControl = uint24(1_000_000 / (uint256(step) * step) * (random >> 104 & 1) + 500_000 / step / 4);
    }

    function _keyOf(PlainToken x, PlainToken y) private view returns (uint256) {
        return bookAdapter.keysOf(address(x), address(y), new uint256[](0))[0];
    }

    /// @dev From a unit to all, every order of magnitude alike.
    function _part(uint128 most, uint256 random) private pure returns (uint128) {
        return uint128(1 + uint256(most) * ((random >> 8) % 1000) / 1000 >> (random % 16));
    }

    /// @dev From a unit to somewhat more than the pair takes.
    function _amount(Subject memory subject, bool zeroForOne, uint256 part) private view returns (uint256 amountIn) {
        uint256[] memory words = _drawAll(subject, zeroForOne, 100);
        for (uint256 i; i < words.length; i += SEGMENT_WORDS) {
            amountIn += words[i + 3];
        }
        amountIn = amountIn + amountIn / 50 >> (part % 24);
        return 1 + (part >> 8) % (amountIn + 1);
    }

    function _quote(Subject memory subject, bool zeroForOne, uint256 amountIn)
        private
        view
        returns (uint256 amountOut, uint256 gas)
    {
        return bookAdapter.quote(VenueKinds.ADAPTER, address(0), subject.state, zeroForOne, amountIn);
    }

    function _draw(Subject memory subject, bool zeroForOne, ISampler.Stretch memory stretch)
        private
        view
        returns (ISampler.Drawing memory)
    {
        return bookAdapter.draw(VenueKinds.ADAPTER, subject.state, zeroForOne, stretch);
    }

    /// @dev The curve drawn in several goes, as the Solver draws it.
    function _drawAll(Subject memory subject, bool zeroForOne, uint256 steps)
        private
        view
        returns (uint256[] memory words)
    {
        ISampler.Drawing memory part;
        part.open = true;
        while (part.open) {
            part = _draw(subject, zeroForOne, ISampler.Stretch(part.cursor, steps, FAR, type(uint256).max));
            words = joined(words, part.segments);
        }
    }

    /// @dev What segments pay for an input, by their liquidity and ratios alone, whatever their inputs are said to be.
    function _drawnOut(uint256[] memory words, uint256 amountIn) private pure returns (uint256 amountOut) {
        for (uint256 i; i < words.length; i += SEGMENT_WORDS) {
            (uint256 liquidity, uint256 start, uint256 end) = (words[i], words[i + 1], words[i + 2]);
            uint256 fills = FixedPointMathLib.fullMulDiv(liquidity, 1 << 96, end)
                - FixedPointMathLib.fullMulDiv(liquidity, 1 << 96, start);
            uint256 ratio = end;
            if (amountIn < fills) {
                // 1/r = 1/start + x/a
                ratio = FixedPointMathLib.fullMulDiv(liquidity << 96, start, (liquidity << 96) + start * amountIn);
            }
            amountOut += FixedPointMathLib.fullMulDiv(liquidity, start - ratio, 1 << 96);
            if (amountIn <= fills) return amountOut;
            amountIn -= fills;
        }
    }
}
