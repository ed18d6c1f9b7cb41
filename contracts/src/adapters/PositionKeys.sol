// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ask} from "../libraries/Answers.sol";
import {EfficientHashLib} from "solady/utils/EfficientHashLib.sol";

/// @notice What is called of Uniswap V4's PositionManager and of PancakeSwap Infinity's CLPositionManager.
interface IPositionKeys {
    /// @dev Answers the words of the key of each pool in which it has ever held a position, and zeros for others. Keys of Uniswap V4
    /// have five words, those of Infinity six.
    function poolKeys(bytes25 id) external view;
}

/// @dev The owner of a Hub chose the position manager, so this only guards against its faults.
uint256 constant POSITIONS_GAS = 60_000;

/// @notice The words of a pool's own key, as a position manager knows it. It need not be trusted: the hash of the words is the pool's id.
/// @param id The first bytes of the pool's id.
/// @param count How many words a key has.
/// @return words None if the position manager does not know the pool, or answers anything but its key.
function positionKey(address positions, bytes25 id, uint256 count) view returns (uint256[] memory words) {
    words = ask(positions, POSITIONS_GAS, count, abi.encodeCall(IPositionKeys.poolKeys, (id)));
    bytes32[] memory key;
    // In memory, words of the two types are the same.
    assembly ("memory-safe") {
        key := words
    }
    if (key.length != count || bytes25(EfficientHashLib.hash(key)) != id) return new uint256[](0);
}
