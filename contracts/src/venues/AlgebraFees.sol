// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {sigmoid} from "../math/AdaptiveFee.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What is read of a pool of Algebra 1.9 to tell its fees.
interface IAlgebraRecord {
    function dataStorageOperator() external view returns (IAlgebraOperator);
    function timepoints(uint256 index)
        external
        view
        returns (
            bool initialized,
            uint32 time,
            int56 tickCumulative,
            uint160 secondsPerLiquidityCumulative,
            uint88 volatilityCumulative,
            int24 averageTick,
            uint144 volumePerLiquidityCumulative
        );
    function getTimepoints(uint32[] calldata secondsAgo)
        external
        view
        returns (
            int56[] memory tickCumulatives,
            uint160[] memory secondsPerLiquidityCumulatives,
            uint112[] memory volatilityCumulatives,
            uint256[] memory volumePerLiquidityCumulatives
        );
}

/// @notice The curves of the fees of the two directions.
interface IAlgebraOperator {
    function feeConfigZto() external view returns (FeeCurve memory);
    function feeConfigOtz() external view returns (FeeCurve memory);
}

/// @notice A fee of at least `baseFee`, which two sigmoids of the volatility raise, and these a sigmoid of the volume.
struct FeeCurve {
    uint16 alpha1;
    uint16 alpha2;
    uint32 beta1;
    uint32 beta2;
    uint16 gamma1;
    uint16 gamma2;
    uint32 volumeBeta;
    uint16 volumeGamma;
    uint16 baseFee;
}

/// @notice The fees of both directions, in pips.
struct Fees {
    uint256 zeroForOne;
    uint256 oneForZero;
}

/// @title The fees of the next swap on a pool of Algebra 1.9
/// @notice The first swap of each second writes a timepoint and computes both fees anew: from the volatility of the last
/// day, and the volume in it. All of it can be read but for one number: the volume of the second in which the last timepoint
/// was written, which counts from the next one on. It can only raise a fee. So this gives the least and the highest fee that
/// the swap can be charged: the same two unless the volume decides.
library AlgebraFees {
    /// @dev What a fee looks back to, in seconds.
    uint32 private constant WINDOW = 1 days;
    /// @dev Timepoints that a pool keeps.
    uint256 private constant RING = 1 << 16;
    uint256 private constant VOLATILITY_UNIT = 15;
    uint256 private constant VOLUME_SHIFT = 57;

    /// @dev Gas of a timepoint, what its two slots cost more if nothing was there, and each look into the record for the moment
    /// a day ago.
    uint256 private constant TIMEPOINT_GAS = 31_000;
    uint256 private constant EMPTY_SLOTS_GAS = 34_200;
    uint256 private constant LOOK_GAS = 6_300;

    /// @dev What a timepoint says of the time before it.
    struct Timepoint {
        bool exists;
        uint256 time;
        uint256 volatility;
        uint256 volume;
    }

    /// @notice The least and the highest fees of the next swap.
    /// @param index Number of the last timepoint.
    /// @return gas What the swap spends on its timepoint; zero if it writes none, and the fees are those that the pool has.
    function next(IAlgebraRecord pool, uint256 index)
        internal
        view
        returns (uint256 gas, Fees memory least, Fees memory most)
    {
        Timepoint memory last = _timepoint(pool, index);
        uint256 elapsed = uint32(block.timestamp) - last.time;
        if (elapsed == 0) return (0, least, most);
        // The swap writes its own after the last, and takes that place from the oldest.
        bool isFull = _timepoint(pool, (index + 1) % RING).exists;
        Timepoint memory oldest = _timepoint(pool, isFull ? (index + 2) % RING : 0);
        bool looksUp = elapsed < WINDOW && uint32(block.timestamp) - oldest.time >= WINDOW;
        gas = TIMEPOINT_GAS + (isFull ? 0 : EMPTY_SLOTS_GAS);
        if (looksUp) gas += LOOK_GAS * FixedPointMathLib.log2(isFull ? RING : index + 1);

        (uint256 volatility, uint256 volume) = _averages(pool, last, oldest, looksUp);
        IAlgebraOperator operator = pool.dataStorageOperator();
        (least.zeroForOne, most.zeroForOne) = _feesOf(operator.feeConfigZto(), volatility, volume);
        (least.oneForZero, most.oneForZero) = _feesOf(operator.feeConfigOtz(), volatility, volume);
    }

    /// @dev Volatility and volume of the last day, or since the oldest timepoint if that is younger; without the volume that
    /// cannot be read.
    /// @param looksUp Whether the day began between two timepoints of the record.
    function _averages(IAlgebraRecord pool, Timepoint memory last, Timepoint memory start, bool looksUp)
        private
        view
        returns (uint256 volatility, uint256 volume)
    {
        uint32[] memory ago = new uint32[](looksUp ? 2 : 1);
        if (looksUp) ago[1] = WINDOW;
        (,, uint112[] memory volatilities, uint256[] memory volumes) = pool.getTimepoints(ago);
        uint256 end = volatilities[0];
        uint256 period = uint32(block.timestamp) - start.time;
        if (looksUp) {
            (start.volatility, start.volume, period) = (volatilities[1], volumes[1], WINDOW);
        } else if (period >= WINDOW) {
            // On the straight line from the last timepoint to the one that the swap writes.
            uint256 elapsed = uint32(block.timestamp) - last.time;
            start.volatility = last.volatility + (end - last.volatility) / elapsed * (elapsed - WINDOW);
            (start.volume, period) = (volumes[0], WINDOW);
        }
        volatility = (end - start.volatility) / period / VOLATILITY_UNIT;
        volume = (volumes[0] - start.volume) >> VOLUME_SHIFT;
    }

    /// @dev The fee with the volume that can be read, and with any more.
    function _feesOf(FeeCurve memory curve, uint256 volatility, uint256 volume)
        private
        pure
        returns (uint256 least, uint256 most)
    {
        uint256 raised = sigmoid(volatility, curve.gamma1, curve.alpha1, curve.beta1)
            + sigmoid(volatility, curve.gamma2, curve.alpha2, curve.beta2);
        least = curve.baseFee + sigmoid(volume, curve.volumeGamma, raised, curve.volumeBeta);
        most = curve.baseFee + raised;
    }

    function _timepoint(IAlgebraRecord pool, uint256 index) private view returns (Timepoint memory point) {
        (point.exists, point.time,,, point.volatility,, point.volume) = pool.timepoints(index);
    }
}
