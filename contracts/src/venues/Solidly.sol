// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {balanceOf} from "../libraries/Balance.sol";
import {create2Address, sortTokens} from "../libraries/Create2.sol";
import {Payment} from "../libraries/Payment.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {WHOLE_PIPS, sqrtRatio} from "../math/Ratio.sol";
import {FRACTION_BITS, Sample, Shape, doublingOf} from "../math/Sampling.sol";
import {WAD, stableBalance, stableInvariant} from "../math/SolidlyCurve.sol";
import {PackedVenue, VenueConfig} from "../types/Venue.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What is called of a pool.
interface ISolidlyPool {
    /// @dev Base units of a whole token0 and token1, the reserves, whether the curve is the stable one, the tokens.
    function metadata()
        external
        view
        returns (uint256 scale0, uint256 scale1, uint256 reserve0, uint256 reserve1, bool stable, address, address);
    function reserve0() external view returns (uint256);
    function reserve1() external view returns (uint256);
    function lastObservation() external view returns (uint256 timestamp, uint256 sum0, uint256 sum1);
    function reserve0CumulativeLast() external view returns (uint256);
    /// @dev Fees of a token for each unit of liquidity, over the pool's life.
    function index0() external view returns (uint256);
    function index1() external view returns (uint256);
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

/// @notice What is called of the factory.
interface ISolidlyFactory {
    function isPaused() external view returns (bool);
    function getFee(address pool, bool stable) external view returns (uint256);
}

/// @title Pools of Aerodrome, Velodrome V2 and their forks: `x y` or `x^3 y + x y^3`
/// @notice Two pools for a pair, told apart by the leg's key: 0 is the volatile one, 1 the stable one. Pools are
/// EIP-1167 clones, and the fee is the factory's to change, so it is read with the reserves. The input is sent ahead;
/// the pool says what it pays for it, and checks that its invariant has not fallen.
library Solidly {
    /// @dev What the fee is a part of.
    uint256 private constant WHOLE_FEE = 10_000;
    /// @dev A reserve below this rounds too coarsely to be priced, and so does a stable invariant: where `x y` is below
    /// 1e18 it is zero, and the pool would give everything away.
    uint256 private constant DUST = 1000;
    uint256 private constant LEAST_INVARIANT = 1e10;
    /// @dev Above this the invariant overflows.
    uint256 private constant MAX_RESERVE = type(uint112).max;
    /// @dev Normalized reserves further apart than this have no price worth trading at.
    uint256 private constant MAX_IMBALANCE = 1e4;

    /// @dev Gas that a leg adds to a swap.
    uint256 private constant VOLATILE_GAS = 125_500;
    uint256 private constant STABLE_GAS = 138_500;
    /// @dev What a swap adds that records an observation, three slots, which one does when the last is older than this.
    uint256 private constant OBSERVATION_GAS = 61_000;
    /// @dev What the first swap of a pool adds for its two price sums, and the first one in each direction for the fees
    /// of the token sold: their index and the account that collects them (EIP-2929: slots that held nothing).
    uint256 private constant FIRST_SWAP_GAS = 34_200;
    uint256 private constant FIRST_FEE_GAS = 34_200;
    uint256 private constant OBSERVATION_SECONDS = 30 minutes;

    /// @dev Words of a read pool: reserves and base units of a whole token by address order, fee, curve, invariant.
    uint256 private constant RESERVES = 0;
    uint256 private constant SCALES = 2;
    uint256 private constant FEE = 4;
    uint256 private constant STABLE = 5;
    uint256 private constant INVARIANT = 6;
    uint256 private constant WORDS = 7;

    /// @dev Balances in 1e-18 of the token sold and the token bought, and base units of a whole one of each.
    struct Balances {
        uint256 x;
        uint256 y;
        uint256 scaleIn;
        uint256 scaleOut;
    }

    /// @notice The pool of the two tokens; a key other than 0 and 1 has none.
    function derive(PackedVenue memory venue, address tokenA, address tokenB, uint256 key)
        internal
        pure
        returns (address)
    {
        if (key > 1) return address(0);
        (address token0, address token1) = sortTokens(tokenA, tokenB);
        bytes32 salt = keccak256(abi.encodePacked(token0, token1, key == 1));
        return create2Address(venue.deployer(), salt, venue.initCodeHash);
    }

    /// @notice The keys 0 and 1 without a fee, which is live.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        if (config.venue.feePips != 0 || config.venue.unlockedWord != 0) return false;
        for (uint256 i; i < config.tiers.length; ++i) {
            if (config.tiers[i].key > 1 || config.tiers[i].feePips != 0 || config.tiers[i].tickSpacing != 0) {
                return false;
            }
        }
        return true;
    }

