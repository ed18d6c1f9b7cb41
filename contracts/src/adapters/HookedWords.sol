// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Q96} from "../math/Ratio.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title What is read of a pool with hooks
/// @notice The leg's key, the pool's own, and for each currency an amount of it that moves the price somewhat.
library HookedWords {
    uint256 private constant KEY = 0;
    uint256 private constant CURRENCY0 = 1;
    uint256 private constant CURRENCY1 = 2;
    uint256 private constant FEE = 3;
    uint256 private constant SPACING = 4;
    uint256 private constant HOOKS = 5;
    uint256 private constant UNIT0 = 6;
    uint256 private constant UNIT1 = 7;
    uint256 private constant WORDS = 8;

    /// @dev Which part of a reserve a unit is, as a shift, and the unit of a pool that keeps its liquidity elsewhere.
    uint256 private constant UNIT_SHIFT = 4;
    uint256 private constant BLIND_UNIT = 1e12;

    /// @param sqrtPriceX96 Zero if there is no such pool: there is nothing to read then.
    function pack(uint256 key, PoolKey memory poolKey, uint160 sqrtPriceX96, uint128 liquidity)
        internal
        pure
        returns (uint256[] memory words)
    {
        if (sqrtPriceX96 == 0) return words;
        words = new uint256[](WORDS);
        words[KEY] = key;
        words[CURRENCY0] = uint160(Currency.unwrap(poolKey.currency0));
        words[CURRENCY1] = uint160(Currency.unwrap(poolKey.currency1));
        (words[FEE], words[SPACING]) = (poolKey.fee, uint24(poolKey.tickSpacing));
        words[HOOKS] = uint160(address(poolKey.hooks));
        (words[UNIT0], words[UNIT1]) = (BLIND_UNIT, BLIND_UNIT);
        if (liquidity == 0) return words;
        words[UNIT0] = (uint256(liquidity) << 96) / sqrtPriceX96 >> UNIT_SHIFT;
        words[UNIT1] = FixedPointMathLib.fullMulDiv(liquidity, sqrtPriceX96, Q96) >> UNIT_SHIFT;
    }

    function poolKeyOf(uint256[] calldata words) internal pure returns (PoolKey memory) {
        return PoolKey({
            currency0: Currency.wrap(address(uint160(words[CURRENCY0]))),
            currency1: Currency.wrap(address(uint160(words[CURRENCY1]))),
            fee: uint24(words[FEE]),
            tickSpacing: int24(uint24(words[SPACING])),
            hooks: IHooks(address(uint160(words[HOOKS])))
        });
    }

    function isNative(uint256[] calldata words) internal pure returns (bool) {
        return words[CURRENCY0] == 0;
    }

    /// @notice The direction as the pool counts its currencies: the native one, which `wrapped` stands for, is the first.
    function inPool(uint256[] calldata words, bool zeroForOne, address wrapped) internal pure returns (bool) {
        if (isNative(words) && uint160(wrapped) > words[CURRENCY1]) return !zeroForOne;
        return zeroForOne;
    }

    function unitOf(uint256[] calldata words, bool zeroForOne) internal pure returns (uint256) {
        return words[zeroForOne ? UNIT0 : UNIT1];
    }
}
