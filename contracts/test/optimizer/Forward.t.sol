// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Draft, NetworkFixture} from "./NetworkFixture.sol";
import {OptimizerHarness} from "./OptimizerHarness.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice Plans from prices that are not balanced: what a node really holds differs from what its edges demand.
contract ForwardTest is NetworkFixture {
    OptimizerHarness private optimizer = new OptimizerHarness();

    function test_flowForward_exactSplitsByPriceWhateverThePriceOfTheNode() public view {
        Draft memory draft = _draft(0, 40e18);
        _addPool(draft, 0, 1, 1000e18, 2000e18);
        _addPool(draft, 0, 1, 300e18, 590e18);
        uint256[] memory prices = new uint256[](2);
        // Far too dear: only the better pool would trade, and little.
        (prices[0], prices[1]) = (Q96 * 141 / 100, Q96);
        (, uint256 proportional) = _plan(draft, prices, false);
        (uint256[] memory flows, uint256 exact) = _plan(draft, prices, true);
        assertGt(exact, proportional);
        assertEq(flows[0] + flows[1], 40e18);
        uint256 first = 1000e18 + flows[0] * 997 / 1000;
        uint256 second = 300e18 + flows[1] * 997 / 1000;
        assertApproxEqRel(
            uint256(1000e18) * 2000e18 / (first * first / 1e18),
            uint256(300e18) * 590e18 / (second * second / 1e18),
            1e12
        );
    }

    /// @dev A deep pool of nearly constant price leads on from (a,1); from (a,2) only a dust pool. At even prices the
    /// surplus must not all wait for the dust pool.
    function test_flowForward_onlyWhatIsLackingWaits() public view {
        Draft memory draft = _dustBehindTheWait();
        uint256[] memory prices = _evenPrices();
        for (uint256 k; k < 2; ++k) {
            (uint256[] memory flows, uint256 amountOut) = _plan(draft, prices, k == 1);
            assertGt(amountOut, 9.9e18);
            assertLt(flows[2], 1e15);
            assertGt(flows[1], 9.9e18);
        }
    }

    function test_flowForward_spendsAllAtEveryNode() public view {
        Draft memory draft = _dustBehindTheWait();
        for (uint256 k; k < 2; ++k) {
            (uint256[] memory flows, uint256 amountOut) = _plan(draft, _evenPrices(), k == 1);
            (uint256 followed, uint256[] memory waiting) = _follow(draft, flows);
            // Pools so deep round by some units more.
            assertApproxEqAbs(followed, amountOut, 100);
            assertApproxEqAbs(waiting[0], flows[2], 100);
        }
    }

    function test_flowForward_withoutDemandTakesTheBestEdge() public view {
        Draft memory draft = _draft(0, 1e18);
        _addPool(draft, 0, 1, 1000e18, 1000e18);
        _addPool(draft, 0, 1, 1000e18, 1100e18);
        uint256[] memory prices = new uint256[](2);
        (prices[0], prices[1]) = (Q96 * 2, Q96);
        (uint256[] memory flows,) = _plan(draft, prices, false);
        assertEq(flows[0], 0);
        assertEq(flows[1], 1e18);
    }

    /// @dev Both pools are used up at the price of the node, so that their reserves do not tell where to look on.
    function test_flowForward_exactFindsThePriceWherePoolsAreUsedUp() public view {
        Draft memory draft = _draft(0, 50e18);
        uint256 first = _addRange(draft, 4000e18, Q96, Q96 * 99 / 100);
        _addRange(draft, 4000e18, Q96 * 98 / 100, Q96 * 97 / 100);
        uint256[] memory prices = new uint256[](2);
        (prices[0], prices[1]) = (Q96 * 9 / 10, Q96);
        (uint256[] memory flows,) = _plan(draft, prices, true);
        assertApproxEqRel(flows[0], first, 1e10);
        assertEq(flows[0] + flows[1], 50e18);
    }

    /// @dev The node holds more than is demanded at its price. Then more is sold at once and more waits, and the last units of both earn the
    /// same.
    function test_flowForward_exactSplitsBetweenSwapsAndTheWait() public view {
        Draft memory draft = _draft(2, 400e18);
        _addPool(draft, 4, 0, 1e30, 1e30);
        _addPool(draft, 0, 3, 1000e18, 1000e18);
        _addPool(draft, 2, 5, 700e18, 700e18);
        _addPool(draft, 3, 5, 1e30, 1e30);
        uint256[] memory prices = new uint256[](5);
        // The pools behind both trade at these, but far less than is held.
        (prices[0], prices[1], prices[2]) = (Q96 * 95 / 100, Q96 * 95 / 100, Q96 * 9985 / 10_000);
        (prices[3], prices[4]) = (Q96 * 94 / 100, Q96);
        (uint256[] memory flows,) = _plan(draft, prices, true);
        uint256 first = 1000e18 + flows[1] * 997 / 1000;
        uint256 second = 700e18 + flows[2] * 997 / 1000;
        assertGt(flows[2], 100e18);
        assertApproxEqRel(
            uint256(1000e18) * 1000e18 * 997 / (first * first / 1e18),
            uint256(700e18) * 700e18 * 1000 / (second * second / 1e18),
            1e13
        );
    }

    /// @return What the pool takes.
    function _addRange(Draft memory draft, uint256 liquidity, uint256 start, uint256 end)
        private
        pure
        returns (uint256)
    {
        (uint256[] memory liquidities, uint256[] memory ratios) = (new uint256[](1), new uint256[](2));
        (liquidities[0], ratios[0], ratios[1]) = (liquidity, start, end);
        _addCurve(draft, 0, 1, _ranges(liquidities, ratios));
        return liquidity * Q96 / end - liquidity * Q96 / start;
    }

    function _dustBehindTheWait() private pure returns (Draft memory draft) {
        draft = _draft(2, 10e18);
        _addPool(draft, 4, 0, 1e30, 1e30);
        _addPool(draft, 0, 3, 1e30, 1e30);
        _addPool(draft, 2, 5, 1e15, 1e15);
        _addPool(draft, 3, 5, 1e30, 1e30);
    }

    /// @dev Of (a,1), (a,2), (b,2), source, target: each a fee of 0.3 % below the next, and lower by a hair, at which the
    /// deep pools take more than there is. The dust pool has traded its fill at that price.
    function _evenPrices() private pure returns (uint256[] memory prices) {
        prices = new uint256[](5);
        uint256 fee = FixedPointMathLib.sqrt((uint256(997) << 192) / 1000);
        uint256 hair = Q96 / 2e10;
        prices[4] = Q96;
        prices[2] = fee - hair;
        prices[0] = fee * prices[2] / Q96 - hair;
        prices[1] = prices[0];
        prices[3] = fee * prices[0] / Q96 - hair;
    }

    function _plan(Draft memory draft, uint256[] memory prices, bool exact)
        private
        view
        returns (uint256[] memory amounts, uint256 amountOut)
    {
        return optimizer.planAt(draft.connectors, draft.amountIn, draft.words, draft.offsets, prices, exact);
    }
}
