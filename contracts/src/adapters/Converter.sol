// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {ask} from "../libraries/Answers.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {MAX_RATIO, MIN_RATIO} from "../math/Ratio.sol";
import {Line, MOST_IN, MOST_OUT, lineThrough, narrowed} from "../math/StraightLine.sol";
import {SEGMENT_WORDS} from "../types/Market.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {adapterKey, adapterPool} from "../venues/AdapterKey.sol";
import {indexesOf} from "../venues/Listed.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title Contracts that exchange two tokens at one price, whatever the amount
/// @notice The curve is a straight line up to a limit. It goes through what the converter says to pay for its limit. A quote is what
/// the converter says to pay for the amount, and zero if that is above the line.
abstract contract Converter is Adapter {
    /// @notice The converter does not say what it pays for the amount, or says nothing.
    error NoPreview(address pool, uint256 amountIn);
    /// @notice The amount would pay more than the converter's limit.
    error BeyondLimit(address pool, uint256 amountOut, uint256 most);
    /// @notice The converter has paid less than it said in the same call.
    error Underpaid(address pool, uint256 previewed, uint256 paid);

    /// @dev What one question to a converter may burn. A vault may be of any code.
    uint256 internal constant VIEW_GAS = 150_000;

    /// @dev Words of a state after the key: the line of one direction, then that of the other.
    uint256 private constant STATE_WORDS = 5;

    /// @inheritdoc ISampler
    function read(VenueKind, address, address, uint256 key) external view returns (uint256[] memory state) {
        address pool = adapterPool(key);
        (uint256 i, uint256 j) = indexesOf(key, true);
        Line memory there = _lineOf(pool, i, j);
        Line memory back = _lineOf(pool, j, i);
        if (there.mostIn | back.mostIn == 0) return state;
        state = new uint256[](STATE_WORDS);
        (state[0], state[1], state[2], state[3], state[4]) = (key, there.mostIn, there.top, back.mostIn, back.top);
    }

    /// @inheritdoc ISampler
    function draw(VenueKind, uint256[] calldata state, bool zeroForOne, Stretch calldata stretch)
        external
        pure
        returns (Drawing memory drawing)
    {
        Line memory line = _lineIn(state, zeroForOne);
        if (line.mostIn == 0 || stretch.cursor != 0) return drawing;
        (uint256 liquidity, uint256 start, uint256 end) = line.segment();
        if (end < MIN_RATIO || start > MAX_RATIO) return drawing;
        (drawing.startRatio, drawing.cursor) = (start, 1);
        drawing.segments = new uint256[](SEGMENT_WORDS);
        (drawing.segments[0], drawing.segments[1], drawing.segments[2]) = (liquidity, start, end);
        (drawing.segments[3], drawing.segments[4]) = (line.mostIn, line.top);
    }

    /// @inheritdoc ISampler
    function quote(VenueKind, address, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        Line memory line = _lineIn(state, zeroForOne);
        if (amountIn == 0 || amountIn > line.mostIn) return (0, 0);
        (uint256 i, uint256 j) = indexesOf(state[0], zeroForOne);
        amountOut = _preview(adapterPool(state[0]), i, j, amountIn);
        if (amountOut == 0 || amountOut > line.heightAt(amountIn)) return (0, 0);
        gas = _gasOf(i);
    }

    /* WHAT A CONVERTER TEACHES. None of it reverts, whatever is answered. */

    /// @dev The places of two tokens in the converter; the same place if the registry does not vouch for it, or not with these.
    function _placesOf(address pool, address tokenA, address tokenB)
        internal
        view
        virtual
        returns (uint256 i, uint256 j);

    /// @dev The largest input and the largest output; zero if the converter refuses this direction.
    function _limitsOf(address pool, uint256 i, uint256 j)
        internal
        view
        virtual
        returns (uint256 mostIn, uint256 mostOut);

    /// @dev What the converter says to pay, in proportion to the input but for rounding; zero if it does not say.
    /// @param amountIn At most `MOST_IN`.
    function _preview(address pool, uint256 i, uint256 j, uint256 amountIn) internal view virtual returns (uint256);

    /// @dev Gas that a leg adds to a swap.
    function _gasOf(uint256 i) internal view virtual returns (uint256);

    /// @dev Converts all of the sale's input, or reverts; leaves no allowance. What is paid is measured afterwards.
    /// @param previewed What `_preview` says to be paid.
    function _convert(Sale memory sale, uint256 i, uint256 previewed) internal virtual;

    /* WHAT CONVERTERS HAVE IN COMMON */

    function _keyOf(address pool, address token0, address token1) internal view override returns (uint256) {
        (uint256 i, uint256 j) = _placesOf(pool, token0, token1);
        return i == j ? 0 : adapterKey(pool, i, j);
    }

    function _tokensOf(address) internal pure override returns (address[] memory) {}

    function _swap(Sale memory sale) internal override returns (uint256 amountOut) {
        (uint256 i, uint256 j) = _placesOf(sale.pool, sale.tokenIn, sale.tokenOut);
        (uint256 soldAt, uint256 boughtAt) = indexesOf(sale.key, sale.tokenIn < sale.tokenOut);
        if (i == j || i != soldAt || j != boughtAt) revert NotInRegistry(sale.pool);
        uint256 previewed = sale.amountIn > MOST_IN ? 0 : _preview(sale.pool, i, j, sale.amountIn);
        if (previewed == 0) revert NoPreview(sale.pool, sale.amountIn);
        uint256 before = balanceOf(sale.tokenOut, sale.to);
        _convert(sale, i, previewed);
        amountOut = FixedPointMathLib.zeroFloorSub(balanceOf(sale.tokenOut, sale.to), before);
        if (amountOut < previewed) revert Underpaid(sale.pool, previewed, amountOut);
    }

    /// @dev The first word that a contract answers; zero if it does not answer one.
    function _word(address target, uint256 gasCap, bytes memory data) internal view returns (uint256) {
        uint256[] memory answer = ask(target, gasCap, 1, data);
        return answer.length == 0 ? 0 : answer[0];
    }

    /// @dev The address that a contract answers to a getter; zero if it does not.
    function _addressAt(address target, uint256 gasCap, bytes4 selector) internal view returns (address) {
        uint256 word = _word(target, gasCap, abi.encodeWithSelector(selector));
        return word >> 160 == 0 ? address(uint160(word)) : address(0);
    }

    function _lineOf(address pool, uint256 i, uint256 j) private view returns (Line memory line) {
        (uint256 mostIn, uint256 mostOut) = _limitsOf(pool, i, j);
        (mostIn, mostOut) = (FixedPointMathLib.min(mostIn, MOST_IN), FixedPointMathLib.min(mostOut, MOST_OUT));
        if (mostIn == 0 || mostOut == 0) return line;
        uint256 amountOut = _preview(pool, i, j, mostIn);
        uint256 narrow = narrowed(mostIn, amountOut, mostOut);
        if (narrow != mostIn) {
            mostIn = narrow;
            amountOut = mostIn == 0 ? 0 : _preview(pool, i, j, mostIn);
        }
        if (amountOut == 0 || amountOut > mostOut) return line;
        return lineThrough(mostIn, amountOut);
    }

    function _lineIn(uint256[] calldata state, bool zeroForOne) private pure returns (Line memory) {
        return zeroForOne ? Line(state[1], state[2]) : Line(state[3], state[4]);
    }
}
