// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Converter} from "./Converter.sol";

/// @title A converter that is one contract
/// @notice The registry is the converter itself, and vouches for its own tokens.
abstract contract SingleConverter is Converter {
    /// @dev The owner of a Hub chose the converter, so that this is only against its faults.
    uint256 internal constant GETTER_GAS = 60_000;

    /// @dev The token at a place; zero if there is none.
    function _tokenAt(uint256 place) internal view virtual returns (address);

    /// @dev What the converter's getter of a token answers.
    function _getToken(bytes4 getter) internal view returns (address) {
        return _addressAt(registry, GETTER_GAS, getter);
    }

    function _poolsOf(address, address) internal view override returns (address[] memory pools) {
        pools = new address[](1);
        pools[0] = registry;
    }

    function _placesOf(address pool, address tokenA, address tokenB)
        internal
        view
        override
        returns (uint256 i, uint256 j)
    {
        if (pool != registry) return (0, 0);
        (bool hasA, bool hasB) = (false, false);
        uint256 place;
        for (address token = _tokenAt(0); token != address(0); token = _tokenAt(++place)) {
            if (token == tokenA) (hasA, i) = (true, place);
            if (token == tokenB) (hasB, j) = (true, place);
        }
        if (!hasA || !hasB) return (0, 0);
    }
}
