// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Allowance} from "../libraries/Allowance.sol";
import {Payment} from "../libraries/Payment.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {SingleConverter} from "./SingleConverter.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Sky's converter between DAI and USDS.
interface IDaiUsds {
    function dai() external view returns (address);
    function usds() external view returns (address);
    function daiToUsds(address usr, uint256 wad) external;
    function usdsToDai(address usr, uint256 wad) external;
}

/// @title DAI and USDS, one for one
/// @notice The registry is Sky's converter. It mints what it pays, so that all there is of the one token can become the other.
contract DaiUsdsAdapter is SingleConverter {
    uint256 private constant LEG_GAS = 150_000;

    constructor(address registry_, address) Adapter(registry_) {}

    function _tokenAt(uint256 place) internal view override returns (address) {
        if (place == 0) return _getToken(IDaiUsds.dai.selector);
        return place == 1 ? _getToken(IDaiUsds.usds.selector) : address(0);
    }

    function _limitsOf(address, uint256 i, uint256) internal view override returns (uint256 supply, uint256) {
        supply = _word(_tokenAt(i), GETTER_GAS, abi.encodeCall(IERC20.totalSupply, ()));
        return (supply, supply);
    }

    function _preview(address, uint256, uint256, uint256 amountIn) internal pure override returns (uint256) {
        return amountIn;
    }

    function _gasOf(uint256) internal pure override returns (uint256) {
        return LEG_GAS;
    }

    function _convert(Sale memory sale, uint256 i, uint256) internal override {
        Payment memory payment = Payment(sale.tokenIn, address(this), sale.pool, sale.amountIn);
        Allowance.grant(payment, sale.pool);
        if (i == 0) IDaiUsds(sale.pool).daiToUsds(sale.to, sale.amountIn);
        else IDaiUsds(sale.pool).usdsToDai(sale.to, sale.amountIn);
        Allowance.demandUsedUp(payment, sale.pool, sale.amountIn);
    }
}
