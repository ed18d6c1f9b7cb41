// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Behaviour, DevToken} from "../../src/devnet/DevToken.sol";
import {Answer, Ask, Delivery, Lens} from "../../src/lens/Lens.sol";
import {Witness} from "../../src/types/Plan.sol";
import {Test} from "forge-std/Test.sol";

/// Answers with a megabyte.
contract Megabyte {
    fallback() external {
        assembly {
            return(0, 0x100000)
        }
    }
}

contract LensTest is Test {
    uint256 private constant GAS_EACH = 150_000;
    address private immutable pair = makeAddr("pair");
    address private immutable holder = makeAddr("holder");
    Lens private lens;
    DevToken private token;

    function setUp() public {
        lens = new Lens();
        token = _token(Behaviour.Plain);
    }

    function test_read_copiesWordsOfEachAnswer() public view {
        Ask[] memory asks = new Ask[](3);
        asks[0] = Ask(address(token), abi.encodeCall(token.balanceOf, (pair)));
        asks[1] = Ask(address(token), abi.encodeCall(token.decimals, ()));
        asks[2] = Ask(address(token), abi.encodeCall(token.symbol, ()));
        (Witness memory witness, Answer[] memory answers) = lens.read(asks, GAS_EACH);
        assertEq(witness.blockNumber, block.number);
        assertEq(witness.chainId, block.chainid);
        _assertWord(answers[0], 1_000_000e6);
        _assertWord(answers[1], 6);
        assertTrue(answers[2].ok);
        assertEq(answers[2].size, 96);
        assertEq(answers[2].words[0], bytes32(uint256(32)));
        assertEq(answers[2].words[1], bytes32(uint256(5)));
        assertEq(answers[2].words[2], bytes32("TOKEN"));
    }

    function test_read_isNotSpoiledByHostileTargets() public {
        Ask[] memory asks = new Ask[](6);
        bytes memory data = abi.encodeCall(token.balanceOf, (pair));
        asks[0] = Ask(address(_token(Behaviour.BurnsGas)), data);
        asks[1] = Ask(address(_token(Behaviour.HugeReturn)), data);
        asks[2] = Ask(address(new Megabyte()), data);
        asks[3] = Ask(makeAddr("nobody"), data);
        asks[4] = Ask(address(token), hex"deadbeef");
        asks[5] = Ask(address(token), data);
        uint256 gasBefore = gasleft();
        (, Answer[] memory answers) = lens.read(asks, GAS_EACH);
        assertLt(gasBefore - gasleft(), 5 * (GAS_EACH + 10_000));
        for (uint256 i; i < 5; ++i) {
            assertFalse(answers[i].ok);
        }
        _assertWord(answers[5], 1_000_000e6);
    }

    function test_read_tellsTheSizeOfWhatItDoesNotCopy() public {
        Ask[] memory asks = new Ask[](1);
        asks[0] = Ask(address(_token(Behaviour.HugeReturn)), abi.encodeCall(token.balanceOf, (pair)));
        (, Answer[] memory answers) = lens.read(asks, 1_000_000);
        assertTrue(answers[0].ok);
        assertEq(answers[0].size, 256 * 1024);
    }

    function test_deliver_measuresWhatArrives() public {
        _assertDelivery(_deliverOne(token, 10_000), true, true, 10_000);
        _assertDelivery(_deliverOne(_token(Behaviour.NoReturn), 10_000), true, true, 10_000);
        _assertDelivery(_deliverOne(_token(Behaviour.Taxed), 10_000), true, true, 9_800);
        _assertDelivery(_deliverOne(_token(Behaviour.Paused), 10_000), false, true, 0);
        _assertDelivery(_deliverOne(_token(Behaviour.BurnsGas), 10_000), false, false, 0);
        _assertDelivery(_deliverOne(_token(Behaviour.HugeReturn), 10_000), false, false, 0);
        _assertDelivery(_deliverOne(DevToken(makeAddr("nobody")), 10_000), false, false, 0);
    }

    function testFuzz_deliver_measuresEachRecipientByItself(uint256 amount) public {
        amount = bound(amount, 0, 400_000e6);
        vm.etch(pair, address(lens).code);
        address[] memory recipients = new address[](2);
        (recipients[0], recipients[1]) = (holder, makeAddr("other"));
        (, Delivery[] memory deliveries) = Lens(pair).deliver(address(token), recipients, amount);
        _assertDelivery(deliveries[0], true, true, amount);
        _assertDelivery(deliveries[1], true, true, amount);
        assertEq(token.balanceOf(pair), 1_000_000e6 - 2 * amount);
    }

    function _deliverOne(DevToken asked, uint256 amount) private returns (Delivery memory) {
        vm.etch(pair, address(lens).code);
        address[] memory recipients = new address[](1);
        recipients[0] = holder;
        (, Delivery[] memory deliveries) = Lens(pair).deliver(address(asked), recipients, amount);
        return deliveries[0];
    }

    function _token(Behaviour behaviour) private returns (DevToken made) {
        made = new DevToken();
        made.configure("TOKEN", 6);
        made.mint(pair, 1_000_000e6);
        made.setBehaviour(behaviour);
    }

    function _assertWord(Answer memory answer, uint256 word) private pure {
        assertTrue(answer.ok);
        assertEq(answer.size, 32);
        assertEq(uint256(answer.words[0]), word);
    }

    function _assertDelivery(Delivery memory delivery, bool ok, bool measured, uint256 received) private pure {
        assertEq(delivery.ok, ok);
        assertEq(delivery.measured, measured);
        assertEq(delivery.received, received);
    }
}
