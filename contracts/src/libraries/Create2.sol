// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibClone} from "solady/utils/LibClone.sol";

/// @notice Two different tokens in the order in which pools keep them.
function sortTokens(address tokenA, address tokenB) pure returns (address token0, address token1) {
    return tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
}

/// @notice `keccak256(abi.encodePacked(tokenA, tokenB))`, for 200 gas less than that.
function hashPacked(address tokenA, address tokenB) pure returns (bytes32 hash) {
    assembly ("memory-safe") {
        mstore(0x00, shl(96, tokenA))
        mstore(0x14, shl(96, tokenB))
        hash := keccak256(0x00, 0x28)
    }
}

/// @notice Address of what `deployer` creates with `salt` from code of hash `initCodeHash` (EIP-1014).
function create2Address(address deployer, bytes32 salt, bytes32 initCodeHash) pure returns (address) {
    return LibClone.predictDeterministicAddress(initCodeHash, salt, deployer);
}
