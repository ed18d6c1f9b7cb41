// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {create2Address, sortTokens} from "../libraries/Create2.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {Curve, Pool} from "../types/Market.sol";
import {PackedVenue, VenueConfig} from "../types/Venue.sol";
import {Concentrated, PoolState, TickSource, TickState} from "./Concentrated.sol";
import {EfficientHashLib} from "solady/utils/EfficientHashLib.sol";

/// @notice What is read of a pool.
interface IUniswapV3Pool {
    function slot0() external view;
    function liquidity() external view returns (uint128);
    function tickBitmap(int16 position) external view returns (uint256);
    /// @dev Growths of fees on the other side of the tick follow the liquidities.
    function ticks(int24 tick) external view;
    function feeGrowthGlobal0X128() external view returns (uint256);
    function feeGrowthGlobal1X128() external view returns (uint256);
    function protocolFees() external view returns (uint128 token0, uint128 token1);
}

/// @title Concentrated-liquidity pools of Uniswap V3 and its forks
/// @notice A pool for each fee. Forks differ by data alone: deployer, creation code, callback, fees and spacings.
library UniswapV3 {
    uint256 private constant LEG_GAS = 60_500;
    uint256 private constant RECORD_GAS = 7_000;
    uint256 private constant TICK_GAS = 12_000;
    /// @dev If the protocol takes a part of the fee, each swap adds to what it is owed, or begins to. A part that needs
    /// more than a byte lies in a second slot of `slot0()`, which the lock writes.
    uint256 private constant PROTOCOL_FEE_GAS = 5_000;
    uint256 private constant FIRST_PROTOCOL_FEE_GAS = 17_100;
    uint256 private constant SECOND_SLOT_GAS = 7_000;
    /// @dev Word of `slot0()` that has that part, in pools whose lock stands after it.
    uint256 private constant PROTOCOL_FEE_WORD = 5;

    /// @notice The pool of the two tokens with the fee `key`.
    /// @dev A key of more than 24 bits is hashed as it is and so derives an address where no pool can stand.
    function derive(PackedVenue memory venue, address tokenA, address tokenB, uint256 key)
        internal
        pure
        returns (address)
    {
        (address token0, address token1) = sortTokens(tokenA, tokenB);
        bytes32 salt = EfficientHashLib.hash(uint160(token0), uint160(token1), key);
        return create2Address(venue.deployer(), salt, venue.initCodeHash);
    }

    /// @notice A word of the state call for the lock, and tick spacings.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        if (config.venue.feePips != 0 || config.venue.unlockedWord == 0) return false;
        for (uint256 i; i < config.tiers.length; ++i) {
            if (config.tiers[i].tickSpacing <= 0) return false;
        }
        return true;
    }

    /* SEARCH */

    /// @notice Reads price, tick and liquidity. False if there is no pool, or one that is locked or has no price.
    function read(Pool memory pool) internal view returns (bool) {
        return readWithFee(pool, pool.tier.feePips);
    }

    /// @notice The same with a fee that the kind knows from elsewhere.
    function readWithFee(Pool memory pool, uint256 feePips) internal view returns (bool) {
        (uint256 words, uint256[8] memory answer) = StaticRead.words(pool.pool, IUniswapV3Pool.slot0.selector);
        if (words <= pool.venue.unlockedWord() || answer[pool.venue.unlockedWord()] == 0) return false;
        (bool ok, uint256 liquidity,) = StaticRead.twoWords(pool.pool, IUniswapV3Pool.liquidity.selector, 0, 1);
        if (!ok) return false;
        pool.state[2] = pool.venue.unlockedWord() > PROTOCOL_FEE_WORD ? answer[PROTOCOL_FEE_WORD] : 0;
        return Concentrated.keep(
            pool,
            PoolState({
                sqrtPriceX96: answer[0],
                tick: int24(uint24(answer[1])),
                liquidity: liquidity,
                feeZeroForOne: feePips,
                feeOneForZero: feePips,
                tickSpacing: pool.tier.tickSpacing
            })
        );
    }

    /// @notice Loads up to `ranges` more initialized ticks in the direction of the swap.
    function extend(Pool memory pool, bool zeroForOne, Curve memory curve, uint256 ranges) internal view {
        Concentrated.extend(_source(), pool, zeroForOne, curve, ranges);
    }

    /// @notice What the pool pays for `amountIn`, and the gas of the leg; zero if it cannot take all of it.
    function quote(Pool memory pool, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        (amountOut, gas) = Concentrated.quote(_source(), pool, zeroForOne, amountIn);
        if (gas != 0 && pool.state[2] != 0) gas += _protocolFeeGas(pool);
    }

    function _protocolFeeGas(Pool memory pool) private view returns (uint256 gas) {
        gas = PROTOCOL_FEE_GAS;
        if (pool.state[2] > type(uint8).max) gas += SECOND_SLOT_GAS;
        (bool ok, uint256 owed0, uint256 owed1) =
            StaticRead.twoWords(pool.pool, IUniswapV3Pool.protocolFees.selector, 0, 2);
        if (ok && owed0 | owed1 == 0) gas += FIRST_PROTOCOL_FEE_GAS;
    }

    function _source() private pure returns (TickSource memory) {
        return TickSource(false, false, wordAt, _tickAt, growths, LEG_GAS, TICK_GAS, RECORD_GAS);
    }

    function wordAt(Pool memory pool, int256 position) internal view returns (bool ok, uint256 bits) {
        (ok, bits,) = StaticRead.twoWords(pool.pool, IUniswapV3Pool.tickBitmap.selector, uint256(position), 1);
    }

    function growths(Pool memory pool) internal view returns (uint256 growth0, uint256 growth1) {
        (, growth0,) = StaticRead.twoWords(pool.pool, IUniswapV3Pool.feeGrowthGlobal0X128.selector, 0, 1);
        (, growth1,) = StaticRead.twoWords(pool.pool, IUniswapV3Pool.feeGrowthGlobal1X128.selector, 0, 1);
    }

    function _tickAt(Pool memory pool, int256 tick) private view returns (bool, TickState memory) {
        (uint256 words, uint256[8] memory answer) =
            StaticRead.words(pool.pool, IUniswapV3Pool.ticks.selector, uint256(tick));
        return (words >= 4, TickState(answer[1], answer[2], answer[3], 0, 0));
    }
}
