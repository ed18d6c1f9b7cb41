// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {stakersPart} from "../../src/math/FeeSplit.sol";
import {Test} from "forge-std/Test.sol";

contract FeeSplitTest is Test {
    function testFuzz_stakersPart_isHalfRoundedDown(uint104 amount) public pure {
        assertEq(stakersPart(amount), amount / 2);
    }
}
