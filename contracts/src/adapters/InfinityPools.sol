// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice What tells PancakeSwap Infinity's pools apart. The hash of these words is the pool's id.
struct InfinityKey {
    /// The native currency is the zero address.
    address currency0;
    address currency1;
    address hooks;
    address poolManager;
    uint24 fee;
    /// Which calls the hooks want (16 bits), and the tick spacing (24).
    bytes32 parameters;
}

/// @notice What is called of the CLPositionManager.
interface ICLPositionManager {
    function clPoolManager() external view returns (address);
}

/// @notice What is called of the CLPoolManager.
interface ICLPoolManager {
    struct SwapParams {
        bool zeroForOne;
        /// Negative for a given input.
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    function vault() external view returns (address);
    function paused() external view returns (bool);
    /// @dev Price, tick, and the fees of the protocol and of the pool; zeros for a pool that does not exist.
    function getSlot0(bytes32 id) external view returns (uint160, int24, uint24, uint24);
    function getLiquidity(bytes32 id) external view returns (uint128);
    function getPoolBitmapInfo(bytes32 id, int16 word) external view returns (uint256);
    /// @dev Gross and net liquidity, and the two growths outside.
    function getPoolTickInfo(bytes32 id, int24 tick) external view returns (uint128, int128, uint256, uint256);
    function getFeeGrowthGlobals(bytes32 id) external view returns (uint256, uint256);
    /// @return An amount of each currency, in the two halves of the word. The caller owes a negative one.
    function swap(InfinityKey calldata key, SwapParams calldata params, bytes calldata hookData)
        external
        returns (int256);
}

/// @notice What is called of the Vault, besides the calls in `PoolCalls`.
interface IInfinityVault {
    /// @dev Calls `lockAcquired` of the caller, and reverts if debts are left after that.
    function lock(bytes calldata data) external returns (bytes memory);
}

/// @title Keys and ids of PancakeSwap Infinity's pools
library InfinityPools {
    uint256 private constant SPACING_SHIFT = 16;
    /// @dev Calls around swaps, and the right to change what they pay.
    uint256 private constant SWAP_HOOKS = 1 << 6 | 1 << 7 | 1 << 10 | 1 << 11;
    /// @dev Pools of these fees and tick spacings, without hooks, need not be named by anybody.
    uint256 private constant TIERS = 4;

    function idOf(InfinityKey memory key) internal pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }

    function spacingOf(InfinityKey memory key) internal pure returns (int24) {
        return int24(uint24(uint256(key.parameters) >> SPACING_SHIFT));
    }

    /// @notice Whether the pool's formula alone says what a swap pays.
    function isPlain(InfinityKey memory key) internal pure returns (bool) {
        return uint256(key.parameters) & SWAP_HOOKS == 0;
    }

    /// @notice The tokens as which the pool is traded.
    function tokensOf(InfinityKey memory key, address wrapped) internal pure returns (address token0, address token1) {
        (token0, token1) = (key.currency0, key.currency1);
        if (token0 == address(0)) token0 = wrapped;
    }

    /// @notice Keys that pools of two tokens may have: those of the common tiers, and as many again of the native currency if one
    /// token stands for it.
    function commonKeys(address manager, address token0, address token1, address wrapped)
        internal
        pure
        returns (InfinityKey[] memory keys)
    {
        bool isNative = token0 == wrapped || token1 == wrapped;
        keys = new InfinityKey[](isNative ? 2 * TIERS : TIERS);
        uint24[TIERS] memory fees = [uint24(100), 500, 2500, 10_000];
        uint24[TIERS] memory spacings = [uint24(1), 10, 50, 200];
        for (uint256 i; i < keys.length; ++i) {
            (keys[i].currency0, keys[i].currency1) = (token0, token1);
            if (i >= TIERS) (keys[i].currency0, keys[i].currency1) = (address(0), token0 == wrapped ? token1 : token0);
            (keys[i].poolManager, keys[i].fee) = (manager, fees[i % TIERS]);
            keys[i].parameters = bytes32(uint256(spacings[i % TIERS]) << SPACING_SHIFT);
        }
    }
}
