// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {balanceOf} from "../libraries/Balance.sol";
import {create2Address, hashPacked, sortTokens} from "../libraries/Create2.sol";
import {Payment} from "../libraries/Payment.sol";
import {PoolCalls} from "../libraries/PoolCalls.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {constantProductOut, drawConstantProduct} from "../math/ConstantProduct.sol";
import {Curve, Pool} from "../types/Market.sol";
import {PackedVenue, VenueConfig} from "../types/Venue.sol";

/// @notice What is called of a pair. Forks may return more after the reserves.
interface IUniswapV2Pair {
    function getReserves() external view returns (uint256 reserve0, uint256 reserve1);
    function price0CumulativeLast() external view returns (uint256);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

/// @title Constant-product pairs of Uniswap V2 and its forks
/// @notice The input is sent ahead, the output is computed here, and the pair checks that `x * y` has not fallen.
library UniswapV2 {
    /// @dev A reserve below this rounds too coarsely to be priced.
    uint256 private constant DUST = 1000;
    /// @dev Gas that a leg adds to a swap, and what the first swap of a pair adds for its two price sums (EIP-2929).
    uint256 private constant LEG_GAS = 58_100;
    uint256 private constant FIRST_SWAP_GAS = 34_200;

    /// @notice The pair of the two tokens; `key` is not used, because a venue has one pair for each two tokens.
    function derive(PackedVenue memory venue, address tokenA, address tokenB) internal pure returns (address) {
        (address token0, address token1) = sortTokens(tokenA, tokenB);
        return create2Address(venue.deployer(), hashPacked(token0, token1), venue.initCodeHash);
    }

    /// @notice One fee for the venue, and one tier.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        return config.tiers.length == 1 && config.tiers[0].key == 0 && config.tiers[0].feePips == config.venue.feePips;
    }

    /// @notice Swaps the payment for `tokenOut`, which goes to `to`.
    /// @dev The pair's surplus over its reserve is what it was really given, so that taxed inputs are priced right.
    /// @return amountOut What the pair was asked for.
    function fill(PackedVenue memory venue, Payment memory payment, address tokenOut, address to)
        internal
        returns (uint256 amountOut)
    {
        payment.settle();

        bool zeroForOne = payment.token < tokenOut;
        IUniswapV2Pair pair = IUniswapV2Pair(payment.pool);
        (uint256 reserveIn, uint256 reserveOut) = pair.getReserves();
        if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);

        uint256 received = balanceOf(payment.token, payment.pool) - reserveIn;
        amountOut = constantProductOut(received, reserveIn, reserveOut, venue.feePips());
        PoolCalls.swapPair(payment.pool, zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, to);
    }

    /// @notice Takes `amount` of `token` out of the pair before anything is paid; the pair calls back with `data`.
    function borrow(address pool, address token, address other, uint256 amount, bytes memory data) internal {
        bool isToken0 = token < other;
        IUniswapV2Pair(pool).swap(isToken0 ? amount : 0, isToken0 ? 0 : amount, address(this), data);
    }

    /// @notice The `data` of the running callback: the fourth argument.
    function loanData() internal pure returns (bytes memory data) {
        (,,, data) = abi.decode(msg.data[4:], (address, uint256, uint256, bytes));
    }

    /* SEARCH */

    /// @notice Reads the reserves. False if there is no pool, or one too small to price.
    function read(Pool memory pool) internal view returns (bool) {
        (uint256 words, uint256[8] memory answer) = StaticRead.words(pool.pool, IUniswapV2Pair.getReserves.selector);
        if (words < 2 || answer[0] < DUST || answer[1] < DUST) return false;
        if (answer[0] > type(uint112).max || answer[1] > type(uint112).max) return false;
        (pool.state[0], pool.state[1]) = (answer[0], answer[1]);
        return true;
    }

    /// @notice Draws the curve; a constant product is one segment, so there is nothing to extend later.
    function extend(Pool memory pool, bool zeroForOne, Curve memory curve) internal pure {
        (uint256 reserveIn, uint256 reserveOut) =
            zeroForOne ? (pool.state[0], pool.state[1]) : (pool.state[1], pool.state[0]);
        if (curve.count == 0) drawConstantProduct(curve, reserveIn, reserveOut, pool.tier.feePips);
    }

    /// @notice What the pool pays for `amountIn`, and the gas of the leg.
    function quote(Pool memory pool, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        (uint256 reserveIn, uint256 reserveOut) =
            zeroForOne ? (pool.state[0], pool.state[1]) : (pool.state[1], pool.state[0]);
        // The pair keeps its balances in 112 bits and refuses more.
        if (amountIn > type(uint112).max - reserveIn) return (0, 0);
        amountOut = constantProductOut(amountIn, reserveIn, reserveOut, pool.tier.feePips);
        (, uint256 priceSum,) = StaticRead.twoWords(pool.pool, IUniswapV2Pair.price0CumulativeLast.selector, 0, 1);
        gas = priceSum == 0 ? LEG_GAS + FIRST_SWAP_GAS : LEG_GAS;
    }
}
