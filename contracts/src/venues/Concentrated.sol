// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StaticRead} from "../libraries/StaticRead.sol";
import {MAX_RATIO, MIN_RATIO, WHOLE_PIPS, sqrtAfterFee} from "../math/Ratio.sol";
import {compress, nextInWord, pushRange, ratioAt, scaledLiquidity, sqrtPriceAtTick} from "../math/TickRanges.sol";
import {Curve, Pool} from "../types/Market.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SwapMath} from "@uniswap/v4-core/src/libraries/SwapMath.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";

/// @notice What a swap needs to know of a pool besides its ticks.
struct PoolState {
    uint256 sqrtPriceX96;
    int24 tick;
    uint256 liquidity;
    /// In pips, by the direction of the swap.
    uint256 feeZeroForOne;
    uint256 feeOneForZero;
    int24 tickSpacing;
}

/// @notice What a swap meets where liquidity changes.
struct TickState {
    /// Liquidity that begins here when the price rises, in two's complement.
    uint256 net;
    /// Growths of fees on the other side of the tick.
    uint256 outside0;
    uint256 outside1;
    /// The initialized ticks around this one, where the kind keeps a list.
    int24 previous;
    int24 next;
}

/// @notice How a kind keeps the ticks of its pools, and what swaps on them cost.
/// @dev All that one kind of concentrated liquidity differs from another by, as far as prices go.
struct TickSource {
    /// Initialized ticks are a linked list, and a swap steps from one to the next; otherwise they are a bitmap, and it
    /// also steps at the edge of each word.
    bool listed;
    /// One contract holds the tokens of all pools.
    bool shared;
    /// One word of the bitmap (ticks compressed by the spacing). False if it cannot be read.
    function(Pool memory, int256) view returns (bool, uint256) wordAt;
    /// False if it cannot be read.
    function(Pool memory, int256) view returns (bool, TickState memory) tickAt;
    /// Growths of fees of the two tokens over the life of the pool.
    function(Pool memory) view returns (uint256, uint256) growths;
    /// Gas that a leg adds to a swap, and each initialized tick that it crosses, where every slot that is written held
    /// something before.
    uint256 legGas;
    uint256 tickGas;
    /// Gas of the record of past prices, which a swap writes where it ends in another tick than it began in.
    uint256 recordGas;
}

