// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {askAddress} from "../libraries/Answers.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {PoolCalls} from "../libraries/PoolCalls.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {Sample, Shape} from "../math/Sampling.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {adapterKey} from "../venues/AdapterKey.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {CamelotWords} from "./CamelotWords.sol";
import {SampledAdapter} from "./SampledAdapter.sol";

/// @notice The part of Camelot's factory that the adapter calls. Two tokens have at most one pair.
interface ICamelotFactory {
    /// @dev Zero if the two tokens have no pair.
    function getPair(address tokenA, address tokenB) external view returns (address);
}

/// @title Pairs of Camelot V2
/// @notice They work as pairs of Uniswap V2, but each direction has its own fee, and the owner of the factory can switch a pair to the
/// curve of Solidly's stable pools.
contract CamelotV2Adapter is SampledAdapter {
    using CamelotWords for uint256[];

    /// @notice The pair refuses this input, or would pay nothing for it.
    error NoOutput(address pool, uint256 amountIn);

    uint256 private constant FACTORY_GAS = 60_000;
    /// @dev Gas that a leg adds to a swap. A stable pair takes more: it solves its curve, and pays its owner in each swap.
    uint256 private constant LEG_GAS = 92_000;
    uint256 private constant STABLE_GAS = 128_000;

    constructor(address registry_, address) Adapter(registry_) {}

    /// @inheritdoc ISampler
    function read(VenueKind, address, address, uint256 key) external view returns (uint256[] memory) {
        return CamelotWords.read(key);
    }

    /// @inheritdoc ISampler
    function quote(VenueKind, address, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        pure
        returns (uint256 amountOut, uint256 gas)
    {
        amountOut = CamelotWords.amountOutOf(state, zeroForOne, amountIn);
        if (amountOut != 0) gas = CamelotWords.isStable(state) ? STABLE_GAS : LEG_GAS;
    }

    function _describe(uint256[] calldata state, Shape memory shape) internal pure override {
        CamelotWords.describe(state, shape);
    }

    function _sampleOf(uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        internal
        pure
        override
        returns (Sample memory)
    {
        return CamelotWords.sample(state, zeroForOne, amountIn);
    }

    function _poolsOf(address token0, address token1) internal view override returns (address[] memory pools) {
        address pair = _pairOf(token0, token1);
        pools = new address[](pair == address(0) ? 0 : 1);
        if (pair != address(0)) pools[0] = pair;
    }

    function _tokensOf(address) internal pure override returns (address[] memory) {}

    function _keyOf(address pool, address token0, address token1) internal view override returns (uint256) {
        return pool != address(0) && pool == _pairOf(token0, token1) ? adapterKey(pool, 0, 1) : 0;
    }

    /// @dev Prices what the pair has received, its balance beyond its reserve, because a token may take a part of each transfer.
    function _swap(Sale memory sale) internal override returns (uint256 amountOut) {
        bool zeroForOne = _attest(sale);
        Transfers.send(sale.tokenIn, sale.pool, sale.amountIn);
        uint256[] memory state = CamelotWords.read(sale.key);
        if (state.length != 0) {
            uint256 received = balanceOf(sale.tokenIn, sale.pool) - state.reserveOf(zeroForOne);
            amountOut = state.amountOutOf(zeroForOne, received);
        }
        if (amountOut == 0) revert NoOutput(sale.pool, sale.amountIn);
        PoolCalls.swapPair(sale.pool, zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, sale.to);
    }

    /// @dev Zero if the two tokens have no pair, or the factory does not answer.
    function _pairOf(address token0, address token1) private view returns (address) {
        return askAddress(registry, FACTORY_GAS, abi.encodeCall(ICamelotFactory.getPair, (token0, token1)));
    }
}
