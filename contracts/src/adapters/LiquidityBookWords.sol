// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ask} from "../libraries/Answers.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {indexesOf} from "../venues/Listed.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What is called of a pair. A bin holds both tokens, or one, and trades at one price: `1 + step / 10,000` times that of the
/// bin below. Prices are Y for X, in Q128.
interface ILBPair {
    function getTokenX() external view returns (address);
    function getTokenY() external view returns (address);
    function getBinStep() external view returns (uint16);
    function getReserves() external view returns (uint128 reserveX, uint128 reserveY);
    function getActiveId() external view returns (uint24);
    function getBin(uint24 id) external view returns (uint128 reserveX, uint128 reserveY);
    /// @dev The next bin that a swap comes to; zero or the largest number if there is none.
    function getNextNonEmptyBin(bool swapForY, uint24 id) external view returns (uint24);
    function getPriceFromId(uint24 id) external view returns (uint256);
    function getStaticFeeParameters()
        external
        view
        returns (
            uint16 baseFactor,
            uint16 filterPeriod,
            uint16 decayPeriod,
            uint16 reductionFactor,
            uint24 variableFeeControl,
            uint16 protocolShare,
            uint24 maxVolatilityAccumulator
        );
    function getVariableFeeParameters()
        external
        view
        returns (uint24 volatilityAccumulator, uint24 volatilityReference, uint24 idReference, uint40 timeOfLastUpdate);
    /// @dev Pairs of before version 2.2 have no hooks, and revert.
    function getLBHooksParameters() external view returns (bytes32);
    function getSwapOut(uint128 amountIn, bool swapForY)
        external
        view
        returns (uint128 amountInLeft, uint128 amountOut, uint128 fee);
    /// @dev Sells what it was sent before. Reverts if its bins cannot take all of it.
    /// @return amountsOut X in the lower half, Y in the upper one.
    function swap(bool swapForY, address to) external returns (bytes32 amountsOut);
}