/// @title Concentrated liquidity
/// @notice Draws curves and quotes swaps with the mathematics that Uniswap V3, its forks and its successors share.
/// @dev `pool.state`: price (160 bits), tick (24), fee zero for one (24), fee one for zero (24) and tick spacing (24) in
/// the first word, liquidity in the second, the third left to the kind; a list has the ticks around the price there, the
/// previous one in the lower 24 bits and the next one above.
library Concentrated {
    /// @dev One inside the ends of the price range: the amount alone decides where the swap stops.
    uint160 internal constant LOWEST_LIMIT = 4_295_128_740;
    uint160 internal constant HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341;

    /// @dev Gas of each step between prices, and of the bitmap word beyond it.
    uint256 private constant STEP_GAS = 7_200;
    /// @dev What a first write into an empty slot costs more than another write, and what any write costs more than none
    /// (EIP-2929, EIP-3529).
    uint256 private constant EMPTY_SLOT_GAS = 17_100;
    uint256 private constant WRITE_GAS = 2_800;
    /// @dev Steps after which a quote is given up: such a fill costs more gas than it can be worth.
    uint256 private constant MAX_STEPS = 200;
    /// @dev Empty bitmap words that one extension looks through beside liquidity, beyond one for each range asked for.
    uint256 private constant EXTRA_WORDS = 2;
    /// @dev Looks into a gap, at first and in all: a swap steps through each word, so that wider gaps are not worth their
    /// gas.
    uint256 private constant FIRST_GAP = 16;
    uint256 private constant MAX_GAP = 100;

    /// @dev What one extension may still look at: initialized ticks, and words beside liquidity and in gaps.
    struct Reach {
        uint256 ranges;
        uint256 words;
        uint256 gap;
        /// Bitmap word of the pool's price.
        int256 start;
    }

    /// @dev Where a quote stands in the pool.
    struct Step {
        uint160 sqrtPriceX96;
        int256 tick;
        uint128 liquidity;
        uint256 remaining;
        uint24 feePips;
        int256 tickSpacing;
        /// The next tick of a list.
        int256 listedTick;
        /// Where the next step ends at most (compressed, and as a tick), and whether liquidity changes there.
        int256 next;
        int256 nextTick;
        bool initialized;
        TickWord word;
        /// Gas of the leg so far, and whether fees have ever grown in each token, which decides what a tick costs.
        uint256 gas;
        bool grown0;
        bool grown1;
    }

    /// @dev The bitmap word read last.
    struct TickWord {
        bool loaded;
        int256 position;
        uint256 bits;
    }

    /// @notice Keeps what was read of a pool. False if it has no price or cannot be swapped on.
    function keep(Pool memory pool, PoolState memory state) internal pure returns (bool) {
        if (state.sqrtPriceX96 < TickMath.MIN_SQRT_PRICE || state.sqrtPriceX96 >= TickMath.MAX_SQRT_PRICE) {
            return false;
        }
        if (state.feeZeroForOne >= WHOLE_PIPS || state.feeOneForZero >= WHOLE_PIPS) return false;
        if (state.tickSpacing <= 0 || state.liquidity > type(uint128).max) return false;
        pool.state[0] = state.sqrtPriceX96 | uint256(uint24(state.tick)) << 160
            | packFees(state.feeZeroForOne, state.feeOneForZero) | uint256(uint24(state.tickSpacing)) << 232;
        pool.state[1] = state.liquidity;
        return true;
    }

    /// @notice Fees at their places in the first word of the state.
    function packFees(uint256 zeroForOne, uint256 oneForZero) internal pure returns (uint256) {
        return zeroForOne << 184 | oneForZero << 208;
    }

    /// @notice Loads up to `ranges` more initialized ticks in the direction of the swap, and reads across gaps until
    /// liquidity follows.
    /// @dev `curve.cursor` is the liquidity at the end of the loaded part, `curve.cursorTick` the next compressed tick
    /// to look at, or the next tick of a list; no tick between the two is initialized. A curve that ends in a gap stays
    /// open: nobody has seen what lies beyond.
    function extend(TickSource memory source, Pool memory pool, bool zeroForOne, Curve memory curve, uint256 ranges)
        internal
        view
    {
        Step memory step = _stepFrom(pool, zeroForOne);
        uint256 afterFee = sqrtAfterFee(step.feePips);
        bool isFirst = curve.startRatio == 0;
        (curve.open, curve.most) = (true, type(uint256).max);
        if (isFirst && !_start(source, step, zeroForOne, curve, afterFee)) return;
        Reach memory reach = Reach(ranges, ranges + EXTRA_WORDS, isFirst ? FIRST_GAP : MAX_GAP, _wordOf(step));
        step.initialized = true;
        while (_mayLook(source, curve, reach) && _lookFrom(source, pool, step, curve.cursorTick, zeroForOne)) {
            if (step.nextTick <= TickMath.MIN_TICK || step.nextTick >= TickMath.MAX_TICK) {
                pushRange(curve, curve.cursor, sqrtPriceAtTick(step.nextTick), afterFee, zeroForOne);
                curve.open = false;
                return;
            }
            if (curve.cursor == 0) --reach.gap;
            // Of an empty word beside liquidity only the last matters.
            if (step.initialized || curve.cursor == 0) {
                pushRange(curve, curve.cursor, sqrtPriceAtTick(step.nextTick), afterFee, zeroForOne);
            }
            if (!_pass(source, pool, step, curve, reach, zeroForOne)) break;
            if ((step.initialized || curve.cursor == 0) && _isEnough(curve)) break;
        }
        // Ended on the edge of an empty word: the range is known to reach there.
        if (!step.initialized) pushRange(curve, curve.cursor, sqrtPriceAtTick(step.nextTick), afterFee, zeroForOne);
        curve.tailLiquidity = scaledLiquidity(curve.cursor, afterFee);
        if (curve.cursor == 0) _endInGap(source, pool, zeroForOne, curve);
    }

    /// @notice Whether a pool pays nothing at its price.
    function isIdle(Pool memory pool) internal pure returns (bool) {
        return pool.state[1] == 0;
    }

    /// @notice What a pool that keeps its own tokens has of the one that it would pay; the largest number where it does
    /// not say.
    function holdingOf(Pool memory pool, bool zeroForOne) internal view returns (uint256) {
        (bool ok, uint256 holding,) = StaticRead.twoWords(
            zeroForOne ? pool.address1 : pool.address0, IERC20.balanceOf.selector, uint160(pool.pool), 1
        );
        return ok ? holding : type(uint256).max;
    }

    /// @dev Beyond a gap a pool pays no more than it has.
    function _endInGap(TickSource memory source, Pool memory pool, bool zeroForOne, Curve memory curve) private view {
        if (curve.count == 0) curve.startRatio = curve.endRatio;
        if (source.shared) return;
        curve.most = holdingOf(pool, zeroForOne);
        if (curve.most == 0) curve.open = false;
    }

    /// @dev Bitmap word of the pool's price.
    function _wordOf(Step memory step) private pure returns (int256) {
        return compress(step.tick, step.tickSpacing) >> 8;
    }

    /// @dev Beside liquidity as many ticks and words as were asked for; in a gap on to the next liquidity, as long as a
    /// curve has none or more ticks were asked for.
    function _mayLook(TickSource memory source, Curve memory curve, Reach memory reach) private pure returns (bool) {
        if (curve.cursor != 0) return reach.ranges != 0 && reach.words != 0;
        if (reach.gap == 0 || (reach.ranges == 0 && curve.count != 0)) return false;
        int256 distance = (curve.cursorTick >> 8) - reach.start;
        return source.listed || (distance <= int256(MAX_GAP) && -distance <= int256(MAX_GAP));
    }

    /// @dev Passes the edge of a word, or a tick. False if the tick cannot be read, which is then looked at again.
    function _pass(
        TickSource memory source,
        Pool memory pool,
        Step memory step,
        Curve memory curve,
        Reach memory reach,
        bool zeroForOne
    ) private view returns (bool ok) {
        int256 beyond = zeroForOne ? step.next - 1 : step.next + 1;
        if (!step.initialized) {
            if (curve.cursor != 0) --reach.words;
            curve.cursorTick = beyond;
            return true;
        }
        TickState memory crossed;
        (ok, crossed) = source.tickAt(pool, step.nextTick);
        if (!ok) return false;
        if (curve.count == 0) curve.startRatio = curve.endRatio;
        uint256 liquidity;
        (ok, liquidity) = _beyond(curve.cursor, crossed.net, zeroForOne);
        if (!ok) return false;
        curve.cursor = liquidity;
        curve.cursorTick = source.listed ? int256(zeroForOne ? crossed.previous : crossed.next) : beyond;
        if (reach.ranges != 0) --reach.ranges;
    }

    /// @notice What the pool pays for `amountIn`, stepping as the pool does (one bitmap word at a time, because each
    /// step rounds), and the gas of the leg. Zero if the pool cannot take all of the input.
    function quote(TickSource memory source, Pool memory pool, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        if (amountIn > uint256(type(int256).max)) return (0, 0);
        Step memory step = _stepFrom(pool, zeroForOne);
        step.remaining = amountIn;
        _startGas(source, pool, step, zeroForOne);
        for (uint256 steps; step.remaining != 0; ++steps) {
            if (steps == MAX_STEPS || !_look(source, pool, step, zeroForOne)) return (0, 0);
            uint160 target = sqrtPriceAtTick(step.nextTick);
            amountOut += _advance(step, target);
            if (step.sqrtPriceX96 != target || step.remaining == 0) break;
            if (!_goOn(source, pool, step, zeroForOne)) return (0, 0);
        }
        gas = step.gas;
        if (source.recordGas != 0 && _hasLeftTick(pool, step, zeroForOne)) gas += source.recordGas;
    }

    /// @dev Whether the price has left the tick that the pool stands in.
    function _hasLeftTick(Pool memory pool, Step memory step, bool zeroForOne) private pure returns (bool) {
        int256 tick = int24(uint24(pool.state[0] >> 160));
        return zeroForOne ? step.sqrtPriceX96 < sqrtPriceAtTick(tick) : step.sqrtPriceX96 >= sqrtPriceAtTick(tick + 1);
    }

    function _stepFrom(Pool memory pool, bool zeroForOne) private pure returns (Step memory step) {
        uint256 word = pool.state[0];
        step.sqrtPriceX96 = uint160(word);
        step.tick = int24(uint24(word >> 160));
        step.feePips = uint24(word >> (zeroForOne ? 184 : 208));
        step.tickSpacing = int24(uint24(word >> 232));
        step.liquidity = uint128(pool.state[1]);
        step.listedTick = int24(uint24(pool.state[2] >> (zeroForOne ? 0 : 24)));
    }

    /// @dev Finds where the next step ends.
    function _look(TickSource memory source, Pool memory pool, Step memory step, bool zeroForOne)
        private
        view
        returns (bool)
    {
        if (source.listed) return _lookFrom(source, pool, step, step.listedTick, zeroForOne);
        int256 compressed = compress(step.tick, step.tickSpacing);
        return _lookFrom(source, pool, step, zeroForOne ? compressed : compressed + 1, zeroForOne);
    }

    function _lookFrom(TickSource memory source, Pool memory pool, Step memory step, int256 compressed, bool zeroForOne)
        private
        view
        returns (bool)
    {
        if (source.listed) {
            (step.nextTick, step.initialized) = (compressed, true);
            return true;
        }
        TickWord memory word = step.word;
        int256 position = compressed >> 8;
        if (!word.loaded || word.position != position) {
            (word.loaded, word.bits) = source.wordAt(pool, int16(position));
            word.position = position;
            if (!word.loaded) return false;
        }
        (step.next, step.initialized) = nextInWord(word.bits, compressed, zeroForOne);
        step.nextTick = step.next * step.tickSpacing;
        return true;
    }

    /// @dev Passes the end of a step. False at the end of all liquidity.
    function _goOn(TickSource memory source, Pool memory pool, Step memory step, bool zeroForOne)
        private
        view
        returns (bool ok)
    {
        int256 tick = step.nextTick;
        if (tick <= TickMath.MIN_TICK || tick >= TickMath.MAX_TICK) return false;
        step.tick = zeroForOne ? tick - 1 : tick;
        step.gas += STEP_GAS;
        if (!step.initialized) return true;
        TickState memory crossed;
        (ok, crossed) = source.tickAt(pool, tick);
        if (!ok) return false;
        uint256 liquidity;
        (ok, liquidity) = _beyond(step.liquidity, crossed.net, zeroForOne);
        step.liquidity = uint128(liquidity);
        step.listedTick = zeroForOne ? crossed.previous : crossed.next;
        step.gas += source.tickGas + _flipGas(step.grown0, crossed.outside0) + _flipGas(step.grown1, crossed.outside1);
    }

    /// @dev A swap writes the growth of fees in the token sold.
    function _startGas(TickSource memory source, Pool memory pool, Step memory step, bool zeroForOne) private view {
        (uint256 growth0, uint256 growth1) = source.growths(pool);
        step.gas = source.legGas;
        if ((zeroForOne ? growth0 : growth1) == 0) step.gas += EMPTY_SLOT_GAS;
        (step.grown0, step.grown1) = (growth0 != 0 || zeroForOne, growth1 != 0 || !zeroForOne);
    }

    /// @dev Crossing a tick replaces a growth `outside` by the global one less it; beyond reading it.
    function _flipGas(bool grown, uint256 outside) private pure returns (uint256) {
        if (outside == 0) return grown ? EMPTY_SLOT_GAS + WRITE_GAS : 0;
        return WRITE_GAS;
    }

    /// @dev One step of a swap, at most to `target`.
    function _advance(Step memory step, uint160 target) private pure returns (uint256 amountOut) {
        uint256 amountIn;
        uint256 fee;
        (step.sqrtPriceX96, amountIn, amountOut, fee) =
            SwapMath.computeSwapStep(step.sqrtPriceX96, target, step.liquidity, -int256(step.remaining), step.feePips);
        step.remaining -= amountIn + fee;
    }

    /// @dev Whether what was read reaches below the ratio that matters, or takes more than the trade can bring.
    function _isEnough(Curve memory curve) private pure returns (bool) {
        return curve.endRatio <= curve.until || (curve.expected != 0 && curve.loadedIn > curve.expected);
    }

    /// @dev Liquidity beyond a tick. False if it would be none that a pool can have.
    function _beyond(uint256 liquidity, uint256 net, bool zeroForOne) private pure returns (bool, uint256) {
        int256 result = zeroForOne ? int256(liquidity) - int256(net) : int256(liquidity) + int256(net);
        return (result >= 0 && result <= int256(uint256(type(uint128).max)), uint256(result));
    }

    function _start(TickSource memory source, Step memory step, bool zeroForOne, Curve memory curve, uint256 afterFee)
        private
        pure
        returns (bool)
    {
        uint256 start = ratioAt(step.sqrtPriceX96, afterFee, zeroForOne);
        curve.endRatio = start;
        // Of no use where it pays, and not known to be of none.
        if (step.liquidity != 0 && (start < MIN_RATIO || start > MAX_RATIO)) return false;
        (curve.startRatio, curve.cursor) = (start, step.liquidity);
        int256 compressed = compress(step.tick, step.tickSpacing);
        curve.cursorTick = source.listed ? step.listedTick : zeroForOne ? compressed : compressed + 1;
        return true;
    }
}
