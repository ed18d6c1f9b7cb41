// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISolver} from "../../src/interfaces/ISolver.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice Nodes cap the gas of calls: with less of it a plan is worse, says so, and holds all the same.
contract ShortOfGasTest is MarketFixture {
    uint256 private constant AMPLE = 200_000_000;
    uint256 private constant HINTS = 4;
    /// @dev Parts in a million that a plan with 12 M may pay less than one with ample gas.
    uint256 private constant CLOSE = 50_000;

    /// @dev Tokens that are no connectors, each with pools with every other token.
    PlainToken[HINTS] private hints;

    /// @dev Pools between all tokens, and four hints: about as much as a search reads.
    function setUp() public {
        deployMarket();
        for (uint256 i; i < HINTS; ++i) {
            hints[i] = new PlainToken("HINT", 18);
            tokens.push(hints[i]);
            microDollars.push(1_000_000 * (i + 1));
        }
        seedDenseMarket();
    }

    function _preview(uint256 gas, uint256 gasPrice, uint256 dollars) private view returns (Plan memory) {
        PreviewOptions memory options = PreviewOptions(gasPrice, new address[](HINTS), 0, new uint256[](0));
        for (uint256 i; i < HINTS; ++i) {
            options.connectors[i] = address(hints[i]);
        }
        return quoter.previewPlan{gas: gas}(address(weth), address(tail), worth(0, dollars), options);
    }

    function test_previewPlan_withAmpleGas_isNotCutOff() public view {
        assertFalse(_preview(AMPLE, 0, 500_000).truncated);
    }

    function test_findRoute_saysWhetherMoreGasMayHelp() public {
        PreviewOptions memory options;
        for (uint256 dollars = 100; dollars < 1e7; dollars *= 10) {
            uint256 amountIn = worth(0, dollars);
            ISolver.Solution memory ample =
                solver.findRoute{gas: AMPLE}(address(weth), address(tail), amountIn, options);
            assertFalse(ample.cutShort, vm.toString(dollars));
        }
        ISolver.Solution memory scarce =
            solver.findRoute{gas: 3_000_000}(address(weth), address(tail), worth(0, 500_000), options);
        assertTrue(scarce.cutShort);
    }

    /// @dev What hints add comes last: without gas for it the plan is the one without them.
    function test_previewPlan_with12M_isCloseToTheBestWithoutHints() public view {
        Plan memory best = quoter.previewPlan{gas: 12_000_000}(address(weth), address(tail), worth(0, 500_000));
        Plan memory plan = _preview(12_000_000, 0, 500_000);
        assertGe(plan.route.grossOut, best.route.grossOut - best.route.grossOut * CLOSE / 1e6);
    }

    /// @dev Step by step, because a search that spends too much before its last steps fails for a little more or less gas only.
    function test_previewPlan_withAnyGas_findsARouteOrSaysThatItIsCutOff() public view {
        uint256[2][4] memory pairs = [[uint256(1), 6], [uint256(3), 7], [uint256(5), 8], [uint256(5), 7]];
        PreviewOptions memory options = PreviewOptions(1 gwei, new address[](0), 0, new uint256[](0));
        for (uint256 i; i < pairs.length; ++i) {
            (address sold, address bought) = (address(tokens[pairs[i][0]]), address(tokens[pairs[i][1]]));
            for (uint256 gas = 1_750_000; gas < 9_000_000; gas += 50_000) {
                Plan memory plan = quoter.previewPlan{gas: gas}(sold, bought, worth(pairs[i][0], 2_000_000), options);
                if (gas < 4_000_000 && plan.truncated) continue;
                assertEq(uint8(plan.verdict), uint8(Verdict.Executable), vm.toString(gas));
            }
        }
    }

    /// forge-config: default.fuzz.runs = 20
    function testFuzz_previewPlan_shortOfGas_isAPlanThatHolds(uint256 gas, uint256 dollars, bool priced) public {
        gas = bound(gas, 3_000_000, 20_000_000);
        dollars = bound(dollars, 1, 3_000_000);
        Plan memory best = _preview(AMPLE, priced ? 1 gwei : 0, dollars);
        Plan memory plan = _preview(gas, priced ? 1 gwei : 0, dollars);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertGe(plan.upperBound, plan.route.grossOut);
        // If nothing was left out the bound is one for every plan.
        if (!plan.truncated) assertGe(plan.upperBound, best.route.grossOut);
        assertEq(execute(plan), plan.netOut);
    }

    function test_previewPlan_with3M_isCutOff_andSaysSo() public view {
        Plan memory plan = _preview(3_000_000, 0, 500_000);
        assertTrue(plan.truncated);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
    }
}
