// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {AverageCurve, newAverageCurve} from "../math/AverageCurve.sol";
import {MAX_RATIO, MIN_RATIO} from "../math/Ratio.sol";
import {Segments} from "../math/Sampling.sol";
import {VenueKind} from "../types/VenueKind.sol";

/// @notice What a swap that was undone has paid.
struct Execution {
    bool succeeded;
    uint256 amountOut;
    uint256 gas;
}

/// @title Draws curves of which nothing is known but what swaps pay
/// @notice Samples are swaps that are undone. The curve is nowhere below them; between two of them, and beyond the last, it is a
/// guess. A bound over such a curve holds if the pool pays no more there.
/// @dev A part of a curve begins where the one before ended, which is its cursor: the last input that was sampled.
abstract contract ExecutedDrawing is ISampler {
    /// @dev Gas that each execution takes at most.
    uint256 internal constant EXECUTION_GAS = 400_000;
    /// @dev What an execution and the drawing after it take beyond that.
    uint256 private constant DRAWING_GAS = 100_000;
    /// @dev Samples around the focus; doublings of the input after that; and samples that a pool may refuse before it takes one:
    /// some take no small amounts.
    uint256 private constant FIRST_SAMPLES = 5;
    uint256 private constant DOUBLINGS = 3;
    uint256 private constant MAX_REFUSALS = 2;
    uint256 private constant MAX_INPUT = uint128(type(int128).max);

    /// @notice There is too little gas for a sample.
    error TooLittleGas();

    /// @inheritdoc ISampler
    function draw(VenueKind, uint256[] calldata state, bool zeroForOne, Stretch calldata stretch)
        external
        returns (Drawing memory drawing)
    {
        AverageCurve memory curve = newAverageCurve(FIRST_SAMPLES + DOUBLINGS);
        drawing.open = _sample(curve, state, zeroForOne, stretch);
        Segments memory segments;
        drawing.startRatio = curve.drawInto(segments, stretch.cursor == 0);
        if (drawing.startRatio < MIN_RATIO || drawing.startRatio > MAX_RATIO || segments.count == 0) {
            Drawing memory nothing;
            return nothing;
        }
        drawing.cursor = curve.inputs[curve.count - 1];
        drawing.segments = segments.close();
    }

    /// @dev Runs a swap of `amountIn` with at most `gasCap` and undoes it. Must not revert, whatever the pool does.
    function _execute(uint256[] calldata state, bool zeroForOne, uint256 amountIn, uint256 gasCap)
        internal
        virtual
        returns (Execution memory);

    /// @dev An input that moves the price somewhat, where the trade's own is not known.
    function _unitOf(uint256[] calldata state, bool zeroForOne) internal view virtual returns (uint256);

    /// @return open Whether the pool may take more than the last sample.
    function _sample(AverageCurve memory curve, uint256[] calldata state, bool zeroForOne, Stretch calldata stretch)
        private
        returns (bool open)
    {
        uint256[] memory inputs = _inputsOf(stretch, stretch.focus == 0 ? _unitOf(state, zeroForOne) : stretch.focus);
        uint256 refusals;
        for (uint256 k; k < inputs.length; ++k) {
            if (gasleft() < EXECUTION_GAS + DRAWING_GAS) {
                // Nothing can be drawn yet: the first sample of a part is the last of the one before.
                if (curve.count == 0 || (stretch.cursor != 0 && curve.count == 1)) revert TooLittleGas();
                return true;
            }
            Execution memory execution = _execute(state, zeroForOne, inputs[k], EXECUTION_GAS);
            if (execution.amountOut != 0) curve.add(inputs[k], execution.amountOut);
            else if (!execution.succeeded && (curve.count != 0 || ++refusals == MAX_REFUSALS)) return false;
            bool isBeyond = inputs[k] > stretch.focus && curve.count > 1;
            if (isBeyond && curve.lastPrice() <= stretch.until) break;
        }
        return true;
    }

    /// @dev In rising order. All that a trade sells is spread wide; what a leg of it sells is looked at closely, and what is beyond.
    function _inputsOf(Stretch calldata stretch, uint256 focus) private pure returns (uint256[] memory inputs) {
        uint256[FIRST_SAMPLES] memory first;
        uint256 near = focus >> 4;
        if (stretch.cursor != 0) first[0] = stretch.cursor;
        else if (stretch.until != 0) first = [near, focus >> 1, focus - near, focus, focus + near];
        else first = [focus >> 6, focus >> 3, focus / 3, focus / 3 * 2, focus];
        inputs = new uint256[](FIRST_SAMPLES + DOUBLINGS);
        bool isFirst = stretch.cursor == 0 && stretch.until == 0;
        uint256 count;
        uint256 last;
        for (uint256 k; k < (isFirst ? FIRST_SAMPLES : inputs.length); ++k) {
            uint256 next = k < FIRST_SAMPLES ? first[k] : 2 * last;
            if (next <= last || next > MAX_INPUT) continue;
            (inputs[count++], last) = (next, next);
        }
        assembly ("memory-safe") {
            mstore(inputs, count)
        }
    }
}
