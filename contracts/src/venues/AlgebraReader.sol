// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StaticRead} from "../libraries/StaticRead.sol";
import {Pool} from "../types/Market.sol";
import {ALGEBRA_UNLOCKED, IAlgebraPool} from "./Algebra.sol";
import {AlgebraFees, Fees, IAlgebraRecord} from "./AlgebraFees.sol";
import {AlgebraIntegral} from "./AlgebraIntegral.sol";
import {Concentrated, PoolState} from "./Concentrated.sol";

/// @title Reads pools of Algebra
/// @notice The result is `Pool.state`: of 1.9, the first two words are those of `Concentrated` with the least fees that the
/// next swap can be charged, and the third is how much more they can be, at the same places, and in the lower 24 bits the gas
/// of a timepoint.
library AlgebraReader {
    /// @dev Words of `globalState()` in 1.9.
    uint256 private constant FEE_ZERO_FOR_ONE = 2;
    uint256 private constant FEE_ONE_FOR_ZERO = 3;
    uint256 private constant TIMEPOINT_INDEX = 4;

    /// @param lock Word of the state call that says "not locked".
    /// @return words Empty if there is no pool, or one that is locked.
    function read(address pool, uint256 lock) internal view returns (uint256[] memory words) {
        Pool memory target;
        target.pool = pool;
        if (!(lock == ALGEBRA_UNLOCKED ? _read(target) : AlgebraIntegral.read(target))) return words;
        words = new uint256[](3);
        (words[0], words[1], words[2]) = (target.state[0], target.state[1], target.state[2]);
    }

    function _read(Pool memory pool) private view returns (bool) {
        (uint256 count, uint256[8] memory answer) = StaticRead.words(pool.pool, IAlgebraPool.globalState.selector);
        if (count <= ALGEBRA_UNLOCKED || answer[ALGEBRA_UNLOCKED] == 0) return false;
        (bool ok, uint256 liquidity,) = StaticRead.twoWords(pool.pool, IAlgebraPool.liquidity.selector, 0, 1);
        if (!ok) return false;
        (uint256 gas, Fees memory least, Fees memory most) =
            AlgebraFees.next(IAlgebraRecord(pool.pool), answer[TIMEPOINT_INDEX]);
        pool.state[2] = gas;
        if (gas != 0) {
            uint256 more0 = most.zeroForOne - least.zeroForOne;
            uint256 more1 = most.oneForZero - least.oneForZero;
            pool.state[2] |= Concentrated.packFees(more0, more1);
        } else {
            (least.zeroForOne, least.oneForZero) = (answer[FEE_ZERO_FOR_ONE], answer[FEE_ONE_FOR_ZERO]);
        }
        return Concentrated.keep(
            pool,
            PoolState({
                sqrtPriceX96: answer[0],
                tick: int24(uint24(answer[1])),
                liquidity: liquidity,
                feeZeroForOne: least.zeroForOne,
                feeOneForZero: least.oneForZero,
                // Only whole spacings can be ticks of a position, but its bitmap has a bit for each tick.
                tickSpacing: 1
            })
        );
    }
}
