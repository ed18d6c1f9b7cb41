// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Allowance} from "../libraries/Allowance.sol";
import {Payment} from "../libraries/Payment.sol";
import {FRACTION_BITS, Sample, Shape, doublingOf} from "../math/Sampling.sol";
import {StableSwap} from "../math/StableSwap.sol";
import {at} from "../math/UncheckedArrays.sol";
import {indexesOf} from "./Listed.sol";
import {StableWords} from "./StableWords.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What is called of a pool.
interface ICurvePool {
    function coins(uint256 index) external view returns (address);
    function balances(uint256 index) external view returns (uint256);
    function A() external view returns (uint256);
    /// @dev In hundredths; pools of early 2020 do not have it.
    function A_precise() external view returns (uint256);
    function fee() external view returns (uint256);
    /// @dev Part of the fee that leaves the balances, in 1e-10.
    function admin_fee() external view returns (uint256);
    /// @dev StableSwap-NG: rates in 1e18 per 1e18 of a normalized unit, and how the fee grows off the peg.
    function stored_rates() external view returns (uint256[] memory);
    function offpeg_fee_multiplier() external view returns (uint256);
    function get_dy(int128 i, int128 j, uint256 dx) external view returns (uint256);
    function exchange(int128 i, int128 j, uint256 dx, uint256 least) external;
}

interface IDecimals {
    function decimals() external view returns (uint8);
}