    /// @notice Swaps the payment for `tokenOut`, which goes to `to`.
    /// @dev The pool's surplus over its reserve is what it was really given, so that taxed inputs are priced right.
    /// @return amountOut What the pool was asked for.
    function fill(Payment memory payment, address tokenOut, address to) internal returns (uint256 amountOut) {
        payment.settle();

        bool zeroForOne = payment.token < tokenOut;
        ISolidlyPool pool = ISolidlyPool(payment.pool);
        uint256 received = balanceOf(payment.token, payment.pool) - (zeroForOne ? pool.reserve0() : pool.reserve1());
        amountOut = pool.getAmountOut(received, payment.token);
        pool.swap(zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, to, "");
    }

    /* SEARCH */

    /// @notice Reserves and fee of a pool; empty if it is too small to price or the factory has stopped all swaps.
    /// @dev Whoever calls caps the gas: what a pool answers is not measured here.
    function read(address factory, address pool) internal view returns (uint256[] memory state) {
        state = new uint256[](WORDS);
        bool stable;
        (state[SCALES], state[SCALES + 1], state[RESERVES], state[RESERVES + 1], stable,,) =
            ISolidlyPool(pool).metadata();
        if (ISolidlyFactory(factory).isPaused() || !_isPriceable(state, stable)) return new uint256[](0);
        state[FEE] = ISolidlyFactory(factory).getFee(pool, stable);
        if (state[FEE] >= WHOLE_FEE) return new uint256[](0);
    }

    /// @notice The curve before it is sampled; the volatile one needs no samples.
    function describe(uint256[] memory state, Shape memory shape) internal pure {
        (shape.reserveIn, shape.most) = _reserves(state, shape.zeroForOne);
        shape.isProduct = state[STABLE] == 0;
        Balances memory balances = _normalised(state, shape.zeroForOne);
        shape.unit = FixedPointMathLib.min(balances.x, balances.y) * balances.scaleIn / WAD;
        shape.feePips = state[FEE] * (WHOLE_PIPS / WHOLE_FEE);
    }

