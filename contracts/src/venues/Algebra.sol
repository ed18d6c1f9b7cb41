// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {create2Address, sortTokens} from "../libraries/Create2.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {Curve, Pool} from "../types/Market.sol";
import {PackedVenue, VenueConfig} from "../types/Venue.sol";
import {AlgebraIntegral} from "./AlgebraIntegral.sol";
import {Concentrated, PoolState, TickSource, TickState} from "./Concentrated.sol";
import {EfficientHashLib} from "solady/utils/EfficientHashLib.sol";

/// @notice What is read of a pool.
interface IAlgebraPool {
    /// @dev Price and tick; then what differs by version, and in `unlockedWord` whether the pool can be swapped on.
    function globalState() external view;
    function liquidity() external view returns (uint128);
    function tickSpacing() external view returns (int24);
    function tickTable(int16 position) external view returns (uint256);
    function ticks(int24 tick) external view;
    function totalFeeGrowth0Token() external view returns (uint256);
    function totalFeeGrowth1Token() external view returns (uint256);
}

/// @title Concentrated-liquidity pools of Algebra
/// @notice One pool for each two tokens. The state's lock tells the version: word 7 is 1.9, which has a fee for each
/// direction beside the price and steps as Uniswap V3 does; word 5 is Integral.
/// @dev No bytecode of 1.9 (Camelot V3) can be had as a package: it is written from the published interface and
/// mathematics and tested against pools made of Uniswap's own libraries. Integral is tested against its real bytecode.
library Algebra {
    uint256 private constant LEG_GAS = 67_000;
    uint256 private constant TICK_GAS = 15_800;

    /// @dev Words of `globalState()` in 1.9.
    uint256 private constant FEE_ZERO_FOR_ONE = 2;
    uint256 private constant FEE_ONE_FOR_ZERO = 3;
    uint8 private constant UNLOCKED = 7;
    /// @dev Of Integral.
    uint8 private constant UNLOCKED_INTEGRAL = 5;

    /// @notice The pool of the two tokens; `key` is not used.
    function derive(PackedVenue memory venue, address tokenA, address tokenB) internal pure returns (address) {
        (address token0, address token1) = sortTokens(tokenA, tokenB);
        bytes32 salt = EfficientHashLib.hash(uint160(token0), uint160(token1));
        return create2Address(venue.deployer(), salt, venue.initCodeHash);
    }

    /// @notice A version, and a single tier: fee and tick spacing are the pool's own.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        uint8 unlocked = config.venue.unlockedWord;
        return config.venue.feePips == 0 && (unlocked == UNLOCKED || unlocked == UNLOCKED_INTEGRAL)
            && config.tiers.length == 1 && config.tiers[0].key == 0;
    }

    /* SEARCH */

    /// @notice Reads price, tick, fees, liquidity and spacing. False if there is no pool, or one that is locked.
    function read(Pool memory pool) internal view returns (bool) {
        if (_isIntegral(pool)) return AlgebraIntegral.read(pool);
        (uint256 words, uint256[8] memory answer) = StaticRead.words(pool.pool, IAlgebraPool.globalState.selector);
        if (words <= UNLOCKED || answer[UNLOCKED] == 0) return false;
        (bool hasLiquidity, uint256 liquidity,) = StaticRead.twoWords(pool.pool, IAlgebraPool.liquidity.selector, 0, 1);
        (bool hasSpacing, uint256 spacing,) = StaticRead.twoWords(pool.pool, IAlgebraPool.tickSpacing.selector, 0, 1);
        if (!hasLiquidity || !hasSpacing) return false;
        return Concentrated.keep(
            pool,
            PoolState({
                sqrtPriceX96: answer[0],
                tick: int24(uint24(answer[1])),
                liquidity: liquidity,
                feeZeroForOne: answer[FEE_ZERO_FOR_ONE],
                feeOneForZero: answer[FEE_ONE_FOR_ZERO],
                tickSpacing: int24(uint24(spacing))
            })
        );
    }

    /// @notice Loads up to `ranges` more initialized ticks in the direction of the swap.
    function extend(Pool memory pool, bool zeroForOne, Curve memory curve, uint256 ranges) internal view {
        Concentrated.extend(_source(pool), pool, zeroForOne, curve, ranges);
    }

    /// @notice What the pool pays for `amountIn`, and the gas of the leg; zero if it cannot take all of it.
    function quote(Pool memory pool, bool zeroForOne, uint256 amountIn) internal view returns (uint256, uint256) {
        return Concentrated.quote(_source(pool), pool, zeroForOne, amountIn);
    }

    function _isIntegral(Pool memory pool) private pure returns (bool) {
        return pool.venue.unlockedWord() != UNLOCKED;
    }

    function _source(Pool memory pool) private pure returns (TickSource memory) {
        if (_isIntegral(pool)) {
            return TickSource(true, false, _wordAt, AlgebraIntegral.tickAt, _growths, LEG_GAS, TICK_GAS, 0);
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
