// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../interfaces/IRouter.sol";

/// @title Payments that a token may refuse
/// @notice A token that blocks the fee's collector must not stop the swap. Whoever sends the swap chooses its gas, and must
/// not choose it so that the payment alone runs out.
library FeePayment {
    /// @dev What a payment may burn. A token that wants more of it refuses.
    uint256 internal constant MOST_GAS = 500_000;
    /// @dev With this much left, a payment is handed all of `MOST_GAS`: 64/63 of it, and the call itself.
    uint256 internal constant ENOUGH_GAS = 520_000;

    /// @notice Sends `amount` of `token` to `collector`; false where the token refuses, and nothing was moved then.
    /// @dev Reverts where a lack of gas may be the reason. A call that runs out leaves its callers a 64th for each call that
    /// it was deep, so a refusal that left half of the gas is the token's own word, and one that had `MOST_GAS` is too.
    function send(address token, address collector, uint256 amount) internal returns (bool sent) {
        uint256 gasBefore = gasleft();
        // (bool ok, bytes memory answer) = token.call{gas: MOST_GAS}(abi.encodeCall(IERC20.transfer, (collector, amount)));
        // sent = ok && (answer.length == 0 ? token.code.length != 0 : abi.decode(answer, (uint256)) == 1);
        // But Solidity copies all of an answer, whose size the token chooses.
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, shl(224, 0xa9059cbb)) // transfer(address,uint256)
            mstore(add(free, 4), collector)
            mstore(add(free, 36), amount)
            let ok := call(MOST_GAS, token, 0, free, 68, 0, 32)
            switch returndatasize()
            case 0 { sent := and(ok, gt(extcodesize(token), 0)) }
            default { sent := and(ok, and(gt(returndatasize(), 31), eq(mload(0), 1))) }
        }
        if (sent) return true;
        if (gasBefore < ENOUGH_GAS && gasleft() < gasBefore / 2) revert IRouter.TooLittleGas(gasBefore, ENOUGH_GAS);
    }
}
