// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VenueKind} from "../types/VenueKind.sol";

/// @title Reads, draws and prices the pools of the sampled kinds
/// @notice Kinds whose curve is no constant product: Solidly, Curve, Balancer. Their prices are sampled. The curve drawn
/// between two samples equals the pool's at the samples and is nowhere below it.
/// @dev Not views, because an adapter may price by swaps. It undoes them itself, so that nothing lasts. Such curves are known at the
/// samples only: a bound over them holds if the pool pays no more elsewhere than the curve drawn through the samples.
/// @dev Stateless: the caller carries what was read of a pool, as words that only this contract understands.
interface ISampler {
    /// @notice Which part of a curve to draw.
    struct Stretch {
        /// Where to begin: the `cursor` of the previous part; zero is the start of the curve.
        uint256 cursor;
        /// Maximum number of parts.
        uint256 steps;
        /// Stops at this ratio, once beyond the focus; zero for no such limit.
        uint256 until;
        /// Input around which the curve is drawn most finely; zero for none. With an `until` of zero nothing is split yet, and it
        /// is all that the trade sells here.
        uint256 focus;
    }

    /// @notice A part of a curve.
    struct Drawing {
        /// Ratio before the trade, in Q96, as in `IOptimizer`; zero if the pool cannot be drawn.
        uint256 startRatio;
        /// Start of the next part.
        uint256 cursor;
        /// Whether the curve goes on beyond this part.
        bool open;
        /// Five words each: liquidity, ratios at the start and the end, input and output.
        uint256[] segments;
    }

    /// @notice Everything that prices a pool at this block. Empty if it cannot be priced or refuses to swap.
    /// @param deployer The venue's deployer: the factory, or the Vault that holds the tokens.
    /// @param key The leg's key: which of the deployer's pools, or which of the pool's tokens. For a listed pool the first
    /// word of the result is the key, and the other words are the same for all keys.
    function read(VenueKind kind, address deployer, address pool, uint256 key) external returns (uint256[] memory);

    /// @notice Draws a stretch of one direction's curve.
    function draw(VenueKind kind, uint256[] calldata state, bool zeroForOne, Stretch calldata stretch)
        external
        returns (Drawing memory);

    /// @notice The exact amount that the pool pays for `amountIn`, and the gas of such a leg. Zero if it refuses the input.
    function quote(VenueKind kind, address pool, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        returns (uint256 amountOut, uint256 gas);
}
