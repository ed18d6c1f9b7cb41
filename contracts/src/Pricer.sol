// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHub} from "./interfaces/IHub.sol";
import {IPricer} from "./interfaces/IPricer.sol";
import {ISampler} from "./interfaces/ISampler.sol";
import {Words} from "./libraries/Words.sol";
import {CurveWords} from "./solver/CurveWords.sol";
import {Discovery, discover} from "./solver/Discovery.sol";
import {Curve} from "./solver/Market.sol";
import {PoolWords} from "./solver/PoolWords.sol";
import {Venues} from "./venues/Venues.sol";

/// @title Finds the pools, draws their curves and prices legs exactly
contract Pricer is IPricer {
    ISampler public immutable sampler;

    constructor(ISampler sampler_) {
        sampler = sampler_;
    }

    /// @inheritdoc IPricer
    function findMarket(IHub hub, address[] calldata tokens, uint256 connectors, uint256 amountIn)
        external
        view
        returns (bytes memory pools, bytes memory edges, bool truncated)
    {
        Discovery memory found = discover(hub, sampler, tokens, connectors, amountIn);
        return (Words.join(found.pools, found.poolCount), Words.join(found.edges, found.edgeCount), found.truncated);
    }

    /// @inheritdoc IPricer
    function extend(uint256[] calldata pool, bool zeroForOne, uint256[] calldata curve, uint256 ranges)
        external
        view
        returns (uint256[] memory)
    {
        Curve memory longer;
        CurveWords.unpack(curve, 0, longer);
        Venues.extend(PoolWords.unpack(pool), zeroForOne, longer, ranges);
        return CurveWords.pack(longer, 0);
    }

    /// @inheritdoc IPricer
    function quote(uint256[] calldata pool, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        return Venues.quote(PoolWords.unpack(pool), zeroForOne, amountIn);
    }
}
