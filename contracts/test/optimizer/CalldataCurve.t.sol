// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CalldataCurve, Response} from "../../src/optimizer/CalldataCurve.sol";
import {Draft, NetworkFixture} from "./NetworkFixture.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice A curve whose words are the call's own.
contract CurveCaller {
    function quote(uint256[] calldata words, uint256 amountIn)
        external
        pure
        returns (uint256 amountOut, uint256 ratio, uint256 segment)
    {
        CalldataCurve curve = _curve(words);
        (amountOut, ratio, segment) = curve.quote(curve.first(), amountIn);
        segment = (segment - curve.first()) / 160;
    }

    /// @param hint Number of the segment where the search begins.
    function respond(uint256[] calldata words, uint256 hint, uint256 ratio)
        external
        pure
        returns (Response memory response)
    {
        CalldataCurve curve = _curve(words);
        curve.respond(curve.first() + 160 * hint, ratio, response);
        response.segment = (response.segment - curve.first()) / 160;
    }

    function isDrawable(uint256[] calldata words) external pure returns (bool) {
        return _curve(words).isDrawable();
    }

    function _curve(uint256[] calldata words) private pure returns (CalldataCurve) {
        uint256 place;
        assembly {
            place := words.offset
        }
        return CalldataCurve.wrap(place);
    }
}

