// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AdapterBase} from "../../src/adapters/AdapterBase.sol";
import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {PriceFloor} from "../../src/math/PriceFloor.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {adapterKey, adapterPool} from "../../src/venues/AdapterKey.sol";
import {HookToken, PlainToken, TaxedToken} from "../fixtures/Tokens.sol";
import {Turn, Turned} from "../fixtures/Turned.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @notice What nobody can do to an adapter whose pools come as hints, or through it.
abstract contract AdapterSafetyCases is Turned {
    uint256 internal constant AMOUNT = 1000e18;
    uint256 internal constant RESERVE = 1e24;
    uint256 private constant READ_GAS = 600_000;
    uint256 private constant QUOTE_GAS = 500_000;
    uint256 private constant KEYS_GAS = 800_000;
    uint256 private constant SWAP_GAS = 3_000_000;
    /// @dev What calling the adapter itself may add.
    uint256 private constant CALL_GAS = 30_000;

    AdapterBase internal adapter;
    PlainToken internal a;
    PlainToken internal b;
    address internal pool;
    uint256 internal key;
    address internal user = makeAddr("user");

    /* WHAT AN ADAPTER TEACHES */

    /// @dev Deploys the registry and the adapter.
    function _deployAdapter() internal virtual returns (AdapterBase);
    /// @dev A pool of the registry's, with `RESERVE` of two tokens in the order of their addresses.
    function _createPool(PlainToken token0, PlainToken token1) internal virtual returns (address);
    /// @dev A contract that poses as a pool of two tokens.
    function _forge(PlainToken token0, PlainToken token1, uint256 seed) internal virtual returns (address);
    /// @dev What is called of the registry and of a pool, and whose answers hostile code may change.
    function _calledFunctions() internal view virtual returns (address[] memory targets, bytes4[] memory selectors);

    /// @dev How many pools of two tokens the registry lists without a hint, if this many were created.
    function _listedOf(uint256) internal view virtual returns (uint256) {
        return 0;
    }

    /// @dev Whether the registry may have pools of two tokens that it does not list for them.
    function _needsHints() internal view virtual returns (bool) {
        return true;
    }

    /// @dev Whether a pool counts whatever it holds beyond its reserves as sold.
    function _sellsDonations() internal view virtual returns (bool) {
        return false;
    }

    /// @dev The key, the hint and the name in a refusal of a pool: those of pools that are contracts, unless an adapter teaches
    /// others.
    function _keyOf(address pool_) internal view virtual returns (uint256) {
        return adapterKey(pool_, 0, 1);
    }

    function _hintOf(address pool_) internal view virtual returns (uint256) {
        return uint160(pool_);
    }

    function _namedOf(uint256 key_) internal view virtual returns (address) {
        return adapterPool(key_);
    }

    function setUp() public virtual {
        adapter = _deployAdapter();
        (a, b) = _sorted(new PlainToken("A", 18), new PlainToken("B", 18));
        pool = _createPool(a, b);
        key = _keyOf(pool);
    }

    /* WHICH POOLS */

    function test_keysOf_hasEachHintedPoolOnceAndNoOther() public virtual {
        address second = _createPool(a, b);
        uint256[] memory hints = new uint256[](5);
        (hints[0], hints[1], hints[2]) = (_hintOf(pool), _hintOf(second), _hintOf(second));
        (hints[3], hints[4]) = (uint160(address(this)), _hintOf(pool) ^ 1 << 160);
        uint256[] memory keys = adapter.keysOf(address(b), address(a), hints);
        assertEq(keys.length, 2);
        assertEq(keys[0], key);
        assertEq(keys[1], _keyOf(second));
        assertEq(adapter.keysOf(address(a), address(b), new uint256[](0)).length, _listedOf(2), "without a hint");
        assertEq(adapter.keysOf(address(a), address(this), hints).length, 0, "for another token");
        assertEq(adapter.keysOf(address(a), address(a), hints).length, 0, "for one token");
    }

    function test_heldBy_namesTheTokensOfEachHintedPool() public {
        PlainToken c = new PlainToken("C", 18);
        (PlainToken first, PlainToken second) = _sorted(a, c);
        uint256[] memory hints = new uint256[](4);
        (hints[0], hints[1]) = (_hintOf(pool), uint160(address(this)));
        (hints[2], hints[3]) = (_hintOf(_createPool(first, second)), _hintOf(pool) ^ 1 << 160);
        address[] memory tokens = new address[](5);
        (tokens[0], tokens[1], tokens[2]) = (address(b), address(this), address(c));
        (tokens[3], tokens[4]) = (address(a), makeAddr("other"));
        uint256[] memory held = adapter.heldBy(hints, tokens);
        assertEq(held.length, 4);
        assertEq(held[0], _needsHints() ? 9 : 0, "the pool of a and b");
        assertEq(held[1], 0, "no pool");
        assertEq(held[2], _needsHints() ? 12 : 0, "the pool of a and c");
        assertEq(held[3], 0, "no pool's hint");
        assertEq(adapter.heldBy(hints, new address[](0))[0], 0, "no tokens");
        assertEq(adapter.heldBy(new uint256[](0), tokens).length, 0, "no hints");
    }

    /// @dev As many hints as a search takes, with the gas that it gives.
    function test_heldBy_tellsTheLastHintIf_allOthersBurnGas() public {
        uint256[] memory hints = new uint256[](8);
        for (uint256 i; i < 7; ++i) {
            address burning = address(uint160(0xB00000 + i));
            // Jumps to itself.
            vm.etch(burning, hex"5b600056");
            hints[i] = uint160(burning);
        }
        hints[7] = _hintOf(pool);
        address[] memory inPlay = new address[](2);
        (inPlay[0], inPlay[1]) = (address(a), address(b));
        assertEq(adapter.heldBy{gas: KEYS_GAS}(hints, inPlay)[7], _needsHints() ? 3 : 0);
    }

    /// @dev Ten at a time, so that a thousand runs are ten thousand pools.
    function testFuzz_swap_revertsIf_thePoolIsForged(uint256 seed) public {
        uint256[] memory hints = new uint256[](1);
        for (uint256 k; k < 10; ++k) {
            address forged = _forge(a, b, uint256(keccak256(abi.encode(seed, k))));
            _expectRefusal(_keyOf(forged), _namedOf(_keyOf(forged)), a, b);
            hints[0] = _hintOf(forged);
            assertEq(adapter.keysOf(address(a), address(b), hints).length, _listedOf(1));
        }
    }

    function testFuzz_swap_revertsIf_theKeyIsOfAnotherPool(uint256 other) public {
        other = uint208(other);
        if (other >> 8 != key >> 8) _expectRefusal(other, _namedOf(other), a, b);
    }

    function test_swap_revertsIf_onlyTheCodeIsThePools() public {
        address copy = makeAddr("copy");
        vm.etch(copy, pool.code);
        _expectRefusal(_keyOf(copy), _namedOf(_keyOf(copy)), a, b);
    }

    /* WHAT IS PAID */

    function test_swap_revertsIf_lessArrived() public {
        TaxedToken taxed = new TaxedToken("TAXED", 18, 100);
        a.mint(address(adapter), AMOUNT - 1);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotPaid.selector, address(a), AMOUNT, AMOUNT - 1));
        adapter.swap(key, address(a), address(b), AMOUNT, user);
        taxed.mint(address(this), AMOUNT);
        taxed.transfer(address(adapter), AMOUNT);
        vm.expectPartialRevert(IAdapter.NotPaid.selector);
        adapter.swap(key, address(taxed), address(b), AMOUNT, user);
    }

    function testFuzz_swap_isTheSameWithDonations(uint256 ofA, uint256 ofB, bool zeroForOne) public {
        (PlainToken sold, PlainToken bought) = zeroForOne ? (a, b) : (b, a);
        (ofA, ofB) = (bound(ofA, 1, 1e30), bound(ofB, 1, 1e30));
        uint256 quoted = _quote(key, zeroForOne);
        sold.mint(address(adapter), ofA + AMOUNT);
        bought.mint(address(adapter), ofB);
        if (!_sellsDonations()) sold.mint(_holder(), ofA);
        assertEq(adapter.swap(key, address(sold), address(bought), AMOUNT, user), quoted);
        assertEq(bought.balanceOf(user), quoted);
        assertEq(sold.balanceOf(address(adapter)), ofA);
        assertEq(bought.balanceOf(address(adapter)), ofB);
    }

    function test_swap_sellsAllThatItHolds() public {
        uint256 quoted = _quote(key, true);
        a.mint(address(adapter), AMOUNT);
        assertEq(adapter.swap(key, address(a), address(b), 0, user), quoted);
        assertEq(b.balanceOf(user), quoted);
        assertEq(a.balanceOf(address(adapter)), 0);
    }

    function test_swap_paysNoLessThanThePriceFloor() public {
        uint256 quoted = _quote(key, true);
        a.mint(address(adapter), 2 * AMOUNT);
        uint256 floor = PriceFloor.inKey(AMOUNT, quoted);
        uint256 snapshot = vm.snapshotState();
        assertEq(adapter.swap(key | floor, address(a), address(b), AMOUNT, user), quoted);
        vm.revertToStateAndDelete(snapshot);
        // A part in a million more, which is finer than any floor is rounded.
        floor = PriceFloor.inKey(AMOUNT, quoted + quoted / 1e6 + 1);
        uint256 least = PriceFloor.leastOut(floor, AMOUNT);
        assertGt(least, quoted);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.BelowPriceFloor.selector, least, quoted));
        adapter.swap(key | floor, address(a), address(b), AMOUNT, user);
        // All that the adapter holds is twice as much, for which the price is lower.
        vm.expectPartialRevert(IAdapter.BelowPriceFloor.selector);
        adapter.swap(key | floor, address(a), address(b), 0, user);
    }

    /* REENTRANCY */

    /// @dev The token sold calls while it is taken, when the adapter holds what a donation left.
    function test_swap_cannotBeReentered() public {
        HookToken hooked = new HookToken("HOOK", 18);
        (PlainToken token0, PlainToken token1) = _sorted(hooked, b);
        uint256 other = _keyOf(_createPool(token0, token1));
        uint256 quoted = _quote(other, hooked < b);
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

    function test_adapter_survivesWhateverIsAnswered() public {
        (address[] memory targets, bytes4[] memory selectors) = _calledFunctions();
        uint256[] memory state = _read(key);
        for (uint256 i; i < selectors.length; ++i) {
            for (uint256 how = 1; how < TURNS; ++how) {
                uint256 snapshot = vm.snapshotState();
                turn(targets[i], selectors[i], Turn(how));
                reenter(targets[i], address(adapter), IAdapter.registry.selector);
                _priceWithinGas(state);
                _swapOrRevert();
                vm.revertToStateAndDelete(snapshot);
            }
        }
    }

    function _priceWithinGas(uint256[] memory state) private {
        uint256 gas = gasleft();
        try adapter.read{gas: READ_GAS}(VenueKinds.ADAPTER, address(adapter), address(adapter), key) {} catch {}
        assertLt(gas - gasleft(), READ_GAS + CALL_GAS);
        gas = gasleft();
        try adapter.quote{gas: QUOTE_GAS}(VenueKinds.ADAPTER, address(adapter), state, true, AMOUNT) {} catch {}
        assertLt(gas - gasleft(), QUOTE_GAS + CALL_GAS);
        uint256[] memory hints = new uint256[](1);
        hints[0] = _hintOf(pool);
        adapter.keysOf{gas: KEYS_GAS}(address(a), address(b), hints);
        address[] memory tokens = new address[](2);
        (tokens[0], tokens[1]) = (address(a), address(b));
        adapter.heldBy{gas: KEYS_GAS}(hints, tokens);
    }

    /// @dev A swap pays what it says, or nothing moves.
    function _swapOrRevert() private {
        a.mint(address(adapter), AMOUNT);
        try adapter.swap{gas: SWAP_GAS}(key, address(a), address(b), AMOUNT, user) returns (uint256 amountOut) {
            assertEq(a.balanceOf(address(adapter)), 0, "all was sold");
            assertEq(b.balanceOf(user), amountOut, "says what it paid");
        } catch {
            assertEq(b.balanceOf(user), 0);
            assertEq(a.balanceOf(address(adapter)), AMOUNT);
        }
        assertEq(a.allowance(address(adapter), _holder()), 0);
        assertEq(b.balanceOf(address(adapter)), 0);
    }

    /* SHORTHANDS */

    /// @dev Who keeps the pools' tokens.
    function _holder() internal view virtual returns (address);

    function _expectRefusal(uint256 key_, address refused, PlainToken sold, PlainToken bought) internal {
        sold.mint(address(adapter), AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, refused));
        adapter.swap(key_, address(sold), address(bought), AMOUNT, user);
    }

    function _read(uint256 key_) internal returns (uint256[] memory) {
        return adapter.read(VenueKinds.ADAPTER, address(adapter), address(adapter), key_);
    }

    function _quote(uint256 key_, bool zeroForOne) internal returns (uint256 amountOut) {
        (amountOut,) = adapter.quote(VenueKinds.ADAPTER, address(adapter), _read(key_), zeroForOne, AMOUNT);
        assertGt(amountOut, 0);
    }

    function _pair(PlainToken token0, PlainToken token1)
        internal
        pure
        returns (address[] memory tokens, uint256[] memory amounts)
    {
        (tokens, amounts) = (new address[](2), new uint256[](2));
        (tokens[0], tokens[1]) = (address(token0), address(token1));
        (amounts[0], amounts[1]) = (RESERVE, RESERVE);
    }

    function _sorted(PlainToken x, PlainToken y) internal pure returns (PlainToken, PlainToken) {
        return x < y ? (x, y) : (y, x);
    }
}
