// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IBalancerV3Initializer {
    function unlock(bytes calldata data) external returns (bytes memory);
    function initialize(
        address pool,
        address to,
        address[] calldata tokens,
        uint256[] calldata amounts,
        uint256 least,
        bytes calldata userData
    ) external returns (uint256);
    function settle(address token, uint256 amount) external returns (uint256);
}

interface ITransfers {
    function transfer(address to, uint256 value) external;
}

/// @title Gives pools of Balancer V3 their first tokens
/// @notice Owns the liquidity for good. The tokens must be here before.
contract BalancerV3Seeder {
    IBalancerV3Initializer private immutable VAULT;

    constructor(IBalancerV3Initializer vault) {
        VAULT = vault;
    }

    function seed(address pool, address[] calldata tokens, uint256[] calldata amounts) external {
        VAULT.unlock(abi.encodeCall(this.seedUnlocked, (pool, tokens, amounts)));
    }

    /// @notice What the Vault calls within `seed`.
    function seedUnlocked(address pool, address[] calldata tokens, uint256[] calldata amounts) external {
        VAULT.initialize(pool, address(this), tokens, amounts, 0, "");
        for (uint256 i; i < tokens.length; ++i) {
            ITransfers(tokens[i]).transfer(address(VAULT), amounts[i]);
            VAULT.settle(tokens[i], amounts[i]);
        }
    }
}
