// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibTransient} from "solady/utils/LibTransient.sol";

/// @title Whose native tokens this contract takes at the moment
/// @dev In transient storage, because a wrapped native token leaves its receiver 2300 gas.
library NativeSender {
    using LibTransient for LibTransient.TAddress;

    bytes32 private constant SLOT = keccak256("sluice.nativeSender");

    /// @notice Zero: nobody's.
    function expect(address sender) internal {
        LibTransient.tAddress(SLOT).set(sender);
    }

    function isExpected(address sender) internal view returns (bool) {
        return LibTransient.tAddress(SLOT).get() == sender;
    }
}
