// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {ConcaveHull, newHull} from "../math/ConcaveHull.sol";
import {SATED_SHIFT} from "../math/ConstantProduct.sol";
import {CRYPTO_FEE, CRYPTO_ONE, CryptoPoint, CryptoSwap} from "../math/CryptoSwap.sol";
import {MAX_RATIO, MIN_RATIO} from "../math/Ratio.sol";
import {FRACTION_BITS, RAISE_SHIFT, Sample, Segments, Shape, drawNothing, drawRest} from "../math/Sampling.sol";
import {CryptoWords} from "./CryptoWords.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title Draws the curve of a cryptoswap pool
/// @notice What the pool would pay without a fee is concave in the input. What it pays is not: its fee falls while a swap brings the
/// balances together, and grows while it takes them apart. So what is drawn is the lowest concave line above the curve of each
/// interval between two samples, there with the interval's lowest fee.
/// @dev Why it is concave: with w(k) = -k bend'(k), which falls as k grows, the price is (y/x) (x + w) / (y + w). While x < y, k
/// grows with x, and then it falls; either way so does the price. The product of the balances by their mean has its peak there, too.
library CryptoDrawing {
    using CryptoWords for uint256[];

    /// @dev The last sample is at four times the smaller balance. Each interval has three corners.
    uint256 private constant KNOTS = 24;
    uint256 private constant MAX_CORNERS = 3 * KNOTS;
    uint256 private constant FOCUS_HALVINGS = 7;
    /// @dev Pools refuse swaps after which a balance is less than this part of D, or more than this many D.
    uint256 private constant EXTREME = 100;
    /// @dev Fraction bits of slopes.
    uint256 private constant SLOPE_BITS = 128;

    /// @dev A sample: its input, what is paid without a fee, in `FRACTION_BITS`, and how much more for a unit.
    struct Knot {
        CryptoPoint point;
        uint256 amountIn;
        uint256 gross;
        uint256 slope;
    }

    struct Curve {
        CryptoSwap pool;
        Shape shape;
        uint256 rateIn;
        uint256 rateOut;
        uint256 invariant;
        /// Balance of the token bought on the curve before any swap.
        uint256 start;
    }

    /// @notice As `ISampler.draw`.
    function draw(uint256[] memory state, bool zeroForOne, ISampler.Stretch memory stretch)
        internal
        pure
        returns (ISampler.Drawing memory drawing)
    {
        Curve memory curve = _curveOf(state, zeroForOne);
        // Before anything is split it is everything, which hardly any pool will get.
        if (stretch.until == 0) stretch.focus = 0;
        ConcaveHull memory hull = newHull(MAX_CORNERS);
        Knot[] memory knots = _sample(curve, hull, stretch.cursor + stretch.steps);
        if (knots.length < 2) return drawing;
        Segments memory segments;
        Sample memory last;
        (drawing.cursor, drawing.open) = (stretch.cursor, stretch.cursor + 1 < knots.length);
        for (uint256 steps = stretch.steps; steps != 0 && drawing.open; --steps) {
            last = _drawBetween(hull, curve, segments, knots[drawing.cursor], knots[drawing.cursor + 1], stretch.focus);
            drawing.open = ++drawing.cursor + 1 < knots.length;
            if (last.ratio <= stretch.until && last.amountIn >= stretch.focus) break;
        }
        drawing.segments = segments.words;
        if (segments.count == 0) return ISampler.Drawing(0, 0, false, new uint256[](0));
        drawing.startRatio = segments.words[1];
        if (drawing.startRatio < MIN_RATIO || drawing.startRatio > MAX_RATIO) {
            return ISampler.Drawing(drawing.startRatio, 0, false, new uint256[](0));
        }
        if (!drawing.open) {
            drawRest(segments, last, curve.shape.most << FRACTION_BITS);
            drawNothing(segments, curve.shape.unit << SATED_SHIFT);
        }
        drawing.segments = segments.close();
    }

    /// @notice What the pool pays for `amountIn`, zero where it refuses, and what it has of the token bought.
    function paidFor(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (uint256 paid, uint256 reserve)
    {
        Curve memory curve = _curveOf(state, zeroForOne);
        Knot memory knot = _knotAt(curve, amountIn, curve.start);
        if (_isExtreme(knot)) return (0, 0);
        paid = FixedPointMathLib.fullMulDiv(knot.gross, CRYPTO_FEE - knot.point.fee, CRYPTO_FEE) >> FRACTION_BITS;
        reserve = curve.shape.most;
    }

    function _curveOf(uint256[] memory state, bool zeroForOne) private pure returns (Curve memory curve) {
        curve.pool = state.poolOf(zeroForOne);
        (curve.rateIn, curve.rateOut, curve.invariant) = state.ratesOf(zeroForOne);
        curve.shape.zeroForOne = zeroForOne;
        uint256 least = FixedPointMathLib.min(curve.pool.balanceIn, curve.pool.balanceOut);
        curve.shape.unit = _toUnits(curve, least, curve.rateIn);
        curve.shape.most = _toUnits(curve, curve.pool.balanceOut, curve.rateOut);
        curve.start = curve.pool.pointAt(curve.pool.balanceIn, curve.pool.balanceOut).y;
    }

    /// @dev Samples the curve up to number `end`, and on until nothing that follows can lie above the line of all up to there.
    function _sample(Curve memory curve, ConcaveHull memory hull, uint256 end)
        private
        pure
        returns (Knot[] memory knots)
    {
        knots = new Knot[](KNOTS);
        uint256 count;
        uint256 guess = curve.start;
        for (uint256 index; index < KNOTS; ++index) {
            uint256 amountIn = curve.shape.inputOf(index);
            if (count != 0 && amountIn == knots[count - 1].amountIn) continue;
            Knot memory knot = _knotAt(curve, amountIn, guess);
            if (_isExtreme(knot) || knot.slope == 0) break;
            if (count != 0) _addTo(hull, curve, knots[count - 1], knot);
            knots[count++] = knot;
            if (count > end + 1 && _isSettled(hull, curve, knots[end].amountIn, knot)) break;
            guess = _guess(knot.point, curve.shape.inputOf(index + 1) - amountIn, curve);
        }
        assembly ("memory-safe") {
            mstore(knots, count)
        }
    }

    /// @dev Whether the curve with the lowest fee there is lies below the line's continuation from `end`, from the last sample on.
    function _isSettled(ConcaveHull memory hull, Curve memory curve, uint256 end, Knot memory last)
        private
        pure
        returns (bool)
    {
        (uint256 amountIn, uint256 amountOut, uint256 dx, uint256 dy) = hull.edgeAt(end);
        uint256 fee = curve.pool.midFee;
        if (FixedPointMathLib.fullMulDiv(_net(last.slope, fee), dx, 1 << SLOPE_BITS) >= dy) return false;
        uint256 reached = amountOut + FixedPointMathLib.fullMulDiv(dy, last.amountIn - amountIn, dx);
        return _net(last.gross, fee) < reached;
    }

    /// @dev Where the tangent is after so much more input: no more than the balance there.
    function _guess(CryptoPoint memory point, uint256 amountIn, Curve memory curve) private pure returns (uint256) {
        uint256 given = FixedPointMathLib.fullMulDiv(_toParts(curve, amountIn), point.price, CRYPTO_ONE);
        return FixedPointMathLib.max(FixedPointMathLib.zeroFloorSub(point.y, given), point.y / 4);
    }

    function _knotAt(Curve memory curve, uint256 amountIn, uint256 guess) private pure returns (Knot memory knot) {
        uint256 x = curve.pool.balanceIn + _toParts(curve, amountIn);
        knot.point = curve.pool.pointAt(x, guess);
        knot.amountIn = amountIn;
        if (knot.point.y >= curve.start && amountIn != 0) return knot;
        uint256 given = FixedPointMathLib.zeroFloorSub(curve.start, knot.point.y);
        knot.gross = _toUnits(curve, given << FRACTION_BITS, curve.rateOut);
        uint256 slope = FixedPointMathLib.fullMulDiv(knot.point.price << 64, curve.rateIn, curve.rateOut);
        knot.slope = FixedPointMathLib.fullMulDiv(slope, 1 << (SLOPE_BITS + FRACTION_BITS - 64), CRYPTO_ONE);
    }

    function _isExtreme(Knot memory knot) private pure returns (bool) {
        return knot.point.y < CRYPTO_ONE / EXTREME || knot.point.x > CRYPTO_ONE * EXTREME;
    }

    /// @dev Draws what lies between two samples. Around the focus the line is that of more samples, between the same ends.
    function _drawBetween(
        ConcaveHull memory hull,
        Curve memory curve,
        Segments memory segments,
        Knot memory from,
        Knot memory to,
        uint256 focus
    ) private pure returns (Sample memory) {
        (uint256 start, uint256 end) = (from.amountIn, to.amountIn);
        if (focus <= start || focus > end) return hull.drawPart(segments, start, end);
        ConcaveHull memory fine = newHull(4 * FOCUS_HALVINGS + 8);
        fine.add(start, hull.outputAt(start));
        _addFinely(fine, curve, from, to, focus, FOCUS_HALVINGS);
        fine.add(end, hull.outputAt(end));
        return fine.drawPart(segments, start, end);
    }

    function _addFinely(
        ConcaveHull memory hull,
        Curve memory curve,
        Knot memory from,
        Knot memory to,
        uint256 focus,
        uint256 halvings
    ) private pure {
        uint256 half = (from.amountIn + to.amountIn) / 2;
        if (halvings == 0 || half == from.amountIn || focus <= from.amountIn || focus > to.amountIn) {
            return _addTo(hull, curve, from, to);
        }
        Knot memory middle = _knotAt(curve, half, to.point.y);
        _addFinely(hull, curve, from, middle, focus, halvings - 1);
        _addFinely(hull, curve, middle, to, focus, halvings - 1);
    }

    /// @dev The curve with the interval's lowest fee: its ends, and where their tangents meet.
    function _addTo(ConcaveHull memory hull, Curve memory curve, Knot memory from, Knot memory to) private pure {
        bool turns = from.point.x < from.point.y && to.point.x >= to.point.y;
        uint256 fee = FixedPointMathLib.min(from.point.fee, to.point.fee);
        if (turns) fee = FixedPointMathLib.min(fee, curve.pool.leastFee(from.point, to.point));
        hull.add(from.amountIn, _net(from.gross, fee));
        (uint256 amountIn, uint256 gross) = _meetingOf(from, to);
        if (amountIn < to.amountIn) hull.add(amountIn, _net(gross, fee));
        hull.add(to.amountIn, _net(to.gross, fee));
    }

    /// @dev Where the tangents at two samples meet; at the second if they hardly differ.
    function _meetingOf(Knot memory from, Knot memory to) private pure returns (uint256 amountIn, uint256 gross) {
        if (from.slope <= to.slope || to.gross <= from.gross) return (to.amountIn, to.gross);
        uint256 least = FixedPointMathLib.fullMulDiv(to.slope, to.amountIn - from.amountIn, 1 << SLOPE_BITS);
        uint256 rest = FixedPointMathLib.zeroFloorSub(to.gross - from.gross, least);
        uint256 run = FixedPointMathLib.fullMulDiv(rest, 1 << SLOPE_BITS, from.slope - to.slope);
        return (from.amountIn + run, from.gross + FixedPointMathLib.fullMulDiv(run, from.slope, 1 << SLOPE_BITS));
    }

    /// @dev After the fee, and raised, because samples and what pools pay are rounded.
    function _net(uint256 gross, uint256 fee) private pure returns (uint256 net) {
        net = FixedPointMathLib.fullMulDiv(gross, CRYPTO_FEE - fee, CRYPTO_FEE);
        net += net >> RAISE_SHIFT;
    }

    function _toParts(Curve memory curve, uint256 amountIn) private pure returns (uint256) {
        return FixedPointMathLib.fullMulDiv(amountIn, curve.rateIn * 1e9, curve.invariant);
    }

    function _toUnits(Curve memory curve, uint256 parts, uint256 rate) private pure returns (uint256) {
        return FixedPointMathLib.fullMulDiv(parts, curve.invariant, rate * 1e9);
    }
}
