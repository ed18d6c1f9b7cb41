// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VenueKind} from "../types/VenueKind.sol";

/// @title Reads, draws and prices the pools of the sampled kinds
/// @notice Kinds whose curve is no constant product: Solidly, Curve, Balancer. Their prices are sampled, and between
/// two samples a curve is drawn that is nowhere below the pool's and equal to it at the samples.
/// @dev Stateless: what was read of a pool travels through the caller, as words that only this contract understands.
interface ISampler {
    /// @notice Which part of a curve to draw.
    struct Stretch {
        /// Where it begins: the `cursor` of the part before; zero is the start of the curve.
        uint256 cursor;
        /// How many parts at most.
        uint256 steps;
        /// Ratio that is low enough to end it, beyond the focus; zero for none.
        uint256 until;
        /// Input around which the curve is drawn finely; zero for none.
        uint256 focus;
    }

    /// @notice A part of a curve.
    struct Drawing {
        /// Ratio before the trade, in Q96, as `IOptimizer` has it; zero where the pool cannot be drawn.
        uint256 startRatio;
        /// Where the next part begins.
        uint256 cursor;
        /// More follows.
        bool open;
        /// Five words each: liquidity, ratios at the start and the end, input and output.
        uint256[] segments;
    }

    /// @notice Everything that prices a pool at this block. Empty where it cannot be priced or refuses to swap.
    /// @param deployer The venue's deployer: the factory, or the Vault that keeps the tokens.
    /// @param key The leg's key: which of the deployer's pools, or which of the pool's tokens. Of a listed pool it is the
    /// first word, and the other words serve all keys.
    function read(VenueKind kind, address deployer, address pool, uint256 key) external view returns (uint256[] memory);

    /// @notice Draws a stretch of one direction's curve.
    function draw(VenueKind kind, uint256[] calldata state, bool zeroForOne, Stretch calldata stretch)
        external
        view
        returns (Drawing memory);

    /// @notice What the pool pays for `amountIn`, exactly, and the gas of such a leg. Zero where it does not take it.
    function quote(VenueKind kind, address pool, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas);
}
