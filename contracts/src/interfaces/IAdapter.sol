// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISampler} from "./ISampler.sol";

/// @title A contract that stands between the Router and a venue's pools
/// @notice It finds, reads, draws, prices and fills the pools of one registry: the venue's deployer, of the kind `ADAPTER`. The
/// Router pays it and it pays whom it is told. A new venue needs a new adapter and no other code.
/// @dev The leg's key names the pool, see `AdapterKey`. Members of `ISampler` are called with the adapter itself as `deployer` and
/// as `pool`, and the first word of a state is the key. Between two calls an adapter holds no tokens and no allowances.
/// Whatever is left in it, the next caller may take.
interface IAdapter is ISampler {
    /// @notice The registry does not know the pool, or not with these two tokens at these places.
    error NotInRegistry(address pool);
    /// @notice Less has arrived than the swap sells, for example because the token takes a part of each transfer.
    error NotPaid(address token, uint256 expected, uint256 arrived);

    /// @notice The pool says to pay less than the price floor in the key lets through, see `PriceFloor`.
    error BelowPriceFloor(uint256 least, uint256 paid);

    /// @notice Which contract vouches for the pools.
    function registry() external view returns (address);

    /// @notice Pools that hold both tokens: those that the registry lists for the pair, then those among `hints` for which it
    /// vouches. Each once.
    /// @dev Every search calls it with at most 800,000 gas and reads at most 16 keys. If it fails, the search goes on without the
    /// venue, and the plan is `truncated`.
    /// @param hints Pools, from anybody: each the address of one, or what else the registry tells its pools apart by.
    /// @return The legs' keys, one for each pool, of at most 208 bits.
    function keysOf(address tokenA, address tokenB, uint256[] calldata hints) external view returns (uint256[] memory);

    /// @notice Which of `tokens` the pool of each hint says that it holds: a word for each hint, with a bit for each token, from the
    /// lowest on. Zero for a hint of no use, because it names no pool or one that the registry lists anyway.
    /// @dev A search calls it once, with at most 800,000 gas. For each pair it then gives `keysOf` the hints with both bits. The answer
    /// need not be true: `keysOf` asks the registry.
    /// @param hints As for `keysOf`.
    function heldBy(uint256[] calldata hints, address[] calldata tokens) external view returns (uint256[] memory);

    /// @notice Swaps `amountIn` of `tokenIn`, which this contract was sent before, on the key's pool, all of it or nothing. Asks the
    /// registry whether the pool is its own. `to` receives the output.
    /// @param key One of `keysOf`, and above its 208 bits a `PriceFloor` or zero. Searches write a floor for keys of more than 168 bits
    /// that end with a byte of zeros.
    /// @param amountIn In base units of `tokenIn`. Zero for all that this contract holds.
    /// @return amountOut What the pool says to have paid, in base units of `tokenOut`.
    function swap(uint256 key, address tokenIn, address tokenOut, uint256 amountIn, address to)
        external
        returns (uint256 amountOut);
}
