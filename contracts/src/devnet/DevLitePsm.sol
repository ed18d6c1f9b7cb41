// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

interface IDecimals {
    function decimals() external view returns (uint8);
}

/// @notice Keeps the gems of a PSM, which may take them.
contract DevPocket {
    constructor(address gem) {
        SafeTransferLib.safeApprove(gem, msg.sender, type(uint256).max);
    }
}

/// @title PSM of the devnet
/// @notice Has the interface of Sky's LitePSM and none of its code: it is written from the published interface. It pays out of the DAI
/// that it holds and of the gems in its pocket. Anybody may change its fees.
contract DevLitePsm {
    uint256 private constant WAD = 1e18;
    /// @notice The fee that halts a direction.
    uint256 public constant HALTED = type(uint256).max;

    address public immutable gem;
    address public immutable dai;
    address public immutable pocket;
    uint256 public immutable to18ConversionFactor;
    /// @notice Fees for selling and for buying gems, in 1e-18 of the DAI.
    uint256 public tin;
    uint256 public tout;

    event SellGem(address indexed owner, uint256 value, uint256 fee);
    event BuyGem(address indexed owner, uint256 value, uint256 fee);

    error Halted();

    constructor(address gem_, address dai_) {
        (gem, dai, pocket) = (gem_, dai_, address(new DevPocket(gem_)));
        to18ConversionFactor = 10 ** (18 - IDecimals(gem_).decimals());
    }

    function setFees(uint256 tin_, uint256 tout_) external {
        (tin, tout) = (tin_, tout_);
    }

    function sellGem(address usr, uint256 gemAmt) external returns (uint256 daiOutWad) {
        if (tin == HALTED) revert Halted();
        daiOutWad = gemAmt * to18ConversionFactor;
        uint256 fee = daiOutWad * tin / WAD;
        daiOutWad -= fee;
        SafeTransferLib.safeTransferFrom(gem, msg.sender, pocket, gemAmt);
        SafeTransferLib.safeTransfer(dai, usr, daiOutWad);
        emit SellGem(usr, gemAmt, fee);
    }

    function buyGem(address usr, uint256 gemAmt) external returns (uint256 daiInWad) {
        if (tout == HALTED) revert Halted();
        daiInWad = gemAmt * to18ConversionFactor;
        uint256 fee = daiInWad * tout / WAD;
        daiInWad += fee;
        SafeTransferLib.safeTransferFrom(dai, msg.sender, address(this), daiInWad);
        SafeTransferLib.safeTransferFrom(gem, pocket, usr, gemAmt);
        emit BuyGem(usr, gemAmt, fee);
    }
}