    /// @notice A point of a stable curve. For y(x) on the invariant the price is (3 x^2 y + y^3) / (x^3 + 3 x y^2).
    function sample(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        returns (Sample memory point)
    {
        Balances memory balances = _normalised(state, zeroForOne);
        uint256 kept = WHOLE_FEE - state[FEE];
        point.amountIn = amountIn;
        uint256 x = balances.x + amountIn * kept * (WAD / WHOLE_FEE) / balances.scaleIn;
        uint256 y = stableBalance(x, state[INVARIANT], balances.y, 0, 0);
        if (y == 0) return point;
        // Rounding may leave no input with a little more than there is.
        y = FixedPointMathLib.min(y, balances.y);
        point.amountOut = FixedPointMathLib.fullMulDiv((balances.y - y) << FRACTION_BITS, balances.scaleOut, WAD);
        uint256 growth;
        (point.ratio, growth) = _stableRatio(x, y, balances.scaleOut * kept, balances.scaleIn * WHOLE_FEE);
        point.isConvex = x >= y;
        x = FixedPointMathLib.fullMulDiv(x, balances.scaleIn * WHOLE_FEE, WAD * kept);
        point.doubling = doublingOf(x, growth);
    }

    /// @notice What the pool pays for `amountIn` and the gas of the leg; zero if it refuses.
    function quote(address pool, uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        (amountOut, gas) = _priceOf(state, zeroForOne, amountIn);
        if (gas == 0) return (0, 0);
        (bool ok, uint256 observed,) = StaticRead.twoWords(pool, ISolidlyPool.lastObservation.selector, 0, 3);
        if (ok && block.timestamp > observed + OBSERVATION_SECONDS) gas += OBSERVATION_GAS;
        if (_isZero(pool, ISolidlyPool.reserve0CumulativeLast.selector)) gas += FIRST_SWAP_GAS;
        bytes4 feeIndex = zeroForOne ? ISolidlyPool.index0.selector : ISolidlyPool.index1.selector;
        if (_isZero(pool, feeIndex)) gas += FIRST_FEE_GAS;
    }

    function _isZero(address pool, bytes4 getter) private view returns (bool) {
        (bool ok, uint256 value,) = StaticRead.twoWords(pool, getter, 0, 1);
        return ok && value == 0;
    }

    function _priceOf(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        private
        pure
        returns (uint256 amountOut, uint256 gas)
    {
        (uint256 reserveIn, uint256 reserveOut) = _reserves(state, zeroForOne);
        if (amountIn > MAX_RESERVE - reserveIn) return (0, 0);
        amountIn -= amountIn * state[FEE] / WHOLE_FEE;
        if (state[STABLE] == 0) return (amountIn * reserveOut / (reserveIn + amountIn), VOLATILE_GAS);

        Balances memory balances = _normalised(state, zeroForOne);
        uint256 x = balances.x + amountIn * WAD / balances.scaleIn;
        if (x > MAX_RESERVE) return (0, 0);
        uint256 y = stableBalance(x, state[INVARIANT], balances.y, state[SCALES], state[SCALES + 1]);
        if (y == 0 || y > balances.y) return (0, 0);
        amountOut = (balances.y - y) * balances.scaleOut / WAD;
        if (amountOut >= reserveOut) return (0, 0);
        // The pool's own last check, which rounding can fail.
        x = (reserveIn + amountIn) * WAD / balances.scaleIn;
        y = (reserveOut - amountOut) * WAD / balances.scaleOut;
        return stableInvariant(x, y) < state[INVARIANT] ? (0, 0) : (amountOut, STABLE_GAS);
    }

    function _reserves(uint256[] memory state, bool zeroForOne) private pure returns (uint256, uint256) {
        return zeroForOne ? (state[RESERVES], state[RESERVES + 1]) : (state[RESERVES + 1], state[RESERVES]);
    }

    function _normalised(uint256[] memory state, bool zeroForOne) private pure returns (Balances memory balances) {
        (balances.scaleIn, balances.scaleOut) =
            zeroForOne ? (state[SCALES], state[SCALES + 1]) : (state[SCALES + 1], state[SCALES]);
        (uint256 reserveIn, uint256 reserveOut) = _reserves(state, zeroForOne);
        (balances.x, balances.y) = (reserveIn * WAD / balances.scaleIn, reserveOut * WAD / balances.scaleOut);
    }

    /// @dev Writes the invariant as well.
    function _isPriceable(uint256[] memory state, bool stable) private pure returns (bool) {
        (uint256 reserve0, uint256 reserve1) = _reserves(state, true);
        if (reserve0 < DUST || reserve1 < DUST || reserve0 > MAX_RESERVE || reserve1 > MAX_RESERVE) return false;
        if (!stable) return true;
        Balances memory balances = _normalised(state, true);
        (uint256 x, uint256 y) = (balances.x, balances.y);
        if (x > MAX_RESERVE || y > MAX_RESERVE || x / MAX_IMBALANCE > y || y / MAX_IMBALANCE > x) return false;
        (state[STABLE], state[INVARIANT]) = (1, stableInvariant(x, y));
        return state[INVARIANT] >= LEAST_INVARIANT;
    }

    /// @dev Square root of the price at the normalized balances, times `numerator / denominator`, in Q96; and by which part
    /// its inverse grows there, in 1e-18, were `x` to grow by all of itself: with s = (y/x)^2 that is
    /// 6 (1 - s)^2 (1 + s) / ((1 + 3 s)^2 (3 + s)).
    function _stableRatio(uint256 x, uint256 y, uint256 numerator, uint256 denominator)
        private
        pure
        returns (uint256 ratio, uint256 growth)
    {
        // Through y/x, in 1e-27, because the cubes of balances need not fit into a word.
        uint256 z = FixedPointMathLib.fullMulDiv(y, 1e27, x);
        uint256 squared = z * z / 1e27;
        uint256 price = FixedPointMathLib.fullMulDiv(3 * z + squared * z / 1e27, 1e27, 1e27 + 3 * squared);
        ratio = sqrtRatio(price * numerator, 1e27 * denominator);
        uint256 off = FixedPointMathLib.dist(squared, 1e27) * WAD / (1e27 + 3 * squared);
        growth = 6 * off * off / WAD * (1e27 + squared) / (3e27 + squared);
    }
}
