// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "./interfaces/ISampler.sol";
import {constantProductSegment} from "./math/ConstantProduct.sol";
import {MAX_RATIO, MIN_RATIO} from "./math/Ratio.sol";
import {
    FRACTION_BITS,
    MAX_SAMPLES,
    SEGMENT_LENGTH,
    Sample,
    Segments,
    Shape,
    drawBetween,
    drawRest
} from "./math/Sampling.sol";
import {VenueKind} from "./types/Venue.sol";
import {BalancerStable} from "./venues/BalancerStable.sol";
import {BalancerWeighted} from "./venues/BalancerWeighted.sol";
import {Curve} from "./venues/Curve.sol";
import {Solidly} from "./venues/Solidly.sol";
import {StableWords} from "./venues/StableWords.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title Reads, draws and prices the pools of the sampled kinds
/// @notice The one place that tells these kinds apart: a new one is one line in each private function.
contract Sampler is ISampler {
    /// @dev Times that the way between two samples is halved.
    uint256 private constant MAX_HALVINGS = 4;

    /// @inheritdoc ISampler
    function read(VenueKind kind, address deployer, address pool, uint256 key)
        external
        view
        returns (uint256[] memory state)
    {
        if (kind == VenueKind.Solidly) return Solidly.read(deployer, pool);
        if (kind == VenueKind.Curve) return Curve.read(pool, key);
        if (kind == VenueKind.BalancerWeighted) return BalancerWeighted.read(deployer, pool, key);
        if (kind == VenueKind.BalancerStable) return BalancerStable.read(deployer, pool, key);
    }

    /// @inheritdoc ISampler
    function draw(VenueKind kind, uint256[] calldata state, bool zeroForOne, uint256 cursor, uint256 steps)
        external
        pure
        returns (Drawing memory drawing)
    {
        Shape memory shape = _shapeOf(kind, state, zeroForOne);
        if (shape.isProduct) return _product(shape);

        Sample memory from = _sample(shape, state, shape.inputOf(cursor));
        drawing.startRatio = from.ratio;
        if (from.ratio < MIN_RATIO || from.ratio > MAX_RATIO) return drawing;
        (drawing.cursor, drawing.open) = (cursor, true);
        steps = FixedPointMathLib.min(steps, MAX_SAMPLES);
        // The part drawn last can be followed by a line.
        uint256 room = (steps << (MAX_HALVINGS + 1)) + 1;
        Segments memory segments = Segments({words: new uint256[](room * SEGMENT_LENGTH), count: 0});
        for (; steps != 0 && drawing.open; --steps) {
            from = _step(shape, state, segments, from, ++drawing.cursor);
            drawing.open = !shape.isEnd(from, drawing.cursor);
        }
        // Beyond its limit a pool takes nothing.
        if (!drawing.open && from.amountIn != shape.limit) drawRest(segments, from, shape.most << FRACTION_BITS);
        drawing.segments = segments.close();
    }

    /// @inheritdoc ISampler
    function quote(VenueKind kind, address pool, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        if (kind == VenueKind.Solidly) return Solidly.quote(pool, state, zeroForOne, amountIn);
        if (kind == VenueKind.Curve) return Curve.quote(pool, state, zeroForOne, amountIn);
        if (kind == VenueKind.BalancerWeighted) return BalancerWeighted.quote(state, zeroForOne, amountIn);
        if (kind == VenueKind.BalancerStable) return BalancerStable.quote(state, zeroForOne, amountIn);
    }

    function _product(Shape memory shape) private pure returns (Drawing memory drawing) {
        (uint256 liquidity, uint256 start) = constantProductSegment(shape.reserveIn, shape.most, shape.feePips);
        if (start < MIN_RATIO || start > MAX_RATIO) return drawing;
        drawing.startRatio = start;
        drawing.segments = new uint256[](SEGMENT_LENGTH);
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
        _drawFinely(shape, state, segments, from, to, MAX_HALVINGS);
    }

    /// @dev Halves what the price falls much over: the knee of a stable curve lies between two samples.
    function _drawFinely(
        Shape memory shape,
        uint256[] calldata state,
        Segments memory segments,
        Sample memory from,
        Sample memory to,
        uint256 halvings
    ) private pure {
        if (halvings == 0 || !shape.isKnee(from, to)) return drawBetween(segments, from, to);
        Sample memory middle = _sample(shape, state, (from.amountIn + to.amountIn) / 2);
        _drawFinely(shape, state, segments, from, middle, halvings - 1);
        _drawFinely(shape, state, segments, middle, to, halvings - 1);
    }

    function _shapeOf(VenueKind kind, uint256[] calldata state, bool zeroForOne)
        private
        pure
        returns (Shape memory shape)
    {
        (shape.kind, shape.zeroForOne) = (kind, zeroForOne);
        if (kind == VenueKind.Solidly) Solidly.describe(state, shape);
        else if (kind == VenueKind.BalancerWeighted) BalancerWeighted.describe(state, shape);
        else StableWords.describe(state, shape);
    }

    function _sample(Shape memory shape, uint256[] calldata state, uint256 amountIn)
        private
        pure
        returns (Sample memory)
    {
        return _rawSample(shape, state, amountIn).raised();
    }

    function _rawSample(Shape memory shape, uint256[] calldata state, uint256 amountIn)
        private
        pure
        returns (Sample memory)
    {
        if (shape.kind == VenueKind.Solidly) return Solidly.sample(state, shape.zeroForOne, amountIn);
        if (shape.kind == VenueKind.Curve) return Curve.sample(state, shape.zeroForOne, amountIn);
        if (shape.kind == VenueKind.BalancerWeighted) {
            return BalancerWeighted.sample(state, shape.zeroForOne, amountIn);
        }
        if (shape.kind == VenueKind.BalancerStable) return BalancerStable.sample(state, shape.zeroForOne, amountIn);
        return Sample({amountIn: amountIn, amountOut: 0, ratio: 0});
    }
}
