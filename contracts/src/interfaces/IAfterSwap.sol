// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What an adapter may answer in addition, if its pools have more than two tokens
/// @notice Routes trade several pairs of one pool only where its adapter answers this.
interface IAfterSwap {
    /// @notice What `ISampler.read` would answer after a swap on the pool. Empty if that cannot be told.
    /// @param state Of the pool before the swap. Its first word is the key of the swap; the others may have been read for another
    /// pair of the pool.
    /// @param zeroForOne Whether the swap sells the token of the lower address.
    /// @param amountIn In base units of the token sold.
    /// @param amountOut What `ISampler.quote` says that the swap pays.
    function afterSwap(uint256[] calldata state, bool zeroForOne, uint256 amountIn, uint256 amountOut)
        external
        view
        returns (uint256[] memory);
}
