// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../../src/interfaces/IOptimizer.sol";
import {Optimizer} from "../../src/optimizer/Optimizer.sol";
import {Draft, NetworkFixture} from "./NetworkFixture.sol";

contract OptimizerTest is NetworkFixture {
    Optimizer private optimizer = new Optimizer();

    function test_optimize_onePoolTakesAll() public view {
        Draft memory draft = _draft(0, 1e18);
        _addPool(draft, 0, 1, 1000e18, 2_000_000e6);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        assertEq(allocation.flows.length, 1);
        assertEq(allocation.flows[0], 1e18);
        // 1e18 * 997 * 2e12 / (1000e18 * 1000 + 1e18 * 997), less a unit.
        assertApproxEqAbs(allocation.amountOut, 1_992_013_962, 1);
        assertGe(allocation.upperBound, 1_992_013_962);
        assertLe(allocation.upperBound, 1_992_013_964);
        assertEq(allocation.prices.length, 2);
        assertEq(allocation.prices[1], Q96);
    }

    function test_optimize_parallelPoolsOfOnePriceShareByDepth() public view {
        Draft memory draft = _draft(0, 30e18);
        _addPool(draft, 0, 1, 1000e18, 2000e18);
        _addPool(draft, 0, 1, 500e18, 1000e18);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        assertApproxEqRel(allocation.flows[0], 20e18, 1e10);
        assertEq(allocation.flows[0] + allocation.flows[1], 30e18);
        // As one pool of 1500 and 3000.
        assertApproxEqRel(allocation.amountOut, uint256(30e18) * 997 * 3000e18 / (1500e18 * 1000 + 30e18 * 997), 1e8);
    }

    function test_optimize_parallelPoolsEndAtOnePrice() public view {
        Draft memory draft = _draft(0, 40e18);
        _addPool(draft, 0, 1, 1000e18, 2000e18);
        _addPool(draft, 0, 1, 300e18, 590e18);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        // Marginal prices R_in R_out / (R_in + 0.997 x)^2 are equal.
        uint256 first = 1000e18 + allocation.flows[0] * 997 / 1000;
        uint256 second = 300e18 + allocation.flows[1] * 997 / 1000;
        assertApproxEqRel(
            uint256(1000e18) * 2000e18 / (first * first / 1e18),
            uint256(300e18) * 590e18 / (second * second / 1e18),
            1e12
        );
    }

    function test_optimize_goesThreeHops() public view {
        Draft memory draft = _draft(2, 1e18);
        _addPool(draft, 4, 0, 100e18, 200e6);
        _addPool(draft, 0, 3, 1000e6, 3000e8);
        _addPool(draft, 3, 5, 5000e8, 5000e18);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        uint256 first = _deliver(draft, 0, 1e18);
        uint256 second = _deliver(draft, 1, first);
        assertEq(allocation.flows[0], 1e18);
        assertApproxEqAbs(allocation.flows[1], first, 1);
        assertApproxEqRel(allocation.amountOut, _deliver(draft, 2, second), 1e12);
    }

    function test_optimize_waitsForTheLastSwap() public view {
        Draft memory draft = _draft(1, 1e18);
        _addPool(draft, 2, 0, 100e18, 200e6);
        _addPool(draft, 1, 3, 1000e6, 1000e18);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        assertEq(allocation.flows[0], 1e18);
        assertApproxEqAbs(allocation.flows[1], _deliver(draft, 0, 1e18), 1);
    }

    /// @dev Two tokens lead to one pool: it is priced once, on the sum.
    function test_optimize_countsASharedPoolOnce() public view {
        Draft memory draft = _draft(2, 100e18);
        _addPool(draft, 4, 0, 1000e18, 1000e18);
        _addPool(draft, 4, 1, 1000e18, 1000e18);
        _addPool(draft, 0, 3, 1000e18, 1000e18);
        _addPool(draft, 3, 5, 100e18, 100e18);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        (uint256 amountOut,) = _follow(draft, allocation.flows);
        assertApproxEqRel(allocation.amountOut, amountOut, 1e10);
        assertApproxEqRel(allocation.upperBound, amountOut, 1e12);
        assertLe(allocation.upperBound, _deliver(draft, 3, 100e18));
    }

    function test_optimize_disconnected() public view {
        Draft memory draft = _draft(2, 1e18);
        _addPool(draft, 4, 0, 1000e18, 1000e18);
        _addPool(draft, 3, 5, 1000e18, 1000e18);
        _assertNothing(draft);
    }

    function test_optimize_nothingGiven() public view {
        _assertNothing(_draft(3, 1e18));
    }

    function test_optimize_zeroInput() public view {
        Draft memory draft = _draft(0, 0);
        _addPool(draft, 0, 1, 1000e18, 1000e18);
        _assertNothing(draft);
    }

    function test_optimize_deadEndsTakeNothing() public view {
        Draft memory draft = _draft(2, 1e18);
        _addPool(draft, 4, 5, 1000e18, 1000e18);
        IOptimizer.Allocation memory alone = _call(optimizer, draft);
        // Better prices, but no way on; and a way on to which nothing leads.
        Draft memory wide = _draft(2, 1e18);
        _addPool(wide, 4, 0, 1000e18, 9000e18);
        _addPool(wide, 4, 5, 1000e18, 1000e18);
        _addPool(wide, 3, 5, 1000e18, 9000e18);
        IOptimizer.Allocation memory allocation = _call(optimizer, wide);
        assertEq(allocation.flows[0], 0);
        assertEq(allocation.flows[2], 0);
        assertEq(allocation.amountOut, alone.amountOut);
        assertEq(allocation.upperBound, alone.upperBound);
    }

    /// @dev Dust pools with wild prices around a connector that no sensible route passes: neither the plan nor the bound
    /// may listen to them.
    function test_optimize_idleNodesDoNotBlurTheBound() public view {
        Draft memory draft = _draft(2, 1e18);
        _addPool(draft, 4, 0, 1e6, 1e9);
        _addPool(draft, 4, 1, 1000e18, 1000e18);
        _addPool(draft, 4, 5, 1000e18, 1000e18);
        _addPool(draft, 0, 3, 1000e18, 900e18);
        _addPool(draft, 1, 2, 1000e18, 900e18);
        _addPool(draft, 2, 5, 1e6, 1e9);
        _addPool(draft, 3, 5, 1000e18, 990e18);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        assertLe(allocation.upperBound - allocation.amountOut, allocation.amountOut / 1e9);
    }

    /// @dev Two connectors with a profit in going round and round; the layers let nobody go round.
    function test_optimize_arbitrageCyclesEarnNothing() public view {
        Draft memory draft = _draft(2, 1e18);
        _addPool(draft, 4, 0, 1000e18, 1000e18);
        _addPool(draft, 0, 3, 1000e18, 3000e18);
        _addPool(draft, 1, 2, 1000e18, 3000e18);
        _addPool(draft, 2, 5, 1000e18, 1000e18);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        assertEq(allocation.flows[1], 0);
        assertEq(allocation.flows[2], 0);
        assertApproxEqAbs(allocation.amountOut, _deliver(draft, 3, _deliver(draft, 0, 1e18)), 2);
        assertLe(allocation.upperBound, allocation.amountOut + allocation.amountOut / 1e9);
    }

    /// @dev The same network with its tokens in other decimals has the same shares.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_optimize_decimalsDoNotMatter(uint256 seed) public view {
        uint8[4] memory decimals = [6, 8, 9, 18];
        Draft memory plain = _decimal(18, 18, 18, 18);
        Draft memory mixed = _decimal(
            decimals[seed % 4], decimals[(seed >> 8) % 4], decimals[(seed >> 16) % 4], decimals[(seed >> 24) % 4]
        );
        IOptimizer.Allocation memory expected = _call(optimizer, plain);
        IOptimizer.Allocation memory allocation = _call(optimizer, mixed);
        uint256 scale = 10 ** (18 - decimals[(seed >> 24) % 4]);
        assertApproxEqRel(allocation.amountOut * scale, expected.amountOut, 1e10);
        assertApproxEqRel(allocation.upperBound * scale, expected.upperBound, 1e10);
        // Roots are rounded differently, hence the margin.
        assertGe(allocation.upperBound * scale + expected.amountOut / 1e12, expected.amountOut);
    }

    function test_optimize_beyondAllLiquidity() public view {
        uint256[] memory segments = new uint256[](5);
        (segments[0], segments[1], segments[2]) = (1e24, Q96, Q96 / 2);
        Draft memory draft = _draft(1, 5e24);
        _addCurve(draft, 2, 3, segments);
        _addCurve(draft, 2, 0, segments);
        _addCurve(draft, 1, 3, segments);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        // Half a million directly, and of the half million in the middle what is left of it.
        uint256 most = 0.5e24 + _deliver(draft, 2, 0.5e24);
        assertApproxEqAbs(allocation.amountOut, most, 2);
        assertApproxEqRel(allocation.upperBound, most, 1e12);
        // What would deliver nothing may stay.
        assertLe(allocation.flows[0] + allocation.flows[1], 5e24);
        assertGe(allocation.flows[0] + allocation.flows[1], 2e24);
    }

    function test_optimize_nineConnectors() public view {
        Draft memory draft = _draft(9, 900e18);
        for (uint256 a; a < 9; ++a) {
            _addPool(draft, 18, a, 1000e18, 1000e18);
        }
        for (uint256 a; a < 9; ++a) {
            _addPool(draft, 9 + a, 19, 1000e18, 1000e18);
        }
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        for (uint256 a; a < 9; ++a) {
            assertApproxEqRel(allocation.flows[a], 100e18, 1e12);
        }
        assertApproxEqRel(allocation.amountOut, 9 * _deliver(draft, 9, _deliver(draft, 0, 100e18)), 1e10);
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_optimize_warmPricesFindTheSame(uint256 seed) public view {
        Draft memory draft = _random(seed);
        IOptimizer.Allocation memory cold = _call(optimizer, draft);
        if (cold.amountOut < 1e6) return;
        IOptimizer.Allocation memory warm =
            optimizer.optimize(draft.connectors, draft.amountIn, draft.words, draft.offsets, cold.prices);
        assertGe(warm.amountOut, cold.amountOut - cold.amountOut / 1e4);
        assertLe(warm.upperBound, cold.upperBound + cold.upperBound / 1e4);
        assertLe(cold.amountOut, warm.upperBound);
        assertLe(warm.amountOut, cold.upperBound);
    }

    function test_optimize_warmPricesOfOtherNodesAreIgnored() public view {
        Draft memory draft = _draft(1, 1e18);
        _addPool(draft, 2, 3, 1000e18, 1000e18);
        IOptimizer.Allocation memory cold = _call(optimizer, draft);
        IOptimizer.Allocation memory allocation =
            optimizer.optimize(draft.connectors, draft.amountIn, draft.words, draft.offsets, new uint256[](6));
        assertEq(abi.encode(allocation), abi.encode(cold));
    }

    function test_optimize_leavesOutWhatLiesOutsideTheDomain() public view {
        Draft memory draft = _draft(0, 1e18);
        uint256[] memory segments = new uint256[](5);
        (segments[0], segments[1], segments[2]) = (1 << 126, Q96 << 10, TAIL);
        _addCurve(draft, 0, 1, segments);
        _addPool(draft, 0, 1, 1000e18, 1000e18);
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        assertEq(allocation.flows.length, 2);
        assertEq(allocation.flows[0], 0);
        assertEq(allocation.flows[1], 1e18);
        assertLt(allocation.amountOut, 1e18);
        assertEq(allocation.upperBound, type(uint256).max, "a bound without the pool that was left out");
    }

    /// @dev Any curves of the domain, any input: nothing overflows into nonsense.
    /// forge-config: default.fuzz.runs = 250
    function testFuzz_optimize_overTheWholeDomain(uint256 seed, uint128 amountIn) public view {
        Draft memory draft = _draft(2, amountIn);
        uint256[2][7] memory ends = [
            [uint256(4), 0],
            [uint256(4), 1],
            [uint256(4), 5],
            [uint256(0), 3],
            [uint256(1), 2],
            [uint256(2), 5],
            [uint256(3), 5]
        ];
        for (uint256 k; k < 7; ++k) {
            uint256 start =
                2 + uint256(keccak256(abi.encode(seed, k, "start"))) % (1 << (8 + _pick(seed, "bits", k, 152)));
            uint256 limit = type(uint248).max / start;
            if (limit >= 1 << 126) limit = (1 << 126) - 1;
            uint256[] memory segments = new uint256[](5);
            segments[0] = 1 + uint256(keccak256(abi.encode(seed, k))) % limit;
            segments[1] = start;
            segments[2] = 1 + uint256(keccak256(abi.encode(seed, k, "end"))) % (start - 1);
            if (_pick(seed, "tail", k, 2) == 0) segments[2] = TAIL;
            _addCurve(draft, ends[k][0], ends[k][1], segments);
        }
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        assertLe(allocation.amountOut, allocation.upperBound);
        if (allocation.amountOut == 0) return;
        uint256 spent;
        for (uint256 k; k < 3; ++k) {
            spent += allocation.flows[k];
        }
        assertLe(spent, amountIn);
        for (uint256 k; k < 20; ++k) {
            assertLe(_wander(draft, uint256(keccak256(abi.encode(seed, k)))), allocation.upperBound);
        }
    }

    function test_optimize_revertsIf_tooManyConnectors() public {
        vm.expectRevert(abi.encodeWithSelector(IOptimizer.TooManyConnectors.selector, 10, 9));
        optimizer.optimize(10, 1, new uint256[](0), new uint256[](0), new uint256[](0));
    }

    function test_optimize_revertsIf_amountTooLarge() public {
        vm.expectRevert(abi.encodeWithSelector(IOptimizer.AmountTooLarge.selector, 1 << 128, type(uint128).max));
        optimizer.optimize(1, 1 << 128, new uint256[](0), new uint256[](0), new uint256[](0));
    }

    function test_optimize_revertsIf_anEdgeJoinsWrongNodes() public {
        // With two connectors: (0,1) and (1,1) are 0 and 1, (0,2) and (1,2) are 2 and 3, then source and target.
        uint256[2][9] memory wrong = [
            [uint256(4), 2],
            [uint256(0), 2],
            [uint256(0), 1],
            [uint256(0), 4],
            [uint256(0), 5],
            [uint256(2), 0],
            [uint256(2), 3],
            [uint256(5), 4],
            [uint256(6), 5]
        ];
        for (uint256 k; k < wrong.length; ++k) {
            Draft memory draft = _draft(2, 1e18);
            _addPool(draft, wrong[k][0], wrong[k][1], 1000e18, 1000e18);
            _expectBadEdge(draft, 0);
        }
    }

    function test_optimize_revertsIf_stagesAreNotInOrder() public {
        Draft memory draft = _draft(1, 1e18);
        _addPool(draft, 1, 3, 1000e18, 1000e18);
        _addPool(draft, 2, 0, 1000e18, 1000e18);
        _expectBadEdge(draft, 1);
    }

    function test_optimize_revertsIf_anEdgeReachesBeyondTheWords() public {
        Draft memory draft = _draft(0, 1e18);
        _addPool(draft, 0, 1, 1000e18, 1000e18);
        draft.words[2] = 2;
        _expectBadEdge(draft, 0);
        draft.words[2] = 0;
        _expectBadEdge(draft, 0);
        (draft.words[2], draft.offsets[0]) = (1, 1);
        _expectBadEdge(draft, 0);
        draft.offsets[0] = type(uint256).max;
        _expectBadEdge(draft, 0);
    }

    function _expectBadEdge(Draft memory draft, uint256 edge) private {
        vm.expectRevert(abi.encodeWithSelector(IOptimizer.BadEdge.selector, edge));
        optimizer.optimize(draft.connectors, draft.amountIn, draft.words, draft.offsets, new uint256[](0));
    }

    function _assertNothing(Draft memory draft) private view {
        IOptimizer.Allocation memory allocation = _call(optimizer, draft);
        assertEq(allocation.flows.length, 0);
        assertEq(allocation.amountOut, 0);
        assertEq(allocation.upperBound, 0);
        assertEq(allocation.prices.length, 0);
    }

    /// @dev Two connectors, pools everywhere; tokens with the given decimals: source, the two, target.
    function _decimal(uint8 source, uint8 first, uint8 second, uint8 target) private pure returns (Draft memory draft) {
        (uint256 s, uint256 a, uint256 b, uint256 t) = (10 ** source, 10 ** first, 10 ** second, 10 ** target);
        draft = _draft(2, 5_000_000 * s);
        _addPool(draft, 4, 0, 100_000_000 * s, 170_000_000 * a);
        _addPool(draft, 4, 1, 200_000_000 * s, 110_000_000 * b);
        _addPool(draft, 4, 5, 40_000_000 * s, 30_000_000 * t);
        _addPool(draft, 0, 3, 90_000_000 * a, 30_000_000 * b);
        _addPool(draft, 1, 2, 70_000_000 * b, 210_000_000 * a);
        _addPool(draft, 2, 5, 150_000_000 * a, 66_000_000 * t);
        _addPool(draft, 3, 5, 80_000_000 * b, 110_000_000 * t);
    }
}
