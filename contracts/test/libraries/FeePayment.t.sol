// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FeePayment} from "../../src/libraries/FeePayment.sol";
import {AnsweringToken} from "../fixtures/AnsweringToken.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "forge-std/Test.sol";

contract FeePaymentTest is Test {
    AnsweringToken private immutable token = new AnsweringToken();
    address private immutable collector = makeAddr("collector");

    function send(address token_, uint256 amount) external returns (bool) {
        return FeePayment.send(token_, collector, amount);
    }

    /// @dev The assembly against the same in Solidity.
    function testFuzz_send_isWhatSolidityMakesOfTheAnswer(
        bytes memory answer,
        uint256 word,
        bool isRevert,
        uint256 amount
    ) public {
        bytes[4] memory answers = [answer, abi.encode(word), abi.encode(word % 3), bytes("")];
        for (uint256 i; i < answers.length; ++i) {
            token.set(answers[i], isRevert);
            vm.expectCall(address(token), abi.encodeCall(IERC20.transfer, (collector, amount)));
            assertEq(this.send(address(token), amount), _reference(answers[i], isRevert));
        }
    }

    function test_send_isRefusedWhereThereIsNoToken() public {
        assertFalse(this.send(makeAddr("nothing"), 1));
    }

    function test_send_leavesMemoryAsItIs() public {
        token.set("", false);
        bytes memory before = abi.encode(uint256(1), uint256(2), uint256(3));
        bytes32 hash = keccak256(before);
        FeePayment.send(address(token), collector, type(uint256).max);
        bytes memory next = new bytes(64);
        assertEq(keccak256(before), hash);
        assertEq(next, new bytes(64));
    }

    function _reference(bytes memory answer, bool isRevert) private pure returns (bool) {
        if (isRevert) return false;
        if (answer.length == 0) return true;
        if (answer.length < 32) return false;
        return abi.decode(answer, (uint256)) == 1;
    }
}
