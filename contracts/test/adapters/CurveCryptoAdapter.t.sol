// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Sampler} from "../../src/Sampler.sol";
import {CurveCryptoAdapter, ICryptoPool} from "../../src/adapters/CurveCryptoAdapter.sol";
import {ICurveCoins} from "../../src/adapters/CurvePools.sol";
import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {ISampler} from "../../src/interfaces/ISampler.sol";
import {VenueKind} from "../../src/types/VenueKind.sol";
import {adapterKey, adapterPool} from "../../src/venues/AdapterKey.sol";
import {CryptoSwapPool, ReceiverCryptoSwap} from "../fixtures/CryptoSwapPools.sol";
import {CurveRegistry} from "../fixtures/CurveRegistries.sol";
import {drawnOut} from "../fixtures/DrawnCurve.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {Turn, Turned} from "../fixtures/Turned.sol";
import {SampledAdapterCases} from "./SampledAdapterCases.sol";

/// @notice Against the tests' own pools of two and three tokens.
/// forge-config: default.fuzz.runs = 100
contract CurveCryptoAdapterTest is SampledAdapterCases, Turned {
    uint256 private constant READ_GAS = 600_000;
    uint256 private constant QUOTE_GAS = 500_000;
    uint256 private constant DRAW_GAS = 2_000_000;
    /// @dev What calling the adapter itself may add.
    uint256 private constant CALL_GAS = 30_000;
    /// @dev In parts of 1e9: where the fee moves, the curve has the lowest of each interval.
    uint256 private constant MOVING_FEE_TIGHTNESS = 5_000_000;

    uint256 private constant DUST_PARTS = 1e8;

    CurveRegistry private registry;
    CurveCryptoAdapter private adapter;

    function setUp() public override {
        super.setUp();
        registry = new CurveRegistry(false);
        adapter = new CurveCryptoAdapter(address(registry), makeAddr("wrapped"));
        sampler = Sampler(address(adapter));
    }

    function _subject(uint256 seed) internal override returns (Subject memory) {
        return _subjectOf(seed, 1);
    }

    function _lopsided(uint256 seed) internal override returns (Subject memory) {
        return _subjectOf(seed, 40);
    }

    /// @dev With up to `most` times more of a token than its share.
    function _subjectOf(uint256 seed, uint256 most) private returns (Subject memory subject) {
        uint256 n = 2 + seed % 2;
        (address[] memory coins, uint256[] memory amounts, uint256[] memory scales) = _holdings(seed, n);
        for (uint256 k; k < n; ++k) {
            amounts[k] *= 1 + uint256(keccak256(abi.encode(seed, k))) % most;
        }
        address pool = _pool(seed, n, coins, amounts, scales);
        registry.add(pool, coins);
        (subject.kind, subject.deployer, subject.pool) = (VenueKind.wrap(10), address(adapter), address(adapter));
        uint256 i0 = (seed >> 176) % n;
        uint256 i1 = (i0 + 1 + (seed >> 180) % (n - 1)) % n;
        if (coins[i0] > coins[i1]) (i0, i1) = (i1, i0);
        (subject.token0, subject.token1) = (PlainToken(coins[i0]), PlainToken(coins[i1]));
        subject.key = adapter.keysOf(coins[i0], coins[i1], new uint256[](0))[0];
        assertEq(subject.key, adapterKey(pool, i0, i1));
    }

    /// @dev Some thousands to some millions of the first token's worth of each, within a third of each other.
    function _holdings(uint256 seed, uint256 n)
        private
        returns (address[] memory coins, uint256[] memory amounts, uint256[] memory scales)
    {
        (coins, amounts, scales) = (new address[](n), new uint256[](n), new uint256[](n - 1));
        uint256 whole = 2000 * 10 ** _between(seed >> 64, 0, 4);
        for (uint256 k; k < n; ++k) {
            coins[k] = address(new PlainToken("C", uint8(_between(seed >> (8 * k), 6, 18))));
            uint256 scale = k == 0 ? 1e18 : _between(seed >> (16 * k), 1e15, 1e20);
            if (k != 0) scales[k - 1] = scale;
            uint256 value = whole * _between(seed >> (72 + 16 * k), 750, 1250) / 1000;
            amounts[k] = value * 10 ** PlainToken(coins[k]).decimals() * 1e18 / scale;
        }
    }

    function _pool(uint256 seed, uint256 n, address[] memory coins, uint256[] memory amounts, uint256[] memory scales)
        private
        returns (address)
    {
        CryptoSwapPool.Parameters memory parameters = CryptoSwapPool.Parameters({
            ann: n ** n * 1e4 * _between(seed >> 120, 1, 100),
            gamma: 10 ** _between(seed >> 136, 12, 15),
            midFee: _between(seed >> 152, 1e5, 3e7),
            outFee: _between(seed >> 168, 3e7, 8e7),
            feeGamma: 10 ** _between(seed >> 184, 14, 17)
        });
        if (seed >> 200 & 1 == 0) return address(new CryptoSwapPool(coins, amounts, scales, parameters));
        return address(new ReceiverCryptoSwap(coins, amounts, scales, parameters));
    }

    function _tightness(Subject memory) internal pure override returns (uint256) {
        return MOVING_FEE_TIGHTNESS;
    }

    /// @dev Less than that is dust, whose output is mostly what the pool's own balances were rounded by.
    function _amount(Subject memory subject, bool zeroForOne, uint256 part, uint256 halvings)
        internal
        view
        override
        returns (uint256)
    {
        (uint256 reserveIn,) = _reserves(subject, zeroForOne);
        return super._amount(subject, zeroForOne, part, halvings) + reserveIn / DUST_PARTS;
    }

    function pay(Subject memory subject, bool zeroForOne, uint256 amountIn) external override returns (uint256) {
        return _payThrough(adapter, subject, zeroForOne, amountIn, adapterPool(subject.key));
    }

    function _reserves(Subject memory subject, bool zeroForOne) internal view override returns (uint256, uint256) {
        CryptoSwapPool pool = CryptoSwapPool(adapterPool(subject.key));
        (uint256 reserve0, uint256 reserve1) = (pool.balances(subject.key >> 4 & 15), pool.balances(subject.key & 15));
        return zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
    }

    /* PARTS OF ONE LINE */

    /// @dev Whatever the focus of each part, the whole is nowhere below the pool.
    function testFuzz_draw_ofPartsWithOtherFocusesIsNotBelowThePool(uint256 seed, bool zeroForOne, uint256 part)
        public
    {
        Subject memory subject = _read(_subject(seed));
        uint256 amountIn = _amount(subject, zeroForOne, part, 12);
        (uint256 quoted,) = _quote(subject, zeroForOne, amountIn);
        if (quoted == 0) return;
        (uint256 drawn, uint256 count) = _drawInParts(subject, zeroForOne, amountIn);
        assertGe(drawn + (drawn >> 28) + 1 + count, quoted, "below");
    }

    function _drawInParts(Subject memory subject, bool zeroForOne, uint256 amountIn)
        private
        view
        returns (uint256 drawn, uint256 count)
    {
        ISampler.Drawing memory part;
        part.open = true;
        uint256 left = amountIn + 2;
        for (uint256 turn; part.open && left != 0; ++turn) {
            uint256 gas = gasleft();
            uint256 focus = turn % 3 == 0 ? 0 : amountIn * (1 + turn % 4) / 3;
            part = _draw(subject, zeroForOne, ISampler.Stretch(part.cursor, 3, FAR, focus));
            assertLt(gas - gasleft(), DRAW_GAS, "gas of a part");
            drawn += drawnOut(part.segments, left);
            for (uint256 k; k < part.segments.length; k += 5) {
                left -= part.segments[k + 3] < left ? part.segments[k + 3] : left;
            }
            count += part.segments.length / 5;
        }
    }

    /* HOSTILE POOLS */

    function test_swap_revertsIf_thePoolIsNotTheRegistrys() public {
        Subject memory subject = _subject(1);
        address copy = makeAddr("copy");
        vm.etch(copy, adapterPool(subject.key).code);
        for (uint256 slot; slot < 12; ++slot) {
            vm.store(copy, bytes32(slot), vm.load(adapterPool(subject.key), bytes32(slot)));
        }
        subject.token0.mint(address(adapter), 1e18);
        uint256 key = subject.key & 255 | uint256(uint160(copy)) << 8;
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, copy));
        adapter.swap(key, address(subject.token0), address(subject.token1), 1e18, address(this));
    }

    function test_pricing_costsNoMoreThanItsGasWhateverAPoolAnswers() public {
        bytes4[9] memory selectors = [
            ICurveCoins.coins.selector,
            ICryptoPool.balances.selector,
            ICryptoPool.A.selector,
            ICryptoPool.gamma.selector,
            ICryptoPool.D.selector,
            ICryptoPool.mid_fee.selector,
            ICryptoPool.out_fee.selector,
            ICryptoPool.fee_gamma.selector,
            ICryptoPool.get_dy.selector
        ];
        Subject memory subject = _read(_subject(1));
        for (uint256 i; i < selectors.length; ++i) {
            for (uint256 how = 1; how < TURNS; ++how) {
                if (Turn(how) == Turn.Reenters) continue;
                uint256 snapshot = vm.snapshotState();
                turn(adapterPool(subject.key), selectors[i], Turn(how));
                _priceWithinGas(subject);
                vm.revertToStateAndDelete(snapshot);
            }
        }
    }

    function _priceWithinGas(Subject memory subject) private view {
        uint256 gas = gasleft();
        uint256[] memory state = subject.state;
        try adapter.read{gas: READ_GAS}(subject.kind, subject.pool, subject.pool, subject.key) returns (
            uint256[] memory words
        ) {
            if (words.length != 0) state = words;
        } catch {}
        assertLt(gas - gasleft(), READ_GAS + CALL_GAS);
        gas = gasleft();
        try adapter.quote{gas: QUOTE_GAS}(subject.kind, subject.pool, state, true, 1e18) {} catch {}
        assertLt(gas - gasleft(), QUOTE_GAS + CALL_GAS);
        gas = gasleft();
        try adapter.draw{gas: DRAW_GAS}(subject.kind, state, true, ISampler.Stretch(0, 24, 0, 0)) {} catch {}
        assertLt(gas - gasleft(), DRAW_GAS + CALL_GAS);
        adapter.keysOf(address(subject.token0), address(subject.token1), new uint256[](0));
    }
}
