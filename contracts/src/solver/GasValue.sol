// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPricer} from "../interfaces/IPricer.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {Q96, sqrtRatio} from "../math/Ratio.sol";
import {GasValue} from "../types/GasValue.sol";
import {mostFrom, mostRead} from "./BestPath.sol";
import {Search} from "./Search.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @dev Bytes of calldata of a leg that a rollup pays for: six words, two thirds of which are zeros that compress away.
uint256 constant BYTES_PER_LEG = 80;

/// @dev Gas that a plan may take, and the least of the native token that says what it is worth, in wei: more than a pool
/// of dust could pay for at any price.
uint256 constant SOME_GAS = 1e6;
uint256 constant LEAST_NATIVE = 2e16;

/// @dev If nothing prices the native token, `UNPRICED_GAS` costs the trade's output divided by `UNPRICED_PARTS`: each leg must
/// add about a basis point.
uint256 constant UNPRICED_GAS = 1e5;
uint256 constant UNPRICED_PARTS = 1e4;

/// @dev The native token has a doubtful price if it is sold for less than what it is bought for by more than this factor, as a root. If
/// its best pools pay less than this part of the trade for any amount, they are dust, and that price does not count.
uint256 constant FAR_ROOT = 2;
uint256 constant DUST_DEPTH_PARTS = 128;

/// @notice Prices gas before the trade: by what the native token for it is sold for, but no more than what `tokenIn` buys
/// of it says, so that no small pool counts. The trade's own prices are those of its end, where gas looks cheap if a trade
/// takes much of what there is.
/// @param grossOut What the trade pays, gas aside.
/// @param referenceOut What it would pay at the prices that its impact is measured against.
function gasValueOf(
    Search memory search,
    address wrappedNative,
    uint256 gasPrice,
    uint256 grossOut,
    uint256 referenceOut
) returns (GasValue memory value) {
    value.weiPerGas = gasPrice;
    (uint256 weiPerByte,) = StaticRead.own(address(search.pricer), IPricer.dataPrice.selector, 0);
    value.weiPerLeg = weiPerByte * BYTES_PER_LEG;
    value.sqrtPrice = _sqrtPriceOf(search, wrappedNative, gasPrice, referenceOut);
    if (value.sqrtPrice == 0) {
        uint256 price = FixedPointMathLib.fullMulDiv(grossOut / UNPRICED_PARTS, 1 << 128, UNPRICED_GAS * gasPrice);
        value.sqrtPrice = FixedPointMathLib.sqrt(price) << 32;
    }
}

/// @dev Zero if nothing prices the native token.
function _sqrtPriceOf(Search memory search, address wrappedNative, uint256 gasPrice, uint256 referenceOut)
    returns (uint256)
{
    address[] memory tokens = search.tokens;
    uint256 native;
    unchecked {
        while (native < tokens.length && tokens[native] != wrappedNative) ++native;
    }
    if (native == tokens.length) return 0;
    if (native == search.tokenOutIndex()) return Q96;
    uint256 from = native == search.tokenInIndex() ? search.source() : native;
    uint256 amount = FixedPointMathLib.max(SOME_GAS * gasPrice, LEAST_NATIVE);
    uint256 sold = sqrtRatio(mostRead(search, from, search.sink(), amount), amount);
    uint256 bought = search.amountIn;
    if (from == native) bought = mostRead(search, search.source(), search.layerTwo(native), bought);
    uint256 cap = sqrtRatio(referenceOut, bought);
    // Dust alone may buy the native token, at a price far too low.
    bool isDust = sold < cap / FAR_ROOT && mostFrom(search, from, type(uint128).max) < referenceOut / DUST_DEPTH_PARTS;
    return isDust || sold == 0 || (cap != 0 && cap < sold) ? cap : sold;
}
