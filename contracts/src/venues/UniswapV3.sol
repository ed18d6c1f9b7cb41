// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";
import {create2Address, sortTokens} from "../libraries/Create2.sol";
import {Payment} from "../libraries/Payment.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {compress, nextInWord, pushRange, ratioAt, scaledLiquidity, sqrtPriceAtTick} from "../math/Concentrated.sol";
import {MAX_RATIO, MIN_RATIO, sqrtAfterFee} from "../math/Ratio.sol";
import {Curve, Pool} from "../solver/Market.sol";
import {Venue, VenueConfig} from "../types/Venue.sol";
import {SwapMath} from "@uniswap/v4-core/src/libraries/SwapMath.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";

/// @notice What is called of a pool.
interface IUniswapV3Pool {
    function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
    function slot0() external view;
    function liquidity() external view returns (uint128);
    function tickBitmap(int16 position) external view returns (uint256);
    /// @dev Growths of fees on the other side of the tick follow the liquidities.
    function ticks(int24 tick) external view;
    function feeGrowthGlobal0X128() external view returns (uint256);
    function feeGrowthGlobal1X128() external view returns (uint256);
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1);
}

/// @title Concentrated-liquidity pools of Uniswap V3 and its forks
/// @notice The pool pays first and then calls its caller back for the input.
library UniswapV3 {
    /// @dev One inside the ends of the price range: the amount alone decides where the swap stops.
    uint160 private constant LOWEST_LIMIT = 4_295_128_740;
    uint160 private constant HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341;

    /// @dev Gas that a leg adds to a swap, each initialised tick that it crosses, and each step between prices, where
    /// every slot that is written held something before.
    uint256 private constant LEG_GAS = 68_000;
    uint256 private constant TICK_GAS = 16_500;
    uint256 private constant STEP_GAS = 5_000;
    /// @dev What a first write into an empty slot costs more than another write, and what any write costs more than none
    /// (EIP-2929, EIP-3529).
    uint256 private constant EMPTY_SLOT_GAS = 17_100;
    uint256 private constant WRITE_GAS = 2_800;
    /// @dev Steps after which a quote is given up: such a fill costs more gas than it can be worth.
    uint256 private constant MAX_STEPS = 200;
    /// @dev Empty bitmap words that one extension looks through, beyond one for each range asked for.
    uint256 private constant EXTRA_WORDS = 2;

    /// @notice The pool of the two tokens with the fee `key`.
    /// @dev A key of more than 24 bits is hashed as it is and so derives an address where no pool can stand.
    function derive(Venue memory venue, address tokenA, address tokenB, uint256 key) internal pure returns (address) {
        (address token0, address token1) = sortTokens(tokenA, tokenB);
        bytes32 salt = keccak256(abi.encode(token0, token1, key));
        return create2Address(venue.deployer, salt, venue.initCodeHash);
    }

    /// @notice A callback, a word of the state call for the lock, and tick spacings.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        if (config.venue.callback == 0 || config.venue.feePips != 0 || config.venue.unlockedWord == 0) return false;
        for (uint256 i; i < config.tiers.length; ++i) {
            if (config.tiers[i].tickSpacing <= 0) return false;
        }
        return true;
    }

    /// @notice Swaps the payment for `tokenOut`, to this contract; the pool collects the payment by its callback.
    function fill(Payment memory payment, address tokenOut) internal {
        // Above this the number would turn negative, which asks the pool for an exact output.
        if (payment.amount > uint256(type(int256).max)) revert IRouter.PartialFill(payment.pool, payment.amount, 0);

        bool zeroForOne = payment.token < tokenOut;
        IUniswapV3Pool(payment.pool)
            .swap(address(this), zeroForOne, int256(payment.amount), zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT, "");
    }

    /// @notice What the running callback asks for; zero where it asks for nothing.
    function owed() internal pure returns (uint256) {
        (int256 amount0, int256 amount1) = abi.decode(msg.data[4:], (int256, int256));
        int256 amount = amount0 > 0 ? amount0 : amount1;
        return amount > 0 ? uint256(amount) : 0;
    }

    /// @notice Takes `amount` of `token` as a loan; the pool calls back with `data`.
    function borrow(address pool, address token, address other, uint256 amount, bytes memory data) internal {
        bool isToken0 = token < other;
        IUniswapV3Pool(pool).flash(address(this), isToken0 ? amount : 0, isToken0 ? 0 : amount, data);
    }

    /// @notice The `data` of the running callback: the third argument.
    function loanData() internal pure returns (bytes memory data) {
        (,, data) = abi.decode(msg.data[4:], (uint256, uint256, bytes));
    }

    /* SEARCH */

    /// @notice Reads price, tick and liquidity. False where there is no pool, or one that is locked or has no price.
    function read(Pool memory pool) internal view returns (bool) {
        (uint256 words, uint256[7] memory answer) = StaticRead.words(pool.pool, IUniswapV3Pool.slot0.selector);
        if (words <= pool.venue.unlockedWord || answer[0] == 0 || answer[pool.venue.unlockedWord] == 0) return false;
        (bool ok, uint256 liquidity,) = StaticRead.twoWords(pool.pool, IUniswapV3Pool.liquidity.selector, 0, 1);
        if (!ok) return false;
        pool.state = [answer[0], answer[1], liquidity];
        return true;
    }

    /// @notice Loads up to `ranges` more initialised ticks in the direction of the swap.
    /// @dev `curve.cursor` is the liquidity at the end of the loaded part, `curve.cursorTick` the next compressed tick
    /// to look at; no tick between the two is initialised.
    function extend(Pool memory pool, bool zeroForOne, Curve memory curve, uint256 ranges) internal view {
        uint256 afterFee = sqrtAfterFee(pool.tier.feePips);
        if (curve.startRatio == 0 && !_start(pool, zeroForOne, curve, afterFee)) return;
        Step memory step;
        curve.open = true;
        step.initialized = true;
        for (uint256 looks = ranges + EXTRA_WORDS; ranges != 0 && looks != 0;) {
            if (!_lookFrom(pool, step, curve.cursorTick, zeroForOne)) return;
            int256 tick = step.nextTick;
            if (tick <= TickMath.MIN_TICK || tick >= TickMath.MAX_TICK) {
                pushRange(curve, curve.cursor, sqrtPriceAtTick(tick), afterFee, zeroForOne);
                curve.open = false;
                return;
            }
            curve.cursorTick = zeroForOne ? step.next - 1 : step.next + 1;
            if (!step.initialized) {
                --looks;
                continue;
            }
            pushRange(curve, curve.cursor, sqrtPriceAtTick(tick), afterFee, zeroForOne);
            (bool ok, uint256 liquidity) = _cross(pool, tick, curve.cursor, zeroForOne);
            if (!ok) return;
            curve.cursor = liquidity;
            --ranges;
        }
        // Ended on the edge of an empty word: the range is known to reach there.
        if (!step.initialized) pushRange(curve, curve.cursor, sqrtPriceAtTick(step.nextTick), afterFee, zeroForOne);
        curve.tailLiquidity = scaledLiquidity(curve.cursor, afterFee);
        // Beyond a gap as wide as this there may be more, at a price that is worth nobody's while.
        if (curve.cursor == 0) curve.open = false;
    }

    /// @notice What the pool pays for `amountIn`, stepping as the pool does (one bitmap word at a time, because each
    /// step rounds), and the gas of the leg. Zero where the pool cannot take all of the input.
    function quote(Pool memory pool, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        if (amountIn > uint256(type(int256).max)) return (0, 0);
        Step memory step;
        (step.sqrtPriceX96, step.tick) = (uint160(pool.state[0]), int24(int256(pool.state[1])));
        (step.liquidity, step.remaining) = (uint128(pool.state[2]), amountIn);
        _startGas(pool, step, zeroForOne);
        for (uint256 steps; step.remaining != 0; ++steps) {
            if (steps == MAX_STEPS || !_look(pool, step, zeroForOne)) return (0, 0);
            uint160 target = sqrtPriceAtTick(step.nextTick);
            amountOut += _advance(step, target, pool.tier.feePips);
            if (step.sqrtPriceX96 != target || step.remaining == 0) break;
            if (!_goOn(pool, step, zeroForOne)) return (0, 0);
        }
        gas = step.gas;
    }

    /// @dev Where a quote stands in the pool.
    struct Step {
        uint160 sqrtPriceX96;
        int256 tick;
        uint128 liquidity;
        uint256 remaining;
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

    /// @dev Finds where the next step ends.
    function _look(Pool memory pool, Step memory step, bool zeroForOne) private view returns (bool) {
        int256 compressed = compress(step.tick, pool.tier.tickSpacing);
        return _lookFrom(pool, step, zeroForOne ? compressed : compressed + 1, zeroForOne);
    }

    function _lookFrom(Pool memory pool, Step memory step, int256 compressed, bool zeroForOne)
        private
        view
        returns (bool)
    {
        if (!_load(pool, step.word, compressed >> 8)) return false;
        (step.next, step.initialized) = nextInWord(step.word.bits, compressed, zeroForOne);
        step.nextTick = step.next * pool.tier.tickSpacing;
        return true;
    }

    /// @dev Passes the end of a step. False at the end of all liquidity.
    function _goOn(Pool memory pool, Step memory step, bool zeroForOne) private view returns (bool ok) {
        int256 tick = step.nextTick;
        if (tick <= TickMath.MIN_TICK || tick >= TickMath.MAX_TICK) return false;
        step.tick = zeroForOne ? tick - 1 : tick;
        step.gas += STEP_GAS;
        if (!step.initialized) return true;
        (uint256 count, uint256[7] memory words) =
            StaticRead.words(pool.pool, IUniswapV3Pool.ticks.selector, uint256(tick));
        if (count < 4) return false;
        uint256 beyond;
        (ok, beyond) = _beyond(step.liquidity, words[1], zeroForOne);
        step.liquidity = uint128(beyond);
        step.gas += TICK_GAS + _flipGas(step.grown0, words[2]) + _flipGas(step.grown1, words[3]);
    }

    /// @dev A swap writes the growth of fees in the token sold.
    function _startGas(Pool memory pool, Step memory step, bool zeroForOne) private view {
        (, uint256 growth0,) = StaticRead.twoWords(pool.pool, IUniswapV3Pool.feeGrowthGlobal0X128.selector, 0, 1);
        (, uint256 growth1,) = StaticRead.twoWords(pool.pool, IUniswapV3Pool.feeGrowthGlobal1X128.selector, 0, 1);
        step.gas = LEG_GAS;
        if ((zeroForOne ? growth0 : growth1) == 0) step.gas += EMPTY_SLOT_GAS;
        (step.grown0, step.grown1) = (growth0 != 0 || zeroForOne, growth1 != 0 || !zeroForOne);
    }

    /// @dev Crossing a tick replaces a growth `outside` by the global one less it; beyond reading it.
    function _flipGas(bool grown, uint256 outside) private pure returns (uint256) {
        if (outside == 0) return grown ? EMPTY_SLOT_GAS + WRITE_GAS : 0;
        return WRITE_GAS;
    }

    function _advance(Step memory step, uint160 target, uint24 feePips) private pure returns (uint256 amountOut) {
        uint256 amountIn;
        uint256 fee;
        (step.sqrtPriceX96, amountIn, amountOut, fee) =
            SwapMath.computeSwapStep(step.sqrtPriceX96, target, step.liquidity, -int256(step.remaining), feePips);
        step.remaining -= amountIn + fee;
    }

    function _start(Pool memory pool, bool zeroForOne, Curve memory curve, uint256 afterFee)
        private
        pure
        returns (bool)
    {
        uint256 start = ratioAt(pool.state[0], afterFee, zeroForOne);
        if (start < MIN_RATIO || start > MAX_RATIO) return false;
        (curve.startRatio, curve.endRatio, curve.cursor) = (start, start, pool.state[2]);
        int256 compressed = compress(int24(int256(pool.state[1])), pool.tier.tickSpacing);
        curve.cursorTick = zeroForOne ? compressed : compressed + 1;
        return true;
    }

    function _load(Pool memory pool, TickWord memory word, int256 position) private view returns (bool ok) {
        if (word.loaded && word.position == position) return true;
        (ok, word.bits,) =
            StaticRead.twoWords(pool.pool, IUniswapV3Pool.tickBitmap.selector, uint256(int256(int16(position))), 1);
        (word.loaded, word.position) = (ok, position);
    }

    /// @dev Liquidity beyond an initialised tick. Every fork answers `ticks` with liquidityNet as the second word.
    function _cross(Pool memory pool, int256 tick, uint256 liquidity, bool zeroForOne)
        private
        view
        returns (bool ok, uint256)
    {
        uint256 net;
        (ok,, net) = StaticRead.twoWords(pool.pool, IUniswapV3Pool.ticks.selector, uint256(tick), 2);
        if (!ok) return (false, 0);
        return _beyond(liquidity, net, zeroForOne);
    }

    function _beyond(uint256 liquidity, uint256 net, bool zeroForOne) private pure returns (bool, uint256) {
        int256 beyond = zeroForOne ? int256(liquidity) - int256(net) : int256(liquidity) + int256(net);
        return (beyond >= 0 && beyond <= int256(uint256(type(uint128).max)), uint256(beyond));
    }
}
