// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AdapterBase} from "../../src/adapters/AdapterBase.sol";
import {ILBFactory} from "../../src/adapters/LiquidityBookAdapter.sol";
import {ILBPair} from "../../src/adapters/LiquidityBookWords.sol";
import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {adapterKey} from "../../src/venues/AdapterKey.sol";
import {LiquidityBookFixture} from "../fixtures/LiquidityBookFixture.sol";
import {SeededAnswers} from "../fixtures/SeededAnswers.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {PairSafetyCases} from "./PairSafetyCases.sol";

/// @notice Claims the tokens and the step of an honest pair.
contract ForgedBook is SeededAnswers {
    address public immutable getTokenX;
    uint16 public immutable getBinStep;

    constructor(address tokenX, uint16 step, uint256 seed) SeededAnswers(seed) {
        (getTokenX, getBinStep) = (tokenX, step);
    }
}

contract LiquidityBookSafetyTest is PairSafetyCases, LiquidityBookFixture {
    /// @dev Of the next pair. Two of the same tokens differ in it.
    uint16 private _step = 10;

    function test_keysOf_hasEightPairsThatAreNotIgnoredAndMoreByHints() public {
        uint256[] memory none = new uint256[](0);
        uint256[] memory hints = new uint256[](2);
        for (uint256 k; k < 9; ++k) {
            hints[k % 2] = uint160(_createPool(a, b));
        }
        assertEq(adapter.keysOf(address(a), address(b), none).length, 8);
        assertEq(adapter.keysOf(address(a), address(b), hints).length, 10);
        for (uint256 k; k < 10; ++k) {
            if (k != 7) bookFactory.ignore(address(a), address(b), k);
        }
        assertEq(adapter.keysOf(address(a), address(b), none).length, 1);
        assertEq(adapter.keysOf(address(a), address(b), hints).length, 3, "ignored for routing, and named");
    }

    /// @dev X is the first token of a pair, whatever its address is.
    function test_keysOf_knowsEitherOrder() public {
        (PlainToken x, PlainToken y) = (new PlainToken("X", 18), new PlainToken("Y", 18));
        if (x < y) (x, y) = (y, x);
        address pair = _createPool(x, y);
        uint256[] memory keys = adapter.keysOf(address(x), address(y), new uint256[](0));
        assertEq(keys.length, 1);
        assertEq(keys[0], adapterKey(pair, 1, 0));
        x.mint(address(adapter), AMOUNT);
        assertEq(adapter.swap(keys[0], address(x), address(y), AMOUNT, user), y.balanceOf(user));
        _expectRefusal(adapterKey(pair, 0, 1), pair, x, y);
    }

    function test_swap_sellsWhatSomebodyGaveToThePair() public {
        uint256 quoted = _quote(key, true);
        a.mint(pool, AMOUNT);
        a.mint(address(adapter), AMOUNT);
        assertGt(adapter.swap(key, address(a), address(b), AMOUNT, user), quoted + quoted / 2);
    }

    function test_keysOf_survivesWhateverTheFactoryAnswers() public {
        vm.mockCall(
            address(bookFactory), abi.encodeWithSelector(ILBFactory.getAllLBPairs.selector), abi.encode(32, 1e9, 1)
        );
        assertEq(adapter.keysOf(address(a), address(b), new uint256[](0)).length, 0);
        vm.mockCallRevert(address(bookFactory), abi.encodeWithSelector(ILBFactory.getAllLBPairs.selector), "");
        assertEq(adapter.keysOf(address(a), address(b), new uint256[](0)).length, 0);
        vm.expectPartialRevert(IAdapter.NotPaid.selector);
        adapter.swap(key, address(a), address(b), AMOUNT, user);
    }

    function _deployAdapter() internal override returns (AdapterBase) {
        deployBook();
        return bookAdapter;
    }

    function _createPool(PlainToken token0, PlainToken token1) internal override returns (address pair) {
        pair = createBook(token0, token1, _step++, EVEN_ID, usualFees());
        addBin(pair, EVEN_ID, uint128(RESERVE), uint128(RESERVE));
    }

    function _forge(PlainToken token0, PlainToken, uint256 seed) internal override returns (address) {
        return address(new ForgedBook(address(token0), 10, seed));
    }

    function _calledFunctions() internal view override returns (address[] memory targets, bytes4[] memory selectors) {
        (targets, selectors) = (new address[](12), new bytes4[](12));
        selectors[0] = ILBPair.getTokenX.selector;
        selectors[1] = ILBPair.getBinStep.selector;
        selectors[2] = ILBPair.getReserves.selector;
        selectors[3] = ILBPair.getActiveId.selector;
        selectors[4] = ILBPair.getBin.selector;
        selectors[5] = ILBPair.getNextNonEmptyBin.selector;
        selectors[6] = ILBPair.getSwapOut.selector;
        selectors[7] = ILBPair.getStaticFeeParameters.selector;
        selectors[8] = ILBPair.getVariableFeeParameters.selector;
        selectors[9] = ILBPair.getLBHooksParameters.selector;
        selectors[10] = ILBFactory.getAllLBPairs.selector;
        selectors[11] = ILBFactory.getLBPairInformation.selector;
        for (uint256 i; i < targets.length; ++i) {
            targets[i] = i < 10 ? pool : address(bookFactory);
        }
    }

    function _listedOf(uint256 created) internal pure override returns (uint256) {
        return created;
    }
}
