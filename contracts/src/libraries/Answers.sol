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

/// @notice The address that a view function returns. Zero if the call fails or the first word of its answer is no address.
function askAddress(address target, uint256 gasCap, bytes memory data) view returns (address) {
    uint256[] memory answer = ask(target, gasCap, 1, data);
    return answer.length == 1 && answer[0] >> 160 == 0 ? address(uint160(answer[0])) : address(0);
}
