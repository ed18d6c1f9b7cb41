// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {dataPrice} from "../libraries/DataPrice.sol";
import {GasValue} from "../math/GasValue.sol";
import {Q96, sqrtRatio} from "../math/Ratio.sol";
import {mostFrom, pathOf} from "./BestPath.sol";
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

/// @notice Prices gas before the trade: by what the native token for it is sold for, but no more than what `tokenIn` buys
/// of it says, so that no small pool counts. The trade's own prices are those of its end, where gas looks cheap if a trade
/// takes much of what there is.
/// @param grossOut What the trade pays, gas aside.
function gasValueOf(Search memory search, address wrappedNative, uint256 gasPrice, uint256 grossOut)
    view
    returns (GasValue memory value)
{
    value.weiPerGas = gasPrice;
    value.weiPerLeg = dataPrice() * BYTES_PER_LEG;
    value.sqrtPrice = _sqrtPriceOf(search, wrappedNative, gasPrice);
    if (value.sqrtPrice == 0) {
        uint256 price = FixedPointMathLib.fullMulDiv(grossOut / UNPRICED_PARTS, 1 << 128, UNPRICED_GAS * gasPrice);
        value.sqrtPrice = FixedPointMathLib.sqrt(price) << 32;
    }
}

/// @dev Zero where nothing prices the native token.
function _sqrtPriceOf(Search memory search, address wrappedNative, uint256 gasPrice) pure returns (uint256) {
    uint256 native;
    while (native < search.tokens.length && search.tokens[native] != wrappedNative) ++native;
    if (native == search.tokens.length) return 0;
    if (native == search.tokenOutIndex()) return Q96;
    uint256 from = native == search.tokenInIndex() ? search.source() : native;
    uint256 amount = FixedPointMathLib.max(SOME_GAS * gasPrice, LEAST_NATIVE);
    uint256 sold = sqrtRatio(mostFrom(search, from, amount), amount);
    uint256 cap = _capOf(search, native);
    return sold == 0 || (cap != 0 && cap < sold) ? cap : sold;
}

/// @dev How much of `tokenIn`, and so of `tokenOut`, a wei costs where all of the input buys native; zero where nothing
/// sells it.
function _capOf(Search memory search, uint256 native) pure returns (uint256 rate) {
    (uint256[] memory path, uint256[] memory most) = pathOf(search, 3);
    for (uint256 e; e < path.length; ++e) {
        if (path[e] == 0) continue;
        uint256 ratio = search.edges[e].curve.startRatio;
        rate = rate == 0 ? ratio : FixedPointMathLib.fullMulDiv(rate, ratio, Q96);
    }
    if (native == search.tokenInIndex()) return rate;
    return FixedPointMathLib.fullMulDiv(rate, sqrtRatio(search.amountIn, most[search.layerTwo(native)]), Q96);
}
