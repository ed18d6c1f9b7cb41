// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IBalancerPool, IBalancerVault} from "../../src/venues/Balancer.sol";
import {IRateProvider, IStablePool} from "../../src/venues/BalancerStable.sol";
import {IWeightedPool} from "../../src/venues/BalancerWeighted.sol";
import {ICurvePool} from "../../src/venues/CurveStable.sol";
import {NgStableSwap, OldStableSwap, PlainStableSwap} from "../fixtures/StableSwapPools.sol";
import {HostileFixture} from "./HostileFixture.sol";

/// @notice Listed pools that turn after the owner listed them.
contract HostileListedTest is HostileFixture {
    bytes4 private constant ON_SWAP = bytes4(
        keccak256(
            "onSwap((uint8,address,address,uint256,bytes32,uint256,address,address,bytes),uint256[],uint256,uint256)"
        )
    );

    function test_curve_plain() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        noteWithout();
        address pool = address(new PlainStableSwap(pair, amounts, 400, 4e6));
        addPool(CURVE, pool, pair);
        assertTrue(uses(previewInCall(), pool));
        checkEveryTurn(pool, _curveFunctions());
    }

    function test_curve_ng() public {
        address pool = _ng();
        assertTrue(uses(previewInCall(), pool));
        checkEveryTurn(pool, _curveFunctions());
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_curve(uint256 seed) public {
        address pool = _ng();
        turnAtRandom(pool, _curveFunctions(), seed);
        check("random");
    }

    function test_balancer_stable() public {
        address pool = _stable();
        assertTrue(uses(previewInCall(), pool));
        checkEveryTurn(pool, _balancerFunctions());
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_balancer_stable(uint256 seed) public {
        turnAtRandom(_stable(), _balancerFunctions(), seed);
        check("random");
    }

    function test_balancer_weighted() public {
        address pool = _weighted();
        assertTrue(uses(previewInCall(), pool));
        checkEveryTurn(pool, _balancerFunctions());
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_balancer_weighted(uint256 seed) public {
        turnAtRandom(_weighted(), _balancerFunctions(), seed);
        check("random");
    }

    function test_balancer_vault() public {
        _weighted();
        bytes4[] memory selectors = new bytes4[](3);
        selectors[0] = IBalancerVault.getPoolTokens.selector;
        selectors[1] = IBalancerVault.getPausedState.selector;
        selectors[2] = IBalancerVault.swap.selector;
        checkEveryTurn(address(vault), selectors);
    }

    /* POOLS */

    function _ng() private returns (address pool) {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        noteWithout();
        pool = address(new NgStableSwap(pair, amounts, 400, 4e6, 5e10, 1e18));
        addPool(CURVE, pool, pair);
    }

    function _stable() private returns (address pool) {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        noteWithout();
        pool = createStable(pair, amounts, new address[](2), 200, 0.0001e18);
        addPool(STABLE, pool, pair);
    }

    function _weighted() private returns (address pool) {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        noteWithout();
        uint256[] memory weights = new uint256[](2);
        (weights[0], weights[1]) = (0.5e18, 0.5e18);
        pool = createWeighted(pair, weights, amounts, 0.0005e18);
        addPool(WEIGHTED, pool, pair);
    }

    function _curveFunctions() private pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](9);
        selectors[0] = ICurvePool.coins.selector;
        selectors[1] = ICurvePool.balances.selector;
        selectors[2] = ICurvePool.A.selector;
        selectors[3] = ICurvePool.A_precise.selector;
        selectors[4] = ICurvePool.fee.selector;
        selectors[5] = ICurvePool.stored_rates.selector;
        selectors[6] = ICurvePool.offpeg_fee_multiplier.selector;
        selectors[7] = ICurvePool.get_dy.selector;
        selectors[8] = ICurvePool.exchange.selector;
    }

    function _balancerFunctions() private pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](10);
        selectors[0] = IBalancerPool.getPoolId.selector;
        selectors[1] = IBalancerPool.getVault.selector;
        selectors[2] = IBalancerPool.getSwapFeePercentage.selector;
        selectors[3] = IBalancerPool.getPausedState.selector;
        selectors[4] = IBalancerPool.getScalingFactors.selector;
        selectors[5] = IWeightedPool.getNormalizedWeights.selector;
        selectors[6] = IStablePool.getAmplificationParameter.selector;
        selectors[7] = IStablePool.getRateProviders.selector;
        selectors[8] = IStablePool.getTokenRateCache.selector;
        selectors[9] = ON_SWAP;
    }
}
