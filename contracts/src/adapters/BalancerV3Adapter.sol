// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {ask} from "../libraries/Answers.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {Sample, Shape} from "../math/Sampling.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {MAX_LISTED_TOKENS, indexesOf} from "../venues/Listed.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {BalancerV3Reads} from "./BalancerV3Reads.sol";
import {IBalancerV3Vault} from "./BalancerV3Vault.sol";
import {BalancerV3Words} from "./BalancerV3Words.sol";
import {SampledAdapter} from "./SampledAdapter.sol";

/// @title Weighted and stable pools of Balancer V3 that have no hooks in swaps
/// @notice The registry is the Vault, which keeps the tokens of all pools. It lists no pools by pair, so that they are found as hints
/// only. Anyone can register a pool of any code: what that says and does costs nobody but who trades on it.
contract BalancerV3Adapter is SampledAdapter {
    using BalancerV3Words for uint256[];

    /// @dev Anybody may hint at a pool, but only the Vault is asked.
    uint256 private constant TOKENS_GAS = 100_000;

    constructor(address registry_, address) Adapter(registry_) {}

    /// @inheritdoc ISampler
    function read(VenueKind, address, address, uint256 key) external view returns (uint256[] memory) {
        return BalancerV3Reads.read(IBalancerV3Vault(registry), key);
    }

    /// @inheritdoc ISampler
    function quote(VenueKind, address, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        return BalancerV3Reads.quote(state, zeroForOne, amountIn);
    }

    /// @notice Sells within the Vault's `unlock`, which only `swap` calls.
    function sellUnlocked(Sale calldata sale) external returns (uint256 amountOut) {
        require(msg.sender == registry);
        IBalancerV3Vault vault = IBalancerV3Vault(registry);
        (,, amountOut) = vault.swap(
            IBalancerV3Vault.VaultSwapParams({
                kind: 0,
                pool: sale.pool,
                tokenIn: sale.tokenIn,
                tokenOut: sale.tokenOut,
                amountGiven: sale.amountIn,
                limit: 0,
                userData: ""
            })
        );
        vault.sendTo(sale.tokenOut, sale.to, amountOut);
        Transfers.send(sale.tokenIn, address(vault), sale.amountIn);
        vault.settle(sale.tokenIn, sale.amountIn);
    }

    function _describe(uint256[] calldata state, Shape memory shape) internal pure override {
        BalancerV3Words.describe(state, shape);
    }

    function _sampleOf(uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        override
        returns (Sample memory)
    {
        return BalancerV3Words.sample(state, zeroForOne, amountIn);
    }

    function _poolsOf(address, address) internal pure override returns (address[] memory) {}

    function _keyOf(address pool, address token0, address token1) internal view override returns (uint256) {
        return _keyAmong(pool, _tokensOf(pool), token0, token1);
    }

    function _swap(Sale memory sale) internal override returns (uint256) {
        address[] memory tokens = _tokensOf(sale.pool);
        (uint256 i, uint256 j) = indexesOf(sale.key, sale.tokenIn < sale.tokenOut);
        bool holds = i < tokens.length && j < tokens.length && i != j;
        if (!holds || tokens[i] != sale.tokenIn || tokens[j] != sale.tokenOut) revert NotInRegistry(sale.pool);
        return abi.decode(IBalancerV3Vault(registry).unlock(abi.encodeCall(this.sellUnlocked, (sale))), (uint256));
    }

    /// @dev None if the Vault does not know the pool.
    function _tokensOf(address pool) internal view override returns (address[] memory tokens) {
        uint256[] memory answer =
            ask(registry, TOKENS_GAS, MAX_LISTED_TOKENS + 2, abi.encodeCall(IBalancerV3Vault.getPoolTokens, (pool)));
        if (answer.length < 2 || answer[1] > answer.length - 2) return tokens;
        tokens = new address[](answer[1]);
        for (uint256 k; k < tokens.length; ++k) {
            tokens[k] = address(uint160(answer[k + 2]));
        }
    }
}
