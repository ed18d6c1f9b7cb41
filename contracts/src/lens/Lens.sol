// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {currentWitness} from "../libraries/Witnesses.sol";
import {Witness} from "../types/Plan.sol";

/// @notice A read of a contract that may be hostile.
struct Ask {
    address target;
    bytes data;
}

/// @notice The first three words of what a contract answered.
struct Answer {
    bool ok;
    /// Bytes that were answered in all.
    uint256 size;
    bytes32[3] words;
}

/// @notice What a transfer brought.
struct Delivery {
    /// The token did not refuse it.
    bool ok;
    /// The recipient's balance could be read before and after, and did not fall.
    bool measured;
    uint256 received;
}

/// @title Lens
/// @notice Reads many contracts at one block, and measures what arrives of a transfer. It is never deployed: a call
/// brings it along as a state override, in an empty place to read, or in the place of a holder to send what it holds.
/// @dev Nothing that is called can spoil the rest: each call has a gas cap, and little of its answer is copied.
contract Lens {
    uint256 private constant TRANSFER_GAS = 2_000_000;
    uint256 private constant BALANCE_GAS = 150_000;

    /// @param gasEach Most gas that each read may take.
    /// @return witness The block on which everything was read.
    function read(Ask[] calldata asks, uint256 gasEach)
        external
        view
        returns (Witness memory witness, Answer[] memory answers)
    {
        witness = currentWitness();
        answers = new Answer[](asks.length);
        for (uint256 i; i < asks.length; ++i) {
            _read(asks[i].target, asks[i].data, gasEach, answers[i]);
        }
    }

    /// @notice Sends `amount` of `token` from where this code stands to each recipient.
    function deliver(address token, address[] calldata recipients, uint256 amount)
        external
        returns (Witness memory witness, Delivery[] memory deliveries)
    {
        witness = currentWitness();
        deliveries = new Delivery[](recipients.length);
        for (uint256 i; i < recipients.length; ++i) {
            deliveries[i] = _deliver(token, recipients[i], amount);
        }
    }

    function _deliver(address token, address recipient, uint256 amount) private returns (Delivery memory delivery) {
        (bool hadBalance, uint256 balanceBefore) = _balanceOf(token, recipient);
        bytes memory data = abi.encodeWithSignature("transfer(address,uint256)", recipient, amount);
        bool ok;
        uint256 size;
        uint256 word;
        // Plain Solidity copies all of the answer, whatever its size; only assembly can stop at one word.
        assembly ("memory-safe") {
            ok := call(TRANSFER_GAS, token, 0, add(data, 32), mload(data), 0, 32)
            size := returndatasize()
            word := mload(0)
        }
        // As tokens do: nothing, or true.
        delivery.ok = ok && token.code.length != 0 && (size == 0 || (size >= 32 && word == 1));
        (bool hasBalance, uint256 balanceAfter) = _balanceOf(token, recipient);
        delivery.measured = hadBalance && hasBalance && balanceAfter >= balanceBefore;
        if (delivery.measured) delivery.received = balanceAfter - balanceBefore;
    }

    function _balanceOf(address token, address holder) private view returns (bool ok, uint256 balance) {
        Answer memory answer;
        _read(token, abi.encodeWithSignature("balanceOf(address)", holder), BALANCE_GAS, answer);
        return (answer.ok && answer.size == 32, uint256(answer.words[0]));
    }

    function _read(address target, bytes memory data, uint256 gasEach, Answer memory answer) private view {
        bytes32[3] memory words = answer.words;
        bool ok;
        uint256 size;
        // Plain Solidity copies all of the answer, whatever its size; only assembly can stop at three words.
        assembly ("memory-safe") {
            ok := staticcall(gasEach, target, add(data, 32), mload(data), words, 96)
            size := returndatasize()
        }
        answer.ok = ok && target.code.length != 0;
        answer.size = size;
    }
}
