// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Sampler} from "../../src/Sampler.sol";
import {BalancerV3Adapter} from "../../src/adapters/BalancerV3Adapter.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {adapterKey, adapterPool} from "../../src/venues/AdapterKey.sol";
import {BalancerV3Fixture, SetRate} from "../fixtures/BalancerV3Fixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {SampledAdapterCases} from "./SampledAdapterCases.sol";

/// @notice Quotes and curves, against pools of the Vault's own code.
abstract contract BalancerV3Cases is SampledAdapterCases, BalancerV3Fixture {
    BalancerV3Adapter internal adapter;

    function setUp() public override {
        super.setUp();
        deployBalancerV3();
        adapter = new BalancerV3Adapter(address(vaultV3), address(0));
        sampler = Sampler(address(adapter));
    }

    /// @dev With up to `most` times more of a token than its share.
    function _subjectOf(uint256 seed, uint256 most) internal returns (Subject memory subject) {
        address[] memory tokens = _tokens(seed, 2 + (seed >> 32) % 3);
        address pool = _make(seed, most, tokens);
        uint256 i = (seed >> 176) % (tokens.length - 1);
        uint256 j = _between(seed >> 180, i + 1, tokens.length - 1);
        (subject.kind, subject.deployer, subject.pool) = (VenueKinds.ADAPTER, address(adapter), address(adapter));
        (subject.token0, subject.token1) = (PlainToken(tokens[i]), PlainToken(tokens[j]));
        uint256[] memory hints = new uint256[](1);
        hints[0] = uint160(pool);
        subject.key = adapter.keysOf(tokens[i], tokens[j], hints)[0];
        assertEq(subject.key, adapterKey(pool, i, j));
    }

    function _make(uint256 seed, uint256 most, address[] memory tokens) private returns (address pool) {
        uint256[] memory amounts = new uint256[](tokens.length);
        address[] memory rates = new address[](tokens.length);
        uint256 whole = 2000 * 10 ** _between(seed >> 64, 0, 4);
        for (uint256 i; i < tokens.length; ++i) {
            uint256 random = uint256(keccak256(abi.encode(seed, i)));
            uint256 share = _between(random, 1000, 4000) * (1 + (random >> 32) % most);
            amounts[i] = whole * share * 10 ** PlainToken(tokens[i]).decimals() / 1000;
            if (random >> 64 & 1 == 1) rates[i] = address(new SetRate(_between(random >> 128, 0.7e18, 1.6e18)));
        }
        pool = _create(seed, tokens, rates, amounts, _between(seed >> 160, 100, 1_000_000) * 1e11);
        _accrue(seed, rates);
    }

    /// @dev Yield since the pool was last used, of which the protocol takes its part in the next swap.
    function _accrue(uint256 seed, address[] memory rates) private {
        for (uint256 i; i < rates.length; ++i) {
            if (rates[i] == address(0) || seed >> (40 + i) & 1 == 0) continue;
            SetRate rate = SetRate(rates[i]);
            rate.set(rate.getRate() * _between(seed >> 200, 0.99e18, 1.02e18) / 1e18);
        }
    }

    function _create(
        uint256 seed,
        address[] memory tokens,
        address[] memory rates,
        uint256[] memory amounts,
        uint256 fee
    ) internal virtual returns (address pool);

    function _subject(uint256 seed) internal override returns (Subject memory) {
        return _subjectOf(seed, 1);
    }

    function pay(Subject memory subject, bool zeroForOne, uint256 amountIn) external override returns (uint256) {
        return _payThrough(adapter, subject, zeroForOne, amountIn, address(vaultV3));
    }

    function _reserves(Subject memory subject, bool zeroForOne) internal view override returns (uint256, uint256) {
        uint256 reserve0 = heldV3(adapterPool(subject.key), address(subject.token0));
        uint256 reserve1 = heldV3(adapterPool(subject.key), address(subject.token1));
        return zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
    }
}

contract BalancerV3WeightedTest is BalancerV3Cases {
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_draw_endsWithTheMostThatThePoolTakes(uint256 seed, bool zeroForOne) public {
        _assertEndsWithTheMost(_read(_subject(seed)), zeroForOne);
    }

    function _create(
        uint256 seed,
        address[] memory tokens,
        address[] memory rates,
        uint256[] memory amounts,
        uint256 fee
    ) internal override returns (address) {
        uint256[] memory weights = new uint256[](tokens.length);
        uint256 rest = 1e18;
        for (uint256 i; i + 1 < weights.length; ++i) {
            uint256 pick = (seed >> (104 + 8 * i)) % 4;
            uint256 share = pick == 0 ? 50 : pick == 1 ? 80 : _between(seed >> (110 + 8 * i), 10, 90);
            weights[i] = rest * share / 100;
            rest -= weights[i];
        }
        weights[weights.length - 1] = rest;
        for (uint256 i; i < weights.length; ++i) {
            if (weights[i] < 0.01e18) {
                return _create(uint256(keccak256(abi.encode(seed))), tokens, rates, amounts, fee);
            }
        }
        return createWeightedV3(tokens, rates, weights, amounts, fee < 1e13 ? 1e13 : fee);
    }

    function _lopsided(uint256 seed) internal override returns (Subject memory) {
        return _subjectOf(seed, 10_000);
    }

    /// @dev Balancer adds 1e-14 to the power that the output follows from, so as much of the reserve stays.
    function _kept(uint256 reserveOut) internal pure override returns (uint256) {
        return reserveOut / 5e13;
    }

    /// @dev Lopsided weights bend a curve so much that the tails are drawn as lines.
    function _tightness(Subject memory) internal pure override returns (uint256) {
        return 5e7;
    }
}

contract BalancerV3StableTest is BalancerV3Cases {
    function _create(
        uint256 seed,
        address[] memory tokens,
        address[] memory rates,
        uint256[] memory amounts,
        uint256 fee
    ) internal override returns (address) {
        return createStableV3(tokens, rates, amounts, _between(seed >> 200, 10, 5000), fee);
    }

    function _lopsided(uint256 seed) internal override returns (Subject memory) {
        return _subjectOf(seed, 2000);
    }
}
