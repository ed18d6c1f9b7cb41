// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Payments} from "../libraries/Payment.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {constantProductSegment} from "../math/ConstantProduct.sol";
import {MAX_RATIO, MIN_RATIO, Q96} from "../math/Ratio.sol";
import {RAISE_SHIFT} from "../math/Sampling.sol";
import {SEGMENT_WORDS} from "../types/Market.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {IWrappedNative} from "../venues/UniswapV4.sol";
import {FluidKey, FluidLite, IFluidDexLite} from "./FluidLite.sol";
import {FluidLitePrices, FluidPool} from "./FluidLitePrices.sol";
import {SingletonAdapter, areSold} from "./SingletonAdapter.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title Pools of Fluid DEX Lite
/// @notice The registry is Fluid DEX Lite itself. For a pair, the adapter finds the pool whose salt is zero; other pools come as hints.
/// Pools whose center price another contract names cannot be priced, and are left out.
/// @dev A pool's id is its place in the registry's list, counted from one, above 56 zero bits. So the key of a leg is the place above
/// 8 zero bits.
contract FluidLiteAdapter is SingletonAdapter {
    /// @dev Words of a state after the key: 1 if the wrapped token's address puts the pool's tokens in the other order, then the
    /// members of `FluidPool`.
    uint256 private constant TURNED = 1;
    uint256 private constant POOL = 2;
    uint256 private constant WORDS = 11;
    uint256 private constant MAX_PLACE = type(uint32).max;
    /// @dev Where the place begins in an id.
    uint256 private constant PLACE_SHIFT = 56;
    uint256 private constant MAX_INPUT = type(uint128).max;
    /// @dev Gas that a leg adds to a swap, and what wrapping or unwrapping adds.
    uint256 private constant LEG_GAS = 105_000;
    uint256 private constant NATIVE_GAS = 20_000;

    constructor(address registry_, address wrapped_) SingletonAdapter(registry_, wrapped_) {}

    /// @inheritdoc ISampler
    function read(VenueKind, address, address, uint256 key) external view returns (uint256[] memory state) {
        (bool isKnown, FluidKey memory poolKey) = _find(key);
        if (!isKnown) return state;
        (uint256 variables, uint256 priceShift, uint256 rangeShift) = FluidLite.stateOf(registry, poolKey, true);
        FluidPool memory pool = FluidLitePrices.poolOf(variables, priceShift, rangeShift);
        if (pool.reserve0 == 0 || pool.reserve1 == 0 || pool.center == 0) return state;
        (address token0, address token1) = FluidLite.tokensOf(poolKey, wrapped);
        state = new uint256[](WORDS);
        (state[0], state[TURNED]) = (key, token0 > token1 ? 1 : 0);
        // The pool in memory is its words.
        assembly ("memory-safe") {
            mcopy(add(state, 96), pool, 288)
        }
    }

    /// @inheritdoc ISampler
    /// @dev One constant product, which ends at the largest input that the pool may take.
    function draw(VenueKind, uint256[] calldata state, bool zeroForOne, Stretch calldata stretch)
        external
        pure
        returns (Drawing memory drawing)
    {
        if (stretch.cursor != 0) return drawing;
        (FluidPool memory pool, bool swap0To1) = _poolIn(state, zeroForOne);
        uint256 most = pool.mostIn(swap0To1);
        (uint256 reserveIn, uint256 reserveOut) = _reservesOf(pool, swap0To1);
        if (most == 0 || reserveIn == 0 || (reserveIn | reserveOut) > type(uint112).max) return drawing;
        (uint256 liquidity, uint256 start) = constantProductSegment(reserveIn, reserveOut, pool.feePips);
        if (start < MIN_RATIO || start > MAX_RATIO) return drawing;
        most = FluidLitePrices.fromAdjusted(most + 1, swap0To1 ? pool.decimals0 : pool.decimals1) + 1;
        uint256 end = FixedPointMathLib.fullMulDiv(
            liquidity, start, liquidity + FixedPointMathLib.fullMulDivUp(start, most, Q96)
        );
        if (end == 0 || end >= start) return drawing;
        (drawing.startRatio, drawing.cursor, drawing.segments) = (start, 1, new uint256[](SEGMENT_WORDS));
        (drawing.segments[0], drawing.segments[1], drawing.segments[2]) = (liquidity, start, end);
        drawing.segments[3] = most;
        drawing.segments[4] = FixedPointMathLib.fullMulDiv(liquidity, start - end, Q96);
    }

    /// @inheritdoc ISampler
    function quote(VenueKind, address, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        (FluidPool memory pool, bool swap0To1) = _poolIn(state, zeroForOne);
        amountOut = pool.quote(swap0To1, amountIn);
        if (amountOut == 0) return (0, 0);
        (, FluidKey memory poolKey) = _find(state[0]);
        gas = LEG_GAS;
        if (poolKey.token0 == FluidLite.NATIVE || poolKey.token1 == FluidLite.NATIVE) gas += NATIVE_GAS;
    }

    /// @notice Pays the input of a running swap to the registry, which calls this only if this contract called it.
    function dexCallback(address token, uint256 amount, bytes calldata) external {
        require(msg.sender == registry);
        Transfers.send(token, msg.sender, amount);
    }

    /// @dev The pool whose salt is zero, and the same of the native currency if one of the tokens is the wrapped one.
    function _listed(address token0, address token1) internal view override returns (uint256[] memory hints) {
        hints = new uint256[](2);
        uint256 count;
        (bool isFound, uint256 place) = FluidLite.placeOf(registry, token0, token1);
        if (isFound) hints[count++] = _idAt(place);
        if (token0 == wrapped || token1 == wrapped) {
            address other = token0 == wrapped ? token1 : token0;
            (isFound, place) = FluidLite.placeOf(registry, FluidLite.NATIVE, other);
            if (isFound) hints[count++] = _idAt(place);
        }
        assembly ("memory-safe") {
            mstore(hints, count)
        }
    }

    function _poolOf(uint256 key) internal view override returns (uint256 id, address token0, address token1) {
        (bool isKnown, FluidKey memory poolKey) = _find(key);
        if (isKnown) id = key << (PLACE_SHIFT - KEY_SHIFT);
        (token0, token1) = FluidLite.tokensOf(poolKey, wrapped);
    }

    function _sell(uint256 key, address tokenIn, address tokenOut, uint256 amountIn, address to)
        internal
        override
        returns (uint256 amountOut)
    {
        (bool isKnown, FluidKey memory poolKey) = _find(key);
        (address token0, address token1) = FluidLite.tokensOf(poolKey, wrapped);
        if (!isKnown || !areSold(token0, token1, tokenIn, tokenOut)) revert NotInRegistry(registry);
        bool swap0To1 = tokenIn == token0;
        Payments.requireAll(registry, amountIn, amountIn > MAX_INPUT ? 0 : amountIn);
        uint256 held = balanceOf(tokenIn, address(this));
        uint256 before = balanceOf(tokenOut, to);
        _trade(poolKey, swap0To1, amountIn, to);
        uint256 left = balanceOf(tokenIn, address(this));
        Payments.requireAll(registry, amountIn, FixedPointMathLib.zeroFloorSub(held, left));
        amountOut = FixedPointMathLib.zeroFloorSub(balanceOf(tokenOut, to), before);
    }

    function _trade(FluidKey memory poolKey, bool swap0To1, uint256 amountIn, address to) private {
        (address sold, address bought) = swap0To1 ? (poolKey.token0, poolKey.token1) : (poolKey.token1, poolKey.token0);
        (bool sellsNative, bool buysNative) = (sold == FluidLite.NATIVE, bought == FluidLite.NATIVE);
        if (sellsNative) {
            NativeSender.expect(wrapped);
            IWrappedNative(wrapped).withdraw(amountIn);
        }
        NativeSender.expect(buysNative ? registry : address(0));
        uint256 paid = IFluidDexLite(registry).swapSingle{value: sellsNative ? amountIn : 0}(
            poolKey, swap0To1, int256(amountIn), 0, buysNative ? address(this) : to, !sellsNative, "", ""
        );
        if (!buysNative) return;
        NativeSender.expect(address(0));
        IWrappedNative(wrapped).deposit{value: paid}();
        Transfers.send(wrapped, to, paid);
    }

    /// @dev The id of the pool at a place of the list.
    function _idAt(uint256 place) private pure returns (uint256) {
        return (place + 1) << PLACE_SHIFT;
    }

    function _find(uint256 key) private view returns (bool isKnown, FluidKey memory poolKey) {
        uint256 place = key >> KEY_SHIFT;
        if (uint8(key) != 0 || place == 0 || place > MAX_PLACE) return (false, poolKey);
        poolKey = FluidLite.keyAt(registry, place - 1);
        isKnown = poolKey.token0 != address(0);
    }

    function _poolIn(uint256[] calldata state, bool zeroForOne)
        private
        pure
        returns (FluidPool memory pool, bool swap0To1)
    {
        swap0To1 = zeroForOne == (state[TURNED] == 0);
        assembly ("memory-safe") {
            calldatacopy(pool, add(state.offset, mul(32, POOL)), 288)
        }
    }

    /// @dev In base units. Raises the reserve of the token bought, because the pool rounds its fee down and so pays a little more.
    function _reservesOf(FluidPool memory pool, bool swap0To1)
        private
        pure
        returns (uint256 reserveIn, uint256 reserveOut)
    {
        (uint256 decimalsIn, uint256 decimalsOut) =
            swap0To1 ? (pool.decimals0, pool.decimals1) : (pool.decimals1, pool.decimals0);
        (reserveIn, reserveOut) = swap0To1 ? (pool.reserve0, pool.reserve1) : (pool.reserve1, pool.reserve0);
        reserveIn = FluidLitePrices.fromAdjusted(reserveIn, decimalsIn);
        reserveOut = FluidLitePrices.fromAdjusted(reserveOut + 1, decimalsOut) + 1;
        reserveOut += reserveOut >> RAISE_SHIFT;
    }
}
