// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FeePayment} from "../../src/libraries/FeePayment.sol";
import {AnsweringToken} from "../fixtures/AnsweringToken.sol";
import {Test} from "forge-std/Test.sol";

contract FeePaymentTest is Test {
    AnsweringToken private immutable token = new AnsweringToken();
    address private immutable collector = makeAddr("collector");

    function send(address token_, uint256 amount) external returns (bool) {
        return FeePayment.send(token_, collector, amount);
    }

    function test_send_saysWhetherTheTokenTookIt() public {
        token.set(abi.encode(true), false);
        assertTrue(this.send(address(token), 1));
        token.set(abi.encode(false), false);
        assertFalse(this.send(address(token), 1));
        token.set("", true);
        assertFalse(this.send(address(token), 1));
    }

    function test_send_isRefusedWhereThereIsNoToken() public {
        assertFalse(this.send(makeAddr("nothing"), 1));
    }
}
