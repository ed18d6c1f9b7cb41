// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TokenGas, tokenGas} from "../../src/math/TokenGas.sol";
import {Test} from "forge-std/Test.sol";

/// @notice As little as a balance can be read with.
contract BareToken {
    mapping(address holder => uint256) public balanceOf;
}

/// @notice Reads a slot before the balance, as a token that can be paused does.
contract PausableToken {
    mapping(address holder => uint256) private _balances;
    bool private _paused;

    function balanceOf(address holder) external view returns (uint256) {
        require(!_paused, "paused");
        return _balances[holder];
    }
}

/// @notice Asks an implementation whose address it keeps.
contract ProxyToken {
    mapping(address holder => uint256) private _balances;
    address private _implementation;

    constructor(address implementation) {
        _implementation = implementation;
    }

    fallback(bytes calldata input) external returns (bytes memory output) {
        bool ok;
        (ok, output) = _implementation.delegatecall(input);
        require(ok, "failed");
    }
}

contract BurningToken {
    function balanceOf(address) external pure {
        assembly ("memory-safe") {
            invalid()
        }
    }
}

contract TokenGasTest is Test {
    /// @dev What the call around a read takes, which is part of no token.
    uint256 private constant NOISE = 250;

    address private bare;
    address private pausable;
    address private proxy;
    address private burning;

    /// @dev Apart from the tests, so that nothing has been read in the transaction of a measurement.
    function setUp() public {
        bare = address(new BareToken());
        pausable = address(new PausableToken());
        proxy = address(new ProxyToken(bare));
        burning = address(new BurningToken());
    }

    function test_tokenGas_ofTheBarestTokenIsNothing() public view {
        TokenGas memory gas = tokenGas(bare);
        assertEq(gas.once, 0);
        assertLt(gas.call, NOISE);
    }

    function test_tokenGas_countsASlotOnce() public view {
        TokenGas memory gas = tokenGas(pausable);
        assertApproxEqAbs(gas.once, 2000, NOISE, "a cold slot beyond a warm one");
        assertLt(gas.call, NOISE + 100, "a warm slot");
    }

    function test_tokenGas_countsAProxyOnceAndEachTime() public view {
        TokenGas memory gas = tokenGas(proxy);
        assertApproxEqAbs(gas.once, 2000 + 2500, NOISE, "a slot and an account");
        assertGt(gas.call, 300, "the call, its data and its answer");
        assertLt(gas.call, 2000);
    }

    function test_tokenGas_isNothingWhereTheTokenWasReadBefore() public view {
        tokenGas(proxy);
        assertEq(tokenGas(proxy).once, 0);
    }

    function test_tokenGas_cutsOffATokenThatBurnsGas() public view {
        TokenGas memory gas = tokenGas(burning);
        assertEq(gas.once, 0);
        assertLt(gas.call, 61_000);
    }

    function test_tokenGas_isNothingWhereATokenAnswersWithoutReading() public {
        address token = makeAddr("answers the same whatever it is asked");
        vm.etch(token, hex"600160005260206000f3");
        TokenGas memory gas = tokenGas(token);
        assertEq(gas.once + gas.call, 0);
    }

    function test_tokenGas_ofNoContractIsNothing() public view {
        TokenGas memory gas = tokenGas(address(0xdead));
        assertEq(gas.once + gas.call, 0);
    }

    function test_times_countsTheLegsButReadsColdSlotsOnce() public pure {
        TokenGas memory gas = TokenGas({once: 2000, call: 500});
        assertEq(gas.times(1), 2000 + 4 * 500);
        assertEq(gas.times(3), 2000 + 12 * 500);
    }
}
