// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";
import {Allowance} from "../libraries/Allowance.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {Payment} from "../libraries/Payment.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {Converter} from "./Converter.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What vaults answer that pay only some time after shares were announced.
interface ICooldown {
    function cooldownDuration() external view returns (uint24);
}

/// @title Vaults of ERC-4626
/// @notice A pair is traded if one of its tokens is a vault of the other. So no contract vouches for a vault: it is a token of the
/// trade itself. The registry is a placeholder, because the Hub requires one.
/// @dev Who redeems must hold the shares, so that `maxRedeem` says nothing of a vault in a quote. A vault redeems at most what it
/// holds of its asset. One that lends its asset on redeems no more than the rest, and one with a cooldown nothing.
contract Erc4626Adapter is Converter {
    /// @dev Each pair of a search asks both tokens, most of which are no vaults.
    uint256 private constant ASSET_GAS = 20_000;
    uint256 private constant DEPOSIT_GAS = 130_000;
    uint256 private constant REDEEM_GAS = 110_000;
    /// @dev Places of a vault's tokens.
    uint256 private constant ASSET = 0;
    uint256 private constant SHARE = 1;

    /// @notice The wrapped native token, which is no vault. Its fallback would burn the gas of the question.
    address public immutable wrapped;

    constructor(address registry_, address wrapped_) Adapter(registry_) {
        wrapped = wrapped_;
    }

    function _poolsOf(address token0, address token1) internal pure override returns (address[] memory pools) {
        pools = new address[](2);
        (pools[0], pools[1]) = (token0, token1);
    }

    function _placesOf(address pool, address tokenA, address tokenB)
        internal
        view
        override
        returns (uint256 i, uint256 j)
    {
        if (pool == tokenA && _assetOf(pool) == tokenB) return (SHARE, ASSET);
        if (pool == tokenB && _assetOf(pool) == tokenA) return (ASSET, SHARE);
    }

    function _limitsOf(address pool, uint256 i, uint256) internal view override returns (uint256, uint256) {
        address asset = _assetOf(pool);
        if (i == ASSET) {
            uint256 most = _word(pool, VIEW_GAS, abi.encodeCall(IERC4626.maxDeposit, (address(this))));
            // A line that is much longer than a trade bounds it less exactly.
            return (FixedPointMathLib.min(most, _supplyOf(asset)), type(uint256).max);
        }
        if (_word(pool, VIEW_GAS, abi.encodeCall(ICooldown.cooldownDuration, ())) != 0) return (0, 0);
        return (_supplyOf(pool), _word(asset, VIEW_GAS, abi.encodeCall(IERC20.balanceOf, (pool))));
    }

    function _preview(address pool, uint256 i, uint256, uint256 amountIn) internal view override returns (uint256) {
        bytes memory data = i == ASSET
            ? abi.encodeCall(IERC4626.previewDeposit, (amountIn))
            : abi.encodeCall(IERC4626.previewRedeem, (amountIn));
        return _word(pool, VIEW_GAS, data);
    }

    function _gasOf(uint256 i) internal pure override returns (uint256) {
        return i == ASSET ? DEPOSIT_GAS : REDEEM_GAS;
    }

    function _convert(Sale memory sale, uint256 i, uint256 previewed) internal override {
        IERC4626 vault = IERC4626(sale.pool);
        if (i == ASSET) {
            Payment memory payment = Payment(sale.tokenIn, address(this), sale.pool, sale.amountIn);
            Allowance.grant(payment, sale.pool);
            vault.deposit(sale.amountIn, sale.to);
            return Allowance.demandUsedUp(payment, sale.pool, sale.amountIn);
        }
        uint256 held = balanceOf(sale.tokenOut, sale.pool);
        // The curve ends there, and so does what the bound counts.
        if (previewed > held) revert BeyondLimit(sale.pool, previewed, held);
        uint256 before = balanceOf(sale.tokenIn, address(this));
        vault.redeem(sale.amountIn, sale.to, address(this));
        uint256 taken = FixedPointMathLib.zeroFloorSub(before, balanceOf(sale.tokenIn, address(this)));
        if (taken != sale.amountIn) revert IRouter.PartialFill(sale.pool, sale.amountIn, taken);
    }

    function _supplyOf(address token) private view returns (uint256) {
        return _word(token, VIEW_GAS, abi.encodeCall(IERC20.totalSupply, ()));
    }

    /// @dev Zero if the token is no vault.
    function _assetOf(address token) private view returns (address) {
        return token == wrapped ? address(0) : _addressAt(token, ASSET_GAS, IERC4626.asset.selector);
    }
}
