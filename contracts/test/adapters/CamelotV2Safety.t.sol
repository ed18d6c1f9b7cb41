// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AdapterBase} from "../../src/adapters/AdapterBase.sol";
import {CamelotV2Adapter, ICamelotFactory} from "../../src/adapters/CamelotV2Adapter.sol";
import {ICamelotPair} from "../../src/adapters/CamelotWords.sol";
import {DevCamelotPair} from "../../src/devnet/DevCamelot.sol";
import {CamelotFixture} from "../fixtures/CamelotFixture.sol";
import {SeededAnswers} from "../fixtures/SeededAnswers.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {PairSafetyCases} from "./PairSafetyCases.sol";

contract ForgedPair is SeededAnswers {
    constructor(uint256 seed) SeededAnswers(seed) {}
}

contract CamelotV2SafetyTest is PairSafetyCases, CamelotFixture {
    /// @dev Whether the pairs created from here on are stable.
    bool internal stable;

    /// @dev There is one for two tokens, and the factory says which.
    function test_keysOf_hasEachHintedPoolOnceAndNoOther() public override {
        uint256[] memory hints = new uint256[](3);
        (hints[0], hints[1], hints[2]) = (uint160(pool), uint160(address(this)), uint160(pool) ^ 1 << 160);
        uint256[] memory keys = adapter.keysOf(address(b), address(a), hints);
        assertEq(keys.length, 1);
        assertEq(keys[0], key);
        assertEq(adapter.keysOf(address(a), address(b), new uint256[](0)).length, 1, "without a hint");
        assertEq(adapter.keysOf(address(a), address(this), hints).length, 0, "for another token");
        assertEq(adapter.keysOf(address(a), address(a), hints).length, 0, "for one token");
    }

    function _needsHints() internal pure override returns (bool) {
        return false;
    }

    function test_swap_revertsIf_thePairPaysNothing() public {
        a.mint(address(adapter), 1);
        vm.expectRevert(abi.encodeWithSelector(CamelotV2Adapter.NoOutput.selector, pool, 1));
        adapter.swap(key, address(a), address(b), 1, user);
        DevCamelotPair(pool).setStableSwap(true, 0, 0);
        a.mint(pool, 1e31);
        DevCamelotPair(pool).sync();
        a.mint(address(adapter), AMOUNT - 1);
        vm.expectRevert(abi.encodeWithSelector(CamelotV2Adapter.NoOutput.selector, pool, AMOUNT));
        adapter.swap(key, address(a), address(b), AMOUNT, user);
    }

    function _deployAdapter() internal override returns (AdapterBase) {
        deployCamelot();
        return camelotAdapter;
    }

    function _createPool(PlainToken token0, PlainToken token1) internal override returns (address) {
        return createCamelot(token0, token1, stable, RESERVE, RESERVE);
    }

    function _forge(PlainToken, PlainToken, uint256 seed) internal override returns (address) {
        return address(new ForgedPair(seed));
    }

    function _calledFunctions() internal view override returns (address[] memory targets, bytes4[] memory selectors) {
        (targets, selectors) = (new address[](5), new bytes4[](5));
        selectors[0] = ICamelotPair.getReserves.selector;
        selectors[1] = ICamelotPair.stableSwap.selector;
        selectors[2] = ICamelotPair.precisionMultiplier0.selector;
        selectors[3] = ICamelotPair.precisionMultiplier1.selector;
        selectors[4] = ICamelotFactory.getPair.selector;
        for (uint256 i; i < targets.length; ++i) {
            targets[i] = i < 4 ? pool : address(camelotFactory);
        }
    }

    function _listedOf(uint256) internal pure override returns (uint256) {
        return 1;
    }
}

contract CamelotV2StableSafetyTest is CamelotV2SafetyTest {
    function setUp() public override {
        stable = true;
        super.setUp();
    }
}
