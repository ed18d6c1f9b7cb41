// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {balanceOf} from "../libraries/Balance.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {IWrappedNative} from "../venues/UniswapV4.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {SingleConverter} from "./SingleConverter.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @notice Lido's wstETH. It stakes the native tokens that it is sent, and mints wstETH to the sender for that.
interface IWstEth {
    function stETH() external view returns (address);
}

/// @notice Lido's stETH, whose shares wstETH has one for one.
interface IStEth {
    function getSharesByPooledEth(uint256 amount) external view returns (uint256);
    /// @dev Zero while staking is paused.
    function getCurrentStakeLimit() external view returns (uint256);
}

/// @title From the native token into wstETH, by staking
/// @notice The registry is wstETH. There is no way back in one call. stETH itself is not traded: a transfer of it loses a unit or two,
/// so that no quote is exact.
contract WstEthAdapter is SingleConverter {
    uint256 private constant LEG_GAS = 180_000;
    uint256 private constant NATIVE = 0;

    /// @notice The wrapped native token.
    address public immutable wrapped;

    constructor(address registry_, address wrapped_) Adapter(registry_) {
        wrapped = wrapped_;
    }

    /// @notice Takes native tokens from the wrapped one during a swap.
    receive() external payable {
        require(NativeSender.isExpected(msg.sender));
    }

    function _tokenAt(uint256 place) internal view override returns (address) {
        if (place == NATIVE) return wrapped;
        return place == 1 ? registry : address(0);
    }

    function _limitsOf(address, uint256 i, uint256) internal view override returns (uint256, uint256) {
        if (i != NATIVE) return (0, 0);
        uint256 mostIn = _word(_stEth(), VIEW_GAS, abi.encodeCall(IStEth.getCurrentStakeLimit, ()));
        return (mostIn, type(uint256).max);
    }

    function _preview(address, uint256 i, uint256, uint256 amountIn) internal view override returns (uint256) {
        if (i != NATIVE) return 0;
        return _word(_stEth(), VIEW_GAS, abi.encodeCall(IStEth.getSharesByPooledEth, (amountIn)));
    }

    function _gasOf(uint256) internal pure override returns (uint256) {
        return LEG_GAS;
    }

    function _convert(Sale memory sale, uint256, uint256) internal override {
        NativeSender.expect(wrapped);
        IWrappedNative(wrapped).withdraw(sale.amountIn);
        NativeSender.expect(address(0));
        uint256 before = balanceOf(registry, address(this));
        Address.sendValue(payable(registry), sale.amountIn);
        Transfers.send(registry, sale.to, balanceOf(registry, address(this)) - before);
    }

    function _stEth() private view returns (address) {
        return _getToken(IWstEth.stETH.selector);
    }
}
