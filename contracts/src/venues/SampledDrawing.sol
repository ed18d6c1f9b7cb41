// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {SATED_SHIFT, constantProductSegment} from "../math/ConstantProduct.sol";
import {MAX_RATIO, MIN_RATIO} from "../math/Ratio.sol";
import {FRACTION_BITS, Sample, Segments, Shape, drawBetween, drawNothing, drawRest, isBent} from "../math/Sampling.sol";
import {SEGMENT_WORDS} from "../types/Market.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title Draws curves through samples
/// @notice What is sampled, the contract that inherits this says.
abstract contract SampledDrawing is ISampler {
    /// @dev Times that the way between two samples is halved.
    uint256 private constant MAX_HALVINGS = 4;
    /// @dev How many times more around the focus; each leaves a half behind that is halved as usual.
    uint256 private constant FOCUS_HALVINGS = 7;

    /// @inheritdoc ISampler
    function draw(VenueKind kind, uint256[] calldata state, bool zeroForOne, Stretch calldata stretch)
        external
        pure
        returns (Drawing memory drawing)
    {
        Shape memory shape = _shapeOf(kind, state, zeroForOne);
        if (shape.isProduct) return _product(shape);

        // Before anything is split it is everything, which hardly any pool will get.
        if (stretch.until != 0) shape.focus = stretch.focus;
        Sample memory from = _sample(shape, state, shape.inputOf(stretch.cursor));
        drawing.startRatio = from.ratio;
        if (from.ratio < MIN_RATIO || from.ratio > MAX_RATIO) return drawing;
        (drawing.cursor, drawing.open) = (stretch.cursor, true);
        Segments memory segments;
        for (uint256 steps = stretch.steps; steps != 0 && drawing.open; --steps) {
            from = _step(shape, state, segments, from, ++drawing.cursor);
            drawing.open = !shape.isEnd(from, drawing.cursor);
            if (from.ratio <= stretch.until && from.amountIn >= shape.focus) break;
        }
        // Beyond its limit a pool takes nothing.
        if (!drawing.open && from.amountIn != shape.limit) {
            drawRest(segments, from, shape.most << FRACTION_BITS);
            drawNothing(segments, shape.unit << SATED_SHIFT);
        }
        drawing.segments = segments.close();
    }

    /// @dev What is known of the curve before it is sampled.
    function _shapeOf(VenueKind kind, uint256[] calldata state, bool zeroForOne)
        internal
        pure
        virtual
        returns (Shape memory);

    /// @dev A point of the curve, not raised.
    function _rawSample(Shape memory shape, uint256[] calldata state, uint256 amountIn)
        internal
        pure
        virtual
        returns (Sample memory);

    function _product(Shape memory shape) private pure returns (Drawing memory drawing) {
        (uint256 liquidity, uint256 start) = constantProductSegment(shape.reserveIn, shape.most, shape.feePips);
        if (start < MIN_RATIO || start > MAX_RATIO) return drawing;
        drawing.startRatio = start;
        drawing.segments = new uint256[](SEGMENT_WORDS);
        (drawing.segments[0], drawing.segments[1], drawing.segments[2]) = (liquidity, start, 1);
        (drawing.segments[3], drawing.segments[4]) = (type(uint128).max, shape.most);
    }

    function _step(
        Shape memory shape,
        uint256[] calldata state,
        Segments memory segments,
        Sample memory from,
        uint256 index
    ) private pure returns (Sample memory to) {
        to = _sample(shape, state, shape.inputOf(index));
        _drawFinely(shape, state, segments, from, to, MAX_HALVINGS + FOCUS_HALVINGS);
    }

    /// @dev Halves what the price falls much over: the knee of a stable curve lies between two samples; and what is in
    /// focus further.
    function _drawFinely(
        Shape memory shape,
        uint256[] calldata state,
        Segments memory segments,
        Sample memory from,
        Sample memory to,
        uint256 halvings
    ) private pure {
        bool inFocus = shape.isInFocus(from, to);
        if (!inFocus) halvings = FixedPointMathLib.min(halvings, MAX_HALVINGS);
        bool isFine = inFocus || from.isConvex != to.isConvex;
        if (halvings == 0 || !(isFine ? isBent(from, to) : shape.isKnee(from, to))) {
            return drawBetween(segments, from, to);
        }
        Sample memory middle = _sample(shape, state, (from.amountIn + to.amountIn) / 2);
        _drawFinely(shape, state, segments, from, middle, halvings - 1);
        _drawFinely(shape, state, segments, middle, to, halvings - 1);
    }

    function _sample(Shape memory shape, uint256[] calldata state, uint256 amountIn)
        private
        pure
        returns (Sample memory)
    {
        return _rawSample(shape, state, amountIn).raised();
    }
}
