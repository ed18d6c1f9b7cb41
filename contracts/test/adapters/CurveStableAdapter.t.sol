// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Sampler} from "../../src/Sampler.sol";
import {CurveStableAdapter} from "../../src/adapters/CurveStableAdapter.sol";
import {VenueKind} from "../../src/types/VenueKind.sol";
import {adapterKey, adapterPool} from "../../src/venues/AdapterKey.sol";
import {
    CurveRegistry,
    MovingStableSwap,
    NATIVE_COIN,
    NativeStableSwap,
    ReceiverStableSwap
} from "../fixtures/CurveRegistries.sol";
import {NgStableSwap, OldStableSwap, StableSwapPool} from "../fixtures/StableSwapPools.sol";
import {PlainToken, WrappedToken} from "../fixtures/Tokens.sol";
import {SampledAdapterCases} from "./SampledAdapterCases.sol";

/// @notice Quotes and curves, against the tests' own pools of every form that the adapter knows.
contract CurveStableAdapterTest is SampledAdapterCases {
    uint256 private constant FORMS = 5;
    uint256 private constant NATIVE = 3;
    uint256 private constant MOVING = 4;

    CurveRegistry private registry;
    CurveStableAdapter private adapter;
    WrappedToken private wrapped;

    function setUp() public override {
        super.setUp();
        registry = new CurveRegistry(true);
        wrapped = new WrappedToken("WETH", 18);
        vm.deal(address(wrapped), type(uint128).max);
        adapter = new CurveStableAdapter(address(registry), address(wrapped));
        sampler = Sampler(address(adapter));
    }

    function _subject(uint256 seed) internal override returns (Subject memory) {
        return _subjectOf(seed, 1);
    }

    function _lopsided(uint256 seed) internal override returns (Subject memory) {
        return _subjectOf(seed, 10_000);
    }

    /// @dev With up to `most` times more of a token than its share.
    function _subjectOf(uint256 seed, uint256 most) private returns (Subject memory subject) {
        uint256 form = seed % FORMS;
        uint256 n = form == NATIVE ? 2 : 2 + (seed >> 32) % 3;
        address[] memory coins = new address[](n);
        uint256[] memory amounts = new uint256[](n);
        uint256 whole = 2000 * 10 ** _between(seed >> 64, 0, 4);
        uint256 spread = 1 + (seed >> 48) % 6;
        for (uint256 i; i < n; ++i) {
            bool isNative = form == NATIVE && i == 0;
            coins[i] =
                isNative ? address(wrapped) : address(new PlainToken("C", uint8(_between(seed >> (8 * i), 6, 18))));
            uint256 unit = 10 ** PlainToken(coins[i]).decimals();
            amounts[i] = whole * _between(seed >> (72 + 16 * i), 1000, 1000 * spread) * unit / 1000;
            amounts[i] *= 1 + uint256(keccak256(abi.encode(seed, i))) % most;
        }
        (subject.deployer, subject.pool) = (address(adapter), address(adapter));
        subject.kind = VenueKind.wrap(10);
        uint256 i0 = (seed >> 176) % n;
        uint256 i1 = (i0 + 1 + (seed >> 180) % (n - 1)) % n;
        if (coins[i0] > coins[i1]) (i0, i1) = (i1, i0);
        (subject.token0, subject.token1) = (PlainToken(coins[i0]), PlainToken(coins[i1]));
        address pool = _pool(form, seed >> 136, coins, amounts);
        if (form == NATIVE) coins[0] = NATIVE_COIN;
        registry.add(pool, coins);
        subject.key = adapter.keysOf(address(subject.token0), address(subject.token1), new uint256[](0))[0];
        assertEq(subject.key, adapterKey(pool, i0, i1));
    }

    function _pool(uint256 form, uint256 seed, address[] memory coins, uint256[] memory amounts)
        private
        returns (address pool)
    {
        uint256 amp = _between(seed, 10, 5000);
        uint256 fee = _between(seed >> 16, 0, 1e8);
        if (form == 0) return address(new ReceiverStableSwap(coins, amounts, amp, fee));
        if (form == 1) return address(new OldStableSwap(coins, amounts, amp, fee));
        uint256 rate = _between(seed >> 64, 0.9e18, 1.3e18);
        uint256 multiplier = (seed >> 96) % 2 * 5e10;
        if (form == 2) return address(new NgStableSwap(coins, amounts, amp, fee, multiplier, rate));
        if (form == MOVING) {
            return address(new MovingStableSwap(coins, amounts, amp, _between(seed, 1, 99), fee, multiplier, rate));
        }
        pool = address(new NativeStableSwap(coins, amounts, amp, fee));
        vm.deal(pool, amounts[0]);
    }

    /// @dev Where the fee moves, the curve has the lowest it may be.
    function _tightness(Subject memory subject) internal view override returns (uint256) {
        if (StableSwapPool(_poolOf(subject)).coins(0) == NATIVE_COIN) return TIGHTNESS;
        try NgStableSwap(_poolOf(subject)).offpeg_fee_multiplier() returns (uint256 multiplier) {
            return multiplier == 0 ? TIGHTNESS : 1e8;
        } catch {
            return TIGHTNESS;
        }
    }

    /// @dev The fee is taken from the output.
    function _mostOut(Subject memory subject, uint256 reserveOut) internal view override returns (uint256) {
        return reserveOut - reserveOut * StableSwapPool(_poolOf(subject)).fee() / 1e10;
    }

    function _isShared() internal pure override returns (bool) {
        return true;
    }

    function pay(Subject memory subject, bool zeroForOne, uint256 amountIn) external override returns (uint256) {
        return _payThrough(adapter, subject, zeroForOne, amountIn, _poolOf(subject));
    }

    function _reserves(Subject memory subject, bool zeroForOne) internal view override returns (uint256, uint256) {
        StableSwapPool pool = StableSwapPool(_poolOf(subject));
        (uint256 reserve0, uint256 reserve1) = (pool.balances(subject.key >> 4 & 15), pool.balances(subject.key & 15));
        return zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
    }

    function _poolOf(Subject memory subject) private pure returns (address) {
        return adapterPool(subject.key);
    }
}
