// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {create2Address, sortTokens} from "../libraries/Create2.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {Curve, Pool} from "../types/Market.sol";
import {PackedVenue, VenueConfig} from "../types/Venue.sol";
import {AlgebraIntegral} from "./AlgebraIntegral.sol";
import {Concentrated, TickSource, TickState} from "./Concentrated.sol";
import {Sampled} from "./Sampled.sol";
import {EfficientHashLib} from "solady/utils/EfficientHashLib.sol";

/// @notice What is read of a pool.
interface IAlgebraPool {
    /// @dev Price and tick; then what differs by version, and in `unlockedWord` whether the pool can be swapped on.
    function globalState() external view;
    function liquidity() external view returns (uint128);
    function tickTable(int16 position) external view returns (uint256);
    function ticks(int24 tick) external view;
    function totalFeeGrowth0Token() external view returns (uint256);
    function totalFeeGrowth1Token() external view returns (uint256);
}

/// @dev Which word of `globalState()` is the lock: it tells the version, 1.9 or Integral.
uint256 constant ALGEBRA_UNLOCKED = 7;
uint256 constant INTEGRAL_UNLOCKED = 5;

/// @title Concentrated-liquidity pools of Algebra
/// @notice One pool for each two tokens. The state's lock tells the version: word 7 is 1.9, which has a fee for each
/// direction and steps as Uniswap V3 does with a tick spacing of one; word 5 is Integral. `AlgebraReader` reads both.
/// @dev A fee of 1.9 that is not known exactly counts as its least where a curve is drawn, and as its highest where a swap is
/// priced: a curve is never below the pool, and a price never above what the pool pays.
///
/// No bytecode of 1.9 (Camelot V3) can be had as a package: it is written from the published interface and mathematics and
/// tested against an independent implementation. Integral is tested against its real bytecode.
library Algebra {
    /// @dev In 1.9 for a swap that writes no timepoint.
    uint256 private constant LEG_GAS = 72_000;
    uint256 private constant TICK_GAS = 20_700;
    uint256 private constant INTEGRAL_LEG_GAS = 67_000;
    uint256 private constant INTEGRAL_TICK_GAS = 15_800;

    /// @notice The pool of the two tokens; `key` is not used.
    function derive(PackedVenue memory venue, address tokenA, address tokenB) internal pure returns (address) {
        (address token0, address token1) = sortTokens(tokenA, tokenB);
        bytes32 salt = EfficientHashLib.hash(uint160(token0), uint160(token1));
        return create2Address(venue.deployer(), salt, venue.initCodeHash);
    }

    /// @notice A version, and a single tier: fee and tick spacing are the pool's own.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        uint8 unlocked = config.venue.unlockedWord;
        return config.venue.feePips == 0 && (unlocked == ALGEBRA_UNLOCKED || unlocked == INTEGRAL_UNLOCKED)
            && config.tiers.length == 1 && config.tiers[0].key == 0;
    }

    /* SEARCH */

    /// @notice Reads price, tick, fees and liquidity. False if there is no pool, or one that is locked.
    function read(Pool memory pool) internal returns (bool) {
        uint256[] memory words = Sampled.wordsOf(pool, pool.venue.unlockedWord());
        if (words.length != pool.state.length) return false;
        for (uint256 i; i < words.length; ++i) {
            pool.state[i] = words[i];
        }
        return true;
    }

    /// @notice Loads up to `ranges` more initialized ticks in the direction of the swap.
    function extend(Pool memory pool, bool zeroForOne, Curve memory curve, uint256 ranges) internal view {
        Concentrated.extend(_source(pool), pool, zeroForOne, curve, ranges);
    }

    /// @notice What the pool pays for `amountIn`, and the gas of the leg; zero if it cannot take all of it.
    function quote(Pool memory pool, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        if (_isIntegral(pool)) return Concentrated.quote(_source(pool), pool, zeroForOne, amountIn);
        uint256 state = pool.state[0];
        pool.state[0] = state + (pool.state[2] >> 24 << 24);
        (amountOut, gas) = Concentrated.quote(_source(pool), pool, zeroForOne, amountIn);
        pool.state[0] = state;
        if (gas != 0) gas += uint24(pool.state[2]);
    }

    function _isIntegral(Pool memory pool) private pure returns (bool) {
        return pool.venue.unlockedWord() == INTEGRAL_UNLOCKED;
    }

    function _source(Pool memory pool) private pure returns (TickSource memory) {
        if (_isIntegral(pool)) {
            return
                TickSource(
                    true, false, _wordAt, AlgebraIntegral.tickAt, _growths, INTEGRAL_LEG_GAS, INTEGRAL_TICK_GAS, 0
                );
        }
        return TickSource(false, false, _wordAt, _tickAt, _growths, LEG_GAS, TICK_GAS, 0);
    }

    function _wordAt(Pool memory pool, int256 position) private view returns (bool ok, uint256 bits) {
        (ok, bits,) = StaticRead.twoWords(pool.pool, IAlgebraPool.tickTable.selector, uint256(position), 1);
    }

    function _growths(Pool memory pool) private view returns (uint256 growth0, uint256 growth1) {
        (, growth0,) = StaticRead.twoWords(pool.pool, IAlgebraPool.totalFeeGrowth0Token.selector, 0, 1);
        (, growth1,) = StaticRead.twoWords(pool.pool, IAlgebraPool.totalFeeGrowth1Token.selector, 0, 1);
    }

    function _tickAt(Pool memory pool, int256 tick) private view returns (bool, TickState memory) {
        (uint256 words, uint256[8] memory answer) =
            StaticRead.words(pool.pool, IAlgebraPool.ticks.selector, uint256(tick));
        return (words >= 4, TickState(answer[1], answer[2], answer[3], 0, 0));
    }
}
