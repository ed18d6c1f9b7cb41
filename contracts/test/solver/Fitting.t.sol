// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Pricer} from "../../src/Pricer.sol";
import {drawConstantProduct} from "../../src/math/ConstantProduct.sol";
import {push} from "../../src/math/CurveSegments.sol";
import {costOf} from "../../src/math/GasValue.sol";
import {segmentAmounts} from "../../src/math/Ratio.sol";
import {estimateOut, inputFor} from "../../src/solver/Estimate.sol";
import {fit} from "../../src/solver/Fitting.sol";
import {gasValueOf} from "../../src/solver/GasValue.sol";
import {Search} from "../../src/solver/Search.sol";
import {GasValue} from "../../src/types/GasValue.sol";
import {Curve, Edge} from "../../src/types/Market.sol";
import {Test} from "forge-std/Test.sol";

using {costOf} for GasValue;

using {push} for Curve;

/// @notice A plan over two connector tokens, A and B, whose last pools take only so much; and what is derived from curves.
contract FittingTest is Test {
    uint256 private constant Q96 = 1 << 96;
    uint256 private constant AMOUNT = 1e21;
    /// @dev Nodes: A and B reached by one swap, A and B before the last one, `tokenIn`, `tokenOut`.
    uint256 private constant A = 0;
    uint256 private constant B = 1;
    uint256 private constant SOURCE = 4;
    uint256 private constant SINK = 5;

    address private constant NATIVE = address(0xA);

    /// @dev Pools of reserves at even prices; those into `tokenOut` end where they have taken `limits`.
    function _searchOf(uint256[2] memory limits) private pure returns (Search memory search) {
        (search.connectors, search.amountIn) = (2, AMOUNT);
        search.tokens = new address[](4);
        search.tokens[A] = NATIVE;
        search.edges = new Edge[](4);
        _lead(search.edges[0], SOURCE, A);
        _lead(search.edges[1], SOURCE, B);
        _lead(search.edges[2], 2 + A, SINK);
        _lead(search.edges[3], 2 + B, SINK);
        for (uint256 k; k < 2; ++k) {
            Curve memory curve = search.edges[k].curve;
            drawConstantProduct(curve, AMOUNT, AMOUNT, 3000);
            _drawUpTo(search.edges[2 + k].curve, limits[k]);
        }
    }

    function _lead(Edge memory edge, uint256 from, uint256 to) private pure {
        (edge.from, edge.to) = (from, to);
    }

    /// @dev A segment at an even price that ends where it has taken `limit`.
    function _drawUpTo(Curve memory curve, uint256 limit) private pure {
        uint256 liquidity = 1e23;
        uint256 end = liquidity * Q96 / (liquidity + limit);
        (uint256 segmentIn, uint256 segmentOut) = segmentAmounts(liquidity, Q96, end);
        curve.startRatio = Q96;
        curve.push(liquidity, Q96, end, segmentIn, segmentOut);
    }

    function _flows(uint256 toA, uint256 toB) private pure returns (uint256[] memory flows) {
        flows = new uint256[](4);
        (flows[0], flows[1], flows[2], flows[3]) = (toA, toB, toA, toB);
    }

    function test_fit_leadsElsewhereWhatAPoolBehindCannotTake() public pure {
        Search memory search = _searchOf([AMOUNT / 10, AMOUNT]);
        uint256[] memory flows = _flows(AMOUNT / 2, AMOUNT / 2);
        assertTrue(fit(search, flows));
        assertEq(flows[0] + flows[1], AMOUNT, "all is sold");
        uint256 bought = estimateOut(search.edges[0].curve, flows[0]);
        assertLe(bought, search.edges[2].curve.loadedIn);
        assertApproxEqRel(bought, search.edges[2].curve.loadedIn, 1e13);
        assertEq(flows[2], bought);
        assertEq(flows[3], estimateOut(search.edges[1].curve, flows[1]));
    }

    function test_fit_splitsAsBeforeWhereAllHasRoom() public pure {
        Search memory search = _searchOf([AMOUNT, AMOUNT]);
        uint256[] memory flows = _flows(AMOUNT / 2, AMOUNT / 2);
        assertTrue(fit(search, flows));
        assertEq(flows[0], AMOUNT / 2);
        assertEq(flows[1], AMOUNT / 2);
        uint256 bought = estimateOut(search.edges[0].curve, AMOUNT / 2);
        assertEq(flows[2], bought, "what the first leg buys");
        assertEq(flows[3], bought);
    }

    function test_fit_sharesWhatADroppedLegLeft() public pure {
        Search memory search = _searchOf([AMOUNT, AMOUNT]);
        uint256[] memory flows = _flows(AMOUNT / 2, AMOUNT / 4);
        assertTrue(fit(search, flows));
        assertApproxEqAbs(flows[0], AMOUNT * 2 / 3, 1);
        assertApproxEqAbs(flows[1], AMOUNT / 3, 1);
    }

    function test_fit_saysWhereNobodyCanTakeIt() public pure {
        Search memory search = _searchOf([AMOUNT / 10, AMOUNT / 10]);
        uint256[] memory flows = _flows(AMOUNT / 2, AMOUNT / 2);
        assertFalse(fit(search, flows));
        assertEq(flows, _flows(AMOUNT / 2, AMOUNT / 2));
    }

    function testFuzz_inputFor_isTheInverseOfWhatACurvePays(uint256 amountIn, uint256 limit) public pure {
        limit = bound(limit, 1e18, AMOUNT);
        amountIn = bound(amountIn, 1e12, 2 * limit);
        Curve memory curve;
        _drawUpTo(curve, limit / 2);
        (uint256 start, uint256 end) = (curve.endRatio, curve.endRatio / 2);
        (uint256 segmentIn, uint256 segmentOut) = segmentAmounts(1e20, start, end);
        curve.push(1e20, start, end, segmentIn, segmentOut);
        uint256 back = inputFor(curve, estimateOut(curve, amountIn));
        if (amountIn >= curve.loadedIn) assertApproxEqRel(back, curve.loadedIn, 1e12);
        else assertApproxEqRel(back, amountIn, 1e13);
    }

    /// @dev At 1 gwei, half a million gas is half a thousandth of the native token, which pools pay at even prices.
    function testFuzz_gasValueOf_isThatBeforeTheTrade(uint256 amountIn) public {
        Search memory search = _searchOf([AMOUNT, AMOUNT]);
        (search.amountIn, search.pricer) = (bound(amountIn, 1e18, 1e30), new Pricer());
        GasValue memory value = gasValueOf(search, NATIVE, 1 gwei, 0, 0);
        assertApproxEqRel(value.costOf(500_000, 2), 500_000 gwei, 0.01e18);
    }
}
