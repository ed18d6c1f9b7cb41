// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Transfers} from "../../src/libraries/Transfers.sol";
import {AnsweringToken} from "../fixtures/AnsweringToken.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "forge-std/Test.sol";

contract TransfersTest is Test {
    AnsweringToken private immutable token = new AnsweringToken();
    address private immutable alice = makeAddr("alice");
    address private immutable bob = makeAddr("bob");

    function send(address token_, uint256 amount) external {
        Transfers.send(token_, bob, amount);
    }

    function collect(address token_, uint256 amount) external {
        Transfers.collect(token_, alice, bob, amount);
    }

    /// @dev Against the same in Solidity.
    function testFuzz_bothAreWhatSolidityMakesOfTheAnswer(
        bytes memory answer,
        uint256 word,
        bool isRevert,
        uint256 amount
    ) public {
        bytes[4] memory answers = [answer, abi.encode(word), abi.encode(word % 3), bytes("")];
        for (uint256 i; i < answers.length; ++i) {
            token.set(answers[i], isRevert);
            bool isTaken = !isRevert && _isAgreement(answers[i]);
            bytes memory refusal =
                abi.encodeWithSelector(IRouter.TransferRefused.selector, address(token), _reasonOf(answers[i]));
            vm.expectCall(address(token), abi.encodeCall(IERC20.transfer, (bob, amount)));
            if (!isTaken) vm.expectRevert(refusal);
            this.send(address(token), amount);
            vm.expectCall(address(token), abi.encodeCall(IERC20.transferFrom, (alice, bob, amount)));
            if (!isTaken) vm.expectRevert(refusal);
            this.collect(address(token), amount);
        }
    }

    function test_trySend_leavesMemoryAsItIs() public {
        token.set("", false);
        bytes memory before = abi.encode(uint256(1), uint256(2), uint256(3));
        bytes32 hash = keccak256(before);
        assertTrue(Transfers.trySend(address(token), bob, type(uint256).max, gasleft()));
        bytes memory next = new bytes(64);
        assertEq(keccak256(before), hash);
        assertEq(next, new bytes(64));
    }

    function test_send_keepsTheReasonOfTheToken() public {
        bytes memory reason = abi.encodeWithSignature("Blocked(address)", bob);
        token.set(reason, true);
        vm.expectRevert(abi.encodeWithSelector(IRouter.TransferRefused.selector, address(token), reason));
        this.send(address(token), 1);
    }

    function test_send_keepsNoMoreOfAReasonThanItsBeginning() public {
        bytes memory reason = new bytes(100_000);
        reason[515] = 0x01;
        reason[516] = 0x02;
        token.set(reason, true);
        bytes memory kept = new bytes(516);
        kept[515] = 0x01;
        vm.expectRevert(abi.encodeWithSelector(IRouter.TransferRefused.selector, address(token), kept));
        this.send(address(token), 1);
    }

    function test_send_revertsIf_thereIsNoToken() public {
        address nothing = makeAddr("nothing");
        vm.expectRevert(abi.encodeWithSelector(IRouter.TransferRefused.selector, nothing, ""));
        this.send(nothing, 1);
        vm.expectRevert(abi.encodeWithSelector(IRouter.TransferRefused.selector, nothing, ""));
        this.collect(nothing, 1);
    }

    function _isAgreement(bytes memory answer) private pure returns (bool) {
        if (answer.length == 0) return true;
        if (answer.length < 32) return false;
        return abi.decode(answer, (uint256)) == 1;
    }

    function _reasonOf(bytes memory answer) private pure returns (bytes memory reason) {
        if (answer.length == 32) return "";
        reason = new bytes(answer.length < 516 ? answer.length : 516);
        for (uint256 i; i < reason.length; ++i) {
            reason[i] = answer[i];
        }
    }
}
