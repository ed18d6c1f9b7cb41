// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {Allowance} from "../libraries/Allowance.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Payment} from "../libraries/Payment.sol";
import {Sample, Shape} from "../math/Sampling.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {CurveStable} from "../venues/CurveStable.sol";
import {SampledDrawing} from "../venues/SampledDrawing.sol";
import {StableWords} from "../venues/StableWords.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {CurvePools} from "./CurvePools.sol";
import {CurveStableReads} from "./CurveStableReads.sol";

/// @notice How a StableSwap pool is swapped on.
interface ICurveExchange {
    /// @dev Pools before the factories return nothing. The caller is paid.
    function exchange(int128 i, int128 j, uint256 dx, uint256 least) external payable;
}

/// @title Curve's StableSwap pools, plain ones and StableSwap-NG, that one registry vouches for
/// @notice One for each registry: the Registry of 2020, the factories, StableSwap-NG's factory, the MetaRegistry. A metapool is
/// traded on for its own two tokens.
contract CurveStableAdapter is Adapter, SampledDrawing {
    /// @dev Gas that a leg adds to a swap, in pools of two tokens with a fee that moves and in others, and for each more token.
    uint256 private constant MOVING_FEE_GAS = 180_000;
    uint256 private constant LEG_GAS = 145_000;
    uint256 private constant TOKEN_GAS = 22_000;
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

    function _swap(Sale memory sale) internal override returns (uint256 amountOut) {
        CurvePools.Source memory source = _source();
        (address coinIn, address coinOut, uint256 i, uint256 j) = CurvePools.attest(source, sale);
        uint256 value = CurvePools.open(source, sale, coinIn, coinOut);
        Payment memory payment = Payment(sale.tokenIn, address(this), sale.pool, sale.amountIn);
        if (coinIn != CurvePools.NATIVE) Allowance.grant(payment, sale.pool);
        bool paid;
        if (coinIn != CurvePools.NATIVE && coinOut != CurvePools.NATIVE) {
            (paid, amountOut) = _tryExchange(sale, i, j);
        }
        if (!paid) {
            uint256 before = _held(coinOut);
            ICurveExchange(sale.pool).exchange{value: value}(int128(uint128(i)), int128(uint128(j)), sale.amountIn, 0);
            amountOut = _held(coinOut) - before;
            CurvePools.close(source, sale, coinOut, amountOut);
        }
        if (coinIn != CurvePools.NATIVE) Allowance.demandUsedUp(payment, sale.pool, sale.amountIn);
    }

    /// @dev Pools since the factories pay a receiver and say how much. Older ones do not have the function: they revert, or answer
    /// nothing if they accept native tokens.
    function _tryExchange(Sale memory sale, uint256 i, uint256 j) private returns (bool paid, uint256 amountOut) {
        bytes memory data = abi.encodeWithSelector(EXCHANGE_TO, i, j, sale.amountIn, 0, sale.to);
        address pool = sale.pool;
        assembly ("memory-safe") {
            paid := call(gas(), pool, 0, add(data, 32), mload(data), 0, 32)
            paid := and(paid, eq(returndatasize(), 32))
            amountOut := mul(paid, mload(0))
        }
    }

    function _held(address coin) private view returns (uint256) {
        return coin == CurvePools.NATIVE ? address(this).balance : balanceOf(coin, address(this));
    }

    function _source() private view returns (CurvePools.Source memory) {
        return CurvePools.Source(registry, wrapped);
    }
}
