// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AdapterBase} from "../../src/adapters/AdapterBase.sol";
import {IPositionKeys} from "../../src/adapters/PositionKeys.sol";
import {UniswapV4HooksAdapter} from "../../src/adapters/UniswapV4HooksAdapter.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {HookedPools} from "../fixtures/HookedPools.sol";
import {BEFORE_SWAP, PlainHook} from "../fixtures/Hooks.sol";
import {PlainToken, WrappedToken} from "../fixtures/Tokens.sol";
import {AdapterSafetyCases} from "./AdapterSafetyCases.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";

/// @notice A pool is named by its hooks here: each pool has its own.
contract UniswapV4HooksSafetyTest is AdapterSafetyCases, HookedPools {
    WrappedToken private wrapped;
    mapping(address hooks => PoolKey) private _keys;
    uint256 private _count;

    function test_swap_revertsIf_theTokensAreOthers() public {
        PlainToken c = new PlainToken("C", 18);
        _expectRefusal(key, pool, c, b);
        _expectRefusal(key, pool, a, c);
        _expectRefusal(key, pool, a, a);
    }

    /// @dev Each pool has one key.
    function test_swap_revertsIf_theKeyHasMoreThanTheId(uint8 more) public {
        if (more != 0) _expectRefusal(key | more, address(0), a, b);
    }

    function test_announce_revertsIf_thereIsNoSuchPool() public {
        UniswapV4HooksAdapter hooked = _hooked();
        PoolKey memory known = _keys[pool];
        hooked.announce(known);
        known.fee += 1;
        vm.expectRevert(abi.encodeWithSelector(UniswapV4HooksAdapter.NoHookedPool.selector, known));
        hooked.announce(known);
        known.hooks = IHooks(address(0));
        initializePool(known, 1, 1);
        vm.expectRevert(abi.encodeWithSelector(UniswapV4HooksAdapter.NoHookedPool.selector, known));
        hooked.announce(known);
    }

    /// @dev The venue of plain pools has those.
    function test_keysOf_hasNoPoolWithoutHooks() public {
        PoolKey memory plain = _keys[pool];
        plain.hooks = IHooks(address(0));
        createPool(plain, RESERVE, RESERVE);
        uint256[] memory hints = new uint256[](1);
        hints[0] = idOf(plain);
        assertEq(adapter.keysOf(address(a), address(b), hints).length, 0);
        _expectRefusal(legKeyOf(plain), address(0), a, b);
    }

    function test_unlockCallback_revertsIf_theCallerIsNotThePoolManager() public {
        a.mint(address(adapter), AMOUNT);
        UniswapV4HooksAdapter hooked = _hooked();
        UniswapV4HooksAdapter.Trade memory trade = UniswapV4HooksAdapter.Trade(_keys[pool], true, AMOUNT, user);
        vm.expectRevert();
        hooked.unlockCallback(abi.encode(trade));
    }

    function test_receive_revertsIf_nothingIsExpected() public {
        vm.deal(address(this), 1);
        (bool ok,) = address(adapter).call{value: 1}("");
        assertFalse(ok);
    }

    function test_read_isEmptyIf_thereIsNoPool() public {
        assertEq(_read(key).length, 8);
        assertEq(_read(key + 256).length, 0);
        assertEq(adapter.read(VenueKinds.ADAPTER, address(adapter), address(adapter), 0).length, 0);
    }

    function _hooked() private view returns (UniswapV4HooksAdapter) {
        return UniswapV4HooksAdapter(payable(address(adapter)));
    }

    function _deployAdapter() internal override returns (AdapterBase) {
        wrapped = new WrappedToken("WETH", 18);
        deployV4(address(wrapped));
        return new UniswapV4HooksAdapter(positions, address(wrapped));
    }

    function _createPool(PlainToken token0, PlainToken token1) internal override returns (address) {
        address hooks = placeHook(address(new PlainHook(manager)), BEFORE_SWAP);
        PoolKey memory made =
            PoolKey(Currency.wrap(address(token0)), Currency.wrap(address(token1)), 3000, SPACING, IHooks(hooks));
        createPool(made, RESERVE, RESERVE);
        _keys[hooks] = made;
        return hooks;
    }

    /// @dev There is no such pool.
    function _forge(PlainToken, PlainToken, uint256 seed) internal pure override returns (address) {
        return address(uint160(seed));
    }

    function _keyOf(address hooks) internal view override returns (uint256) {
        return _hintOf(hooks) >> 56 << 8;
    }

    function _hintOf(address hooks) internal view override returns (uint256) {
        PoolKey memory made = _keys[hooks];
        if (address(made.hooks) == address(0)) made = _keys[pool];
        made.hooks = IHooks(hooks);
        return idOf(made);
    }

    /// @dev Of what is not known, nothing is known.
    function _namedOf(uint256) internal pure override returns (address) {
        return address(0);
    }

    function _holder() internal view override returns (address) {
        return address(manager);
    }

    function _calledFunctions() internal view override returns (address[] memory targets, bytes4[] memory selectors) {
        (targets, selectors) = (new address[](2), new bytes4[](2));
        (targets[0], selectors[0]) = (positions, IPositionKeys.poolKeys.selector);
        (targets[1], selectors[1]) = (pool, IHooks.beforeSwap.selector);
    }
}