contract CalldataCurveTest is NetworkFixture {
    uint256 private constant FRACTION = 1 << 32;

    CurveCaller private caller = new CurveCaller();

    function testFuzz_quote_isThatOfAConstantProductPool(uint256 reserveIn, uint256 reserveOut, uint256 amountIn)
        public
        view
    {
        reserveIn = bound(reserveIn, 1e12, 1e30);
        reserveOut = bound(reserveOut, 1e12, 1e30);
        amountIn = bound(amountIn, 1, 1e30);
        Draft memory draft = _draft(0, amountIn);
        _addPool(draft, 0, 1, reserveIn, reserveOut);
        (uint256 amountOut,,) = caller.quote(draft.words, amountIn);

        uint256 expected = amountIn * 997 * reserveOut / (reserveIn * 1000 + amountIn * 997);
        // Liquidity and ratio are rounded square roots; the rest is what `quote` states.
        assertApproxEqAbs(amountOut, expected, expected / 1e12 + (draft.words[3] + draft.words[4] / 256) / Q96 + 2);
    }

    function testFuzz_quote_isNeverAboveTheOtherFormula(uint256 seed, uint256 amountIn) public view {
        Draft memory draft = _rangesOf(seed);
        amountIn = bound(amountIn, 0, 1e27);
        (uint256 amountOut,,) = caller.quote(draft.words, amountIn);
        uint256 expected = _deliver(draft, 0, amountIn);
        assertLe(amountOut, expected + 1);
        assertGe(amountOut + 2 + (draft.words[3] + draft.words[4] / 256) / Q96, expected);
    }

    function testFuzz_quote_marginalPriceFalls(uint256 seed, uint256 amountIn, uint256 more) public view {
        Draft memory draft = _rangesOf(seed);
        amountIn = bound(amountIn, 0, 1e26);
        more = bound(more, 0, 1e26);
        (uint256 amountOut, uint256 ratio, uint256 segment) = caller.quote(draft.words, amountIn);
        (uint256 laterOut, uint256 laterRatio, uint256 laterSegment) = caller.quote(draft.words, amountIn + more);
        assertGe(laterOut, amountOut);
        assertLe(laterRatio, ratio);
        assertGe(laterSegment, segment);
    }

    function testFuzz_respond_answersWhatQuoteHasReached(uint256 seed, uint256 amountIn) public view {
        Draft memory draft = _rangesOf(seed);
        amountIn = bound(amountIn, 1e9, 1e26);
        (uint256 amountOut, uint256 ratio, uint256 segment) = caller.quote(draft.words, amountIn);
        // Beyond the curve's end the ratio no longer tells the amount, and at a segment's end both neighbors answer.
        if (ratio == draft.words[5 * draft.words[2]]) return;
        Response memory response = caller.respond(draft.words, 0, ratio);
        assertApproxEqAbs(response.segment, segment, 1);
        if (response.liquidity == 0) return;
        assertApproxEqRel(response.amountIn / FRACTION, amountIn, 1e12);
        assertApproxEqRel(response.amountOut / FRACTION, amountOut, 1e12);
    }

    function testFuzz_respond_noTradePaysMoreAtThatPrice(uint256 seed, uint256 ratio, uint256 amountIn) public view {
        Draft memory draft = _rangesOf(seed);
        uint256 start = draft.words[4];
        ratio = bound(ratio, start / 8, start - 1);
        amountIn = bound(amountIn, 0, 1e26);
        Response memory response = caller.respond(draft.words, 0, ratio);
        (uint256 amountOut,,) = caller.quote(draft.words, amountIn);

        // Surplus in units of output with 32 fractional bits: y - x r^2.
        int256 best = int256(response.amountOut) - int256(_priced(response.amountIn, ratio));
        int256 other = int256(amountOut * FRACTION) - int256(_priced(amountIn * FRACTION, ratio)) - 2;
        assertGe(best, other);
    }

    function testFuzz_respond_doesNotDependOnWhereTheSearchBegins(uint256 seed, uint256 ratio, uint256 hint)
        public
        view
    {
        Draft memory draft = _rangesOf(seed);
        ratio = bound(ratio, 2, draft.words[4] - 1);
        Response memory response = caller.respond(draft.words, 0, ratio);
        Response memory again = caller.respond(draft.words, hint % draft.words[2], ratio);
        assertEq(abi.encode(again), abi.encode(response));
    }

    function test_respond_betweenTwoSegmentsDoesNotMove() public view {
        // Nothing between 9/10 and 8/10 of the first price.
        uint256[] memory segments = new uint256[](10);
        (segments[0], segments[1], segments[2]) = (1e24, Q96, Q96 * 9 / 10);
        (segments[5], segments[6], segments[7], segments[8], segments[9]) = (1e24, Q96 * 8 / 10, TAIL, 111112e18, 1e23);
        Draft memory draft = _draft(0, 1);
        _addCurve(draft, 0, 1, segments);

        Response memory upper = caller.respond(draft.words, 0, Q96 * 89 / 100);
        Response memory lower = caller.respond(draft.words, 0, Q96 * 81 / 100);
        assertEq(upper.liquidity, 0);
        assertEq(abi.encode(upper), abi.encode(lower));
        // Outwards by a unit, as the second segment may be rounded.
        assertEq(upper.amountIn, 111112e18 * FRACTION - FRACTION - 1);
        assertEq(upper.amountOut, 1e23 * FRACTION + FRACTION + 1);
    }

    function test_respond_inTheVirtualTailGoesOn() public view {
        Draft memory draft = _rangesTo(TAIL);
        Response memory response = caller.respond(draft.words, 0, Q96 / 1000);
        // From 1 to 1/1000: x = a 999, y = a 0.999.
        assertApproxEqRel(response.amountIn / FRACTION, 999e24, 1e10);
        assertApproxEqRel(response.amountOut / FRACTION, 0.999e24, 1e10);
        assertEq(response.liquidity, 1e24);
    }

    function test_respond_beyondTheEndStaysThere() public view {
        Draft memory draft = _rangesTo(Q96 / 2);
        Response memory response = caller.respond(draft.words, 0, Q96 / 1000);
        assertApproxEqAbs(response.amountIn / FRACTION, 1e24, 1);
        assertApproxEqAbs(response.amountOut / FRACTION, 0.5e24, 1);
        assertEq(response.liquidity, 0);
    }

    function test_quote_beyondTheEndDeliversNoMore() public view {
        Draft memory draft = _rangesTo(Q96 / 2);
        (uint256 whole, uint256 ratio,) = caller.quote(draft.words, 1e24);
        (uint256 beyond,,) = caller.quote(draft.words, 1e27);
        assertApproxEqAbs(whole, 0.5e24, 1);
        assertApproxEqAbs(ratio, Q96 / 2, 1);
        assertEq(beyond, 0.5e24);
    }

    function test_isDrawable_upToTheLimitsOfTheDomain() public view {
        uint256[] memory good = _words(2 ** 126 - 1, 2 ** 122, 1, 0, 0);
        assertTrue(caller.isDrawable(good));
        assertTrue(caller.isDrawable(_words(1, 2 ** 160 - 1, 1, 0, 0)));
        assertFalse(caller.isDrawable(_words(0, Q96, 1, 0, 0)));
        assertFalse(caller.isDrawable(_words(2 ** 126, 2 ** 100, 1, 0, 0)));
        assertFalse(caller.isDrawable(_words(1, 2 ** 160, 1, 0, 0)));
        assertFalse(caller.isDrawable(_words(2 ** 126 - 1, 2 ** 122 + 2 ** 60, 1, 0, 0)));
        assertFalse(caller.isDrawable(_words(1e18, Q96, 0, 0, 0)));
        assertFalse(caller.isDrawable(_words(1e18, Q96, Q96, 0, 0)));
        assertFalse(caller.isDrawable(_words(1e18, Q96, 1, 1, 0)));
        assertFalse(caller.isDrawable(_words(1e18, Q96, 1, 0, 1)));
    }

    function test_isDrawable_everySegment() public view {
        uint256[] memory segments = new uint256[](10);
        (segments[0], segments[1], segments[2]) = (1e24, Q96, Q96 / 2);
        (segments[5], segments[6], segments[7], segments[8], segments[9]) = (1e24, Q96 / 2, 1, 1e24, 0.5e24);
        assertTrue(caller.isDrawable(_wordsOf(segments)));
        // The second starts above the end of the first.
        segments[6] = Q96 / 2 + 1;
        assertFalse(caller.isDrawable(_wordsOf(segments)));
        (segments[6], segments[8]) = (Q96 / 2, 2 ** 160);
        assertFalse(caller.isDrawable(_wordsOf(segments)));
        (segments[8], segments[9]) = (1e24, 2 ** 152);
        assertFalse(caller.isDrawable(_wordsOf(segments)));
    }

    function _words(uint256 liquidity, uint256 start, uint256 end, uint256 inBefore, uint256 outBefore)
        private
        pure
        returns (uint256[] memory)
    {
        uint256[] memory segments = new uint256[](5);
        (segments[0], segments[1], segments[2], segments[3], segments[4]) = (liquidity, start, end, inBefore, outBefore);
        return _wordsOf(segments);
    }

    function _wordsOf(uint256[] memory segments) private pure returns (uint256[] memory) {
        Draft memory draft = _draft(0, 1);
        _addCurve(draft, 0, 1, segments);
        return draft.words;
    }

    function _rangesTo(uint256 end) private pure returns (Draft memory draft) {
        uint256[] memory segments = new uint256[](5);
        (segments[0], segments[1], segments[2]) = (1e24, Q96, end);
        draft = _draft(0, 1);
        _addCurve(draft, 0, 1, segments);
    }

    /// @dev Up to five ranges, their prices within 2^20 of one, the last with or without a tail.
    function _rangesOf(uint256 seed) private pure returns (Draft memory draft) {
        uint256 count = 1 + _pick(seed, "count", 0, 5);
        uint256[] memory liquidities = new uint256[](count);
        uint256[] memory ratios = new uint256[](count + 1);
        ratios[0] = Q96 << _pick(seed, "up", 0, 10) >> _pick(seed, "down", 0, 10);
        for (uint256 k; k < count; ++k) {
            liquidities[k] = 10 ** (18 + _pick(seed, "liquidity", k, 6)) + _pick(seed, "odd", k, 1e18);
            ratios[k + 1] = ratios[k] - ratios[k] / (2 + _pick(seed, "width", k, 500)) - 1;
        }
        if (_pick(seed, "tail", 0, 2) == 0) ratios[count] = TAIL;
        draft = _draft(0, 1);
        _addCurve(draft, 0, 1, _ranges(liquidities, ratios));
    }

    function _priced(uint256 amount, uint256 ratio) private pure returns (uint256) {
        return FixedPointMathLib.fullMulDiv(FixedPointMathLib.fullMulDiv(amount, ratio, Q96), ratio, Q96);
    }
}
