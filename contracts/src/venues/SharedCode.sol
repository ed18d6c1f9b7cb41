// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @dev Hashes of creation code from which many venues, or one on many chains, make their pools. They are code here,
/// because a swap that reads one from storage pays 2,100 gas for it.
bytes32 constant UNISWAP_V2_CODE = 0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f;
bytes32 constant UNISWAP_V3_CODE = 0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54;
bytes32 constant SUSHISWAP_V2_CODE = 0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303;
bytes32 constant PANCAKESWAP_V2_CODE = 0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d;
bytes32 constant PANCAKESWAP_V3_CODE = 0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2;

/// @notice The hash of a number; zero if there is none.
function sharedCode(uint256 number) pure returns (bytes32) {
    if (number == 1) return UNISWAP_V3_CODE;
    if (number == 2) return UNISWAP_V2_CODE;
    if (number == 3) return PANCAKESWAP_V3_CODE;
    if (number == 4) return SUSHISWAP_V2_CODE;
    if (number == 5) return PANCAKESWAP_V2_CODE;
    return 0;
}

/// @notice The number of a hash; zero if it is not among these.
function sharedCodeNumber(bytes32 initCodeHash) pure returns (uint256 number) {
    if (initCodeHash == 0) return 0;
    for (number = 1; sharedCode(number) != initCodeHash; ++number) {
        if (sharedCode(number) == 0) return 0;
    }
}
