// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice What is called of Balancer V3's Vault.
interface IBalancerV3Vault {
    enum TokenType {
        Standard,
        WithRate
    }

    struct TokenInfo {
        TokenType tokenType;
        address rateProvider;
        bool paysYieldFees;
    }

    struct PoolData {
        bytes32 config;
        address[] tokens;
        TokenInfo[] tokenInfo;
        /// In base units, after the fees on yield that a swap would charge now.
        uint256[] balances;
        /// The same, normalized.
        uint256[] liveBalances;
        /// In 1e-18.
        uint256[] rates;
        /// What a base unit is multiplied by to have 18 decimals.
        uint256[] decimalFactors;
    }

    struct HooksConfig {
        bool adjustsAmounts;
        bool beforeInitialize;
        bool afterInitialize;
        bool computesFee;
        bool beforeSwap;
        bool afterSwap;
        bool beforeAddLiquidity;
        bool afterAddLiquidity;
        bool beforeRemoveLiquidity;
        bool afterRemoveLiquidity;
        address hooks;
    }

    struct VaultSwapParams {
        /// 0 for a given input.
        uint8 kind;
        address pool;
        address tokenIn;
        address tokenOut;
        uint256 amountGiven;
        uint256 limit;
        bytes userData;
    }

    /// @dev Reverts for a pool that is not registered.
    function getPoolTokens(address pool) external view returns (address[] memory);
    /// @dev Reverts for a pool that is not initialized.
    function getPoolData(address pool) external view returns (PoolData memory);
    function getHooksConfig(address pool) external view returns (HooksConfig memory);
    function getStaticSwapFeePercentage(address pool) external view returns (uint256);
    function isPoolPaused(address pool) external view returns (bool);
    function isVaultPaused() external view returns (bool);
    /// @dev In 1e-18 of a normalized token.
    function getMinimumTradeAmount() external view returns (uint256);

    /// @dev Calls the caller with `data`, and reverts if debts are left after that.
    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(VaultSwapParams calldata params)
        external
        returns (uint256 calculated, uint256 amountIn, uint256 amountOut);
    function sendTo(address token, address to, uint256 amount) external;
    /// @dev Credits the tokens that have arrived since the Vault last counted, but no more than `amount`.
    function settle(address token, uint256 amount) external returns (uint256 credit);
}

/// @notice What is called of a pool.
interface IBalancerV3Pool {
    struct PoolSwapParams {
        /// 0 for a given input.
        uint8 kind;
        uint256 amountGiven;
        uint256[] balances;
        uint256 indexIn;
        uint256 indexOut;
        address router;
        bytes userData;
    }

    /// @dev All amounts are normalized. Pools may write here; those that do cannot be priced.
    function onSwap(PoolSwapParams calldata params) external view returns (uint256);
    /// @dev Of weighted pools.
    function getNormalizedWeights() external view returns (uint256[] memory);
    /// @dev Of stable pools.
    function getAmplificationParameter() external view returns (uint256 value, bool isUpdating, uint256 precision);
}
