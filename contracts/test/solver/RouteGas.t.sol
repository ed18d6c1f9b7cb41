// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Pricer} from "../../src/Pricer.sol";
import {IPricer} from "../../src/interfaces/IPricer.sol";
import {TokenGas} from "../../src/math/TokenGas.sol";
import {FIXED_GAS, GAS_PER_MIDDLE_TOKEN, noteGas, routeGas} from "../../src/solver/RouteGas.sol";
import {Search} from "../../src/solver/Search.sol";
import {Test} from "forge-std/Test.sol";

/// @notice Reads a slot more than the plainest token, which costs more the first time.
contract SwitchToken {
    uint256 private balance = 1;
    uint256 private isOn = 1;

    function balanceOf(address) external view returns (uint256) {
        return balance * isOn;
    }
}

contract RouteGasTest is Test {
    address private token;
    IPricer private pricer;

    function setUp() public {
        (token, pricer) = (address(new SwitchToken()), new Pricer());
    }

    /// @dev A connector token, then those that are sold and bought, which cost no more than the plainest.
    function _search() private view returns (Search memory search) {
        search.connectors = 1;
        search.pricer = pricer;
        search.tokens = new address[](3);
        search.tokens[0] = token;
        search.tokenGas = new TokenGas[](3);
        noteGas(search, search.tokenInIndex(), TokenGas(0, 0));
        noteGas(search, search.tokenOutIndex(), TokenGas(0, 0));
    }

    function _legsWith(uint256 middle, uint256 sold, uint256 bought) private pure returns (uint256[] memory legsWith) {
        legsWith = new uint256[](3);
        (legsWith[0], legsWith[1], legsWith[2]) = (middle, sold, bought);
    }

    function test_routeGas_ofPlainTokensIsFixed() public view {
        assertEq(routeGas(_search(), 100_000, _legsWith(0, 1, 1)), FIXED_GAS + 100_000);
    }

    function test_routeGas_countsWhatTokensCost() public view {
        Search memory search = _search();
        noteGas(search, search.tokenInIndex(), TokenGas({once: 1000, call: 10}));
        noteGas(search, search.tokenOutIndex(), TokenGas({once: 2000, call: 100}));
        // Four reads a leg; for the token that is paid out seven more.
        assertEq(routeGas(search, 0, _legsWith(0, 2, 1)), FIXED_GAS + 1000 + 2 * 4 * 10 + 2000 + 4 * 100 + 7 * 100);
    }

    function test_routeGas_countsATokenInTheMiddle() public view {
        Search memory search = _search();
        noteGas(search, 0, TokenGas({once: 500, call: 0}));
        assertEq(routeGas(search, 0, _legsWith(2, 1, 1)), FIXED_GAS + 500 + GAS_PER_MIDDLE_TOKEN);
    }

    /// @dev A second look finds a slot that was read before, and would say that the token costs less.
    function test_routeGas_looksAtATokenOnce() public view {
        Search memory search = _search();
        uint256 first = routeGas(search, 0, _legsWith(2, 1, 1));
        assertGt(first, FIXED_GAS + GAS_PER_MIDDLE_TOKEN + 1500, "the slot is cold");
        assertEq(routeGas(search, 0, _legsWith(2, 1, 1)), first);
    }
}
