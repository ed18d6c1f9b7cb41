// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StaticRead} from "../libraries/StaticRead.sol";
import {Curve, Pool} from "../types/Market.sol";
import {Concentrated, TickSource, TickState} from "./Concentrated.sol";
import {IUniswapV3Pool, UniswapV3} from "./UniswapV3.sol";

/// @notice What is read of a pool beside what it shares with Uniswap V3. `ticks` has the staked liquidity as its third
/// word, before the growths of fees.
interface ISlipstreamPool {
    /// @dev Set by the factory's fee module; it may depend on the transaction's origin.
    function fee() external view returns (uint24);
}

/// @title Concentrated-liquidity pools of Aerodrome and Velodrome
/// @notice A clone of one implementation for each tick spacing, which is the key; the fee is read with the state.
library Slipstream {
    uint256 private constant LEG_GAS = 89_000;
    uint256 private constant RECORD_GAS = 7_000;
    uint256 private constant TICK_GAS = 22_000;

    /// @notice Reads fee, price, tick and liquidity. False if there is no pool, or one that is locked.
    function read(Pool memory pool) internal view returns (bool) {
        (bool ok, uint256 feePips,) = StaticRead.twoWords(pool.pool, ISlipstreamPool.fee.selector, 0, 1);
        return ok && UniswapV3.readWithFee(pool, feePips);
    }

    /// @notice Loads up to `ranges` more initialized ticks in the direction of the swap.
    function extend(Pool memory pool, bool zeroForOne, Curve memory curve, uint256 ranges) internal view {
        Concentrated.extend(_source(), pool, zeroForOne, curve, ranges);
    }

    /// @notice What the pool pays for `amountIn`, and the gas of the leg; zero if it cannot take all of it.
    function quote(Pool memory pool, bool zeroForOne, uint256 amountIn) internal view returns (uint256, uint256) {
        return Concentrated.quote(_source(), pool, zeroForOne, amountIn);
    }

    function _source() private pure returns (TickSource memory) {
        return TickSource(false, false, UniswapV3.wordAt, _tickAt, UniswapV3.growths, LEG_GAS, TICK_GAS, RECORD_GAS);
    }

    function _tickAt(Pool memory pool, int256 tick) private view returns (bool, TickState memory) {
        (uint256 words, uint256[8] memory answer) =
            StaticRead.words(pool.pool, IUniswapV3Pool.ticks.selector, uint256(tick));
        return (words >= 5, TickState(answer[1], answer[3], answer[4], 0, 0));
    }
}
