// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";
import {create2Address, sortTokens} from "../libraries/Create2.sol";
import {Payment} from "../libraries/Payment.sol";
import {Venue, VenueConfig} from "../types/Venue.sol";

/// @notice What is called of a pool.
interface IUniswapV3Pool {
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1);
}

/// @title Concentrated-liquidity pools of Uniswap V3 and its forks
/// @notice The pool pays first and then calls its caller back for the input.
library UniswapV3 {
    /// @dev One inside the ends of the price range: the amount alone decides where the swap stops.
    uint160 private constant LOWEST_LIMIT = 4_295_128_740;
    uint160 private constant HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341;

    /// @notice The pool of the two tokens with the fee `key`.
    /// @dev A key of more than 24 bits is hashed as it is and so derives an address where no pool can stand.
    function derive(Venue memory venue, address tokenA, address tokenB, uint256 key) internal pure returns (address) {
        (address token0, address token1) = sortTokens(tokenA, tokenB);
        bytes32 salt = keccak256(abi.encode(token0, token1, key));
        return create2Address(venue.deployer, salt, venue.initCodeHash);
    }

    /// @notice A callback, a word of the state call for the lock, and tick spacings.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        if (config.venue.callback == 0 || config.venue.feePips != 0 || config.venue.unlockedWord == 0) return false;
        for (uint256 i; i < config.tiers.length; ++i) {
            if (config.tiers[i].tickSpacing <= 0) return false;
        }
        return true;
    }

    /// @notice Swaps the payment for `tokenOut`, to this contract; the pool collects the payment by its callback.
    function fill(Payment memory payment, address tokenOut) internal {
        // Above this the number would turn negative, which asks the pool for an exact output.
        if (payment.amount > uint256(type(int256).max)) revert IRouter.PartialFill(payment.pool, payment.amount, 0);

        bool zeroForOne = payment.token < tokenOut;
        IUniswapV3Pool(payment.pool)
            .swap(address(this), zeroForOne, int256(payment.amount), zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT, "");
    }

    /// @notice What the running callback asks for; zero where it asks for nothing.
    function owed() internal pure returns (uint256) {
        (int256 amount0, int256 amount1) = abi.decode(msg.data[4:], (int256, int256));
        int256 amount = amount0 > 0 ? amount0 : amount1;
        return amount > 0 ? uint256(amount) : 0;
    }
}