/// @title What is read of a pair of Liquidity Book
/// @notice The key, the active bin, and what the fees of all bins follow from. Bins are read as a curve is drawn.
/// @dev A swap that leaves the bin from which volatility is counted pays a higher fee in each bin; one that returns to it pays a lower
/// one. Pairs whose fee falls faster than the price are refused: their price would rise within a swap.
/// @dev Whoever calls caps the gas.
library LiquidityBookWords {
    uint256 internal constant KEY = 0;
    uint256 internal constant ACTIVE = 1;
    uint256 private constant BASE_FEE = 2;
    uint256 private constant VARIABLE = 3;
    uint256 private constant VOLATILITY = 4;
    uint256 private constant CENTER = 5;
    uint256 private constant MOST_VOLATILITY = 6;
    uint256 private constant HOOKED = 7;
    uint256 private constant WORDS = 8;

    /// @dev What fees are parts of, and the highest that a pair takes.
    uint256 internal constant WHOLE_FEE = 1e18;
    uint256 private constant MAX_FEE = 0.1e18;
    /// @dev Parts of a step, and of a bin in volatility.
    uint256 private constant BASIS = 10_000;
    /// @dev A pair without so much of either token is not worth a look.
    uint256 private constant DUST = 1000;
    uint256 private constant MOST_RESERVE = type(uint112).max;
    /// @dev The fee may fall by at most this part of a step from bin to bin, in percent. The price after fees falls then: after the
    /// highest fee, 0.9 of the price are left.
    uint256 private constant FALL_PERCENT = 85;
    /// @dev Bits of a pair's hooks: before a swap and after it.
    uint256 private constant SWAP_HOOKS = 3 << 160;
    uint256 private constant GETTER_GAS = 60_000;

    struct Parameters {
        uint256 baseFactor;
        uint256 filterPeriod;
        uint256 decayPeriod;
        uint256 reductionFactor;
        uint256 control;
        uint256 most;
    }

    /// @notice Empty if the pair holds next to nothing, or cannot be priced.
    function read(uint256 key) internal view returns (uint256[] memory words) {
        ILBPair pair = ILBPair(adapterPool(key));
        (uint256 reserveX, uint256 reserveY) = pair.getReserves();
        if (reserveX < DUST && reserveY < DUST || reserveX > MOST_RESERVE || reserveY > MOST_RESERVE) return words;
        words = new uint256[](WORDS);
        (words[KEY], words[ACTIVE]) = (key, pair.getActiveId());
        uint256 step = pair.getBinStep();
        Parameters memory parameters = _parametersOf(pair);
        words[BASE_FEE] = parameters.baseFactor * step * 1e10;
        words[VARIABLE] = step * step * parameters.control;
        words[MOST_VOLATILITY] = parameters.most;
        _setReference(words, pair, parameters);
        if (_feeOf(words, parameters.most) > MAX_FEE || !_falls(words, step)) return new uint256[](0);
        uint256[] memory hooks = ask(address(pair), GETTER_GAS, 1, abi.encodeCall(ILBPair.getLBHooksParameters, ()));
        if (hooks.length == 1 && hooks[0] & SWAP_HOOKS != 0) words[HOOKED] = 1;
    }

    function pairOf(uint256[] calldata words) internal pure returns (ILBPair) {
        return ILBPair(adapterPool(words[KEY]));
    }

    /// @notice Whether X is the token sold.
    function isForY(uint256[] calldata words, bool zeroForOne) internal pure returns (bool) {
        (uint256 soldAt,) = indexesOf(words[KEY], zeroForOne);
        return soldAt == 0;
    }

    /// @notice Whether a swap runs code that the pair's managers chose. It cannot change what is paid.
    function isHooked(uint256[] calldata words) internal pure returns (bool) {
        return words[HOOKED] != 0;
    }

    /// @notice The fee that a swap pays in a bin at this time, in parts of `WHOLE_FEE`.
    function feeAt(uint256[] memory words, uint256 id) internal pure returns (uint256) {
        uint256 distance = FixedPointMathLib.dist(id, words[CENTER]);
        return _feeOf(words, FixedPointMathLib.min(words[VOLATILITY] + distance * BASIS, words[MOST_VOLATILITY]));
    }

    function _parametersOf(ILBPair pair) private view returns (Parameters memory parameters) {
        (
            parameters.baseFactor,
            parameters.filterPeriod,
            parameters.decayPeriod,
            parameters.reductionFactor,
            parameters.control,,
            parameters.most
        ) = pair.getStaticFeeParameters();
    }

    /// @dev From which bin a swap of this block counts volatility, and how much there is before.
    function _setReference(uint256[] memory words, ILBPair pair, Parameters memory parameters) private view {
        (uint256 accumulated, uint256 before, uint256 center, uint256 updated) = pair.getVariableFeeParameters();
        (words[VOLATILITY], words[CENTER]) = (before, center);
        uint256 passed = block.timestamp - updated;
        if (passed < parameters.filterPeriod) return;
        words[CENTER] = words[ACTIVE];
        words[VOLATILITY] = passed < parameters.decayPeriod ? accumulated * parameters.reductionFactor / BASIS : 0;
    }

    /// @dev Whether the price after fees falls from bin to bin, even on the way back to the center.
    function _falls(uint256[] memory words, uint256 step) private pure returns (bool) {
        uint256 distance = FixedPointMathLib.dist(words[ACTIVE], words[CENTER]);
        uint256 high = FixedPointMathLib.min(words[VOLATILITY] + distance * BASIS, words[MOST_VOLATILITY]);
        uint256 low = FixedPointMathLib.zeroFloorSub(high, BASIS);
        uint256 fall = distance == 0 ? 0 : _feeOf(words, high) - _feeOf(words, low);
        return fall * 100 <= FALL_PERCENT * (step * (WHOLE_FEE / BASIS));
    }

    function _feeOf(uint256[] memory words, uint256 volatility) private pure returns (uint256) {
        return words[BASE_FEE] + (volatility * volatility * words[VARIABLE] + 99) / 100;
    }
}
