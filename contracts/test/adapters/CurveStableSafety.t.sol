// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICurveCoins, ICurveRegistry} from "../../src/adapters/CurvePools.sol";
import {CurveStableAdapter} from "../../src/adapters/CurveStableAdapter.sol";
import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {VenueKind} from "../../src/types/VenueKind.sol";
import {adapterKey} from "../../src/venues/AdapterKey.sol";
import {ICurvePool} from "../../src/venues/CurveStable.sol";
import {CurveRegistry, NATIVE_COIN, NativeStableSwap, ReceiverStableSwap} from "../fixtures/CurveRegistries.sol";
import {SeededAnswers} from "../fixtures/SeededAnswers.sol";
import {PlainStableSwap} from "../fixtures/StableSwapPools.sol";
import {HookToken, PlainToken, TaxedToken, WrappedToken} from "../fixtures/Tokens.sol";
import {Turn, Turned} from "../fixtures/Turned.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

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

/// @notice What nobody can do to the adapter, or through it.
contract CurveStableSafetyTest is Turned {
    VenueKind private constant KIND = VenueKind.wrap(10);
    uint256 private constant FORGED = 10;
    uint256 private constant AMOUNT = 1000e18;
    uint256 private constant READ_GAS = 600_000;
    uint256 private constant QUOTE_GAS = 500_000;
    /// @dev What calling the adapter itself may add.
    uint256 private constant CALL_GAS = 30_000;

    CurveRegistry private registry;
    CurveStableAdapter private adapter;
    WrappedToken private wrapped;
    PlainToken private a;
    PlainToken private b;
    address private pool;
    uint256 private key;
    address private user = makeAddr("user");

    function setUp() public {
        registry = new CurveRegistry(false);
        wrapped = new WrappedToken("WETH", 18);
        vm.deal(address(wrapped), 1e24);
        adapter = new CurveStableAdapter(address(registry), address(wrapped));
        (a, b) = (new PlainToken("A", 18), new PlainToken("B", 18));
        pool = _add(address(a), address(b));
        key = _keyOf(address(a), address(b));
    }

    /* WHICH POOLS */

    function test_keysOf_hasEachPoolOnce() public {
        address second = _add(address(b), address(a));
        uint256[] memory hints = new uint256[](4);
        hints[0] = uint160(pool);
        hints[1] = uint160(second);
        hints[2] = uint160(second);
        hints[3] = uint160(address(this));
        uint256[] memory keys = adapter.keysOf(address(a), address(b), hints);
        assertEq(keys.length, 2);
        bool inOrder = a < b;
        assertEq(keys[0], adapterKey(pool, inOrder ? 0 : 1, inOrder ? 1 : 0));
        assertEq(keys[1], adapterKey(second, inOrder ? 1 : 0, inOrder ? 0 : 1));
        assertEq(abi.encode(adapter.keysOf(address(b), address(a), hints)), abi.encode(keys), "either order");
    }

    function test_keysOf_hasEightOfTheRegistryAndMoreByHints() public {
        uint256[] memory hints = new uint256[](1);
        for (uint256 k = 1; k < 10; ++k) {
            hints[0] = uint160(_add(address(a), address(b)));
        }
        assertEq(adapter.keysOf(address(a), address(b), new uint256[](0)).length, 8);
        uint256[] memory keys = adapter.keysOf(address(a), address(b), hints);
        assertEq(keys.length, 9);
        assertEq(keys[8] >> 8, hints[0]);
    }

    function test_keysOf_ignoresHintsThatAreNoAddress() public {
        address other = address(_plain(address(a), address(b)));
        uint256[] memory hints = new uint256[](2);
        (hints[0], hints[1]) = (uint256(uint160(pool)) | 1 << 160, uint160(other));
        assertEq(adapter.keysOf(address(a), address(b), hints).length, 1);
        assertEq(adapter.keysOf(address(a), address(a), hints).length, 0, "a token and itself");
    }

    function test_keysOf_tradesAMetapoolForItsOwnTokensOnly() public {
        (PlainToken own, PlainToken share) = (new PlainToken("OWN", 18), new PlainToken("SHARE", 18));
        address meta = address(_plain(address(own), address(share)));
        registry.addMeta(meta, _pair(address(own), address(share)), _pair(address(a), address(b)));
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
        _add(address(wrapped), address(b));
        address native = _addNative(b);
        uint256[] memory keys = adapter.keysOf(address(wrapped), address(b), new uint256[](0));
        assertEq(keys.length, 2);
        assertEq(keys[1] >> 8, uint160(native));
    }

    /// @dev The native token counts as the wrapped one. A metapool holds its own tokens alone.
    function test_heldBy_namesTheTokensOfEachHintedPool() public {
        (PlainToken own, PlainToken share) = (new PlainToken("OWN", 18), new PlainToken("SHARE", 18));
        address meta = address(_plain(address(own), address(share)));
        registry.addMeta(meta, _pair(address(own), address(share)), _pair(address(a), address(b)));
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
        (hints[0], hints[1]) = (uint160(pool), uint160(_add(address(a), address(b))));
        address[] memory tokens = new address[](2);
        (tokens[0], tokens[1]) = (address(a), address(b));
        for (uint256 how = 1; how < TURNS; ++how) {
            uint256 snapshot = vm.snapshotState();
            turn(pool, ICurveCoins.coins.selector, Turn(how));
            assertEq(adapter.heldBy{gas: 800_000}(hints, tokens)[1], 3, "the other pool");
            vm.revertToStateAndDelete(snapshot);
        }
    }

    /// @dev As many hints as a search takes, with the gas that it gives. Seven burn what they may for each coin, and name one.
    function test_heldBy_tellsTheLastHintIf_allOthersBurnGas() public {
        uint256[] memory hints = new uint256[](8);
        for (uint256 i; i < 7; ++i) {
            hints[i] = uint160(address(new SlowPool()));
        }
        hints[7] = uint160(pool);
        assertEq(adapter.heldBy{gas: 800_000}(hints, _pair(address(a), address(b)))[7], 3);
    }

    /* FORGED POOLS */

    function testFuzz_swap_revertsIf_thePoolIsForged(uint256 seed) public {
        for (uint256 k; k < FORGED; ++k) {
            address forged = address(new ForgedPool(address(a), address(b), uint256(keccak256(abi.encode(seed, k)))));
            _expectForged(adapterKey(forged, 0, 1), forged);
            uint256[] memory hints = new uint256[](1);
            hints[0] = uint160(forged);
            assertEq(adapter.keysOf(address(a), address(b), hints).length, 1, "the honest one alone");
        }
    }

    function testFuzz_swap_revertsIf_theKeyIsAnother(uint256 other) public {
        other = uint208(other);
        if (uint168(other) == uint168(key)) return;
        _expectForged(other, address(uint160(other >> 8)));
    }

    function test_swap_revertsIf_onlyTheCodeIsThePools() public {
        address copy = makeAddr("copy");
        vm.etch(copy, pool.code);
        for (uint256 slot; slot < 4; ++slot) {
            vm.store(copy, bytes32(slot), vm.load(pool, bytes32(slot)));
        }
        _expectForged(key & 255 | uint256(uint160(copy)) << 8, copy);
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

    function test_swap_revertsIf_lessArrived() public {
        a.mint(address(adapter), AMOUNT - 1);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotPaid.selector, address(a), AMOUNT, AMOUNT - 1));
        adapter.swap(key, address(a), address(b), AMOUNT, user);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotPaid.selector, address(b), 0, 0));
        adapter.swap(key, address(b), address(a), 0, user);
    }

    function test_swap_revertsIf_theTokenIsTaxed() public {
        TaxedToken taxed = new TaxedToken("TAXED", 18, 100);
        _add(address(taxed), address(b));
        uint256 other = _keyOf(address(taxed), address(b));
        taxed.mint(address(this), AMOUNT);
        taxed.transfer(address(adapter), AMOUNT);
        uint256 arrived = AMOUNT - AMOUNT / 100;
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotPaid.selector, address(taxed), AMOUNT, arrived));
        adapter.swap(other, address(taxed), address(b), AMOUNT, user);
    }

    function test_swap_sellsAllThatItHolds() public {
        uint256 quoted = _quote(key, a < b, AMOUNT);
        a.mint(address(adapter), AMOUNT);
        assertEq(adapter.swap(key, address(a), address(b), 0, user), quoted);
        assertEq(b.balanceOf(user), quoted);
    }

    function testFuzz_swap_isTheSameWithDonations(uint256 ofA, uint256 ofB, uint256 native, bool throughNative) public {
        (ofA, ofB, native) = (bound(ofA, 1, 1e30), bound(ofB, 1, 1e30), bound(native, 1, 1e24));
        uint256 traded = key;
        address sold = address(a);
        if (throughNative) {
            _addNative(b);
            (traded, sold) = (_keyOf(address(wrapped), address(b)), address(wrapped));
        }
        for (uint256 turn; turn < 2; ++turn) {
            (address tokenIn, address tokenOut) = turn == 0 ? (sold, address(b)) : (address(b), sold);
            uint256 quoted = _quote(traded, tokenIn < tokenOut, AMOUNT);
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

    /* REENTRANCY */

    /// @dev The token sold calls while the pool takes it, when the adapter holds what a donation left.
    function test_swap_cannotBeReentered() public {
        HookToken hooked = new HookToken("HOOK", 18);
        _add(address(hooked), address(b));
        uint256 other = _keyOf(address(hooked), address(b));
        uint256 quoted = _quote(other, hooked < b, AMOUNT);
        hooked.mint(address(adapter), AMOUNT);
        b.mint(address(adapter), AMOUNT);
        bytes memory theft = abi.encodeCall(adapter.swap, (key, address(b), address(a), 0, address(this)));
        hooked.setHook(address(adapter), theft, true);
        assertEq(adapter.swap(other, address(hooked), address(b), AMOUNT, user), quoted);
        assertGt(hooked.hookCalls(), 0);
        assertFalse(hooked.hookSucceeded());
        assertEq(
            hooked.hookAnswer(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
    }

    /* HOSTILE ANSWERS */

    function test_pricing_costsNoMoreThanItsGasWhateverAPoolAnswers() public {
        bytes4[8] memory selectors = [
            ICurvePool.coins.selector,
            ICurvePool.balances.selector,
            ICurvePool.A_precise.selector,
            ICurvePool.fee.selector,
            ICurvePool.stored_rates.selector,
            ICurvePool.offpeg_fee_multiplier.selector,
            ICurvePool.get_dy.selector,
            ICurvePool.exchange.selector
        ];
        uint256[] memory state = adapter.read(KIND, address(adapter), address(adapter), key);
        for (uint256 i; i < selectors.length; ++i) {
            for (uint256 how = 1; how < TURNS; ++how) {
                if (Turn(how) == Turn.Reenters) continue;
                uint256 snapshot = vm.snapshotState();
                turn(pool, selectors[i], Turn(how));
                _priceWithinGas(state);
                _swapOrRevert();
                vm.revertToStateAndDelete(snapshot);
            }
        }
    }

    function test_keysOf_survivesWhateverTheRegistryAnswers() public {
        bytes4[2] memory selectors =
            [ICurveRegistry.find_pool_for_coins.selector, ICurveRegistry.get_coin_indices.selector];
        uint256[] memory hints = new uint256[](1);
        hints[0] = uint160(pool);
        for (uint256 i; i < selectors.length; ++i) {
            for (uint256 how = 1; how < TURNS; ++how) {
                if (Turn(how) == Turn.Reenters) continue;
                uint256 snapshot = vm.snapshotState();
                turn(address(registry), selectors[i], Turn(how));
                uint256[] memory keys = adapter.keysOf(address(a), address(b), hints);
                assertEq(keys.length, i == 0 ? 1 : 0);
                if (i == 0) assertEq(keys[0], key);
                vm.revertToStateAndDelete(snapshot);
            }
        }
    }

    /* SHORTHANDS */

    function _priceWithinGas(uint256[] memory state) private view {
        uint256 gas = gasleft();
        try adapter.read{gas: READ_GAS}(KIND, address(adapter), address(adapter), key) {} catch {}
        assertLt(gas - gasleft(), READ_GAS + CALL_GAS);
        gas = gasleft();
        try adapter.quote{gas: QUOTE_GAS}(KIND, address(adapter), state, true, AMOUNT) {} catch {}
        assertLt(gas - gasleft(), QUOTE_GAS + CALL_GAS);
        uint256[] memory hints = new uint256[](1);
        hints[0] = uint160(pool);
        adapter.keysOf(address(a), address(b), hints);
    }

    /// @dev A swap pays what it says, or nothing moves.
    function _swapOrRevert() private {
        a.mint(address(adapter), AMOUNT);
        try adapter.swap{gas: 2_000_000}(key, address(a), address(b), AMOUNT, user) {
            assertEq(a.balanceOf(address(adapter)), 0, "all was sold");
        } catch {
            assertEq(b.balanceOf(user), 0);
        }
        assertEq(a.allowance(address(adapter), pool), 0);
        assertEq(b.balanceOf(address(adapter)), 0);
    }

    function _expectForged(uint256 forgedKey, address forged) private {
        a.mint(address(adapter), AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, forged));
        adapter.swap(forgedKey, address(a), address(b), AMOUNT, user);
    }

    function _quote(uint256 key_, bool zeroForOne, uint256 amountIn) private view returns (uint256 amountOut) {
        uint256[] memory state = adapter.read(KIND, address(adapter), address(adapter), key_);
        (amountOut,) = adapter.quote(KIND, address(adapter), state, zeroForOne, amountIn);
        assertGt(amountOut, 0);
    }

    function _keyOf(address x, address y) private view returns (uint256) {
        return adapter.keysOf(x, y, new uint256[](0))[0];
    }

    function _add(address x, address y) private returns (address added) {
        added = address(_plain(x, y));
        registry.add(added, _pair(x, y));
    }

    function _addNative(PlainToken other) private returns (address added) {
        (address[] memory coins, uint256[] memory amounts) = (_pair(address(wrapped), address(other)), _amounts());
        added = address(new NativeStableSwap(coins, amounts, 400, 4e6));
        vm.deal(added, amounts[0]);
        coins[0] = NATIVE_COIN;
        registry.add(added, coins);
    }

    function _plain(address x, address y) private returns (PlainStableSwap) {
        return new ReceiverStableSwap(_pair(x, y), _amounts(), 400, 4e6);
    }

    function _pair(address x, address y) private pure returns (address[] memory pair) {
        pair = new address[](2);
        (pair[0], pair[1]) = (x, y);
    }

    function _amounts() private pure returns (uint256[] memory amounts) {
        amounts = new uint256[](2);
        (amounts[0], amounts[1]) = (1e24, 1e24);
    }
}
