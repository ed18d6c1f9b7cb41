// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IAfterSwap} from "../interfaces/IAfterSwap.sol";
import {ISampler} from "../interfaces/ISampler.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Sample, Shape} from "../math/Sampling.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {CurveStable} from "../venues/CurveStable.sol";
import {StableWords} from "../venues/StableWords.sol";
import {CurveAdapter} from "./CurveAdapter.sol";
import {CurveStableReads} from "./CurveStableReads.sol";
import {SampledAdapter} from "./SampledAdapter.sol";

/// @title Curve's StableSwap pools, plain ones and StableSwap-NG, that one registry vouches for
/// @notice One for each registry: the Registry of 2020, the factories, StableSwap-NG's factory, the MetaRegistry. A metapool is
/// traded on for its own two tokens.
contract CurveStableAdapter is CurveAdapter, SampledAdapter, IAfterSwap {
    /// @dev Gas that a leg adds to a swap, in pools of two tokens with a fee that moves and in others, and for each more token.
    uint256 private constant MOVING_FEE_GAS = 180_000;
    uint256 private constant LEG_GAS = 138_000;
    uint256 private constant TOKEN_GAS = 20_000;
    /// @dev What a second leg on a pool takes less, because what it reads is warm.
    uint256 private constant WARM_GAS = 50_000;
    bytes4 private constant EXCHANGE = bytes4(keccak256("exchange(int128,int128,uint256,uint256)"));
    bytes4 private constant EXCHANGE_TO = bytes4(keccak256("exchange(int128,int128,uint256,uint256,address)"));

    constructor(address registry_, address wrapped_) CurveAdapter(registry_, wrapped_) {}

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
        if (state[StableWords.IS_MOVED] == 1) gas -= WARM_GAS;
    }

    /// @inheritdoc IAfterSwap
    function afterSwap(uint256[] calldata state, bool zeroForOne, uint256 amountIn, uint256 amountOut)
        external
        view
        returns (uint256[] memory)
    {
        address pool = adapterPool(state[StableWords.KEY]);
        return CurveStable.afterSwap(pool, state, zeroForOne, amountIn, amountOut);
    }

    function _describe(uint256[] calldata state, Shape memory shape) internal pure override {
        CurveStable.describe(state, shape);
    }

    function _sampleOf(uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        override
        returns (Sample memory)
    {
        return CurveStable.sample(state, zeroForOne, amountIn);
    }

    function _exchanges() internal pure override returns (bytes4 exchange, bytes4 exchangeTo) {
        return (EXCHANGE, EXCHANGE_TO);
    }
}
