// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {create2Address, sortTokens} from "../libraries/Create2.sol";
import {Payment} from "../libraries/Payment.sol";
import {Venue, VenueConfig} from "../types/Venue.sol";

/// @notice What is called of a pair. Forks may return more after the reserves.
interface IUniswapV2Pair {
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

/// @title Constant-product pairs of Uniswap V2 and its forks
/// @notice The input is sent ahead, the output is computed here, and the pair checks that `x * y` has not fallen.
library UniswapV2 {
    uint256 private constant WHOLE_PIPS = 1e6;

    /// @notice The pair of the two tokens; `key` is not used, because a venue has one pair for each two tokens.
    function derive(Venue memory venue, address tokenA, address tokenB) internal pure returns (address) {
        (address token0, address token1) = sortTokens(tokenA, tokenB);
        bytes32 salt = keccak256(abi.encodePacked(token0, token1));
        return create2Address(venue.deployer, salt, venue.initCodeHash);
    }

    /// @notice One fee for the venue, one tier, no callback.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        return config.venue.callback == 0 && config.tiers.length == 1 && config.tiers[0].key == 0
            && config.tiers[0].feePips == config.venue.feePips;
    }

    /// @notice Swaps the payment for `tokenOut`, to this contract.
    /// @dev The pair's surplus over its reserve is what it was really given, so that taxed inputs are priced right.
    function fill(Venue memory venue, Payment memory payment, address tokenOut) internal {
        payment.settle();

        bool zeroForOne = payment.token < tokenOut;
        IUniswapV2Pair pair = IUniswapV2Pair(payment.pool);
        (uint256 reserveIn, uint256 reserveOut) = pair.getReserves();
        if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);

        uint256 received = IERC20(payment.token).balanceOf(payment.pool) - reserveIn;
        uint256 amountOut = amountOutOf(received, reserveIn, reserveOut, venue.feePips);
        pair.swap(zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, address(this), "");
    }

    /// @notice What a pair pays for `amountIn`, rounded down as the pair does.
    function amountOutOf(uint256 amountIn, uint256 reserveIn, uint256 reserveOut, uint256 feePips)
        internal
        pure
        returns (uint256)
    {
        uint256 charged = amountIn * (WHOLE_PIPS - feePips);
        return charged * reserveOut / (reserveIn * WHOLE_PIPS + charged);
    }
}
