// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Calls a view function with at most `gasCap` of gas and copies at most `most` words of its answer.
/// @return words None if the call fails or `target` holds no code.
function ask(address target, uint256 gasCap, uint256 most, bytes memory data) view returns (uint256[] memory words) {
    words = new uint256[](most);
    // (bool ok, bytes memory answer) = target.staticcall{gas: gasCap}(data);
    // But Solidity copies all of an answer, whatever its size.
    assembly ("memory-safe") {
        let ok := staticcall(gasCap, target, add(data, 32), mload(data), add(words, 32), shl(5, most))
        let count := shr(5, returndatasize())
        if gt(count, most) { count := most }
        if iszero(ok) { count := 0 }
        mstore(words, count)
    }
}
