// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Sampler} from "../../src/Sampler.sol";
import {ISampler} from "../../src/interfaces/ISampler.sol";
import {Pool, SEGMENT_WORDS} from "../../src/types/Market.sol";
import {VenueKind} from "../../src/types/VenueKind.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {drawnOut, joined} from "../fixtures/DrawnCurve.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {Test} from "forge-std/Test.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What every sampled kind must keep, against its pools' real code.
abstract contract SampledCases is Test {
    /// @dev A pool under test: what the Sampler has read of it, and its two tokens.
    struct Subject {
        VenueKind kind;
        address deployer;
        address pool;
        uint256 key;
        PlainToken token0;
        PlainToken token1;
        uint256[] state;
    }

    /// @dev The drawn curve may be this many parts in 1e9 above what the pool pays, for trades below a part of the
    /// reserve and for larger ones: a basis point, and ten.
    uint256 internal constant TIGHTNESS = 100_000;
    uint256 private constant LARGE = 10;
    uint256 private constant SMALL_PARTS = 8;
    /// @dev A ratio that hardly any curve reaches: without one, nothing is in focus.
    uint256 internal constant FAR = 1;
    /// @dev The same in focus: a tenth of a basis point.
    uint256 private constant FOCUSED_TIGHTNESS = 10_000;
    /// @dev What the Solver adds to its bound for the rounding of curves, as a shift.
    uint256 private constant MARGIN_SHIFT = 28;
    /// @dev Half of what samples are raised by, as a shift; and amounts in which that can be told from rounding.
    uint256 private constant RAISED_SHIFT = 22;
    uint256 private constant LEAST_RAISED = 1e9;
    uint256 private constant RAISED_SEEDS = 24;
    uint256 private constant RAISED_SAMPLES = 18;

    Sampler internal sampler;

    function setUp() public virtual {
        sampler = new Sampler();
    }

    /// @dev A pool as the seed has it. `token0` has the lower address.
    function _subject(uint256 seed) internal virtual returns (Subject memory);

    /// @dev A pool that holds many times as much of one token as of another, where rounding is coarsest.
    function _lopsided(uint256 seed) internal virtual returns (Subject memory);

    /// @dev Swaps on the real pool for this contract; what its balance grows by. Reverts if the pool refuses.
    function pay(Subject memory subject, bool zeroForOne, uint256 amountIn) external virtual returns (uint256);

    /// @dev Holdings of the token sold and the token bought that the curve bends with.
    function _reserves(Subject memory subject, bool zeroForOne) internal view virtual returns (uint256, uint256);

    /// @dev What the largest trade is worth that the curve is held to, in parts of the reserve.
    function _mostParts() internal pure virtual returns (uint256) {
        return 1;
    }

    /// @dev Whether routes may trade several pairs of one pool.
    function _isShared() internal view virtual returns (bool) {
        return false;
    }

    /// @dev How much higher than the pool the curve may be, in parts of 1e9.
    function _tightness(Subject memory) internal view virtual returns (uint256) {
        return TIGHTNESS;
    }

    /// @dev Maximum output of the pool for any input; `reserveOut` is its balance.
    function _mostOut(Subject memory, uint256 reserveOut) internal view virtual returns (uint256) {
        return reserveOut;
    }

    /// @dev Units of each output that the pool keeps because it rounds. The drawn curve does not have this rounding.
    function _kept(uint256) internal view virtual returns (uint256) {
        return 0;
    }

    function testFuzz_quote_isWhatThePoolPays(uint256 seed, bool zeroForOne, uint256 part) public {
        Subject memory subject = _read(_subject(seed));
        assertGt(subject.state.length, 0, "not read");
        uint256 amountIn = _amount(subject, zeroForOne, part, 30);
        (uint256 quoted, uint256 gas) = _quote(subject, zeroForOne, amountIn);
        uint256 paid;
        try this.pay(subject, zeroForOne, amountIn) returns (uint256 out) {
            paid = out;
        } catch {}
        assertEq(quoted, paid);
        if (quoted != 0) assertGt(gas, 50_000);
    }

    /// @dev Of a pool that another leg of the route moves first.
    function testFuzz_quote_afterASwapIsWhatThePoolPays(uint256 seed, bool first, bool second, uint256 part) public {
        if (!_isShared()) return;
        Subject memory subject = _read(_subject(seed));
        uint256 amountIn = _amount(subject, first, part, 30);
        (uint256 quoted,) = _quote(subject, first, amountIn);
        if (quoted == 0) return;
        uint256[] memory moved = this.afterSwap(_venuePool(subject), first, amountIn, quoted);
        this.pay(subject, first, amountIn);
        _spend(subject.token0);
        _spend(subject.token1);
        subject.state = moved;
        amountIn = _amount(subject, second, part >> 16, 30);
        (quoted,) = _quote(subject, second, amountIn);
        uint256 paid;
        try this.pay(subject, second, amountIn) returns (uint256 out) {
            paid = out;
        } catch {}
        assertEq(quoted, paid);
    }

    function testFuzz_draw_isNeverBelowThePoolAndHardlyAbove(uint256 seed, bool zeroForOne, uint256 part) public {
        Subject memory subject = _read(_subject(seed));
        uint256 amountIn = _amount(subject, zeroForOne, part, 20);
        (uint256 quoted,) = _quote(subject, zeroForOne, amountIn);
        if (quoted == 0) return;
        uint256[] memory segments = _drawAll(subject, zeroForOne, 0);
        _assertNotBelow(segments, amountIn, quoted);
        (uint256 reserveIn, uint256 reserveOut) = _reserves(subject, zeroForOne);
        if (amountIn > reserveIn || quoted > reserveOut / 2 || amountIn < 1e8 || quoted < 1e8) return;
        bool isSmall = amountIn <= reserveIn / SMALL_PARTS && quoted <= reserveOut / SMALL_PARTS;
        uint256 parts = isSmall ? _tightness(subject) : _tightness(subject) * LARGE;
        uint256 slack = _kept(reserveOut) + 2 + segments.length / SEGMENT_WORDS;
        assertLe(drawnOut(segments, amountIn), quoted + quoted * parts / 1e9 + slack, "loose");
    }

    /// @dev No input is nothing to a pool that is drawn through samples: what rounds there must not hide the rest.
    function testFuzz_draw_isNotEmptyIf_thePoolPays(uint256 seed, bool zeroForOne, uint256 part) public {
        Subject memory subject = _read(_lopsided(seed));
        if (subject.state.length == 0) return;
        uint256 amountIn = _amount(subject, zeroForOne, part, 20);
        (uint256 quoted,) = _quote(subject, zeroForOne, amountIn);
        if (quoted == 0) return;
        uint256[] memory segments = _drawAll(subject, zeroForOne, 0);
        assertGt(segments.length, 0, "empty");
        _assertNotBelow(segments, amountIn, quoted);
        _assertDomain(segments);
    }

    /// @dev The knee of a stable pool lies near its reserve, and what is asked for may lie beyond.
    function testFuzz_draw_isNeverBelowThePoolAtItsKnee(uint256 seed, bool zeroForOne, uint256 part) public {
        Subject memory subject = _read(_subject(seed));
        (uint256 reserveIn,) = _reserves(subject, zeroForOne);
        uint256 amountIn = reserveIn / 2 + part % (reserveIn + 1);
        (uint256 quoted,) = _quote(subject, zeroForOne, amountIn);
        if (quoted == 0) return;
        _assertNotBelow(_drawAll(subject, zeroForOne, 2 * amountIn), amountIn, quoted);
    }

    /// @dev Around a focus, wherever it is; and hardly above the pool there, if the fee is one.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_draw_isNeverBelowThePoolAndTheSameInFocus(uint256 seed, bool zeroForOne, uint256 part) public {
        Subject memory subject = _read(_subject(seed));
        uint256 focus = _amount(subject, zeroForOne, part, 8);
        uint256[] memory segments = _drawAll(subject, zeroForOne, focus);
        uint256[3] memory amounts = [focus, focus + focus / (2 + seed % 50), focus - focus / (2 + seed % 50)];
        for (uint256 k; k < amounts.length; ++k) {
            (uint256 out,) = _quote(subject, zeroForOne, amounts[k]);
            if (out != 0) _assertNotBelow(segments, amounts[k], out);
        }
        (uint256 quoted,) = _quote(subject, zeroForOne, focus);
        (, uint256 reserveOut) = _reserves(subject, zeroForOne);
        if (_tightness(subject) != TIGHTNESS || focus < 1e8 || quoted < 1e8) return;
        if (_mostOut(subject, reserveOut) < quoted + reserveOut / 500) return;
        uint256 slack = _kept(reserveOut) + 2 + segments.length / SEGMENT_WORDS;
        assertLe(drawnOut(segments, focus), quoted + quoted * FOCUSED_TIGHTNESS / 1e9 + slack, "loose in focus");
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_draw_endsBeyondTheFocusWhereThePriceIsLowEnough(uint256 seed, bool zeroForOne, uint256 part)
        public
    {
        Subject memory subject = _read(_subject(seed));
        uint256 focus = _amount(subject, zeroForOne, part, 8);
        ISampler.Drawing memory whole = _draw(subject, zeroForOne, ISampler.Stretch(0, 33, FAR, focus));
        uint256 last = whole.segments.length - SEGMENT_WORDS;
        uint256 until = whole.segments[(whole.segments.length / SEGMENT_WORDS / 2) * SEGMENT_WORDS + 2];
        ISampler.Drawing memory less = _draw(subject, zeroForOne, ISampler.Stretch(0, 33, until, focus));
        if (!less.open) return assertEq(less.segments, whole.segments);
        last = less.segments.length - SEGMENT_WORDS;
        assertLe(less.segments[last + 2], until, "too early");
        uint256 drawnIn;
        for (uint256 i; i <= last; i += SEGMENT_WORDS) {
            assertEq(less.segments[i], whole.segments[i]);
            drawnIn += less.segments[i + 3];
        }
        assertGe(drawnIn, focus);
    }

    function _assertNotBelow(uint256[] memory segments, uint256 amountIn, uint256 quoted) internal pure {
        // Pools round their fee on the input down: up to a unit after the fee is free.
        uint256 drawn = drawnOut(segments, amountIn + 2);
        assertGe(drawn + (drawn >> MARGIN_SHIFT) + 1 + segments.length / SEGMENT_WORDS, quoted, "below");
    }

    /// @dev Between samples a curve may bend otherwise than it is drawn, so samples are raised by 2^-21, and half of that
    /// must be there at each of them. A plain product is drawn as it is.
    function test_draw_isRaisedAtItsSamples() public {
        uint256 compared;
        for (uint256 seed; seed < RAISED_SEEDS; ++seed) {
            Subject memory subject = _read(_subject(uint256(keccak256(abi.encode(seed)))));
            compared += _assertRaised(subject, true) + _assertRaised(subject, false);
        }
        assertGt(compared, RAISED_SEEDS, "too little was compared");
    }

    function _assertRaised(Subject memory subject, bool zeroForOne) private view returns (uint256 compared) {
        (, uint256 reserveOut) = _reserves(subject, zeroForOne);
        for (uint256 samples = 1; samples <= RAISED_SAMPLES; ++samples) {
            ISampler.Drawing memory drawing = _draw(subject, zeroForOne, ISampler.Stretch(0, samples, 0, 0));
            if (!drawing.open) return compared;
            (uint256 amountIn, uint256 amountOut) = (0, 0);
            for (uint256 i; i < drawing.segments.length; i += SEGMENT_WORDS) {
                amountIn += drawing.segments[i + 3];
                amountOut += drawing.segments[i + 4];
            }
            (uint256 quoted,) = _quote(subject, zeroForOne, amountIn);
            if (amountIn < LEAST_RAISED || quoted < LEAST_RAISED || quoted > reserveOut / 2) continue;
            assertGe(amountOut + 2, quoted + (quoted >> RAISED_SHIFT), "not raised");
            ++compared;
        }
    }

    function testFuzz_draw_keepsTheOptimizersDomain(uint256 seed, bool zeroForOne) public {
        Subject memory subject = _read(_subject(seed));
        _assertDomain(_drawAll(subject, zeroForOne, _amount(subject, zeroForOne, seed, 16)));
    }

    function _assertDomain(uint256[] memory words) internal pure {
        assertGt(words.length, 0);
        for (uint256 i; i < words.length; i += SEGMENT_WORDS) {
            assertLt(words[i], 1 << 126, "liquidity");
            assertLt(words[i + 2], words[i + 1], "falls");
            assertGt(words[i + 2], 0, "ends");
            if (i != 0) assertLe(words[i + 1], words[i - 3], "follows");
            // Next to a price of zero no input of 128 bits reaches the end of a segment.
            if (words[i + 1] < 1 << 62 && words[i + 2] == 1) continue;
            uint256 fall = words[i + 1] - words[i + 2];
            assertGe(
                FixedPointMathLib.fullMulDiv(words[i], fall, 1 << 96) + (fall >> 96) + 2,
                words[i + 4],
                "pays what it is said to pay"
            );
        }
    }

    /* SHORTHANDS */

    function _read(Subject memory subject) internal view returns (Subject memory) {
        subject.state = sampler.read(subject.kind, subject.deployer, subject.pool, subject.key);
        return subject;
    }

    function afterSwap(Pool memory pool, bool zeroForOne, uint256 amountIn, uint256 amountOut)
        external
        view
        returns (uint256[] memory)
    {
        return Venues.afterSwap(pool, zeroForOne, amountIn, amountOut);
    }

    function _spend(PlainToken token) private {
        token.transfer(address(0xdead), token.balanceOf(address(this)));
    }

    function _venuePool(Subject memory subject) internal pure returns (Pool memory pool) {
        pool.venue.settings = VenueKind.unwrap(subject.kind);
        (pool.pool, pool.sampler, pool.words) = (subject.pool, subject.deployer, subject.state);
    }

    function _quote(Subject memory subject, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        try sampler.quote(subject.kind, subject.pool, subject.state, zeroForOne, amountIn) returns (
            uint256 out, uint256 legGas
        ) {
            return (out, legGas);
        } catch {}
    }

    function _draw(Subject memory subject, bool zeroForOne, ISampler.Stretch memory stretch)
        internal
        view
        returns (ISampler.Drawing memory)
    {
        return sampler.draw(subject.kind, subject.state, zeroForOne, stretch);
    }

    /// @dev The curve drawn in several goes, as the Solver draws it.
    function _drawAll(Subject memory subject, bool zeroForOne, uint256 focus)
        internal
        view
        returns (uint256[] memory segments)
    {
        ISampler.Drawing memory part;
        part.open = true;
        while (part.open) {
            part = _draw(subject, zeroForOne, ISampler.Stretch(part.cursor, 4, FAR, focus));
            segments = joined(segments, part.segments);
        }
    }

    /// @dev From a unit to some reserves, every order of magnitude alike.
    function _amount(Subject memory subject, bool zeroForOne, uint256 part, uint256 halvings)
        internal
        view
        virtual
        returns (uint256)
    {
        (uint256 reserveIn,) = _reserves(subject, zeroForOne);
        uint256 most = reserveIn * _mostParts() >> (part % halvings);
        return 1 + (part >> 8) % (most + 1);
    }

    function _between(uint256 random, uint256 least, uint256 most) internal pure returns (uint256) {
        return least + random % (most - least + 1);
    }
}
