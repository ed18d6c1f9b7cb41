// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @title Transfers of tokens of any make
/// @notice A token that refuses is named together with its own reason.
library Transfers {
    /// @dev Bytes of a token's reason that are kept; a token chooses how many it sends.
    uint256 private constant MAX_REASON = 516;

    /// @notice Sends tokens of this contract. Reverts with `TransferRefused` if the token does.
    function send(address token, address to, uint256 amount) internal {
        if (!trySend(token, to, amount, gasleft())) _refuse(token);
    }

    /// @notice Moves tokens that `from` allows this contract. Reverts with `TransferRefused` if the token does.
    function collect(address token, address from, address to, uint256 amount) internal {
        if (!SafeTransferLib.trySafeTransferFrom(token, from, to, amount)) _refuse(token);
    }

    /// @notice Sends tokens of this contract with at most `gasLimit` of gas. False if the token refuses; nothing was moved then.
    function trySend(address token, address to, uint256 amount, uint256 gasLimit) internal returns (bool sent) {
        // (bool ok, bytes memory answer) = token.call{gas: gasLimit}(abi.encodeCall(IERC20.transfer, (to, amount)));
        // sent = ok && (answer.length == 0 ? token.code.length != 0 : abi.decode(answer, (uint256)) == 1);
        // But Solidity copies all of an answer, whose size the token chooses.
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, shl(224, 0xa9059cbb)) // transfer(address,uint256)
            mstore(add(free, 4), to)
            mstore(add(free, 36), amount)
            let ok := call(gasLimit, token, 0, free, 68, 0, 32)
            switch returndatasize()
            case 0 { sent := and(ok, gt(extcodesize(token), 0)) }
            default { sent := and(ok, and(gt(returndatasize(), 31), eq(mload(0), 1))) }
        }
    }

    /// @dev Reads what the last call answered, so nothing may be called between that and this.
    function _refuse(address token) private pure {
        bytes memory reason;
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, MAX_REASON) { size := MAX_REASON }
            // One word is `false`, or a number that is not `true`, and no reason.
            if eq(size, 32) { size := 0 }
            reason := mload(0x40)
            mstore(reason, size)
            returndatacopy(add(reason, 32), 0, size)
            mstore(0x40, add(add(reason, 32), and(add(size, 31), not(31))))
        }
        revert IRouter.TransferRefused(token, reason);
    }
}
