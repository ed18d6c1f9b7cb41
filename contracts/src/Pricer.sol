// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHub} from "./interfaces/IHub.sol";
import {IPricer} from "./interfaces/IPricer.sol";
import {ISampler} from "./interfaces/ISampler.sol";
import {discover} from "./solver/Discovery.sol";
import {Pool} from "./solver/Market.sol";
import {Venues} from "./venues/Venues.sol";

/// @title Finds the pools and prices legs exactly
contract Pricer is IPricer {
    ISampler public immutable sampler;

    constructor(ISampler sampler_) {
        sampler = sampler_;
    }

    /// @inheritdoc IPricer
    function findPools(IHub hub, address[] calldata tokens, uint256 connectors)
        external
        view
        returns (Pool[] memory pools, bool truncated)
    {
        return discover(hub, sampler, tokens, connectors);
    }

    /// @inheritdoc IPricer
    function quote(Pool calldata pool, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        return Venues.quote(pool, zeroForOne, amountIn);
    }
}
