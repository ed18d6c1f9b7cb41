// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Payment} from "../libraries/Payment.sol";
import {Curve, Pool} from "../solver/Market.sol";
import {PackedVenue, VenueConfig, VenueKind} from "../types/Venue.sol";
import {Algebra} from "./Algebra.sol";
import {Balancer} from "./Balancer.sol";
import {CallbackPools} from "./CallbackPools.sol";
import {Concentrated} from "./Concentrated.sol";
import {Curve as CurveVenue} from "./Curve.sol";
import {isValidListed} from "./Listed.sol";
import {Sampled} from "./Sampled.sol";
import {Slipstream} from "./Slipstream.sol";
import {Solidly} from "./Solidly.sol";
import {UniswapV2} from "./UniswapV2.sol";
import {UniswapV3} from "./UniswapV3.sol";
import {UniswapV4} from "./UniswapV4.sol";

/// @title Registry of the venue kinds
/// @notice The one place that tells kinds apart: a new kind is one library and one line in each function here.
library Venues {
    /// @notice The pool that the venue's deployer creates for two tokens and a key; zero for an unknown kind or key.
    function derive(PackedVenue memory venue, address tokenA, address tokenB, uint256 key)
        internal
        pure
        returns (address)
    {
        if (venue.isKind(VenueKind.UniswapV2)) return UniswapV2.derive(venue, tokenA, tokenB);
        if (venue.isKind(VenueKind.UniswapV3)) return UniswapV3.derive(venue, tokenA, tokenB, key);
        if (venue.isKind(VenueKind.Slipstream)) return UniswapV3.derive(venue, tokenA, tokenB, key);
        if (venue.isKind(VenueKind.Algebra)) return Algebra.derive(venue, tokenA, tokenB);
        if (venue.isKind(VenueKind.UniswapV4)) return UniswapV4.derive(venue, tokenA, tokenB, key);
        if (venue.isKind(VenueKind.Solidly)) return Solidly.derive(venue, tokenA, tokenB, key);
        return address(0);
    }

    /// @notice Whether nothing derives the kind's pools, so that the Hub lists them.
    function isListed(VenueKind kind) internal pure returns (bool) {
        return kind >= VenueKind.Curve;
    }

    /// @notice Whether a pool may be traded on only where its key is among the tiers that the Hub lists.
    function mustBeListed(PackedVenue memory venue, uint256 key) internal pure returns (bool) {
        return UniswapV4.mustBeListed(key) && venue.isKind(VenueKind.UniswapV4);
    }

    /// @notice Swaps the payment for `tokenOut`, which arrives at this contract.
    function fill(PackedVenue memory venue, Payment memory payment, address tokenOut, uint256 key) internal {
        if (venue.isKind(VenueKind.UniswapV2)) return UniswapV2.fill(venue, payment, tokenOut);
        if (venue.isKind(VenueKind.UniswapV3)) return CallbackPools.fill(payment, tokenOut);
        if (venue.isKind(VenueKind.UniswapV4)) return UniswapV4.fill(venue, payment, tokenOut, key);
        if (venue.isKind(VenueKind.Solidly)) return Solidly.fill(payment, tokenOut);
        if (venue.isKind(VenueKind.Curve)) return CurveVenue.fill(payment, tokenOut, key);
        if (isListed(venue.kind())) return Balancer.fill(venue.deployer(), payment, tokenOut);
        return CallbackPools.fill(payment, tokenOut);
    }

    /// @notice Answers the running callback with what the pool waits for, and returns what it wants to hear.
    function answer(Payment memory payment) internal returns (bytes memory heard) {
        if (msg.sig == UniswapV4.CALLBACK) heard = UniswapV4.answer(payment);
        else CallbackPools.answer(payment);
    }

    /// @notice Whether a venue's data is what its kind needs.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        if (config.venue.kind == VenueKind.UniswapV2) return UniswapV2.isValid(config);
        if (config.venue.kind == VenueKind.UniswapV3) return UniswapV3.isValid(config);
        if (config.venue.kind == VenueKind.Slipstream) return UniswapV3.isValid(config);
        if (config.venue.kind == VenueKind.Algebra) return Algebra.isValid(config);
        if (config.venue.kind == VenueKind.UniswapV4) return UniswapV4.isValid(config);
        if (config.venue.kind == VenueKind.Solidly) return Solidly.isValid(config);
        if (isListed(config.venue.kind)) return isValidListed(config);
        return false;
    }

    /* DRY RUN */

    /// @notice Takes `amount` of `token` as a loan from the venue's pool of `token` and `other`, which calls back.
    function borrow(
        PackedVenue memory venue,
        address pool,
        address token,
        address other,
        uint256 amount,
        bytes memory data
    ) internal {
        VenueKind kind = venue.kind();
        if (kind == VenueKind.UniswapV2) {
            return UniswapV2.borrow(pool, token, other, amount, data);
        }
        if (kind == VenueKind.UniswapV4) return UniswapV4.borrow(pool, token, amount, data);
        CallbackPools.borrow(pool, token, other, amount, data);
    }

    /// @notice The data that came with the loan of the running callback.
    function loanData(VenueKind kind) internal returns (bytes memory data) {
        if (kind == VenueKind.UniswapV2) return UniswapV2.loanData();
        if (kind == VenueKind.UniswapV4) return UniswapV4.loanData();
        return CallbackPools.loanData();
    }

    /* SEARCH */

    /// @notice Reads the pool's state. False where there is no pool, or one that cannot be priced.
    function read(Pool memory pool) internal view returns (bool) {
        // Most of what is derived was never created, and this asks for less than any call.
        if (pool.pool.code.length == 0) return false;
        VenueKind kind = pool.venue.kind();
        if (kind == VenueKind.UniswapV2) return UniswapV2.read(pool);
        if (kind == VenueKind.UniswapV3) return UniswapV3.read(pool);
        if (kind == VenueKind.Slipstream) return Slipstream.read(pool);
        if (kind == VenueKind.Algebra) return Algebra.read(pool);
        if (kind == VenueKind.UniswapV4) return UniswapV4.read(pool);
        if (Sampled.isKind(kind)) return Sampled.read(pool);
        return false;
    }

    /// @notice Draws the curve of one direction, or draws it `ranges` further.
    function extend(Pool memory pool, bool zeroForOne, Curve memory curve, uint256 ranges) internal view {
        VenueKind kind = pool.venue.kind();
        if (kind == VenueKind.UniswapV2) return UniswapV2.extend(pool, zeroForOne, curve);
        if (kind == VenueKind.UniswapV3) return UniswapV3.extend(pool, zeroForOne, curve, ranges);
        if (kind == VenueKind.Slipstream) return Slipstream.extend(pool, zeroForOne, curve, ranges);
        if (kind == VenueKind.Algebra) return Algebra.extend(pool, zeroForOne, curve, ranges);
        if (kind == VenueKind.UniswapV4) return UniswapV4.extend(pool, zeroForOne, curve, ranges);
        if (Sampled.isKind(kind)) return Sampled.extend(pool, zeroForOne, curve, ranges);
    }

    /// @notice Whether a pool pays nothing at its price: only far from it there may be something.
    function isIdle(Pool memory pool) internal pure returns (bool) {
        VenueKind kind = pool.venue.kind();
        return kind >= VenueKind.UniswapV3 && kind <= VenueKind.UniswapV4 && Concentrated.isIdle(pool);
    }

    /// @notice What an idle pool may pay at most; the largest number where that cannot be told from what it holds.
    function mostOf(Pool memory pool, bool zeroForOne) internal view returns (uint256) {
        if (pool.venue.isKind(VenueKind.UniswapV4)) return type(uint256).max;
        return Concentrated.holdingOf(pool, zeroForOne);
    }

    /// @notice Whether pools of the kind round the fee on their input down.
    function forgives(VenueKind kind) internal pure returns (bool) {
        return kind == VenueKind.Solidly;
    }

    /// @notice What the pool pays for `amountIn` by its own integer mathematics, and the gas of such a leg. Zero where
    /// it cannot take all of the input.
    function quote(Pool memory pool, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        VenueKind kind = pool.venue.kind();
        if (kind == VenueKind.UniswapV2) return UniswapV2.quote(pool, zeroForOne, amountIn);
        if (kind == VenueKind.UniswapV3) return UniswapV3.quote(pool, zeroForOne, amountIn);
        if (kind == VenueKind.Slipstream) return Slipstream.quote(pool, zeroForOne, amountIn);
        if (kind == VenueKind.Algebra) return Algebra.quote(pool, zeroForOne, amountIn);
        if (kind == VenueKind.UniswapV4) return UniswapV4.quote(pool, zeroForOne, amountIn);
        if (Sampled.isKind(kind)) return Sampled.quote(pool, zeroForOne, amountIn);
    }
}
