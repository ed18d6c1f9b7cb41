// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {NativeSender} from "../libraries/NativeSender.sol";
import {PoolCalls} from "../libraries/PoolCalls.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {IWrappedNative} from "../venues/UniswapV4.sol";

/// @title Debts to a contract that keeps the tokens of all pools
/// @notice The PoolManager of Uniswap V4, and Vaults with the same calls. The native currency is the zero address there, and the
/// wrapped token here. Within the singleton's callback only.
library Singletons {
    /// @notice Reads the answer of a swap: an amount of each currency, which the caller owes if it is negative.
    /// @return paid What the swap costs.
    /// @return received What it pays; negative if that is owed as well.
    function amountsOf(int256 delta, bool zeroForOne) internal pure returns (uint256 paid, int256 received) {
        (int256 sold, int256 bought) = (delta >> 128, int128(delta));
        if (!zeroForOne) (sold, bought) = (bought, sold);
        return (sold < 0 ? uint256(-sold) : 0, bought);
    }

    /// @notice Pays what this contract owes. It holds as much of the token.
    function pay(address singleton, address currency, uint256 amount, address wrapped) internal {
        PoolCalls.sync(singleton, currency);
        if (currency == address(0)) {
            NativeSender.expect(wrapped);
            IWrappedNative(wrapped).withdraw(amount);
            NativeSender.expect(address(0));
            PoolCalls.settle(singleton, amount);
        } else {
            Transfers.send(currency, singleton, amount);
            PoolCalls.settle(singleton, 0);
        }
    }

    /// @notice Has what this contract is owed paid to `to`.
    function collect(address singleton, address currency, uint256 amount, address wrapped, address to) internal {
        if (currency != address(0)) return PoolCalls.take(singleton, currency, to, amount);
        NativeSender.expect(singleton);
        PoolCalls.take(singleton, address(0), address(this), amount);
        NativeSender.expect(address(0));
        IWrappedNative(wrapped).deposit{value: amount}();
        Transfers.send(wrapped, to, amount);
    }
}
