// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Allowance} from "../libraries/Allowance.sol";
import {Payment} from "../libraries/Payment.sol";

/// @notice What is called of a pool of either kind.
interface IBalancerPool {
    function getPoolId() external view returns (bytes32);
    function getVault() external view returns (address);
    function getSwapFeePercentage() external view returns (uint256);
    function getPausedState() external view returns (bool paused, uint256 windowEnd, uint256 bufferEnd);
    /// @dev What a base unit is normalized by, in 1e-18; pools of 2021 do not have it.
    function getScalingFactors() external view returns (uint256[] memory);
}

/// @notice What is called of the Vault.
interface IBalancerVault {
    struct SingleSwap {
        bytes32 poolId;
        /// 0 for a given input.
        uint8 kind;
        address assetIn;
        address assetOut;
        uint256 amount;
        bytes userData;
    }

    struct FundManagement {
        address sender;
        bool fromInternalBalance;
        address payable recipient;
        bool toInternalBalance;
    }

    function getPoolTokens(bytes32 poolId)
        external
        view
        returns (address[] memory tokens, uint256[] memory balances, uint256 lastChangeBlock);
    function getPausedState() external view returns (bool paused, uint256 windowEnd, uint256 bufferEnd);
    function swap(SingleSwap memory swap, FundManagement memory funds, uint256 limit, uint256 deadline)
        external
        returns (uint256);
}

/// @title What the pools of Balancer V2 have in common
/// @notice One Vault, the venue's deployer, keeps the tokens of all pools and takes its input by allowance. Pools are
/// listed in the Hub, because nothing derives their addresses. The fee is taken from the input.
library Balancer {
    uint256 internal constant WAD = 1e18;
    /// @dev Normalized balances below this round too coarsely.
    uint256 internal constant DUST = 1e12;

    /// @notice Swaps the payment for `tokenOut`, which goes to `to`.
    /// @return amountOut What the Vault says that it has paid.
    function fill(address vault, Payment memory payment, address tokenOut, address to)
        internal
        returns (uint256 amountOut)
    {
        uint256 amount = Allowance.grant(payment, vault);
        amountOut = IBalancerVault(vault)
            .swap(
                IBalancerVault.SingleSwap({
                poolId: IBalancerPool(payment.pool).getPoolId(),
                kind: 0,
                assetIn: payment.token,
                assetOut: tokenOut,
                amount: amount,
                userData: ""
            }),
                IBalancerVault.FundManagement({
                sender: address(this), fromInternalBalance: false, recipient: payable(to), toInternalBalance: false
            }),
                0,
                block.timestamp
            );
        Allowance.demandUsedUp(payment, vault, amount);
    }

    /* SEARCH */

    /// @notice Tokens and balances of a pool that this Vault keeps and lets swap; reverts otherwise.
    function tokensOf(address vault, address pool)
        internal
        view
        returns (address[] memory tokens, uint256[] memory balances)
    {
        require(IBalancerPool(pool).getVault() == vault);
        (bool paused,,) = IBalancerPool(pool).getPausedState();
        require(!paused);
        (paused,,) = IBalancerVault(vault).getPausedState();
        require(!paused);
        (tokens, balances,) = IBalancerVault(vault).getPoolTokens(IBalancerPool(pool).getPoolId());
    }

    /// @notice What is left of an input after the fee, which rounds up.
    function afterFee(uint256 amountIn, uint256 fee) internal pure returns (uint256) {
        uint256 product = amountIn * fee;
        return product == 0 ? amountIn : amountIn - ((product - 1) / WAD + 1);
    }
}