/// @title Curve's StableSwap pools with int128 indexes: plain ones since 2020, and StableSwap-NG
/// @notice Pools are listed in the Hub, because nothing derives their addresses. They take their input by allowance.
/// @dev No bytecode of these pools is to be had from npm, nor a Vyper compiler to make it. This is written from the
/// published mathematics, and tested against pools that the tests write from it a second time. What it does not know is
/// refused and never guessed: pools whose own `get_dy` is not what follows from what was read (those of lending tokens,
/// or with rates of another form), those of before 2020, which count coins by int128 and round otherwise, and those of
/// the native token, which nothing can approve. Crypto pools count by uint256 and have no such `get_dy`.
library CurveStable {
    using StableWords for uint256[];

    /// @dev What fees are parts of.
    uint256 private constant WHOLE_FEE = 1e10;
    uint256 private constant WAD = 1e18;
    uint256 private constant A_PRECISION = 100;
    uint256 private constant MAX_COINS = 8;
    /// @dev What a pool answers may be so much less than the mathematics, and a few units more: it may round otherwise.
    uint256 private constant LESS_PARTS = 1e6;
    uint256 private constant MORE_UNITS = 2;
    /// @dev The trial is this part of the balance, as a shift: large enough for another amplification to show.
    uint256 private constant TRIAL_SHIFT = 2;
    uint256 private constant LEG_GAS = 121_000;
    /// @dev The same for a pool that an earlier leg has used: what it reads is warm.
    uint256 private constant SECOND_LEG_GAS = 66_000;

    /// @notice Swaps the payment for `tokenOut`, to this contract.
    function fill(Payment memory payment, address tokenOut, uint256 key) internal {
        (uint256 i, uint256 j) = indexesOf(key, payment.token < tokenOut);
        uint256 amount = Allowance.grant(payment, payment.pool);
        ICurvePool(payment.pool).exchange(int128(uint128(i)), int128(uint128(j)), amount, 0);
        Allowance.demandUsedUp(payment, payment.pool, amount);
    }

    /* SEARCH */

    /// @notice Balances, rates, amplification and fee. Empty if the pool's own answer to a trial is not what follows
    /// from them.
    function read(address target, uint256 key) internal view returns (uint256[] memory state) {
        ICurvePool pool = ICurvePool(target);
        (uint256[] memory balances, uint256[] memory rates, bool isNg) = _balancesOf(pool);
        uint256 n = balances.length;
        state = StableWords.open(key, n);
        if (state.length == 0) return state;
        state[StableWords.FEE] = pool.fee();
        if (isNg) (state[StableWords.OFFPEG], state[StableWords.DIVIDES_LAST]) = (_offpegOf(pool), 1);
        (state[StableWords.ANN], state[StableWords.PRECISION]) = _amplificationOf(pool, n);
        for (uint256 k; k < n; ++k) {
            state.put(k, balances[k], rates[k]);
        }
        state = state.close(WHOLE_FEE);
        if (state.length == 0) return state;
        (uint256 i,) = indexesOf(key, true);
        (uint256 amountOut,) = quote(target, state, true, balances[i] >> TRIAL_SHIFT);
        if (amountOut == 0) return new uint256[](0);
    }

    /// @notice The curve before it is sampled: the fee stays in the pool, so that it never pays all that it holds.
    function describe(uint256[] memory state, Shape memory shape) internal pure {
        state.describe(shape);
        shape.most -= shape.most * at(state, StableWords.FEE) / WHOLE_FEE;
    }

    /// @notice A point of the curve, with the lowest fee that the pool may take from the output.
    /// @dev StableSwap-NG's fee grows with a swap that takes the balances apart, and falls towards its base otherwise.
    function sample(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (Sample memory point)
    {
        StableSwap memory pool = state.poolOf(zeroForOne);
        uint256 x = pool.balances[pool.i] + FixedPointMathLib.fullMulDiv(amountIn, pool.rateIn, WAD);
        uint256 y = pool.balanceDown(x);
        point.amountIn = amountIn;
        if (y == 0) return point;
        // Both roundings may leave no input with a little more than there is.
        y = FixedPointMathLib.min(y, pool.balances[pool.j]);

        (uint256 sold, uint256 bought) = (pool.balances[pool.i], pool.balances[pool.j]);
        uint256 kept = WHOLE_FEE - (sold < bought ? at(state, StableWords.FEE) : _feeAt(state, pool, sold, bought));
        uint256 out = (pool.balances[pool.j] - y) * kept / WHOLE_FEE;
        point.amountOut = FixedPointMathLib.fullMulDiv(out << FRACTION_BITS, WAD, pool.rateOut);
        uint256 growth;
        (point.ratio, growth) = pool.priceRatio(x, y, kept, WHOLE_FEE);
        point.isConvex = x >= y;
        point.doubling = doublingOf(FixedPointMathLib.fullMulDiv(x, WAD, pool.rateIn), growth);
    }

    /// @notice What the pool pays for `amountIn` and the gas of the leg; zero where its view and the mathematics part.
    /// @dev The pool's own view, but for the last unit: pools of 2020 convert the output to the token's decimals
    /// before the fee in the view, and after it in the swap. Where their view is what follows that way from the
    /// mathematics, what follows the other way is what they pay. Of a pool that an earlier leg moves there is no view.
    function quote(address pool, uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        (uint256 paid, uint256 viewed,) = outputsOf(state, zeroForOne, amountIn);
        if (at(state, StableWords.IS_MOVED) == 1) return (paid, SECOND_LEG_GAS);
        (uint256 i, uint256 j) = indexesOf(at(state, StableWords.KEY), zeroForOne);
        amountOut = ICurvePool(pool).get_dy(int128(uint128(i)), int128(uint128(j)), amountIn);
        if (amountOut == viewed) amountOut = paid;
        uint256 least = FixedPointMathLib.zeroFloorSub(paid, paid / LESS_PARTS + MORE_UNITS);
        if (amountOut > paid + MORE_UNITS || amountOut < least) return (0, 0);
        gas = LEG_GAS;
    }

    /// @notice The state after a swap between any two of the pool's tokens. None unless the swap pays exactly what the mathematics say.
    /// @dev The owner's part of the fee leaves the balances with the output.
    /// @param state With the key of the swap.
    function afterSwap(address pool, uint256[] memory state, bool zeroForOne, uint256 amountIn, uint256 amountOut)
        internal
        view
        returns (uint256[] memory none)
    {
        (uint256 paid,, uint256 charged) = outputsOf(state, zeroForOne, amountIn);
        if (paid != amountOut) return none;
        StableSwap memory stable = state.poolOf(zeroForOne);
        uint256 taken = charged * ICurvePool(pool).admin_fee() / WHOLE_FEE * WAD / stable.rateOut;
        return state.moved(stable, amountIn, amountOut + taken, WHOLE_FEE);
    }

    /// @notice What follows from the mathematics: `paid` as the swap rounds, `viewed` as the view of the oldest pools does, and `charged`,
    /// the fee, normalized.
    function outputsOf(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (uint256 paid, uint256 viewed, uint256 charged)
    {
        StableSwap memory pool = state.poolOf(zeroForOne);
        uint256 x = pool.balances[pool.i] + amountIn * pool.rateIn / WAD;
        uint256 y = pool.balanceDown(x);
        if (y >= pool.balances[pool.j]) return (0, 0, 0);
        uint256 out = pool.balances[pool.j] - y - 1;
        uint256 fee = _feeAt(state, pool, x, y);
        charged = out * fee / WHOLE_FEE;
        paid = (out - charged) * WAD / pool.rateOut;
        viewed = out * WAD / pool.rateOut;
        viewed -= viewed * fee / WHOLE_FEE;
    }

    /* INTERNAL */

    function _balancesOf(ICurvePool pool)
        private
        view
        returns (uint256[] memory balances, uint256[] memory rates, bool isNg)
    {
        try pool.stored_rates() returns (uint256[] memory stored) {
            (rates, isNg) = (stored, true);
        } catch {}
        balances = new uint256[](MAX_COINS);
        if (!isNg) rates = new uint256[](MAX_COINS);
        uint256 n;
        for (; n < rates.length && n < MAX_COINS; ++n) {
            if (!isNg) {
                try pool.coins(n) returns (address coin) {
                    // The address that stands for the native token has no code, and the read ends here.
                    rates[n] = 10 ** (36 - IDecimals(coin).decimals());
                } catch {
                    break;
                }
            }
            balances[n] = pool.balances(n);
        }
        assembly ("memory-safe") {
            mstore(balances, n)
            mstore(rates, n)
        }
    }

    function _amplificationOf(ICurvePool pool, uint256 n) private view returns (uint256 ann, uint256 precision) {
        try pool.A_precise() returns (uint256 a) {
            return (a * n, A_PRECISION);
        } catch {
            return (pool.A() * n, 1);
        }
    }

    function _offpegOf(ICurvePool pool) private view returns (uint256) {
        try pool.offpeg_fee_multiplier() returns (uint256 multiplier) {
            return multiplier;
        } catch {
            return 0;
        }
    }

    /// @dev StableSwap-NG's fee grows as the two balances part: m f / ((m - 1) 4 x y / (x + y)^2 + 1), at the mean
    /// balances of the swap.
    function _feeAt(uint256[] memory state, StableSwap memory pool, uint256 x, uint256 y)
        private
        pure
        returns (uint256)
    {
        uint256 multiplier = at(state, StableWords.OFFPEG);
        if (multiplier <= WHOLE_FEE) return at(state, StableWords.FEE);
        x = (pool.balances[pool.i] + x) / 2;
        y = (pool.balances[pool.j] + y) / 2;
        uint256 sum = (x + y) * (x + y);
        return multiplier * at(state, StableWords.FEE) / ((multiplier - WHOLE_FEE) * 4 * x * y / sum + WHOLE_FEE);
    }
}
