// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Sale} from "../../src/adapters/Adapter.sol";
import {AdapterBase} from "../../src/adapters/AdapterBase.sol";
import {BalancerV3Adapter} from "../../src/adapters/BalancerV3Adapter.sol";
import {IBalancerV3Pool, IBalancerV3Vault} from "../../src/adapters/BalancerV3Vault.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {adapterKey} from "../../src/venues/AdapterKey.sol";
import {BalancerV3Fixture} from "../fixtures/BalancerV3Fixture.sol";
import {HookToken, PlainToken} from "../fixtures/Tokens.sol";
import {Turn} from "../fixtures/Turned.sol";
import {AdapterSafetyCases} from "./AdapterSafetyCases.sol";
import {ForgedPool} from "./CurveStableSafety.t.sol";

/// @notice Hooks of one kind, by its number among the flags.
contract SomeHooks {
    uint256 private immutable FLAG;

    constructor(uint256 flag) {
        FLAG = flag;
    }

    function getHookFlags() external view returns (bool[10] memory flags) {
        flags[FLAG] = true;
    }

    /// @dev Answers yes to `onRegister` and to the calls that initialize a pool.
    fallback() external {
        assembly {
            mstore(0, 1)
            return(0, 32)
        }
    }
}

contract BalancerV3SafetyTest is AdapterSafetyCases, BalancerV3Fixture {
    function test_swap_revertsIf_theTokensAreOthers() public {
        _expectRefusal(adapterKey(pool, 1, 0), pool, a, b);
        _expectRefusal(adapterKey(pool, 0, 0), pool, a, a);
        _expectRefusal(adapterKey(pool, 0, 2), pool, a, b);
        PlainToken c = new PlainToken("C", 18);
        _expectRefusal(key, pool, c, b);
        _expectRefusal(key, pool, a, c);
    }

    function test_read_hasNoPoolWithHooksInSwaps() public {
        // Those of adding and removing liquidity, and of initialization, do nothing to swaps.
        uint8[6] memory harmless = [1, 2, 6, 7, 8, 9];
        for (uint256 i; i < harmless.length; ++i) {
            hooksV3 = address(new SomeHooks(harmless[i]));
            assertGt(_read(adapterKey(_createPool(a, b), 0, 1)).length, 0);
        }
        uint8[3] memory refused = [3, 4, 5];
        for (uint256 i; i < refused.length; ++i) {
            hooksV3 = address(new SomeHooks(refused[i]));
            assertEq(_read(adapterKey(_createPool(a, b), 0, 1)).length, 0);
        }
    }

    function test_read_hasNoPausedPool() public {
        uint256 snapshot = vm.snapshotState();
        vaultV3.pausePool(pool);
        assertEq(_read(key).length, 0);
        vm.revertToState(snapshot);
        vaultV3.pauseVault();
        assertEq(_read(key).length, 0);
    }

    function test_read_hasNoPoolOfOtherMathematics() public {
        turn(pool, IBalancerV3Pool.onSwap.selector, Turn.AnswersHalf);
        assertEq(_read(key).length, 0);
        turn(pool, IBalancerV3Pool.onSwap.selector, Turn.AnswersTwice);
        assertEq(_read(key).length, 0);
    }

    /// @dev The curve would be below what the pool says, and with it the bound.
    function test_quote_isZeroIf_thePoolSaysMoreThanTheCurve() public {
        uint256[] memory state = _read(key);
        turn(pool, IBalancerV3Pool.onSwap.selector, Turn.AnswersTwice);
        (uint256 amountOut, uint256 gas) = adapter.quote(VenueKinds.ADAPTER, address(adapter), state, true, AMOUNT);
        assertEq(amountOut, 0);
        assertEq(gas, 0);
    }

    function test_swap_paysWhatThePoolThenSays() public {
        uint256 quoted = _quote(key, true);
        turn(pool, IBalancerV3Pool.onSwap.selector, Turn.AnswersHalf);
        a.mint(address(adapter), AMOUNT);
        uint256 paid = adapter.swap(key, address(a), address(b), AMOUNT, user);
        assertEq(paid, quoted / 2);
        assertEq(b.balanceOf(user), paid);
    }

    /// @dev The Vault is unlocked while the token sold is sent.
    function test_swap_revertsIf_aTokenTakesWhatIsNotItsOwn() public {
        HookToken hooked = new HookToken("HOOK", 18);
        (PlainToken token0, PlainToken token1) = _sorted(hooked, b);
        uint256 other = adapterKey(_createPool(token0, token1), 0, 1);
        hooked.mint(address(adapter), AMOUNT);
        hooked.setHook(
            address(vaultV3), abi.encodeCall(IBalancerV3Vault.sendTo, (address(b), address(hooked), 1)), true
        );
        vm.expectRevert(bytes4(keccak256("BalanceNotSettled()")));
        adapter.swap(other, address(hooked), address(b), AMOUNT, user);
    }

    function test_sellUnlocked_revertsIf_theCallerIsNotTheVault() public {
        a.mint(address(adapter), AMOUNT);
        vm.expectRevert();
        BalancerV3Adapter(address(adapter)).sellUnlocked(Sale(pool, key, address(a), address(b), AMOUNT, user));
    }

    function _deployAdapter() internal override returns (AdapterBase) {
        deployBalancerV3();
        return new BalancerV3Adapter(address(vaultV3), address(0));
    }

    function _createPool(PlainToken token0, PlainToken token1) internal override returns (address) {
        (address[] memory tokens, uint256[] memory amounts) = _pair(token0, token1);
        uint256[] memory weights = new uint256[](2);
        (weights[0], weights[1]) = (0.5e18, 0.5e18);
        return createWeightedV3(tokens, new address[](2), weights, amounts, 0.001e18);
    }

    function _forge(PlainToken token0, PlainToken token1, uint256 seed) internal override returns (address) {
        return address(new ForgedPool(address(token0), address(token1), seed));
    }

    function _calledFunctions() internal view override returns (address[] memory targets, bytes4[] memory selectors) {
        (targets, selectors) = (new address[](10), new bytes4[](10));
        selectors[0] = IBalancerV3Pool.onSwap.selector;
        selectors[1] = IBalancerV3Pool.getNormalizedWeights.selector;
        selectors[2] = IBalancerV3Vault.getPoolTokens.selector;
        selectors[3] = IBalancerV3Vault.getPoolData.selector;
        selectors[4] = IBalancerV3Vault.getHooksConfig.selector;
        selectors[5] = IBalancerV3Vault.getStaticSwapFeePercentage.selector;
        selectors[6] = IBalancerV3Vault.isPoolPaused.selector;
        selectors[7] = IBalancerV3Vault.isVaultPaused.selector;
        selectors[8] = IBalancerV3Vault.getMinimumTradeAmount.selector;
        selectors[9] = IBalancerV3Pool.getAmplificationParameter.selector;
        for (uint256 i; i < targets.length; ++i) {
            targets[i] = i < 2 || i > 8 ? pool : address(vaultV3);
        }
    }

    function _holder() internal view override returns (address) {
        return address(vaultV3);
    }
}
