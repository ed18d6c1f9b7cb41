// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {StaticRead} from "./StaticRead.sol";

/// @dev Predeploy of the OP stack that prices a transaction's data (docs.optimism.io, since Fjord).
address constant OP_GAS_PRICE_ORACLE = 0x420000000000000000000000000000000000000F;
/// @dev Precompile of Nitro chains that prices gas and data (docs.arbitrum.io).
address constant ARB_GAS_INFO = address(0x6C);

/// @dev Sizes whose fees are compared: the fee has a fixed part.
uint256 constant SMALL = 1000;
uint256 constant LARGE = 2000;

/// @notice Wei for a byte of calldata on the chain that keeps a rollup's data; zero on chains that keep their own.
function dataPrice() view returns (uint256) {
    (bool isOp, uint256 large,) =
        StaticRead.twoWords(OP_GAS_PRICE_ORACLE, bytes4(keccak256("getL1FeeUpperBound(uint256)")), LARGE, 1);
    if (isOp) {
        (bool ok, uint256 small,) =
            StaticRead.twoWords(OP_GAS_PRICE_ORACLE, bytes4(keccak256("getL1FeeUpperBound(uint256)")), SMALL, 1);
        return ok && large > small ? (large - small) / (LARGE - SMALL) : 0;
    }
    // (per transaction, per byte of calldata, …)
    (bool isNitro,, uint256 perByte) = StaticRead.twoWords(ARB_GAS_INFO, bytes4(keccak256("getPricesInWei()")), 0, 2);
    return isNitro ? perByte : 0;
}
