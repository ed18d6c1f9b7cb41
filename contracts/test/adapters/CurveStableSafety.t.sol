// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AdapterBase} from "../../src/adapters/AdapterBase.sol";
import {ICurveCoins, ICurveRegistry} from "../../src/adapters/CurvePools.sol";
import {CurveStableAdapter} from "../../src/adapters/CurveStableAdapter.sol";
import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {adapterKey} from "../../src/venues/AdapterKey.sol";
import {ICurvePool} from "../../src/venues/CurveStable.sol";
import {CurveRegistry, NATIVE_COIN, NativeStableSwap, ReceiverStableSwap} from "../fixtures/CurveRegistries.sol";
import {SeededAnswers} from "../fixtures/SeededAnswers.sol";
import {PlainToken, WrappedToken} from "../fixtures/Tokens.sol";
import {Turn} from "../fixtures/Turned.sol";
import {AdapterSafetyCases} from "./AdapterSafetyCases.sol";

/// @notice A contract that claims to be a pool of any two tokens, and takes what it is allowed.
contract ForgedPool is SeededAnswers {
    address[2] private _coins;

    constructor(address coin0, address coin1, uint256 seed) SeededAnswers(seed) {
        (_coins[0], _coins[1]) = (coin0, coin1);
    }

    function coins(uint256 k) external view returns (address) {
        return _coins[k];
    }
}

/// @notice Takes nearly 15,000 gas to name a coin.
contract SlowPool {
    function coins(uint256) external view returns (address) {
        uint256 gas = gasleft();
        while (gas - gasleft() < 13_500) {}
        return address(this);
    }
}

