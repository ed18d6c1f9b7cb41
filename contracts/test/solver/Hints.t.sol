// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISolver} from "../../src/interfaces/ISolver.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice A hint takes nothing from the quote without it, whatever the search with it comes to.
contract HintsTest is MarketFixture {
    uint256 private constant CALL_GAS = 30_000_000;
    uint256 private constant SCARCE_GAS = 22_000_000;

    uint256 private amountIn;
    PreviewOptions private options;

    function setUp() public {
        deployMarket();
        seedMarket(7);
        amountIn = worth(0, 10_000);
        options.connectors = [address(new PlainToken("HINT", 18))];
    }

    function test_aSearchWithHintsThatIsCutOff_takesNothing() public {
        Plan memory plain = preview(weth, usdc, amountIn);
        ISolver.Solution memory solution = _find();
        (solution.truncated, solution.route.grossOut) = (true, solution.route.grossOut - 1);
        _answer(solution);
        Plan memory plan = _preview(CALL_GAS);
        assertEq(plan.netOut, plain.netOut);
        assertEq(abi.encode(plan.route), abi.encode(plain.route));
        assertTrue(plan.truncated);
        assertEq(plan.upperBound, type(uint256).max, "proven of what was read, and not of hints");
        assertEq(execute(plan), plan.netOut);
    }

    function test_aSearchWithHintsThatFails_takesNothing() public {
        Plan memory plain = preview(weth, usdc, amountIn);
        vm.mockCallRevert(address(solver), _question(), "out of gas");
        Plan memory plan = _preview(CALL_GAS);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertEq(plan.netOut, plain.netOut);
        assertTrue(plan.truncated);
    }

    function test_aSearchWithHintsThatFindsNothing_takesNothing() public {
        ISolver.Solution memory solution;
        solution.truncated = true;
        _answer(solution);
        assertEq(_preview(CALL_GAS).netOut, preview(weth, usdc, amountIn).netOut);
    }

    function test_aSearchWithHintsThatIsCutOffAndPaysAsMuch_isTheAnswer() public {
        ISolver.Solution memory solution = _find();
        (solution.truncated, solution.poolsRead) = (true, 77);
        _answer(solution);
        Plan memory plan = _preview(CALL_GAS);
        assertEq(plan.poolsRead, 77);
        assertEq(plan.upperBound, solution.upperBound);
    }

    /// @dev One that was not cut off is the best over more pools.
    function test_aSearchWithHintsThatIsWhole_isTheAnswer() public {
        ISolver.Solution memory solution = _find();
        --solution.route.grossOut;
        _answer(solution);
        assertEq(_preview(CALL_GAS).route.grossOut, solution.route.grossOut);
    }

    /// @dev Two searches would both be cut off.
    function test_whereGasIsScarce_thereIsOneSearch() public {
        ISolver.Solution memory solution = _find();
        (solution.truncated, solution.route.grossOut) = (true, solution.route.grossOut - 1);
        _answer(solution);
        assertEq(_preview(SCARCE_GAS).route.grossOut, solution.route.grossOut);
    }

    function _preview(uint256 gas) private view returns (Plan memory) {
        return quoter.previewPlan{gas: gas}(address(weth), address(usdc), amountIn, options);
    }

    function _find() private returns (ISolver.Solution memory) {
        return solver.findRoute(address(weth), address(usdc), amountIn, options);
    }

    function _answer(ISolver.Solution memory solution) private {
        vm.mockCall(address(solver), _question(), abi.encode(solution));
    }

    /// @dev The search with the hint.
    function _question() private view returns (bytes memory) {
        return abi.encodeCall(ISolver.findRoute, (address(weth), address(usdc), amountIn, options));
    }
}
