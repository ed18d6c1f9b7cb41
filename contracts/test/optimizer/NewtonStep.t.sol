// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Workspace} from "../../src/optimizer/Workspace.sol";
import {Draft, NetworkFixture} from "./NetworkFixture.sol";
import {OptimizerHarness} from "./OptimizerHarness.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

contract NewtonStepTest is NetworkFixture {
    uint256 private constant VALUE_BITS = 20;
    int256 private constant ONE = 1 << 64;

    OptimizerHarness private optimizer = new OptimizerHarness();

    function test_newtonStep_ofOneUnknown() public view {
        Draft memory draft = _draft(0, 1e18);
        _addPool(draft, 0, 1, 1000e18, 1000e18);
        uint256[] memory prices = new uint256[](2);
        (prices[0], prices[1]) = (Q96 * 99 / 100, Q96);
        (Workspace memory s, int256 slope) = _step(draft, prices);
        // -excess / (conductance + |excess| / 8).
        int256 excess = s.excess[0];
        assertLt(excess, 0);
        assertApproxEqRel(s.step[0], -excess * ONE / (s.hessian[0] - excess / 8), 1e9);
        assertApproxEqRel(slope, excess * s.step[0] / ONE, 1e9);
    }

    /// @dev Source and connector: two equations, solved by hand.
    function test_newtonStep_ofTwoUnknowns() public view {
        Draft memory draft = _draft(1, 1e18);
        _addPool(draft, 2, 0, 1000e18, 1000e18);
        _addPool(draft, 2, 3, 1000e18, 900e18);
        _addPool(draft, 1, 3, 1000e18, 1000e18);
        uint256[] memory prices = new uint256[](4);
        // (a,1) and (a,2) even, so that they are one node.
        (prices[0], prices[1], prices[2], prices[3]) = (Q96 * 997 / 1000, Q96 * 997 / 1000, Q96 * 94 / 100, Q96);
        (Workspace memory s,) = _step(draft, prices);
        assertGt(s.excess[0], 0);
        assertEq(s.step[0], s.step[1]);

        // Tied, the node's excess is the sum and its conductance that of both edges.
        int256 node = s.excess[0] + s.excess[1];
        int256 g11 = s.hessian[0] + s.hessian[4];
        int256 g12 = s.hessian[2];
        int256 d1 = g11 + _abs(node) / 8;
        int256 rest = -s.excess[2] + g12 * node / d1;
        int256 d2 = s.hessian[8] - g12 * g12 / d1 + _abs(rest) / 8;
        int256 q2 = rest * ONE / d2;
        int256 q1 = (-node * ONE - g12 * q2) / d1;
        int256 longest = _abs(q1) > _abs(q2) ? _abs(q1) : _abs(q2);
        if (longest > ONE) (q1, q2) = (q1 * ONE / longest, q2 * ONE / longest);
        assertApproxEqRel(s.step[0], q1, 1e12);
        assertApproxEqRel(s.step[2], q2, 1e12);
    }

    /// @dev A node that neither conducts nor has an excess keeps its price; the rest is solved all the same.
    function test_newtonStep_zeroPivot() public view {
        Draft memory draft = _draft(1, 1e18);
        _addPool(draft, 2, 0, 1000e18, 1000e18);
        _addPool(draft, 2, 3, 1000e18, 1000e18);
        _addPool(draft, 1, 3, 1000e18, 1000e18);
        uint256[] memory prices = new uint256[](4);
        // The connector is too dear to buy from and too cheap to sell to.
        (prices[0], prices[1], prices[2], prices[3]) = (Q96 * 9989 / 10000, Q96 * 9989 / 10000, Q96 * 998 / 1000, Q96);
        (Workspace memory s,) = _step(draft, prices);
        assertEq(s.hessian[0], 0);
        assertEq(s.excess[0], 0);
        assertEq(s.step[0], 0);
        assertEq(s.step[1], 0);
        assertNotEq(s.step[2], 0);
    }

    /// forge-config: default.fuzz.runs = 300
    function testFuzz_newtonStep_descendsAndStaysShort(uint256 seed) public view {
        Draft memory draft = _random(seed);
        if (_bestPath(draft) == 0) return;
        (Workspace memory first,) =
            optimizer.firstPrices(draft.connectors, draft.amountIn, draft.words, draft.offsets, true);
        (Workspace memory s, int256 slope) = optimizer.stepAt(
            draft.connectors, draft.amountIn, draft.words, draft.offsets, first.prices, first.valueBits
        );
        assertLe(slope, 0);
        for (uint256 k; k < s.step.length; ++k) {
            assertLe(FixedPointMathLib.abs(s.step[k]), uint256(ONE));
        }
    }

    function _step(Draft memory draft, uint256[] memory prices) private view returns (Workspace memory, int256) {
        return optimizer.stepAt(draft.connectors, draft.amountIn, draft.words, draft.offsets, prices, VALUE_BITS);
    }

    function _abs(int256 x) private pure returns (int256) {
        return x < 0 ? -x : x;
    }
}
