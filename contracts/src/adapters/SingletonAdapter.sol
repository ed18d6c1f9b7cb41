// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {NativeSender} from "../libraries/NativeSender.sol";
import {AdapterBase} from "./AdapterBase.sol";

/// @notice Whether two tokens are those of a sale, in either order.
function areSold(address tokenA, address tokenB, address tokenIn, address tokenOut) pure returns (bool) {
    return tokenIn == tokenA ? tokenOut == tokenB : tokenIn == tokenB && tokenOut == tokenA;
}

/// @title What adapters share whose pools are kept by one contract, some of them pools of the native currency
/// @notice That contract tells its pools apart by ids, and a hint is an id. The key of a leg is the first 25 bytes of the id and a
/// byte of the adapter's choice below them: zero if the pool may pay less than it was quoted to pay, so that legs on it have a price
/// floor (see `PriceFloor`).
/// @dev A new adapter writes `_poolOf`, `_listed`, `_sell` and its part of `ISampler`. `_sell` asks `areSold` and reverts with
/// `NotInRegistry` unless the pool of the key has the two tokens.
abstract contract SingletonAdapter is AdapterBase {
    uint256 internal constant KEY_SHIFT = 8;
    uint256 private constant ID_SHIFT = 56;

    /// @notice The wrapped native token, as which pools of the native one are traded.
    address public immutable wrapped;

    constructor(address registry_, address wrapped_) AdapterBase(registry_) {
        wrapped = wrapped_;
    }

    /// @notice Takes native tokens only from the contract that a running swap expects them from.
    receive() external payable {
        require(NativeSender.isExpected(msg.sender));
    }

    /// @dev The id of a key's pool, and the tokens as which it is traded, in the pool's order. The id is zero if the registry does
    /// not know such a pool. Must not revert.
    function _poolOf(uint256 key) internal view virtual returns (uint256 id, address token0, address token1);

    /// @dev The key of an id. Its last byte is zero unless the adapter writes another.
    function _keyOfId(uint256 id) internal pure virtual returns (uint256) {
        return id >> ID_SHIFT << KEY_SHIFT;
    }

    /// @dev The part of the id that is in a key; zero for a number that is no key.
    function _idIn(uint256 key) internal pure returns (bytes25) {
        uint256 id = key >> KEY_SHIFT << ID_SHIFT;
        return _keyOfId(id) == key ? bytes25(bytes32(id)) : bytes25(0);
    }

    function _tokensIn(uint256 hint) internal view override returns (address[] memory tokens) {
        (uint256 id, address token0, address token1) = _poolOf(_keyOfId(hint));
        if (id == 0 || id != hint) return tokens;
        tokens = new address[](2);
        (tokens[0], tokens[1]) = (token0, token1);
    }

    function _isOf(uint256 key, uint256 hint) internal pure override returns (bool) {
        return key == _keyOfId(hint);
    }

    function _keyFor(uint256 hint, address token0, address token1) internal view override returns (uint256) {
        uint256 key = _keyOfId(hint);
        (uint256 id, address tokenA, address tokenB) = _poolOf(key);
        return id != 0 && id == hint && areSold(tokenA, tokenB, token0, token1) ? key : 0;
    }
}
