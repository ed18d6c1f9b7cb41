// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {mulShift} from "./FixedPoint.sol";

/// @notice The curve of one edge: the place in the calldata where the edge's words begin.
/// @dev Curves stay in the calldata: reading a word there costs what a memory read costs, and memory need not grow.
type CalldataCurve is uint256;

using {from, to, segments, start, first, isDrawable, quote, respond} for CalldataCurve global;

/// @notice What a curve answers to a price. Amounts carry 32 fractional bits.
struct Response {
    uint256 amountIn;
    uint256 amountOut;
    /// Liquidity of the segment that the ratio lies in; zero at a segment's end, where the answer does not move.
    uint256 liquidity;
    /// The segment, from where the next search starts.
    uint256 segment;
}

/// @dev Fractional bits of the amounts of a `Response`: with whole units, tokens of few decimals would blur the bound.
uint256 constant AMOUNT_BITS = 32;

/// @dev No response asks for more, so that sums of responses cannot overflow.
uint256 constant MAX_RESPONSE = 1 << 230;

/// @dev The domain: what every segment must keep so that no product or sum overflows a word. `OUTPUT_BITS` bounds the
/// virtual output reserve, liquidity * start.
uint256 constant LIQUIDITY_BITS = 126;
uint256 constant RATIO_BITS = 160;
uint256 constant INPUT_BITS = 160;
uint256 constant OUTPUT_BITS = 152;

/// @dev Bytes of the words in front of an edge's segments.
uint256 constant HEADER = 96;
/// @dev Bytes of a segment, and where its words lie in it; its first word is the liquidity.
uint256 constant SEGMENT = 160;
uint256 constant START = 32;
uint256 constant END = 64;
uint256 constant IN_BEFORE = 96;
uint256 constant OUT_BEFORE = 128;

/// @dev The calldata word at `place`; `abi.decode(msg.data[place:place + 32], (uint256))`.
function wordAt(uint256 place) pure returns (uint256 word) {
    assembly ("memory-safe") {
        word := calldataload(place)
    }
}

function from(CalldataCurve curve) pure returns (uint256) {
    return wordAt(CalldataCurve.unwrap(curve));
}

function to(CalldataCurve curve) pure returns (uint256) {
    unchecked {
        return wordAt(CalldataCurve.unwrap(curve) + 32);
    }
}

/// @notice The number of segments.
function segments(CalldataCurve curve) pure returns (uint256) {
    unchecked {
        return wordAt(CalldataCurve.unwrap(curve) + 64);
    }
}

/// @notice Square root of the marginal price before any input, Q96.
function start(CalldataCurve curve) pure returns (uint256) {
    unchecked {
        return wordAt(CalldataCurve.unwrap(curve) + HEADER + START);
    }
}

/// @notice The curve's first segment.
function first(CalldataCurve curve) pure returns (uint256) {
    unchecked {
        return CalldataCurve.unwrap(curve) + HEADER;
    }
}

/// @dev The curve's last segment.
function last(CalldataCurve curve) pure returns (uint256) {
    unchecked {
        return curve.first() + SEGMENT * (curve.segments() - 1);
    }
}

/// @notice Whether all segments lie in the domain that `IOptimizer` states and follow one another, prices falling.
function isDrawable(CalldataCurve curve) pure returns (bool) {
    unchecked {
        uint256 segment = curve.first();
        uint256 end = last(curve);
        if (wordAt(segment + IN_BEFORE) | wordAt(segment + OUT_BEFORE) != 0) return false;
        uint256 ceiling = (1 << RATIO_BITS) - 1;
        for (; segment <= end; segment += SEGMENT) {
            uint256 liquidity = wordAt(segment);
            uint256 begin = wordAt(segment + START);
            if (begin > ceiling || liquidity == 0) return false;
            ceiling = wordAt(segment + END);
            if (ceiling == 0 || ceiling >= begin) return false;
            // Of the product only the leading bits matter, and those do not overflow.
            uint256 beyond = (liquidity >> LIQUIDITY_BITS) | (wordAt(segment + IN_BEFORE) >> INPUT_BITS)
                | (wordAt(segment + OUT_BEFORE) >> OUTPUT_BITS);
            if (beyond | ((liquidity * (begin >> 40)) >> (OUTPUT_BITS + 56)) != 0) return false;
        }
        return true;
    }
}