contract CurveStableSafetyTest is AdapterSafetyCases {
    CurveRegistry private registry;
    WrappedToken private wrapped;

    /* WHICH POOLS */

    function test_keysOf_hasEachPoolOnceInEitherOrderOfItsTokens() public {
        address second = _createPool(b, a);
        uint256[] memory hints = new uint256[](3);
        (hints[0], hints[1], hints[2]) = (uint160(pool), uint160(second), uint160(second));
        uint256[] memory keys = adapter.keysOf(address(a), address(b), hints);
        assertEq(keys.length, 2);
        assertEq(keys[0], adapterKey(pool, 0, 1));
        assertEq(keys[1], adapterKey(second, 1, 0));
        assertEq(abi.encode(adapter.keysOf(address(b), address(a), hints)), abi.encode(keys), "either order");
    }

    function test_keysOf_hasEightOfTheRegistryAndMoreByHints() public {
        uint256[] memory hints = new uint256[](1);
        for (uint256 k = 1; k < 10; ++k) {
            hints[0] = uint160(_createPool(a, b));
        }
        assertEq(adapter.keysOf(address(a), address(b), new uint256[](0)).length, 8);
        uint256[] memory keys = adapter.keysOf(address(a), address(b), hints);
        assertEq(keys.length, 9);
        assertEq(keys[8] >> 8, hints[0]);
    }

    function test_keysOf_ignoresHintsOfPoolsThatTheRegistryDoesNotKnow() public {
        uint256[] memory hints = new uint256[](1);
        hints[0] = uint160(_plain(a, b));
        assertEq(adapter.keysOf(address(a), address(b), hints).length, 1);
    }

    function test_keysOf_tradesAMetapoolForItsOwnTokensOnly() public {
        (PlainToken own, PlainToken share) = (new PlainToken("OWN", 18), new PlainToken("SHARE", 18));
        address meta = _addMeta(own, share);
        uint256[] memory none = new uint256[](0);
        assertEq(adapter.keysOf(address(own), address(share), none).length, 1);
        assertEq(adapter.keysOf(address(own), address(a), none).length, 0, "at the share's place");
        assertEq(adapter.keysOf(address(own), address(b), none).length, 0);
        uint256 wrong = adapterKey(meta, own < a ? 0 : 1, own < a ? 1 : 0);
        own.mint(address(adapter), AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, meta));
        adapter.swap(wrong, address(own), address(a), AMOUNT, user);
    }

    function test_keysOf_hasPoolsOfTheNativeAndTheWrappedToken() public {
        _createPool(wrapped, b);
        address native = _addNative(b);
        uint256[] memory keys = adapter.keysOf(address(wrapped), address(b), new uint256[](0));
        assertEq(keys.length, 2);
        assertEq(keys[1] >> 8, uint160(native));
    }

    /// @dev The native token counts as the wrapped one. A metapool holds its own tokens alone.
    function test_heldBy_namesTheTokensOfNativePoolsAndMetapools() public {
        (PlainToken own, PlainToken share) = (new PlainToken("OWN", 18), new PlainToken("SHARE", 18));
        address meta = _addMeta(own, share);
        uint256[] memory hints = new uint256[](5);
        (hints[0], hints[1], hints[2]) = (uint160(pool), uint160(_addNative(b)), uint160(meta));
        (hints[3], hints[4]) = (uint256(uint160(pool)) | 1 << 160, uint160(address(this)));
        address[] memory tokens = new address[](5);
        (tokens[0], tokens[1], tokens[2]) = (address(wrapped), address(a), address(b));
        (tokens[3], tokens[4]) = (address(own), address(share));
        uint256[] memory held = adapter.heldBy(hints, tokens);
        assertEq(held[0], 6, "the pool of a and b");
        assertEq(held[1], 5, "the pool of b and the native token");
        assertEq(held[2], 24, "the metapool");
        assertEq(held[3] | held[4], 0, "no pools");
    }

    function test_heldBy_survivesWhateverAPoolAnswers() public {
        uint256[] memory hints = new uint256[](2);
        (hints[0], hints[1]) = (uint160(pool), uint160(_createPool(a, b)));
        (address[] memory tokens,) = _pair(a, b);
        for (uint256 how = 1; how < TURNS; ++how) {
            uint256 snapshot = vm.snapshotState();
            turn(pool, ICurveCoins.coins.selector, Turn(how));
            assertEq(adapter.heldBy{gas: 800_000}(hints, tokens)[1], 3, "the other pool");
            vm.revertToStateAndDelete(snapshot);
        }
    }

    /// @dev As many hints as a search takes, with the gas that it gives. Seven burn what they may for each coin, and name one.
    function test_heldBy_tellsTheLastHintIf_allOthersAnswerSlowly() public {
        uint256[] memory hints = new uint256[](8);
        for (uint256 i; i < 7; ++i) {
            hints[i] = uint160(address(new SlowPool()));
        }
        hints[7] = uint160(pool);
        (address[] memory tokens,) = _pair(a, b);
        assertEq(adapter.heldBy{gas: 800_000}(hints, tokens)[7], 3);
    }

    /* FORGED POOLS */

    function testFuzz_swap_revertsIf_theKeyHasOtherPlaces(uint8 places) public {
        uint256 other = key >> 8 << 8 | places;
        if (other != key) _expectRefusal(other, pool, a, b);
    }

    function test_swap_revertsIf_codeAndStorageAreThePools() public {
        address copy = makeAddr("copy");
        vm.etch(copy, pool.code);
        for (uint256 slot; slot < 4; ++slot) {
            vm.store(copy, bytes32(slot), vm.load(pool, bytes32(slot)));
        }
        _expectRefusal(_keyOf(copy), copy, a, b);
    }

    function test_swap_revertsIf_aTokenIsAnother() public {
        PlainToken c = new PlainToken("C", 18);
        c.mint(address(adapter), AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, pool));
        adapter.swap(key, address(c), address(b), AMOUNT, user);
        a.mint(address(adapter), AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, pool));
        adapter.swap(key, address(a), address(c), AMOUNT, user);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, pool));
        adapter.swap(key, address(a), address(a), AMOUNT, user);
    }

    /* WHAT IS PAID */

    function test_swap_revertsIf_nothingArrived() public {
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotPaid.selector, address(b), 0, 0));
        adapter.swap(key, address(b), address(a), 0, user);
    }

    function testFuzz_swap_throughTheNativeToken_isTheSameWithDonations(uint256 ofA, uint256 ofB, uint256 native)
        public
    {
        (ofA, ofB, native) = (bound(ofA, 1, 1e30), bound(ofB, 1, 1e30), bound(native, 1, 1e24));
        _addNative(b);
        uint256 traded = adapter.keysOf(address(wrapped), address(b), new uint256[](0))[0];
        for (uint256 turn; turn < 2; ++turn) {
            (address tokenIn, address tokenOut) =
                turn == 0 ? (address(wrapped), address(b)) : (address(b), address(wrapped));
            uint256 quoted = _quote(traded, tokenIn < tokenOut);
            PlainToken(tokenIn).mint(address(adapter), ofA + AMOUNT);
            PlainToken(tokenOut).mint(address(adapter), ofB);
            vm.deal(address(adapter), native);
            (uint256 inBefore, uint256 outBefore) =
                (PlainToken(tokenIn).balanceOf(address(adapter)), PlainToken(tokenOut).balanceOf(address(adapter)));
            assertEq(adapter.swap(traded, tokenIn, tokenOut, AMOUNT, user), quoted);
            assertEq(PlainToken(tokenOut).balanceOf(user), quoted);
            assertEq(PlainToken(tokenIn).balanceOf(address(adapter)), inBefore - AMOUNT);
            assertEq(PlainToken(tokenOut).balanceOf(address(adapter)), outBefore);
            assertEq(address(adapter).balance, native);
        }
    }

    function test_receive_takesNothingFromStrangers() public {
        vm.deal(address(this), 1 ether);
        (bool ok,) = address(adapter).call{value: 1}("");
        assertFalse(ok);
    }

    /* HOSTILE ANSWERS */

    function test_keysOf_survivesWhateverTheRegistryAnswers() public {
        bytes4[2] memory selectors =
            [ICurveRegistry.find_pool_for_coins.selector, ICurveRegistry.get_coin_indices.selector];
        // At the places 1 and 0, so that twice and half of the first place are other places.
        (PlainToken c, PlainToken d) = _sorted(new PlainToken("C", 18), new PlainToken("D", 18));
        uint256[] memory hints = new uint256[](1);
        hints[0] = uint160(_createPool(d, c));
        for (uint256 i; i < selectors.length; ++i) {
            for (uint256 how = 1; how < TURNS; ++how) {
                if (Turn(how) == Turn.Reenters) continue;
                uint256 snapshot = vm.snapshotState();
                turn(address(registry), selectors[i], Turn(how));
                uint256[] memory keys = adapter.keysOf(address(c), address(d), hints);
                assertEq(keys.length, i == 0 ? 1 : 0);
                if (i == 0) assertEq(keys[0], adapterKey(address(uint160(hints[0])), 1, 0));
                vm.revertToStateAndDelete(snapshot);
            }
        }
    }

    /* WHAT AN ADAPTER TEACHES */

    function _deployAdapter() internal override returns (AdapterBase) {
        registry = new CurveRegistry(false);
        wrapped = new WrappedToken("WETH", 18);
        vm.deal(address(wrapped), RESERVE);
        return new CurveStableAdapter(address(registry), address(wrapped));
    }

    function _createPool(PlainToken token0, PlainToken token1) internal override returns (address created) {
        created = _plain(token0, token1);
        (address[] memory coins,) = _pair(token0, token1);
        registry.add(created, coins);
    }

    function _forge(PlainToken token0, PlainToken token1, uint256 seed) internal override returns (address) {
        return address(new ForgedPool(address(token0), address(token1), seed));
    }

    function _calledFunctions() internal view override returns (address[] memory targets, bytes4[] memory selectors) {
        (targets, selectors) = (new address[](10), new bytes4[](10));
        selectors[0] = ICurvePool.coins.selector;
        selectors[1] = ICurvePool.balances.selector;
        selectors[2] = ICurvePool.A_precise.selector;
        selectors[3] = ICurvePool.fee.selector;
        selectors[4] = ICurvePool.stored_rates.selector;
        selectors[5] = ICurvePool.offpeg_fee_multiplier.selector;
        selectors[6] = ICurvePool.get_dy.selector;
        selectors[7] = ICurvePool.exchange.selector;
        selectors[8] = ICurveRegistry.find_pool_for_coins.selector;
        selectors[9] = ICurveRegistry.get_coin_indices.selector;
        for (uint256 i; i < 10; ++i) {
            targets[i] = i < 8 ? pool : address(registry);
        }
    }

    function _listedOf(uint256 created) internal pure override returns (uint256) {
        return created;
    }

    function _holder() internal view override returns (address) {
        return pool;
    }

    /* SHORTHANDS */

    function _addMeta(PlainToken own, PlainToken share) private returns (address meta) {
        meta = _plain(own, share);
        (address[] memory coins,) = _pair(own, share);
        (address[] memory base,) = _pair(a, b);
        registry.addMeta(meta, coins, base);
    }

    function _addNative(PlainToken other) private returns (address added) {
        (address[] memory coins, uint256[] memory amounts) = _pair(wrapped, other);
        added = address(new NativeStableSwap(coins, amounts, 400, 4e6));
        vm.deal(added, amounts[0]);
        coins[0] = NATIVE_COIN;
        registry.add(added, coins);
    }

    function _plain(PlainToken token0, PlainToken token1) private returns (address) {
        (address[] memory coins, uint256[] memory amounts) = _pair(token0, token1);
        return address(new ReceiverStableSwap(coins, amounts, 400, 4e6));
    }
}
