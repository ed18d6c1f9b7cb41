// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Quoter} from "../../src/Quoter.sol";
import {IQuoter} from "../../src/interfaces/IQuoter.sol";
import {ISolver} from "../../src/interfaces/ISolver.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PassingSolver} from "../fixtures/PassingSolver.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice Finds what another finds, and leaves little of its gas.
contract GreedySolver is PassingSolver {
    constructor(ISolver found_) PassingSolver(found_) {}

    function findRoute(address tokenIn, address tokenOut, uint256 amountIn, PreviewOptions calldata options)
        external
        returns (Solution memory solution)
    {
        solution = found.findRoute(tokenIn, tokenOut, amountIn, options);
        while (gasleft() > 100_000) {}
    }
}

/// @notice What a node's gas cap, odd amounts and odd tokens do to a preview: a verdict, never a revert.
contract LimitsTest is MarketFixture {
    /// @dev What a call is given; many nodes cap calls not far above.
    uint256 private constant CALL_GAS = 12_000_000;

    function setUp() public {
        deployMarket();
        seedMarket(7);
    }

    function test_previewPlan_ofAnyAmount_isAVerdictWithinTheGas() public view {
        uint256[9] memory amounts =
            [uint256(1), 1000, 1 << 80, 1 << 96, 1 << 127, 1 << 128, 1 << 255, 10 ** 77 - 1, type(uint256).max];
        for (uint256 i; i < amounts.length; ++i) {
            Plan memory plan = quoter.previewPlan{gas: CALL_GAS}(address(weth), address(usdc), amounts[i]);
            assertEq(plan.witness.blockNumber, block.number);
            if (amounts[i] >= 1 << 128) assertEq(uint8(plan.verdict), uint8(Verdict.NoRoute));
        }
    }

    function testFuzz_previewPlan_neverRevertsForAnAmount(uint256 amountIn, uint8 a, uint8 b) public view {
        uint256 tokenIn = a % tokens.length;
        uint256 tokenOut = (tokenIn + 1 + b % (tokens.length - 1)) % tokens.length;
        if (amountIn == 0) amountIn = 1;
        quoter.previewPlan{gas: CALL_GAS}(address(tokens[tokenIn]), address(tokens[tokenOut]), amountIn);
    }

    /// @dev The one pool there is, nearly all of it, over about as many ticks as can pay for their gas.
    function test_previewPlan_ofALegOfManyTicks_hasGasForIt() public {
        PlainToken lone = new PlainToken("LONE", 18);
        address pool = createV3(address(lone), address(weth), 100, 1e18, 1e18);
        for (int24 k = 1; k <= 80; ++k) {
            addAround(pool, 256 * k, 1e18);
        }
        Plan memory plan = quoter.previewPlan{gas: CALL_GAS}(address(lone), address(weth), 40e18);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertGt(plan.estGas, 1_500_000);
        assertEq(execute(plan), plan.netOut);
    }

    /// @dev A search takes all that it is given, so it is not given what the dry run needs.
    function test_previewPlanExact_hasGasForItsDryRun() public {
        uint256 amountIn = worth(0, 5_000_000);
        Quoter exact = new Quoter(hub, new GreedySolver(solver), router);
        tokens[0].mint(address(exact), amountIn);
        PreviewOptions memory options;
        for (uint256 gas = CALL_GAS; gas < 24 * CALL_GAS / 10; gas += CALL_GAS / 10) {
            Plan memory plan =
                exact.previewPlanExact{gas: gas}(address(tokens[0]), address(tokens[1]), amountIn, options);
            assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
            assertGt(plan.route.legs.length, 1);
        }
    }

    function test_previewPlan_revertsIf_zeroAmount() public {
        vm.expectRevert(IQuoter.ZeroAmount.selector);
        quoter.previewPlan(address(weth), address(usdc), 0);
    }

    function test_previewPlan_revertsIf_sameToken() public {
        vm.expectRevert(abi.encodeWithSelector(IQuoter.SameToken.selector, address(weth)));
        quoter.previewPlan(address(weth), address(weth), 1);
    }

    function test_previewPlan_revertsIf_tooManyHints() public {
        vm.expectRevert(abi.encodeWithSelector(IQuoter.TooManyConnectors.selector, 5, 4));
        quoter.previewPlan(address(weth), address(usdc), 1, PreviewOptions(0, new address[](5), 0, new uint256[](0)));
    }

    /// @dev Nobody pays for a search that can find nothing.
    function test_previewPlan_ofMoreThanPoolsTake_isNotSearched() public {
        PlainToken lone = new PlainToken("LONE", 18);
        createV2(address(lone), address(usdc), 1e24, 1e12);
        uint256 searched = _gasOf(lone, 1e20);
        assertLt(_gasOf(lone, type(uint120).max), searched - 100_000);
    }

    function _gasOf(PlainToken token, uint256 amountIn) private returns (uint256 gas) {
        // Once before, so that all that is read is warm both times.
        preview(token, usdc, amountIn);
        gas = gasleft();
        preview(token, usdc, amountIn);
        gas -= gasleft();
    }

    function test_previewPlan_tellsDustFromNoRoute() public {
        PlainToken lone = new PlainToken("LONE", 18);
        createV2(address(lone), address(usdc), 1e24, 1e12);
        // A unit of a token of 18 decimals buys nothing of one with 6, over pools that take it.
        assertEq(uint8(preview(lone, usdc, 1).verdict), uint8(Verdict.NothingOut));
        assertEq(preview(lone, usdc, 1).route.legs.length, 0);
        assertEq(uint8(preview(lone, usdc, 1e13).verdict), uint8(Verdict.Executable));
        // More than any pool can count.
        assertEq(uint8(preview(lone, usdc, type(uint120).max).verdict), uint8(Verdict.NoRoute));
        assertEq(uint8(preview(lone, new PlainToken("OTHER", 18), 1).verdict), uint8(Verdict.NoRoute));
        assertEq(uint8(preview(lone, new PlainToken("OTHER", 18), 1e18).verdict), uint8(Verdict.NoRoute));
    }

    function test_previewPlan_saysWhichTokenHasNoCode() public {
        address nobody = makeAddr("nobody");
        Plan memory plan = quoter.previewPlan(nobody, address(usdc), 1);
        assertEq(uint8(plan.verdict), uint8(Verdict.TokenInNotContract));
        plan = quoter.previewPlan(address(usdc), nobody, 1);
        assertEq(uint8(plan.verdict), uint8(Verdict.TokenOutNotContract));
    }

    /// @dev Found by fuzzing: a connector token on no path has no price, which is no reason to divide by it.
    function test_regression_aConnectorOnNoPathHasNoPrice() public {
        deployMarket();
        seedMarket(2052);
        Plan memory plan = preview(tokens[1], tokens[0], worth(1, 350));
        assertEq(execute(plan), plan.netOut);
    }
}
