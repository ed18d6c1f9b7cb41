// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Sample, Shape} from "../math/Sampling.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {SampledDrawing} from "../venues/SampledDrawing.sol";
import {Adapter} from "./Adapter.sol";

/// @title What adapters share that draw the curves of their pools through samples
/// @notice A new adapter writes `_describe` and `_sampleOf` instead of `draw`.
abstract contract SampledAdapter is Adapter, SampledDrawing {
    /// @dev Adds to `shape` what is known of the curve before it is sampled. The kind and the direction are set already.
    function _describe(uint256[] calldata state, Shape memory shape) internal pure virtual;

    /// @dev The point of the curve at an input, not raised.
    function _sampleOf(uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        virtual
        returns (Sample memory);

    function _shapeOf(VenueKind kind, uint256[] calldata state, bool zeroForOne)
        internal
        pure
        override
        returns (Shape memory shape)
    {
        (shape.kind, shape.zeroForOne) = (kind, zeroForOne);
        _describe(state, shape);
    }

    function _rawSample(Shape memory shape, uint256[] calldata state, uint256 amountIn)
        internal
        pure
        override
        returns (Sample memory)
    {
        return _sampleOf(state, shape.zeroForOne, amountIn);
    }
}
