// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {sqrtAfterFee} from "../math/Ratio.sol";
import {ratioAt, sqrtPriceAtTick} from "../math/TickRanges.sol";
import {Curve, Pool, SEGMENT_WORDS} from "../types/Market.sol";
import {Concentrated, PoolState, TickSource, TickState} from "../venues/Concentrated.sol";
import {ICLPoolManager, InfinityKey, InfinityPools} from "./InfinityPools.sol";
import {ProtocolFeeLibrary} from "@uniswap/v4-core/src/libraries/ProtocolFeeLibrary.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title Reads, draws and prices PancakeSwap Infinity's pools of concentrated liquidity
/// @notice Their mathematics is that of Uniswap V4, so that each range between ticks is drawn as it is. A drawing goes on where the
/// one before ended: its cursor has the liquidity there (128 bits), the next compressed tick (24), and a bit that is set.
library InfinityClReads {
    using InfinityPools for InfinityKey;
    using ProtocolFeeLibrary for uint16;
    using ProtocolFeeLibrary for uint24;

    /* WORDS OF A STATE */
    uint256 private constant KEY = 0;
    uint256 private constant CURRENCY0 = 1;
    uint256 private constant CURRENCY1 = 2;
    uint256 private constant MANAGER = 3;
    uint256 private constant ID = 4;
    /// @dev Two words as `Concentrated` has them.
    uint256 private constant PRICE = 5;
    uint256 private constant LIQUIDITY = 6;
    uint256 private constant WORDS = 7;

    uint256 private constant TICK_SHIFT = 128;
    uint256 private constant IS_CURSOR = 1 << 152;

    /// @dev Ranges that one drawing reads at most.
    uint256 private constant MAX_RANGES = 32;
    /// @dev Gas that a leg adds to a swap, each tick that it crosses, and what wrapping or unwrapping adds.
    uint256 private constant LEG_GAS = 113_500;
    uint256 private constant TICK_GAS = 7_300;
    uint256 private constant NATIVE_GAS = 20_000;

    /// @notice What prices the pool at this block. Empty if it does not swap, or holds nothing at its price: what lies beyond would
    /// take more to find than it is worth.
    function read(uint256 key, InfinityKey memory poolKey) internal view returns (uint256[] memory words) {
        Pool memory pool;
        pool.pool = poolKey.poolManager;
        bytes32 id = poolKey.idOf();
        (uint256 count, uint256[8] memory answer) = StaticRead.words(pool.pool, ICLPoolManager.paused.selector);
        if (count == 0 || answer[0] != 0) return words;
        (count, answer) = StaticRead.words(pool.pool, ICLPoolManager.getLiquidity.selector, uint256(id));
        uint256 liquidity = answer[0];
        if (count == 0 || liquidity == 0) return words;
        (count, answer) = StaticRead.words(pool.pool, ICLPoolManager.getSlot0.selector, uint256(id));
        if (count < 4 || !_keep(pool, poolKey, answer, liquidity)) return words;
        words = new uint256[](WORDS);
        (words[KEY], words[MANAGER], words[ID]) = (key, uint160(pool.pool), uint256(id));
        (words[CURRENCY0], words[CURRENCY1]) = (uint160(poolKey.currency0), uint160(poolKey.currency1));
        (words[PRICE], words[LIQUIDITY]) = (pool.state[0], pool.state[1]);
    }

    /// @notice Draws a stretch of the curve, range by range.
    function draw(uint256[] calldata words, bool zeroForOne, ISampler.Stretch calldata stretch, address wrapped)
        internal
        view
        returns (ISampler.Drawing memory drawing)
    {
        bool inPool = _inPool(words, zeroForOne, wrapped);
        Pool memory pool = _poolOf(words);
        Curve memory curve;
        curve.until = stretch.until;
        if (stretch.until == 0) curve.expected = stretch.focus;
        if (stretch.cursor != 0) _goOn(curve, pool, inPool, stretch.cursor);
        Concentrated.extend(_source(), pool, inPool, curve, FixedPointMathLib.min(stretch.steps, MAX_RANGES));
        if (curve.count == 0 && stretch.cursor == 0) return drawing;
        (drawing.startRatio, drawing.open) = (curve.startRatio, curve.open);
        drawing.cursor = curve.cursor | uint256(uint24(int24(curve.cursorTick))) << TICK_SHIFT | IS_CURSOR;
        drawing.segments = _segmentsOf(curve);
    }

    /// @notice What the pool pays for `amountIn`, and the gas of the leg; zero if it cannot take all of it.
    function quote(uint256[] calldata words, bool zeroForOne, uint256 amountIn, address wrapped)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        if (amountIn > uint128(type(int128).max)) return (0, 0);
        bool inPool = _inPool(words, zeroForOne, wrapped);
        (amountOut, gas) = Concentrated.quote(_source(), _poolOf(words), inPool, amountIn);
        if (words[CURRENCY0] == 0 && gas != 0) gas += NATIVE_GAS;
    }

    function _keep(Pool memory pool, InfinityKey memory poolKey, uint256[8] memory slot0, uint256 liquidity)
        private
        pure
        returns (bool)
    {
        (uint24 protocolFees, uint24 lpFee) = (uint24(slot0[2]), uint24(slot0[3]));
        return Concentrated.keep(
            pool,
            PoolState({
                sqrtPriceX96: slot0[0],
                tick: int24(int256(slot0[1])),
                liquidity: liquidity,
                feeZeroForOne: protocolFees.getZeroForOneFee().calculateSwapFee(lpFee),
                feeOneForZero: protocolFees.getOneForZeroFee().calculateSwapFee(lpFee),
                tickSpacing: poolKey.spacingOf()
            })
        );
    }

    /// @dev The direction as the pool counts its currencies: the native one, which `wrapped` stands for, is the first.
    function _inPool(uint256[] calldata words, bool zeroForOne, address wrapped) private pure returns (bool) {
        if (words[CURRENCY0] == 0 && uint160(wrapped) > words[CURRENCY1]) return !zeroForOne;
        return zeroForOne;
    }

    function _poolOf(uint256[] calldata words) private pure returns (Pool memory pool) {
        pool.pool = address(uint160(words[MANAGER]));
        pool.state = [words[PRICE], words[LIQUIDITY], words[ID]];
    }

    /// @dev Sets a curve to the end of the drawing before: the tick next to the one to look at.
    function _goOn(Curve memory curve, Pool memory pool, bool zeroForOne, uint256 cursor) private pure {
        curve.cursor = uint128(cursor);
        curve.cursorTick = int24(uint24(cursor >> TICK_SHIFT));
        int256 spacing = int24(uint24(pool.state[0] >> 232));
        uint160 price = sqrtPriceAtTick((zeroForOne ? curve.cursorTick + 1 : curve.cursorTick - 1) * spacing);
        uint256 feePips = uint24(pool.state[0] >> (zeroForOne ? 184 : 208));
        curve.endRatio = ratioAt(price, sqrtAfterFee(feePips), zeroForOne);
        // It has begun.
        curve.startRatio = curve.endRatio;
    }

    /// @dev The curve's segments, each with its own input and output; a curve counts those of all segments before it. If the curve
    /// ends in a gap, a segment of the least liquidity spans the gap, because the price is known to fall that far.
    function _segmentsOf(Curve memory curve) private pure returns (uint256[] memory segments) {
        uint256 length = curve.count * SEGMENT_WORDS;
        uint256[] memory words = curve.segments;
        uint256 last = length == 0 ? curve.startRatio : words[length - SEGMENT_WORDS + 2];
        bool endsInGap = curve.open && curve.cursor == 0 && curve.endRatio < last;
        segments = new uint256[](endsInGap ? length + SEGMENT_WORDS : length);
        for (uint256 i; i < length; i += SEGMENT_WORDS) {
            bool isLast = i + SEGMENT_WORDS == length;
            (segments[i], segments[i + 1], segments[i + 2]) = (words[i], words[i + 1], words[i + 2]);
            segments[i + 3] = (isLast ? curve.loadedIn : words[i + SEGMENT_WORDS + 3]) - words[i + 3];
            segments[i + 4] = (isLast ? curve.loadedOut : words[i + SEGMENT_WORDS + 4]) - words[i + 4];
        }
        if (endsInGap) (segments[length], segments[length + 1], segments[length + 2]) = (1, last, curve.endRatio);
    }

    function _source() private pure returns (TickSource memory) {
        return TickSource(false, true, _wordAt, _tickAt, _growths, LEG_GAS, TICK_GAS, 0);
    }

    function _wordAt(Pool memory pool, int256 position) private view returns (bool, uint256) {
        (uint256 count, uint256[8] memory answer) =
            StaticRead.words(pool.pool, ICLPoolManager.getPoolBitmapInfo.selector, pool.state[2], uint256(position));
        return (count == 1, answer[0]);
    }

    function _tickAt(Pool memory pool, int256 tick) private view returns (bool, TickState memory) {
        (uint256 count, uint256[8] memory answer) =
            StaticRead.words(pool.pool, ICLPoolManager.getPoolTickInfo.selector, pool.state[2], uint256(tick));
        return (count == 4, TickState(answer[1], answer[2], answer[3], 0, 0));
    }

    function _growths(Pool memory pool) private view returns (uint256, uint256) {
        (, uint256[8] memory answer) =
            StaticRead.words(pool.pool, ICLPoolManager.getFeeGrowthGlobals.selector, pool.state[2]);
        return (answer[0], answer[1]);
    }
}
