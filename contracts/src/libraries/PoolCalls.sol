// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";

/// @title The calls that most swaps make of a pool
/// @notice Written out, because what the compiler makes of them takes about 150 gas more each time. What a pool reverts with
/// goes on to the caller.
library PoolCalls {
    /// @notice `pair.swap(amount0Out, amount1Out, to, "")`, of a pair that has just said its reserves, so that it stands.
    function swapPair(address pair, uint256 amount0Out, uint256 amount1Out, address to) internal {
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, shl(224, 0x022c0d9f)) // swap(uint256,uint256,address,bytes)
            mstore(add(free, 4), amount0Out)
            mstore(add(free, 36), amount1Out)
            mstore(add(free, 68), shr(96, shl(96, to)))
            mstore(add(free, 100), 128)
            mstore(add(free, 132), 0)
            if iszero(call(gas(), pair, 0, free, 164, 0, 0)) {
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
        }
    }

    /// @notice `pool.swap(to, zeroForOne, amountIn, sqrtPriceLimitX96, "")`; what it says that its balances change by.
    /// Reverts if it answers less than two words.
    function swapPool(address pool, address to, bool zeroForOne, int256 amountIn, uint160 sqrtPriceLimitX96)
        internal
        returns (int256 amount0, int256 amount1)
    {
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, shl(224, 0x128acb08)) // swap(address,bool,int256,uint160,bytes)
            mstore(add(free, 4), shr(96, shl(96, to)))
            mstore(add(free, 36), zeroForOne)
            mstore(add(free, 68), amountIn)
            mstore(add(free, 100), shr(96, shl(96, sqrtPriceLimitX96)))
            mstore(add(free, 132), 160)
            mstore(add(free, 164), 0)
            if iszero(call(gas(), pool, 0, free, 196, 0, 64)) {
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
            if lt(returndatasize(), 64) { revert(0, 0) }
            amount0 := mload(0)
            amount1 := mload(32)
        }
    }

    /// @notice `manager.swap(key, SwapParams(zeroForOne, amountSpecified, sqrtPriceLimitX96), "")`; what changes hands, in its
    /// two halves. Reverts if it answers less than a word.
    function swapManager(
        address manager,
        PoolKey memory key,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96
    ) internal returns (int128 amount0, int128 amount1) {
        assembly ("memory-safe") {
            let free := mload(0x40)
            // swap((address,address,uint24,int24,address),(bool,int256,uint160),bytes)
            mstore(free, shl(224, 0xf3cd914c))
            mcopy(add(free, 4), key, 160)
            mstore(add(free, 164), zeroForOne)
            mstore(add(free, 196), amountSpecified)
            mstore(add(free, 228), shr(96, shl(96, sqrtPriceLimitX96)))
            mstore(add(free, 260), 288)
            mstore(add(free, 292), 0)
            if iszero(call(gas(), manager, 0, free, 324, 0, 32)) {
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
            if lt(returndatasize(), 32) { revert(0, 0) }
            amount0 := sar(128, mload(0))
            amount1 := signextend(15, mload(0))
        }
    }

    /// @notice `manager.unlock(abi.encode(first, second, third, fourth))`; the word in the bytes that it answers. Reverts if it
    /// answers less than that.
    function unlock(address manager, uint256 first, uint256 second, uint256 third, uint256 fourth)
        internal
        returns (uint256 answer)
    {
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, shl(224, 0x48c89491)) // unlock(bytes)
            mstore(add(free, 4), 32)
            mstore(add(free, 36), 128)
            mstore(add(free, 68), first)
            mstore(add(free, 100), second)
            mstore(add(free, 132), third)
            mstore(add(free, 164), fourth)
            if iszero(call(gas(), manager, 0, free, 196, free, 96)) {
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
            if lt(returndatasize(), 96) { revert(0, 0) }
            answer := mload(add(free, 64))
        }
    }

    /// @notice `manager.sync(currency)`, of a manager that is running.
    function sync(address manager, address currency) internal {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0xa5841194)) // sync(address)
            mstore(4, shr(96, shl(96, currency)))
            if iszero(call(gas(), manager, 0, 0, 36, 0, 0)) {
                let free := mload(0x40)
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
        }
    }

    /// @notice `manager.settle{value: value}()`, of a manager that is running; its answer is not read.
    function settle(address manager, uint256 value) internal {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0x11da60b4)) // settle()
            if iszero(call(gas(), manager, value, 0, 4, 0, 0)) {
                let free := mload(0x40)
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
        }
    }

    /// @notice `manager.take(currency, to, amount)`, of a manager that is running.
    function take(address manager, address currency, address to, uint256 amount) internal {
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, shl(224, 0x0b0d9c09)) // take(address,address,uint256)
            mstore(add(free, 4), shr(96, shl(96, currency)))
            mstore(add(free, 36), shr(96, shl(96, to)))
            mstore(add(free, 68), amount)
            if iszero(call(gas(), manager, 0, free, 100, 0, 0)) {
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
        }
    }
}
