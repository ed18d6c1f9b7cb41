// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Payment} from "../libraries/Payment.sol";
import {Curve, Pool} from "../types/Market.sol";
import {PackedVenue, VenueConfig} from "../types/Venue.sol";
import {UnknownVenueKind, VenueKind, VenueKinds} from "../types/VenueKind.sol";
import {Adapters} from "./Adapters.sol";
import {Algebra} from "./Algebra.sol";
import {Balancer} from "./Balancer.sol";
import {BalancerStable} from "./BalancerStable.sol";
import {BalancerWeighted} from "./BalancerWeighted.sol";
import {CallbackPools} from "./CallbackPools.sol";
import {Concentrated} from "./Concentrated.sol";
import {CurveStable} from "./CurveStable.sol";
import {isValidListed} from "./Listed.sol";
import {Sampled} from "./Sampled.sol";
import {Slipstream} from "./Slipstream.sol";
import {Solidly} from "./Solidly.sol";
import {UniswapV2} from "./UniswapV2.sol";
import {UniswapV3} from "./UniswapV3.sol";
import {UniswapV4} from "./UniswapV4.sol";

/// @title Which code each venue kind has
/// @notice The one place that tells kinds apart: a new kind is one library and one line in each function here that concerns
/// it. What is true of a kind is asked of its traits, see `VenueKinds`.
/// @dev Whoever meets a kind that is not here reverts: what its pools would do is not known.
library Venues {
    /// @notice The pool that the venue's deployer creates for two tokens and a key; zero for a key that has none, and for
    /// kinds whose pools are listed. An adapter stands for all of its pools.
    function derive(PackedVenue memory venue, address tokenA, address tokenB, uint256 key)
        internal
        pure
        returns (address)
    {
        VenueKind kind = venue.kind();
        if (kind == VenueKinds.UNISWAP_V2) return UniswapV2.derive(venue, tokenA, tokenB);
        if (kind == VenueKinds.UNISWAP_V3) return UniswapV3.derive(venue, tokenA, tokenB, key);
        if (kind == VenueKinds.SLIPSTREAM) return UniswapV3.derive(venue, tokenA, tokenB, key);
        if (kind == VenueKinds.ALGEBRA) return Algebra.derive(venue, tokenA, tokenB);
        if (kind == VenueKinds.UNISWAP_V4) return UniswapV4.derive(venue, tokenA, tokenB, key);
        if (kind == VenueKinds.SOLIDLY) return Solidly.derive(venue, tokenA, tokenB, key);
        if (kind == VenueKinds.ADAPTER) return venue.deployer();
        if (kind.isListed()) return address(0);
        revert UnknownVenueKind(kind);
    }

    /// @notice Whether a pool may be traded on only where its key is among the tiers that the Hub lists.
    function mustBeListed(PackedVenue memory venue, uint256 key) internal pure returns (bool) {
        return UniswapV4.mustBeListed(key) && venue.kind() == VenueKinds.UNISWAP_V4;
    }

    /// @notice Whether the pool of a key cannot be told or traded on without the venue's hash.
    function needsHash(PackedVenue memory venue, uint256 key) internal pure returns (bool) {
        VenueKind kind = venue.kind();
        if (kind == VenueKinds.UNISWAP_V4) return UniswapV4.isNative(key);
        return kind.isDerived();
    }

    /// @notice Whether a fill can pay `tokenOut` to somebody else than this contract.
    function paysOthers(PackedVenue memory venue, address tokenOut, uint256 key) internal pure returns (bool) {
        VenueKind kind = venue.kind();
        if (kind == VenueKinds.UNISWAP_V4) return !UniswapV4.isWrapped(venue, tokenOut, key);
        return kind != VenueKinds.CURVE;
    }

    /// @notice Swaps the payment for `tokenOut`, which goes to `to`: this contract, or whom the venue can pay.
    /// @return What the pool says that it has paid; zero if it does not say. Nobody's word is taken for it.
    function fill(PackedVenue memory venue, Payment memory payment, address tokenOut, uint256 key, address to)
        internal
        returns (uint256)
    {
        VenueKind kind = venue.kind();
        if (kind == VenueKinds.UNISWAP_V2) return UniswapV2.fill(venue, payment, tokenOut, to);
        if (_isCallbackPool(kind)) return CallbackPools.fill(payment, tokenOut, to);
        if (kind == VenueKinds.UNISWAP_V4) return UniswapV4.fill(venue, payment, tokenOut, key, to);
        if (kind == VenueKinds.SOLIDLY) return Solidly.fill(payment, tokenOut, to);
        if (kind == VenueKinds.BALANCER_WEIGHTED) return Balancer.fill(venue.deployer(), payment, tokenOut, to);
        if (kind == VenueKinds.BALANCER_STABLE) return Balancer.fill(venue.deployer(), payment, tokenOut, to);
        if (kind == VenueKinds.ADAPTER) return Adapters.fill(payment, tokenOut, key, to);
        if (kind != VenueKinds.CURVE) revert UnknownVenueKind(kind);
        CurveStable.fill(payment, tokenOut, key);
        return 0;
    }

    /// @notice Answers the running callback with what its sender waits for, at most `amount` of the payer's tokens. May end the
    /// call with what the sender wants to hear.
    function answer(address token, address payer, uint256 amount) internal {
        if (msg.sig == UniswapV4.CALLBACK) UniswapV4.answer(Payment(token, payer, msg.sender, amount));
        else CallbackPools.answer(token, payer, amount);
    }

    /// @notice Whether a venue's data is what its kind needs.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        VenueKind kind = config.venue.kind;
        if ((config.venue.callback != 0) != kind.callsBack()) return false;
        if (kind == VenueKinds.UNISWAP_V2) return UniswapV2.isValid(config);
        if (kind == VenueKinds.UNISWAP_V3) return UniswapV3.isValid(config);
        if (kind == VenueKinds.SLIPSTREAM) return UniswapV3.isValid(config);
        if (kind == VenueKinds.ALGEBRA) return Algebra.isValid(config);
        if (kind == VenueKinds.UNISWAP_V4) return UniswapV4.isValid(config);
        if (kind == VenueKinds.SOLIDLY) return Solidly.isValid(config);
        if (!kind.isDerived() && kind.isKnown()) return isValidListed(config);
        revert UnknownVenueKind(kind);
    }

    /// @dev Whether pools have the calls of Uniswap V3: the kinds that `CallbackPools` trades on.
    function _isCallbackPool(VenueKind kind) private pure returns (bool) {
        return kind == VenueKinds.UNISWAP_V3 || kind == VenueKinds.SLIPSTREAM || kind == VenueKinds.ALGEBRA;
    }

    /* DRY RUN */

    /// @notice Takes `amount` of `token` as a loan from the venue's pool of `token` and `other`, which calls back. Of a kind
    /// that lends.
    function borrow(
        PackedVenue memory venue,
        address pool,
        address token,
        address other,
        uint256 amount,
        bytes memory data
    ) internal {
        VenueKind kind = venue.kind();
        if (kind == VenueKinds.UNISWAP_V2) return UniswapV2.borrow(pool, token, other, amount, data);
        if (_isCallbackPool(kind)) return CallbackPools.borrow(pool, token, other, amount, data);
        if (kind == VenueKinds.UNISWAP_V4) return UniswapV4.borrow(pool, token, amount, data);
        revert UnknownVenueKind(kind);
    }

    /// @notice The data that came with the loan of the running callback.
    function loanData(VenueKind kind) internal returns (bytes memory data) {
        if (kind == VenueKinds.UNISWAP_V2) return UniswapV2.loanData();
        if (_isCallbackPool(kind)) return CallbackPools.loanData();
        if (kind == VenueKinds.UNISWAP_V4) return UniswapV4.loanData();
        revert UnknownVenueKind(kind);
    }

    /* SEARCH */

    /// @notice The contract that reads pools of the venue, if one does: the Sampler, the Pricer (`IPricer.read`), or the venue's adapter.
    function readerOf(PackedVenue memory venue, address sampler, address pricer) internal pure returns (address) {
        VenueKind kind = venue.kind();
        if (kind.isAttested()) return venue.deployer();
        return kind == VenueKinds.ALGEBRA ? pricer : sampler;
    }

    /// @notice Reads the pool's state. False if there is no pool, or one that cannot be priced.
    function read(Pool memory pool) internal returns (bool) {
        // Most of what is derived was never created, and this asks for less than any call.
        if (pool.pool.code.length == 0) return false;
        VenueKind kind = pool.venue.kind();
        if (kind == VenueKinds.UNISWAP_V2) return UniswapV2.read(pool);
        if (kind == VenueKinds.UNISWAP_V3) return UniswapV3.read(pool);
        if (kind == VenueKinds.SLIPSTREAM) return Slipstream.read(pool);
        if (kind == VenueKinds.ALGEBRA) return Algebra.read(pool);
        if (kind == VenueKinds.UNISWAP_V4) return UniswapV4.read(pool);
        if (kind.isSampled()) return Sampled.read(pool);
        revert UnknownVenueKind(kind);
    }

    /// @notice Draws the curve of one direction, or draws it `ranges` further.
    function extend(Pool memory pool, bool zeroForOne, Curve memory curve, uint256 ranges) internal {
        VenueKind kind = pool.venue.kind();
        if (kind == VenueKinds.UNISWAP_V2) return UniswapV2.extend(pool, zeroForOne, curve);
        if (kind == VenueKinds.UNISWAP_V3) return UniswapV3.extend(pool, zeroForOne, curve, ranges);
        if (kind == VenueKinds.SLIPSTREAM) return Slipstream.extend(pool, zeroForOne, curve, ranges);
        if (kind == VenueKinds.ALGEBRA) return Algebra.extend(pool, zeroForOne, curve, ranges);
        if (kind == VenueKinds.UNISWAP_V4) return UniswapV4.extend(pool, zeroForOne, curve, ranges);
        if (kind.isSampled()) return Sampled.extend(pool, zeroForOne, curve, ranges);
        revert UnknownVenueKind(kind);
    }

    /// @notice Whether a pool pays nothing at its price: only far from it there may be something.
    function isIdle(Pool memory pool) internal pure returns (bool) {
        return pool.venue.kind().hasTicks() && Concentrated.isIdle(pool);
    }

    /// @notice What an idle pool may pay at most; the largest number where that cannot be told from what it holds.
    function mostOf(Pool memory pool, bool zeroForOne) internal view returns (uint256) {
        return pool.venue.kind().isShared() ? type(uint256).max : Concentrated.holdingOf(pool, zeroForOne);
    }

    /// @notice What the pool pays for `amountIn` by its own integer mathematics, and the gas of such a leg. Zero where
    /// it cannot take all of the input.
    function quote(Pool memory pool, bool zeroForOne, uint256 amountIn)
        internal
        returns (uint256 amountOut, uint256 gas)
    {
        VenueKind kind = pool.venue.kind();
        if (kind == VenueKinds.UNISWAP_V2) return UniswapV2.quote(pool, zeroForOne, amountIn);
        if (kind == VenueKinds.UNISWAP_V3) return UniswapV3.quote(pool, zeroForOne, amountIn);
        if (kind == VenueKinds.SLIPSTREAM) return Slipstream.quote(pool, zeroForOne, amountIn);
        if (kind == VenueKinds.ALGEBRA) return Algebra.quote(pool, zeroForOne, amountIn);
        if (kind == VenueKinds.UNISWAP_V4) return UniswapV4.quote(pool, zeroForOne, amountIn);
        if (kind.isSampled()) return Sampled.quote(pool, zeroForOne, amountIn);
        revert UnknownVenueKind(kind);
    }

    /// @notice The state of a pool with more than two tokens after a swap between two of them. Empty if that cannot be told.
    /// @param pool Its words have the key of the swap.
    function afterSwap(Pool memory pool, bool zeroForOne, uint256 amountIn, uint256 amountOut)
        internal
        view
        returns (uint256[] memory none)
    {
        VenueKind kind = pool.venue.kind();
        uint256[] memory state = pool.words;
        if (kind == VenueKinds.CURVE) return CurveStable.afterSwap(pool.pool, state, zeroForOne, amountIn, amountOut);
        if (kind == VenueKinds.BALANCER_WEIGHTED) {
            return BalancerWeighted.afterSwap(state, zeroForOne, amountIn, amountOut);
        }
        if (kind == VenueKinds.BALANCER_STABLE) {
            return BalancerStable.afterSwap(state, zeroForOne, amountIn, amountOut);
        }
        if (kind.isAttested()) return Adapters.afterSwap(pool.sampler, state, zeroForOne, amountIn, amountOut);
        return none;
    }
}
