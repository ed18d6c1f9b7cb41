// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Allowance} from "../libraries/Allowance.sol";
import {Payment} from "../libraries/Payment.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {SingleConverter} from "./SingleConverter.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Spark's PSM of three tokens, on chains other than Ethereum.
interface IPsm3 {
    function usdc() external view returns (address);
    function usds() external view returns (address);
    function susds() external view returns (address);
    /// @dev Who keeps the USDC.
    function pocket() external view returns (address);
    function previewSwapExactIn(address assetIn, address assetOut, uint256 amountIn) external view returns (uint256);
    function swapExactIn(
        address assetIn,
        address assetOut,
        uint256 amountIn,
        uint256 minAmountOut,
        address receiver,
        uint256 referralCode
    ) external returns (uint256);
}

/// @title Spark's PSM3: USDC, USDS and sUSDS
/// @notice The registry is the PSM. It takes no fee, and prices sUSDS by an oracle of its rate.
contract Psm3Adapter is SingleConverter {
    uint256 private constant LEG_GAS = 140_000;
    uint256 private constant USDC = 0;

    constructor(address registry_, address) Adapter(registry_) {}

    function _tokenAt(uint256 place) internal view override returns (address) {
        if (place == USDC) return _getToken(IPsm3.usdc.selector);
        if (place == 1) return _getToken(IPsm3.usds.selector);
        return place == 2 ? _getToken(IPsm3.susds.selector) : address(0);
    }

    function _limitsOf(address pool, uint256, uint256 j) internal view override returns (uint256, uint256) {
        address holder = j == USDC ? _addressAt(pool, GETTER_GAS, IPsm3.pocket.selector) : pool;
        uint256 held = _word(_tokenAt(j), GETTER_GAS, abi.encodeCall(IERC20.balanceOf, (holder)));
        return (type(uint256).max, held);
    }

    function _preview(address pool, uint256 i, uint256 j, uint256 amountIn) internal view override returns (uint256) {
        bytes memory question = abi.encodeCall(IPsm3.previewSwapExactIn, (_tokenAt(i), _tokenAt(j), amountIn));
        return _word(pool, VIEW_GAS, question);
    }

    function _gasOf(uint256) internal pure override returns (uint256) {
        return LEG_GAS;
    }

    function _convert(Sale memory sale, uint256, uint256 previewed) internal override {
        Payment memory payment = Payment(sale.tokenIn, address(this), sale.pool, sale.amountIn);
        Allowance.grant(payment, sale.pool);
        IPsm3(sale.pool).swapExactIn(sale.tokenIn, sale.tokenOut, sale.amountIn, previewed, sale.to, 0);
        Allowance.demandUsedUp(payment, sale.pool, sale.amountIn);
    }
}
