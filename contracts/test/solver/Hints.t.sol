// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Quoter} from "../../src/Quoter.sol";
import {ISolver} from "../../src/interfaces/ISolver.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PassingSolver} from "../fixtures/PassingSolver.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice Finds what another finds; with hints it burns all gas that it is given.
contract BurningSolver is PassingSolver {
    constructor(ISolver found_) PassingSolver(found_) {}

    function findRoute(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata asked)
        external
        returns (Solution memory)
    {
        if (asked.hasHints()) {
            assembly {
                invalid()
            }
        }
        return found.findRoute(tokenIn, tokenOut, amountIn, asked);
    }
}

/// @notice A hint takes nothing from the quote without it, whatever the search with it comes to.
contract HintsTest is MarketFixture {
    uint256 private constant CALL_GAS = 30_000_000;
    uint256 private constant SCARCE_GAS = 6_000_000;

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
        assertTrue(plan.truncated);
        assertEq(plan.upperBound, type(uint256).max, "proven of what was read only");
    }

    /// @dev One that was not cut off is the best over more pools.
    function test_aSearchWithHintsThatIsWhole_isTheAnswer() public {
        ISolver.Solution memory solution = _find();
        --solution.route.grossOut;
        _answer(solution);
        assertEq(_preview(CALL_GAS).route.grossOut, solution.route.grossOut);
    }

    /// @dev Not cut off, but its own bound says that there may be more: then the plain one is found as well.
    function test_aSearchWithHintsThatIsWholeAndProvesLittle_takesNothing() public {
        Plan memory plain = preview(weth, usdc, amountIn);
        ISolver.Solution memory solution = _find();
        solution.route.grossOut -= solution.route.grossOut / 10_000;
        _answer(solution);
        Plan memory plan = _preview(CALL_GAS);
        assertEq(abi.encode(plan.route), abi.encode(plain.route));
        assertFalse(plan.truncated);
        assertEq(plan.upperBound, solution.upperBound, "over the pools of hints too");
    }

    /// @dev Dear decoys took the gas for a better plan.
    function test_regression_aSearchWithHintsThatIsCutShort_isMadeAgain() public {
        ISolver.Solution memory best = _find();
        ISolver.Solution memory poor = _find();
        (poor.cutShort, poor.route.grossOut) = (true, best.route.grossOut - best.route.grossOut / 5000);
        best.poolsRead = 77;
        bytes[] memory answers = new bytes[](2);
        (answers[0], answers[1]) = (abi.encode(poor), abi.encode(best));
        vm.mockCalls(address(solver), _question(), answers);
        Plan memory plan = _preview(CALL_GAS);
        assertEq(plan.poolsRead, 77);
        assertEq(plan.route.grossOut, best.route.grossOut);
    }

    function test_aSearchWithHintsThatHadItsGas_isNotMadeAgain() public {
        ISolver.Solution memory solution = _find();
        solution.route.grossOut -= solution.route.grossOut / 50;
        _answer(solution);
        vm.expectCall(address(solver), _question(), 1);
        _preview(CALL_GAS);
    }

    function test_aSearchWithHintsThatProvesEnough_isNotMadeAgain() public {
        ISolver.Solution memory solution = _find();
        (solution.cutShort, solution.route.grossOut) =
        (true, solution.route.grossOut - solution.route.grossOut / 10_000);
        _answer(solution);
        vm.expectCall(address(solver), _question(), 1);
        _preview(CALL_GAS);
    }

    /// @dev Net of gas, the plan that delivers less may be worth more.
    function test_whereGasHasAPrice_theWorthierPlanIsTaken() public {
        options.gasPrice = 1e9;
        ISolver.Solution memory solution = _find();
        uint256 grossOut = solution.route.grossOut;
        (solution.route.grossOut, solution.gas) = (grossOut + 1, solution.gas + 100_000);
        _answer(solution);
        assertEq(_preview(CALL_GAS).route.grossOut, grossOut);
        (solution.route.grossOut, solution.gas) = (grossOut - 1, solution.gas - 200_000);
        _answer(solution);
        assertEq(_preview(CALL_GAS).route.grossOut, grossOut - 1);
    }

    /// @dev Hints are looked at with what the plain search leaves.
    function test_whereGasIsScarce_hintsTakeNothing() public {
        Plan memory plain = preview(weth, usdc, amountIn);
        ISolver.Solution memory solution = _find();
        (solution.truncated, solution.route.grossOut) = (true, solution.route.grossOut - 1);
        _answer(solution);
        assertEq(_preview(SCARCE_GAS).route.grossOut, plain.route.grossOut);
    }

    /// @dev No gas is kept for a plan without hints if there is none.
    function test_whereAHintAloneConnects_scarceGasFindsIt() public {
        PlainToken far = new PlainToken("FAR", 18);
        address hint = options.connectors[0];
        createV2(address(usdc), hint, 1e12, 1e24);
        createV2(hint, address(far), 1e24, 1e24);
        for (uint256 gas = 2_000_000; gas <= SCARCE_GAS; gas += 1_000_000) {
            Plan memory plan = quoter.previewPlan{gas: gas}(address(weth), address(far), amountIn, options);
            assertEq(uint8(plan.verdict), uint8(Verdict.Executable), vm.toString(gas));
        }
    }

    function test_aSearchWithHintsThatBurnsItsGas_takesNothing() public {
        Plan memory plain = preview(weth, usdc, amountIn);
        (Plan memory plainOut,,) = _previewForOutput(plain.netOut, new address[](0));
        quoter = new Quoter(hub, new BurningSolver(solver), router);
        assertEq(abi.encode(_preview(CALL_GAS).route), abi.encode(plain.route));
        (Plan memory plan, uint256 lowerBound,) = _previewForOutput(plain.netOut, options.connectors);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertTrue(plan.truncated);
        assertApproxEqRel(plan.route.amountIn, plainOut.route.amountIn, 1e12, "a hundredth of a basis point");
        assertEq(lowerBound, type(uint256).max, "proven without the hints");
    }

    function _previewForOutput(uint256 amountOut, address[] memory hints)
        private
        view
        returns (Plan memory, uint256, uint256)
    {
        PreviewOptions memory asked;
        asked.connectors = hints;
        return quoter.previewPlanForOutput{gas: CALL_GAS}(address(weth), address(usdc), amountOut, asked);
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