/// @notice What `amountIn` (whole base units) delivers, rounded down, by less than 2 + (liquidity + start / 2^8)
/// / 2^96 units.
/// @param segment Where to start looking: a segment that does not lie behind `amountIn`.
/// @return amountOut In whole base units. Input beyond the last segment's end delivers nothing.
/// @return ratio Square root of the marginal price after the input, Q96, rounded up.
/// @return The segment that the input ends in.
/// @dev With the virtual reserves of the segment: ratio = start liquidity / (liquidity + start input).
function quote(CalldataCurve curve, uint256 segment, uint256 amountIn)
    pure
    returns (uint256 amountOut, uint256 ratio, uint256)
{
    unchecked {
        uint256 end = last(curve);
        while (segment < end && amountIn >= wordAt(segment + SEGMENT + IN_BEFORE)) {
            segment += SEGMENT;
        }
        uint256 liquidity = wordAt(segment);
        uint256 begin = wordAt(segment + START);
        // Liquidity times ratio has 248 bits, which leaves 8 for fractions of a unit of the input.
        uint256 shifted = mulShift(begin, amountIn - wordAt(segment + IN_BEFORE), 88);
        ratio = ((liquidity * begin) << 8) / ((liquidity << 8) + shifted) + 1;
        end = wordAt(segment + END);
        if (ratio < end) ratio = end;
        if (ratio > begin) ratio = begin;
        amountOut = wordAt(segment + OUT_BEFORE) + ((liquidity * (begin - ratio)) >> 96);
        return (amountOut, ratio, segment);
    }
}

/// @notice The trade that brings the curve's marginal price to `ratio` squared, written to `response`.
/// @param segment Any segment of the curve; the nearer, the cheaper.
/// @param ratio Q96, rounded down by less than one; below `start`.
/// @dev Rounded outwards: no less output and no more input than the best trade at that price, so that what is summed
/// up from it remains an upper bound. `inBefore` and `outBefore` may be off by a unit for each segment before.
function respond(CalldataCurve curve, uint256 segment, uint256 ratio, Response memory response) pure {
    unchecked {
        segment = _seek(curve, segment, ratio);
        uint256 liquidity = wordAt(segment);
        uint256 begin = wordAt(segment + START);
        uint256 high = ratio + 1;
        response.segment = segment;
        response.liquidity = liquidity;
        if (ratio >= begin) {
            ratio = high = begin;
            response.liquidity = 0;
        } else if (ratio < wordAt(segment + END)) {
            ratio = high = wordAt(segment + END);
            response.liquidity = 0;
        }
        uint256 slack = ((segment - curve.first()) / SEGMENT) << AMOUNT_BITS;
        response.amountOut = (wordAt(segment + OUT_BEFORE) << AMOUNT_BITS)
            + ((liquidity * (begin - ratio)) >> (96 - AMOUNT_BITS)) + slack + 1;
        uint256 amountIn = (wordAt(segment + IN_BEFORE) << AMOUNT_BITS) + (liquidity << (96 + AMOUNT_BITS)) / high;
        slack += (liquidity << (96 + AMOUNT_BITS)) / begin + 1;
        amountIn = amountIn > slack ? amountIn - slack : 0;
        response.amountIn = amountIn > MAX_RESPONSE ? MAX_RESPONSE : amountIn;
    }
}

/// @dev The segment that `ratio` lies in, or the one behind it where it lies between two.
function _seek(CalldataCurve curve, uint256 segment, uint256 ratio) pure returns (uint256) {
    unchecked {
        uint256 bound = last(curve);
        while (segment < bound && ratio < wordAt(segment + END)) {
            segment += SEGMENT;
        }
        bound = curve.first();
        while (segment > bound && ratio >= wordAt(segment - SEGMENT + END)) {
            segment -= SEGMENT;
        }
        return segment;
    }
}
