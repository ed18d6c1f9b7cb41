// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PlainToken, TaxedToken} from "../fixtures/Tokens.sol";

/// @notice An exact preview of tokens that tax transfers is what the recipient gets.
/// forge-config: default.fuzz.runs = 100
contract TaxedQuotesTest is MarketFixture {
    function setUp() public {
        deployMarket();
        createV2(address(weth), address(usdc), worth(0, 1e7), worth(1, 1e7));
    }

    function testFuzz_previewPlanExact_ofATaxedOutput_isWhatArrives(uint256 taxBps, uint256 dollars) public {
        TaxedToken taxed = _taxed(taxBps);
        _expectPaid(weth, taxed, worth(0, bound(dollars, 1, 100_000)));
    }

    function testFuzz_previewPlanExact_ofATaxedInput_isWhatArrives(uint256 taxBps, uint256 dollars) public {
        TaxedToken taxed = _taxed(taxBps);
        _expectPaid(taxed, weth, bound(dollars, 1, 100_000) * 1e18);
    }

    /// @dev A pool with little more than four times the input lends twice as much, of which at least the input arrives. It sells for next
    /// to nothing, so that the route does not use it.
    function testFuzz_previewPlanExact_ofATaxedInput_borrowsEnoughForTheTax(uint256 taxBps, uint256 dollars) public {
        TaxedToken taxed = _taxed(taxBps);
        uint256 amountIn = bound(dollars, 1, 100_000) * 1e18;
        createV2(address(taxed), address(dai), amountIn * 41 / 10, 1e6);
        PreviewOptions memory options;
        Plan memory plan = quoter.previewPlanExact(address(taxed), address(weth), amountIn, options);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertEq(execute(plan), plan.netOut);
    }

    /// @dev A dollar each, in a pool with as many dollars.
    function _taxed(uint256 taxBps) private returns (TaxedToken taxed) {
        taxed = new TaxedToken("TAX", 18, bound(taxBps, 1, 3000));
        createV2(address(taxed), address(usdc), 1e7 * 1e18, worth(1, 1e7));
    }

    function _expectPaid(PlainToken tokenIn, PlainToken tokenOut, uint256 amountIn) private {
        PreviewOptions memory options;
        tokenIn.mint(address(quoter), amountIn);
        Plan memory plan = quoter.previewPlanExact(address(tokenIn), address(tokenOut), amountIn, options);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertLt(plan.netOut, quoter.previewPlan(address(tokenIn), address(tokenOut), amountIn).netOut, "tax");
        assertEq(execute(plan), plan.netOut);
    }
}
