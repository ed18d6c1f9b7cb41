// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IFinder} from "./interfaces/IFinder.sol";
import {IHub} from "./interfaces/IHub.sol";
import {IPricer} from "./interfaces/IPricer.sol";
import {ISampler} from "./interfaces/ISampler.sol";
import {Words} from "./libraries/Words.sol";
import {Discovery, discover} from "./solver/Discovery.sol";
import {MarketParts, MarketWords} from "./solver/MarketWords.sol";
import {tokensInPlay} from "./solver/Tokens.sol";
import {PreviewOptions} from "./types/Plan.sol";

/// @title Finds the pools and draws their curves for the first time
contract Finder is IFinder {
    /// @inheritdoc IFinder
    ISampler public immutable sampler;
    IPricer private immutable _pricer;

    constructor(ISampler sampler_, IPricer pricer) {
        (sampler, _pricer) = (sampler_, pricer);
    }

    /// @inheritdoc IFinder
    function findMarket(IHub hub, address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        returns (bytes memory)
    {
        MarketParts memory market;
        uint256 own;
        (market.tokens, own) = tokensInPlay(hub.connectorTokens(), options.connectors, tokenIn, tokenOut);
        Discovery memory found = discover(hub, sampler, _pricer, market.tokens, own, amountIn, options);
        (market.pools, market.edges) = (found.pools, found.edges);
        (market.rest, market.truncated) = (found.rest, found.truncated);
        Words.giveBack(MarketWords.pack(market, found.poolCount, found.edgeCount));
    }
}
