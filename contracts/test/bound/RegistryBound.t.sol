// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalancerV2Adapter} from "../../src/adapters/BalancerV2Adapter.sol";
import {BalancerV3Adapter} from "../../src/adapters/BalancerV3Adapter.sol";
import {CurveCryptoAdapter} from "../../src/adapters/CurveCryptoAdapter.sol";
import {CurveStableAdapter} from "../../src/adapters/CurveStableAdapter.sol";
import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {Plan, PreviewOptions} from "../../src/types/Plan.sol";
import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {adapterPool} from "../../src/venues/AdapterKey.sol";
import {BalancerV3Fixture} from "../fixtures/BalancerV3Fixture.sol";
import {CryptoSwapPool, ReceiverCryptoSwap} from "../fixtures/CryptoSwapPools.sol";
import {CurveRegistry, ReceiverStableSwap} from "../fixtures/CurveRegistries.sol";
import {NgStableSwap} from "../fixtures/StableSwapPools.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {UpperBoundCases} from "./UpperBound.t.sol";

/// forge-config: default.fuzz.runs = 40
/// @notice The same on markets with pools that registries of Curve and Balancer vouch for.
contract RegistryBoundTest is UpperBoundCases, BalancerV3Fixture {
    /// @dev A venue: its number, and the adapter that trades on its pools.
    struct Source {
        uint16 venue;
        IAdapter adapter;
    }

    uint256 private constant CRYPTO_FIRST = USDC_INDEX;

    CurveRegistry private _stableRegistry;
    CurveRegistry private _cryptoRegistry;
    Source private _curveStable;
    Source private _curveCrypto;
    Source private _weightedV2;
    Source private _stableV2;
    Source private _balancerV3;
    uint256[] private _hints;

    function setUp() public override {
        super.setUp();
        deployBalancerV3();
        (_stableRegistry, _cryptoRegistry) = (new CurveRegistry(true), new CurveRegistry(false));
        address wrapped = address(weth);
        _curveStable = _venueOf("curve-stable", new CurveStableAdapter(address(_stableRegistry), wrapped));
        _curveCrypto = _venueOf("curve-crypto", new CurveCryptoAdapter(address(_cryptoRegistry), wrapped));
        _weightedV2 = _venueOf("v2-weighted", new BalancerV2Adapter(address(weightedFactory), wrapped));
        _stableV2 = _venueOf("v2-stable", new BalancerV2Adapter(address(stableFactory), wrapped));
        _balancerV3 = _venueOf("v3", new BalancerV3Adapter(address(vaultV3), wrapped));
    }

    /// @dev Plans must pass such pools, or these tests say nothing.
    function test_plan_usesPoolsOfRegistries() public {
        uint256 used;
        for (uint256 seed; seed < 6; ++seed) {
            uint256 snapshot = vm.snapshotState();
            Plan memory plan = _plan(_next(seed, 7));
            for (uint256 k; k < plan.route.legs.length; ++k) {
                if (plan.route.legs[k].venue >= _curveStable.venue) ++used;
            }
            vm.revertToStateAndDelete(snapshot);
        }
        assertGt(used, 3);
    }

    function seedRoutings(uint256 seed) internal override {
        super.seedRoutings(seed);
        _placeStables(_next(seed, 2001));
        _placeCrypto(_next(seed, 2002));
        _placeWeightedPools(_next(seed, 2003));
        _placeStablePools(_next(seed, 2004));
    }

    function previewOf(PlainToken tokenIn, PlainToken tokenOut, uint256 amountIn)
        internal
        view
        override
        returns (Plan memory)
    {
        PreviewOptions memory options;
        options.pools = _hints;
        return quoter.previewPlan(address(tokenIn), address(tokenOut), amountIn, options);
    }

    /// @dev A plain pool of USDC and DAI, and one of WETH and WBTC whose rate makes them alike and whose fee moves.
    function _placeStables(uint256 random) private {
        (address[] memory its, uint256[] memory amounts) = _ordered(USDC_INDEX, DAI_INDEX, random);
        _register(_curveStable, address(new ReceiverStableSwap(its, amounts, 20 + random % 2000, 4e6)), its);
        (its, amounts) = _ordered(WETH_INDEX, WBTC_INDEX, random >> 64);
        uint256 price = microDollars[WBTC_INDEX] * 1e18 / microDollars[WETH_INDEX];
        uint256 rate = its[0] == address(wbtc) ? price : 1e36 / price;
        uint256 multiplier = 2e10 + (random >> 128) % 8e10;
        _register(
            _curveStable,
            address(new NgStableSwap(its, amounts, 20 + (random >> 32) % 2000, 4e6, multiplier, rate)),
            its
        );
    }

    /// @dev USDC and WETH, and with WBTC in half of the markets.
    function _placeCrypto(uint256 random) private {
        uint256 n = 2 + random % 2;
        address[] memory its = new address[](n);
        (uint256[] memory amounts, uint256[] memory scales) = (new uint256[](n), new uint256[](n - 1));
        uint256[3] memory order = [CRYPTO_FIRST, WETH_INDEX, WBTC_INDEX];
        uint256 dollars = 20_000 * (1 + (random >> 8) % 250);
        for (uint256 k; k < n; ++k) {
            its[k] = address(tokens[order[k]]);
            amounts[k] = worth(order[k], dollars) * (980 + (random >> (16 + 16 * k)) % 40) / 1000;
            if (k != 0) scales[k - 1] = microDollars[order[k]] * 1e18 / microDollars[CRYPTO_FIRST];
        }
        CryptoSwapPool.Parameters memory parameters = CryptoSwapPool.Parameters({
            ann: n ** n * 1e4 * (1 + (random >> 64) % 100),
            gamma: 10 ** (12 + (random >> 80) % 4),
            midFee: 1e6 + (random >> 96) % 2e7,
            outFee: 3e7 + (random >> 112) % 5e7,
            feeGamma: 10 ** (14 + (random >> 128) % 4)
        });
        _register(_curveCrypto, address(new ReceiverCryptoSwap(its, amounts, scales, parameters)), its);
    }

    /// @dev Of both generations: two tokens at random, with weights of 10 % to 90 %.
    function _placeWeightedPools(uint256 random) private {
        for (uint256 generation = 2; generation <= 3; ++generation) {
            random = _next(random, generation);
            uint256 a = random % tokens.length;
            uint256 b = (a + 1 + (random >> 8) % (tokens.length - 1)) % tokens.length;
            (address[] memory its, uint256[] memory amounts) = _ordered(a, b, random >> 16);
            uint256[] memory weights = new uint256[](2);
            weights[0] = 0.1e18 + 0.8e18 * (random >> 96 & 7) / 7;
            weights[1] = 1e18 - weights[0];
            for (uint256 i; i < 2; ++i) {
                amounts[i] = amounts[i] * weights[i] * 2 / 1e18;
            }
            uint256 fee = 0.0001e18 + (random >> 104) % 0.005e18;
            if (generation == 2) _hint(_weightedV2, createWeighted(its, weights, amounts, fee), its);
            else _hint(_balancerV3, createWeightedV3(its, new address[](2), weights, amounts, fee), its);
        }
    }

    function _placeStablePools(uint256 random) private {
        (address[] memory its, uint256[] memory amounts) = _ordered(USDC_INDEX, DAI_INDEX, random);
        uint256 amplification = 20 + random % 2000;
        _hint(_stableV2, createStable(its, amounts, new address[](2), amplification, 0.0001e18), its);
        (its, amounts) = _ordered(USDC_INDEX, DAI_INDEX, random >> 64);
        _hint(_balancerV3, createStableV3(its, new address[](2), amounts, amplification, 0.0002e18), its);
    }

    function _register(Source storage source, address pool, address[] memory its) private {
        (source.venue == _curveStable.venue ? _stableRegistry : _cryptoRegistry).add(pool, its);
        _addPairs(source, pool, its);
    }

    function _hint(Source storage source, address pool, address[] memory its) private {
        _hints.push(uint160(pool));
        _addPairs(source, pool, its);
    }

    function _addPairs(Source storage source, address pool, address[] memory its) private {
        uint256[] memory hint = new uint256[](1);
        hint[0] = uint160(pool);
        for (uint256 i; i < its.length; ++i) {
            for (uint256 j = i + 1; j < its.length; ++j) {
                uint256[] memory keys = source.adapter.keysOf(its[i], its[j], hint);
                for (uint256 k; k < keys.length; ++k) {
                    if (adapterPool(keys[k]) != pool) continue;
                    _add(source.venue, address(source.adapter), keys[k], _indexOf(its[i]), _indexOf(its[j]));
                }
            }
        }
    }

    function _venueOf(bytes32 id, IAdapter adapter) private returns (Source memory) {
        VenueConfig memory config;
        (config.id, config.factory, config.tiers) = (id, adapter.registry(), new Tier[](0));
        (config.venue.kind, config.venue.enabled, config.venue.deployer) = (VenueKinds.ADAPTER, true, address(adapter));
        return Source(addVenue(config), adapter);
    }
}
