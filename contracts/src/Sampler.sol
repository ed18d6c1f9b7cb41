// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "./interfaces/ISampler.sol";
import {Sample, Shape} from "./math/Sampling.sol";
import {UnknownVenueKind, VenueKind, VenueKinds} from "./types/VenueKind.sol";
import {BalancerStable} from "./venues/BalancerStable.sol";
import {BalancerWeighted} from "./venues/BalancerWeighted.sol";
import {CurveStable} from "./venues/CurveStable.sol";
import {SampledDrawing} from "./venues/SampledDrawing.sol";
import {Solidly} from "./venues/Solidly.sol";
import {StableWords} from "./venues/StableWords.sol";

/// @title Reads, draws and prices the pools of the sampled kinds
/// @notice The one place that tells these kinds apart: a new one is one line in each function.
contract Sampler is SampledDrawing {
    /// @inheritdoc ISampler
    function read(VenueKind kind, address deployer, address pool, uint256 key)
        external
        view
        returns (uint256[] memory state)
    {
        if (kind == VenueKinds.SOLIDLY) return Solidly.read(deployer, pool);
        if (kind == VenueKinds.CURVE) return CurveStable.read(pool, key);
        if (kind == VenueKinds.BALANCER_WEIGHTED) return BalancerWeighted.read(deployer, pool, key);
        if (kind == VenueKinds.BALANCER_STABLE) return BalancerStable.read(deployer, pool, key);
        revert UnknownVenueKind(kind);
    }

    /// @inheritdoc ISampler
    function quote(VenueKind kind, address pool, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        if (kind == VenueKinds.SOLIDLY) return Solidly.quote(pool, state, zeroForOne, amountIn);
        if (kind == VenueKinds.CURVE) return CurveStable.quote(pool, state, zeroForOne, amountIn);
        if (kind == VenueKinds.BALANCER_WEIGHTED) return BalancerWeighted.quote(state, zeroForOne, amountIn);
        if (kind == VenueKinds.BALANCER_STABLE) return BalancerStable.quote(state, zeroForOne, amountIn);
        revert UnknownVenueKind(kind);
    }

    function _shapeOf(VenueKind kind, uint256[] calldata state, bool zeroForOne)
        internal
        pure
        override
        returns (Shape memory shape)
    {
        (shape.kind, shape.zeroForOne) = (kind, zeroForOne);
        if (kind == VenueKinds.SOLIDLY) Solidly.describe(state, shape);
        else if (kind == VenueKinds.BALANCER_WEIGHTED) BalancerWeighted.describe(state, shape);
        else if (kind == VenueKinds.CURVE) CurveStable.describe(state, shape);
        else if (kind == VenueKinds.BALANCER_STABLE) StableWords.describe(state, shape);
        else revert UnknownVenueKind(kind);
    }

    function _rawSample(Shape memory shape, uint256[] calldata state, uint256 amountIn)
        internal
        pure
        override
        returns (Sample memory)
    {
        if (shape.kind == VenueKinds.SOLIDLY) return Solidly.sample(state, shape.zeroForOne, amountIn);
        if (shape.kind == VenueKinds.CURVE) return CurveStable.sample(state, shape.zeroForOne, amountIn);
        if (shape.kind == VenueKinds.BALANCER_WEIGHTED) {
            return BalancerWeighted.sample(state, shape.zeroForOne, amountIn);
        }
        if (shape.kind == VenueKinds.BALANCER_STABLE) return BalancerStable.sample(state, shape.zeroForOne, amountIn);
        revert UnknownVenueKind(shape.kind);
    }
}
