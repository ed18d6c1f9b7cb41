// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Registry of StableSwap pools on the devnet
/// @notice Has the two functions that all registries of Curve have. Anybody may add a pool, as anybody may create one at Curve's
/// factories.
contract DevPoolRegistry {
    mapping(address pool => address[]) private _coins;
    mapping(bytes32 pair => address[]) private _pools;

    error AlreadyAdded(address pool);
    error NotInPool(address pool, address coin);

    /// @param coins In the order in which the pool counts them.
    function add(address pool, address[] calldata coins) external {
        if (_coins[pool].length != 0) revert AlreadyAdded(pool);
        _coins[pool] = coins;
        for (uint256 i; i < coins.length; ++i) {
            for (uint256 j; j < i; ++j) {
                _pools[_pairOf(coins[i], coins[j])].push(pool);
            }
        }
    }

    /// @notice The pool with this number among those of two tokens; zero if there are fewer.
    function find_pool_for_coins(address from, address to, uint256 number) external view returns (address) {
        address[] storage pools = _pools[_pairOf(from, to)];
        return number < pools.length ? pools[number] : address(0);
    }

    /// @notice The places of two tokens in a pool, and whether they are tokens of a base pool, which none here has.
    function get_coin_indices(address pool, address from, address to)
        external
        view
        returns (int128 i, int128 j, bool isUnderlying)
    {
        return (_placeOf(pool, from), _placeOf(pool, to), false);
    }

    function _placeOf(address pool, address coin) private view returns (int128) {
        address[] storage coins = _coins[pool];
        for (uint256 k; k < coins.length; ++k) {
            if (coins[k] == coin) return int128(uint128(k));
        }
        revert NotInPool(pool, coin);
    }

    function _pairOf(address a, address b) private pure returns (bytes32) {
        return keccak256(a < b ? abi.encode(a, b) : abi.encode(b, a));
    }
}
