// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {push} from "../math/CurveSegments.sol";
import {lowered} from "../math/Ratio.sol";
import {Curve, Pool, SEGMENT_WORDS} from "../types/Market.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

using {push} for Curve;

/// @title Pools whose curve the Sampler draws
/// @notice What the Sampler answers for a pool that cannot be priced, even by failing, stays that pool's own matter.
library Sampled {
    /// @dev What a read, a drawing and a price may burn: a hostile pool costs no more than that, nor more than half of
    /// what is left.
    uint256 private constant READ_GAS = 600_000;
    uint256 private constant DRAW_GAS = 2_000_000;
    uint256 private constant QUOTE_GAS = 500_000;
    /// @dev Parts drawn beyond one for each range asked for.
    uint256 private constant EXTRA_STEPS = 2;

    /// @notice Reads the pool's state. False if there is no pool, or one that cannot be priced.
    function read(Pool memory pool) internal returns (bool) {
        pool.words = wordsOf(pool, pool.tier.key);
        return pool.words.length != 0;
    }

    /// @notice The pool's state as the contract that reads it has it. Empty if there is no pool, or one that cannot be priced.
    /// @param key That of `ISampler.read`.
    function wordsOf(Pool memory pool, uint256 key) internal returns (uint256[] memory words) {
        try ISampler(pool.sampler).read{gas: FixedPointMathLib.min(READ_GAS, gasleft() / 2)}(
            pool.venue.kind(), pool.venue.deployer(), pool.pool, key
        ) returns (
            uint256[] memory answer
        ) {
            return answer;
        } catch {}
    }

    /// @notice Draws the curve, or draws it `ranges` further. What could not be drawn further stays open.
    function extend(Pool memory pool, bool zeroForOne, Curve memory curve, uint256 ranges) internal {
        ISampler.Stretch memory stretch = ISampler.Stretch({
            cursor: curve.cursor, steps: ranges + EXTRA_STEPS, until: curve.until, focus: curve.expected
        });
        try ISampler(pool.sampler).draw{gas: FixedPointMathLib.min(DRAW_GAS, gasleft() / 2)}(
            pool.venue.kind(), pool.words, zeroForOne, stretch
        ) returns (
            ISampler.Drawing memory drawing
        ) {
            if (curve.cursor == 0) curve.startRatio = drawing.startRatio;
            curve.most = type(uint256).max;
            (curve.cursor, curve.open) = (drawing.cursor, drawing.open);
            uint256[] memory words = drawing.segments;
            for (uint256 i; i < words.length; i += SEGMENT_WORDS) {
                (uint256 start, uint256 end) = curve.count == 0
                    ? (words[i + 1], words[i + 2])
                    : lowered(words[i + 1], words[i + 2], curve.endRatio);
                curve.push(words[i], start, end, words[i + 3], words[i + 4]);
                curve.tailLiquidity = words[i];
            }
        } catch {
            (curve.open, curve.most) = (true, type(uint256).max);
        }
    }

    /// @notice What the pool pays for `amountIn`, and the gas of the leg.
    function quote(Pool memory pool, bool zeroForOne, uint256 amountIn)
        internal
        returns (uint256 amountOut, uint256 gas)
    {
        try ISampler(pool.sampler).quote{gas: FixedPointMathLib.min(QUOTE_GAS, gasleft() / 2)}(
            pool.venue.kind(), pool.pool, pool.words, zeroForOne, amountIn
        ) returns (
            uint256 out, uint256 legGas
        ) {
            return (out, legGas);
        } catch {}
    }
}
