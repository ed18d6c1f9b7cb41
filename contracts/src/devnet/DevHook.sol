// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title A hook of Uniswap V4 for the devnet
/// @notice The fee rises with the size of the swap, so that ticks do not tell what it pays.
contract DevHook {
    uint24 private constant OVERRIDE = 0x400000;
    uint256 private constant LEAST_FEE = 40;

    function beforeSwap(address, PoolKey calldata, SwapParams calldata params, bytes calldata)
        external
        pure
        returns (bytes4, int256, uint24)
    {
        uint256 fee = LEAST_FEE + FixedPointMathLib.log2(FixedPointMathLib.abs(params.amountSpecified));
        return (IHooks.beforeSwap.selector, 0, uint24(fee) | OVERRIDE);
    }
}
