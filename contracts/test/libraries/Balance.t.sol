// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {balanceOf} from "../../src/libraries/Balance.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {Test} from "forge-std/Test.sol";

contract BalanceTest is Test {
    function test_balanceOf_isWhatTheTokenAnswers() public {
        PlainToken token = new PlainToken("A", 18);
        assertEq(balanceOf(address(token), address(this)), 0);
        token.mint(address(this), 7);
        assertEq(balanceOf(address(token), address(this)), 7);
    }

    function test_balanceOf_revertsIf_theTokenDoesNotAnswer() public {
        address token = makeAddr("no token");
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnreadableBalance.selector, token));
        this.read(token);
    }

    function read(address token) external view returns (uint256) {
        return balanceOf(token, address(this));
    }
}
