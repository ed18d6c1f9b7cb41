// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StaticRead} from "../libraries/StaticRead.sol";
import {Pool} from "../types/Market.sol";
import {Concentrated, PoolState, TickState} from "./Concentrated.sol";

/// @notice What is read of a pool of Algebra Integral beside what it shares with 1.9.
interface IAlgebraIntegralPool {
    /// @dev Price, tick, last fee, plugin configuration, liquidity, next and previous tick; reverts while locked.
    function safelyGetStateOfAMM() external view;
    /// @dev The current fee, the plugin's where it sets one.
    function fee() external view returns (uint16);
    /// @dev Total and net liquidity, previous and next tick, growths of fees on the other side.
    function ticks(int24 tick) external view;
}

/// @title State of pools of Algebra Integral
/// @dev A plugin that runs in every swap can charge another fee than it says; then the floor protects.
library AlgebraIntegral {
    /// @notice Reads price, tick, fee, liquidity and the ticks around. False if there is no pool, or one that is
    /// locked.
    function read(Pool memory pool) internal view returns (bool) {
        (uint256 words, uint256[8] memory answer) =
            StaticRead.words(pool.pool, IAlgebraIntegralPool.safelyGetStateOfAMM.selector);
        (bool ok, uint256 feePips,) = StaticRead.twoWords(pool.pool, IAlgebraIntegralPool.fee.selector, 0, 1);
        if (words < 7 || !ok) return false;
        pool.state[2] = uint24(answer[6]) | uint256(uint24(answer[5])) << 24;
        return Concentrated.keep(
            pool,
            PoolState({
                sqrtPriceX96: answer[0],
                tick: int24(uint24(answer[1])),
                liquidity: answer[4],
                feeZeroForOne: feePips,
                feeOneForZero: feePips,
                tickSpacing: 1
            })
        );
    }

    function tickAt(Pool memory pool, int256 tick) internal view returns (bool, TickState memory) {
        (uint256 words, uint256[8] memory answer) =
            StaticRead.words(pool.pool, IAlgebraIntegralPool.ticks.selector, uint256(tick));
        TickState memory state = TickState({
            net: answer[1],
            outside0: answer[4],
            outside1: answer[5],
            previous: int24(uint24(answer[2])),
            next: int24(uint24(answer[3]))
        });
        return (words >= 6, state);
    }
}
