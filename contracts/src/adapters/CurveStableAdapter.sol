// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Sample, Shape} from "../math/Sampling.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {CurveStable} from "../venues/CurveStable.sol";
import {SampledDrawing} from "../venues/SampledDrawing.sol";
import {StableWords} from "../venues/StableWords.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {CurvePools} from "./CurvePools.sol";
import {CurveStableReads} from "./CurveStableReads.sol";

/// @title Curve's StableSwap pools, plain ones and StableSwap-NG, that one registry vouches for
/// @notice One for each registry: the Registry of 2020, the factories, StableSwap-NG's factory, the MetaRegistry. A metapool is
/// traded on for its own two tokens.
contract CurveStableAdapter is Adapter, SampledDrawing {
    /// @dev Gas that a leg adds to a swap, in pools of two tokens with a fee that moves and in others, and for each more token.
    uint256 private constant MOVING_FEE_GAS = 180_000;
    uint256 private constant LEG_GAS = 138_000;
    uint256 private constant TOKEN_GAS = 20_000;
    bytes4 private constant EXCHANGE = bytes4(keccak256("exchange(int128,int128,uint256,uint256)"));
    bytes4 private constant EXCHANGE_TO = bytes4(keccak256("exchange(int128,int128,uint256,uint256,address)"));

    /// @notice The wrapped native token, as which native tokens are traded.
    address public immutable wrapped;

    constructor(address registry_, address wrapped_) Adapter(registry_) {
        wrapped = wrapped_;
    }

    /// @notice Takes native tokens from the wrapped one and from the pool of a running swap.
    receive() external payable {
        require(NativeSender.isExpected(msg.sender));
    }

    /// @inheritdoc ISampler
    function read(VenueKind, address, address, uint256 key) external view returns (uint256[] memory) {
        return CurveStableReads.read(adapterPool(key), key);
    }

    /// @inheritdoc ISampler
    function quote(VenueKind, address, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        amountOut = CurveStableReads.quote(state, zeroForOne, amountIn);
        if (amountOut == 0) return (0, 0);
        gas = state[StableWords.OFFPEG] == 0 ? LEG_GAS : MOVING_FEE_GAS;
        gas += TOKEN_GAS * (state[StableWords.TOKENS] - 2);
    }

    function _shapeOf(VenueKind kind, uint256[] calldata state, bool zeroForOne)
        internal
        pure
        override
        returns (Shape memory shape)
    {
        (shape.kind, shape.zeroForOne) = (kind, zeroForOne);
        CurveStable.describe(state, shape);
    }

    function _rawSample(Shape memory shape, uint256[] calldata state, uint256 amountIn)
        internal
        pure
        override
        returns (Sample memory)
    {
        return CurveStable.sample(state, shape.zeroForOne, amountIn);
    }

    function _poolsOf(address token0, address token1) internal view override returns (address[] memory) {
        return CurvePools.find(_source(), token0, token1, MAX_FOUND);
    }

    function _keyOf(address pool, address token0, address token1) internal view override returns (uint256) {
        return CurvePools.keyOf(_source(), pool, token0, token1);
    }

    function _swap(Sale memory sale) internal override returns (uint256) {
        return CurvePools.sell(_source(), sale, EXCHANGE, EXCHANGE_TO);
    }

    function _source() private view returns (CurvePools.Source memory) {
        return CurvePools.Source(registry, wrapped);
    }
}
