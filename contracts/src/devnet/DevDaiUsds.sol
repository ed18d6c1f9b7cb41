// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @title Converter between DAI and USDS of the devnet
/// @notice Answers to the functions of Sky's converter. It pays out of what it holds, where the original mints.
contract DevDaiUsds {
    address public immutable dai;
    address public immutable usds;

    event DaiToUsds(address indexed caller, address indexed usr, uint256 wad);
    event UsdsToDai(address indexed caller, address indexed usr, uint256 wad);

    constructor(address dai_, address usds_) {
        (dai, usds) = (dai_, usds_);
    }

    function daiToUsds(address usr, uint256 wad) external {
        SafeTransferLib.safeTransferFrom(dai, msg.sender, address(this), wad);
        SafeTransferLib.safeTransfer(usds, usr, wad);
        emit DaiToUsds(msg.sender, usr, wad);
    }

    function usdsToDai(address usr, uint256 wad) external {
        SafeTransferLib.safeTransferFrom(usds, msg.sender, address(this), wad);
        SafeTransferLib.safeTransfer(dai, usr, wad);
        emit UsdsToDai(msg.sender, usr, wad);
    }
}
