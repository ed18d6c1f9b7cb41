// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IAfterSwap} from "../interfaces/IAfterSwap.sol";
import {ISampler} from "../interfaces/ISampler.sol";
import {ask} from "../libraries/Answers.sol";
import {Payment} from "../libraries/Payment.sol";
import {Sample, Shape} from "../math/Sampling.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {Balancer, IBalancerPool, IBalancerVault} from "../venues/Balancer.sol";
import {BalancerStable} from "../venues/BalancerStable.sol";
import {BalancerWeighted, IWeightedPool} from "../venues/BalancerWeighted.sol";
import {MAX_LISTED_TOKENS} from "../venues/Listed.sol";
import {StableWords} from "../venues/StableWords.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {SampledAdapter} from "./SampledAdapter.sol";

/// @notice What is called of one of Balancer's factories.
interface IBalancerFactory {
    function isPoolFromFactory(address pool) external view returns (bool);
    function getVault() external view returns (address);
}

/// @title Balancer V2's weighted and composable stable pools that one of its factories created
/// @notice The registry is the factory, because anyone can have the Vault know a pool of any code. It lists no pools by pair, so that
/// they are found as hints only. A stable pool's own token is not traded.
contract BalancerV2Adapter is SampledAdapter, IAfterSwap {
    uint256 private constant FACTORY_GAS = 50_000;
    uint256 private constant POOL_GAS = 100_000;
    /// @dev A stable pool's own token is one more.
    uint256 private constant MOST_TOKENS = MAX_LISTED_TOKENS + 1;
    /// @dev Where the list of tokens begins in what the Vault answers: behind three words and its length.
    uint256 private constant LIST = 4;
    /// @dev What this contract and its questions to the factory add to a leg of the Router's own.
    uint256 private constant ADAPTER_GAS = 30_000;

    constructor(address registry_, address) Adapter(registry_) {}

    /// @inheritdoc ISampler
    function read(VenueKind, address, address, uint256 key) external view returns (uint256[] memory state) {
        (address pool, address vault) = (adapterPool(key), IBalancerFactory(registry).getVault());
        bool isWeighted = _isWeighted(pool);
        state = isWeighted ? BalancerWeighted.read(vault, pool, key) : BalancerStable.read(vault, pool, key);
        return state.length == 0 ? state : _withKind(state, isWeighted);
    }

    /// @inheritdoc ISampler
    function quote(VenueKind, address, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        pure
        returns (uint256 amountOut, uint256 gas)
    {
        (amountOut, gas) = _hasWeights(state)
            ? BalancerWeighted.quote(state, zeroForOne, amountIn)
            : BalancerStable.quote(state, zeroForOne, amountIn);
        if (amountOut == 0) return (0, 0);
        gas += ADAPTER_GAS;
    }

    /// @inheritdoc IAfterSwap
    function afterSwap(uint256[] calldata state, bool zeroForOne, uint256 amountIn, uint256 amountOut)
        external
        pure
        returns (uint256[] memory)
    {
        return _hasWeights(state)
            ? BalancerWeighted.afterSwap(state, zeroForOne, amountIn, amountOut)
            : BalancerStable.afterSwap(state, zeroForOne, amountIn, amountOut);
    }

    function _describe(uint256[] calldata state, Shape memory shape) internal pure override {
        if (_hasWeights(state)) BalancerWeighted.describe(state, shape);
        else StableWords.describe(state, shape);
    }

    function _sampleOf(uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        override
        returns (Sample memory)
    {
        return _hasWeights(state)
            ? BalancerWeighted.sample(state, zeroForOne, amountIn)
            : BalancerStable.sample(state, zeroForOne, amountIn);
    }

    function _poolsOf(address, address) internal pure override returns (address[] memory) {}

    function _keyOf(address pool, address token0, address token1) internal view override returns (uint256) {
        return _keyAmong(pool, _tokensOf(pool), token0, token1);
    }

    /// @dev The Vault refuses tokens that the pool does not have. The key's places say what was priced, not what is swapped.
    function _swap(Sale memory sale) internal override returns (uint256) {
        if (!_isOurs(sale.pool)) revert NotInRegistry(sale.pool);
        Payment memory payment = Payment(sale.tokenIn, address(this), sale.pool, sale.amountIn);
        return Balancer.fill(IBalancerFactory(registry).getVault(), payment, sale.tokenOut, sale.to);
    }

    /// @dev Whether the factory created the pool. What such a pool says of itself is true.
    function _isOurs(address pool) private view returns (bool) {
        uint256[] memory answer =
            ask(registry, FACTORY_GAS, 1, abi.encodeCall(IBalancerFactory.isPoolFromFactory, (pool)));
        return answer.length == 1 && answer[0] == 1;
    }

    /// @dev Without the pool's own. None if the factory did not create the pool: what it says of itself may be a lie.
    function _tokensOf(address pool) internal view override returns (address[] memory tokens) {
        if (!_isOurs(pool)) return tokens;
        uint256[] memory vault = ask(registry, FACTORY_GAS, 1, abi.encodeCall(IBalancerFactory.getVault, ()));
        uint256[] memory id = ask(pool, POOL_GAS, 1, abi.encodeCall(IBalancerPool.getPoolId, ()));
        if (vault.length == 0 || id.length == 0) return tokens;
        bytes memory question = abi.encodeCall(IBalancerVault.getPoolTokens, (bytes32(id[0])));
        uint256[] memory answer = ask(address(uint160(vault[0])), POOL_GAS, LIST + MOST_TOKENS, question);
        if (answer.length < LIST || answer[LIST - 1] > answer.length - LIST) return tokens;
        tokens = new address[](answer[LIST - 1]);
        uint256 count;
        for (uint256 k; k < tokens.length; ++k) {
            address token = address(uint160(answer[LIST + k]));
            if (token != pool) tokens[count++] = token;
        }
        assembly ("memory-safe") {
            mstore(tokens, count)
        }
    }

    function _isWeighted(address pool) private view returns (bool) {
        return ask(pool, POOL_GAS, 1, abi.encodeCall(IWeightedPool.getNormalizedWeights, ())).length != 0;
    }

    /// @dev Whether a state is of a weighted pool is its last word.
    function _withKind(uint256[] memory words, bool isWeighted) private pure returns (uint256[] memory state) {
        state = new uint256[](words.length + 1);
        for (uint256 k; k < words.length; ++k) {
            state[k] = words[k];
        }
        state[words.length] = isWeighted ? 1 : 0;
    }

    function _hasWeights(uint256[] calldata state) private pure returns (bool) {
        return state[state.length - 1] != 0;
    }
}
