// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Adapter, Sale} from "./Adapter.sol";
import {CurvePools} from "./CurvePools.sol";

/// @title What adapters share whose registry is one of Curve's
/// @notice A new adapter writes `_exchanges` and its part of `ISampler`. If its pools pay native tokens, it also writes `receive`.
abstract contract CurveAdapter is Adapter {
    /// @notice The wrapped native token, as which native tokens are traded.
    address public immutable wrapped;

    constructor(address registry_, address wrapped_) Adapter(registry_) {
        wrapped = wrapped_;
    }

    /// @dev The pool's functions that swap: the one that pays its caller, and the one that pays a receiver. See `CurvePools.sell`.
    function _exchanges() internal pure virtual returns (bytes4 exchange, bytes4 exchangeTo);

    function _poolsOf(address token0, address token1) internal view override returns (address[] memory) {
        return CurvePools.find(_source(), token0, token1, MAX_FOUND);
    }

    function _keyOf(address pool, address token0, address token1) internal view override returns (uint256) {
        return CurvePools.keyOf(_source(), pool, token0, token1);
    }

    function _tokensOf(address pool) internal view override returns (address[] memory) {
        return CurvePools.tokensOf(_source(), pool);
    }

    function _swap(Sale memory sale) internal override returns (uint256) {
        (bytes4 exchange, bytes4 exchangeTo) = _exchanges();
        return CurvePools.sell(_source(), sale, exchange, exchangeTo);
    }

    function _source() private view returns (CurvePools.Source memory) {
        return CurvePools.Source(registry, wrapped);
    }
}
