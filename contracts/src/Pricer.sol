// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPricer} from "./interfaces/IPricer.sol";
import {Pool} from "./solver/Market.sol";
import {Venues} from "./venues/Venues.sol";

/// @title Prices one leg exactly
contract Pricer is IPricer {
    /// @inheritdoc IPricer
    function quote(Pool calldata pool, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        return Venues.quote(pool, zeroForOne, amountIn);
    }
}
