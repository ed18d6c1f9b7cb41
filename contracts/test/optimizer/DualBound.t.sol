// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MIN_PRICE, WORTHLESS, Workspace, worthOf} from "../../src/optimizer/Workspace.sol";
import {Draft, NetworkFixture} from "./NetworkFixture.sol";
import {OptimizerHarness} from "./OptimizerHarness.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

contract DualBoundTest is NetworkFixture {
    uint256 private constant VALUE_BITS = 20;

    OptimizerHarness private optimizer = new OptimizerHarness();

    function test_evaluate_isTheInputsWorthWhereNoPoolTrades() public view {
        Draft memory draft = _onePool();
        // Two units of output for one of input; the pool pays less than one.
        uint256[] memory prices = _prices(FixedPointMathLib.sqrt(2 << 192));
        (Workspace memory s, int256 value) = _dual(draft, prices);
        assertApproxEqAbs(uint256(value) >> VALUE_BITS, 2e18, 1);
        assertEq(s.excess[0], value);
        assertEq(s.demand[0], 0);
        assertEq(s.hessian[0], 0);
    }

    function test_evaluate_atTheOptimumIsTheOutput() public view {
        Draft memory draft = _onePool();
        uint256 amountOut = _deliver(draft, 0, 1e18);
        // Marginal price after the trade: R_out / (R_in + 0.997 x), per 0.997 R_in / (R_in + 0.997 x).
        uint256 price = Q96 * 1000e18 / (1000e18 + 0.997e18);
        price = FixedPointMathLib.fullMulDiv(price, FixedPointMathLib.sqrt(0.997e36), 1e18);
        (Workspace memory s, int256 value) = _dual(draft, _prices(price));
        assertApproxEqAbs(uint256(value) >> VALUE_BITS, amountOut, 2);
        assertApproxEqRel(s.demand[0] >> 32, 1e18, 1e8);
        assertLe(FixedPointMathLib.abs(s.excess[0]), uint256(value) / 1e9);
        // Conductance a v w / 2.
        uint256 conductance = FixedPointMathLib.fullMulDiv(draft.words[3], price, Q96) / 2 << VALUE_BITS;
        assertApproxEqRel(uint256(s.hessian[0]), conductance, 1e9);
    }

    /// @dev Convex in the worths: no bound lies below the tangent at another point, of which `excess` is the slope.
    /// forge-config: default.fuzz.runs = 200
    function testFuzz_evaluate_excessIsItsSlope(uint256 seed, uint256 node, uint256 percent) public view {
        Draft memory draft = _random(seed);
        if (_bestPath(draft) < 1e6) return;
        (Workspace memory s, int256 value) =
            optimizer.firstPrices(draft.connectors, draft.amountIn, draft.words, draft.offsets, true);
        node = node % s.network.target;
        // Only upwards, and not the later node of a pair: the order of the pairs has to stay.
        if (s.network.partners[node] < node) return;
        uint256[] memory prices = s.prices;
        uint256 worth = worthOf(prices[node]);
        prices[node] = prices[node] * bound(percent, 100, 200) / 100;

        (, int256 moved) =
            optimizer.dualAt(draft.connectors, draft.amountIn, draft.words, draft.offsets, prices, s.valueBits);
        int256 change = int256(FixedPointMathLib.fullMulDiv(worthOf(prices[node]), 1e18, worth)) - 1e18;
        int256 tangent = value + change * s.excess[node] / 1e18;
        assertGe(moved, tangent - value / 1e9);
    }

    function test_evaluate_givesUpWherePoolsTradeAbsurdValues() public view {
        Draft memory draft = _draft(0, 1e18);
        uint256[] memory segments = new uint256[](5);
        (segments[0], segments[1], segments[2]) = (1 << 120, 1 << 120, TAIL);
        _addCurve(draft, 0, 1, segments);
        (, int256 value) = optimizer.dualAt(0, 1e18, draft.words, draft.offsets, _prices(MIN_PRICE), 104);
        assertEq(value, WORTHLESS);
    }

    /// @dev Prices of the source and the target.
    function _prices(uint256 source) private pure returns (uint256[] memory prices) {
        prices = new uint256[](2);
        (prices[0], prices[1]) = (source, Q96);
    }

    function _onePool() private pure returns (Draft memory draft) {
        draft = _draft(0, 1e18);
        _addPool(draft, 0, 1, 1000e18, 1000e18);
    }

    function _dual(Draft memory draft, uint256[] memory prices) private view returns (Workspace memory, int256) {
        return optimizer.dualAt(draft.connectors, draft.amountIn, draft.words, draft.offsets, prices, VALUE_BITS);
    }
}
