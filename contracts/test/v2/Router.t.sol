// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ICore} from "../../src/interfaces/ICore.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {IRouterV2} from "../../src/interfaces/IRouterV2.sol";
import {ironFloorOf, protocolFee} from "../../src/math/FeeMath.sol";
import {Route} from "../../src/types/Route.sol";
import {RouterV2} from "../../src/v2/Router.sol";
import {SecondGeneration} from "../fixtures/SecondGeneration.sol";
import {PlainToken, TaxedToken} from "../fixtures/Tokens.sol";
import {RouterAttacksCases} from "../router/RouterAttacksCases.sol";
import {RouterCases} from "../router/RouterCases.sol";
import {RouterEncodingCases} from "../router/RouterEncodingCases.sol";
import {RouterErrorsCases} from "../router/RouterErrorsCases.sol";
import {RouterFeesCases} from "../router/RouterFeesCases.sol";
import {RouterForksCases} from "../router/RouterForksCases.sol";
import {RouterTokensCases} from "../router/RouterTokensCases.sol";
import {Vm} from "forge-std/Vm.sol";

contract RouterV2AttacksTest is RouterAttacksCases, SecondGeneration {}

contract RouterV2FeesTest is RouterFeesCases, SecondGeneration {}

contract RouterV2EncodingTest is RouterEncodingCases, SecondGeneration {}

contract RouterV2ErrorsTest is RouterErrorsCases, SecondGeneration {}

contract RouterV2ForksTest is RouterForksCases, SecondGeneration {}

contract RouterV2TokensTest is RouterTokensCases, SecondGeneration {}

/// @notice And what 2.0.0 alone announces: the proof of what was delivered, and where the fee went.
contract RouterV2Test is RouterCases, SecondGeneration {
    function test_events_areThoseOfTheSpecification() public pure {
        assertEq(
            IRouterV2.ExecutionProof.selector,
            keccak256("ExecutionProof(address,address,uint256,uint256,uint256,uint256)")
        );
        assertEq(IRouterV2.Fee.selector, keccak256("Fee(address,uint256,uint256,uint256)"));
    }

    function test_swapExactIn_announcesProofAndFee() public {
        Route memory route = _route();
        uint256 fee = protocolFee(route.grossOut);
        uint256 netOut = route.grossOut - fee;
        vm.roll(12_345);
        fund(user, address(weth), 1e18);
        _expectFee(address(usdc), fee);
        vm.expectEmit(address(router));
        emit IRouter.Swap(user, address(weth), address(usdc), 1e18, netOut, 1);
        vm.expectEmit(address(router));
        emit IRouterV2.ExecutionProof(user, address(usdc), netOut, netOut, ironFloorOf(route.grossOut, 0), 12_345);
        vm.prank(user);
        router.swapExactIn(route, 1e18, 1, user, block.timestamp);

        (uint256 t1, uint256 t2) = core.ledger(address(usdc));
        assertEq(t1 + t2, 0, "recorded when Core is next touched");
        core.recordFee(address(usdc));
        (t1, t2) = core.ledger(address(usdc));
        assertEq(t1, fee / 2);
        assertEq(t2, fee - fee / 2);
    }

    function testFuzz_swapExactIn_proofTellsQuoteDeliveryAndFloor(uint256 amountIn, uint256 quoted, uint256 minOut)
        public
    {
        Route memory route = _route();
        amountIn = bound(amountIn, 1e15, 1e18);
        uint256 gross = trueOutputOf(route, amountIn);
        route.grossOut = bound(quoted, route.grossOut / 2, route.grossOut);
        uint256 quotedOut = amountIn == 1e18 ? route.grossOut : route.grossOut * amountIn / 1e18;
        quotedOut -= quotedOut * 28 / 10_000;
        uint256 floor = (ironFloorOf(route.grossOut, 0) * amountIn + 1e18 - 1) / 1e18;
        minOut = bound(minOut, 1, gross - gross * 28 / 10_000);
        if (minOut > floor) floor = minOut;

        fund(user, address(weth), amountIn);
        vm.recordLogs();
        vm.prank(user);
        uint256 amountOut = router.swapExactIn(route, amountIn, minOut, user, block.timestamp);
        Vm.Log[] memory proofs = routerLogs(IRouterV2.ExecutionProof.selector);
        assertEq(proofs.length, 1);
        assertEq(proofs[0].data, abi.encode(quotedOut > floor ? quotedOut : floor, amountOut, floor, block.number));
        assertEq(amountOut + usdc.balanceOf(address(core)), gross);
    }

    function test_swapExactIn_proofGivesTheHeightOfArbitrum() public {
        vm.etch(address(0x64), address(new ArbSys()).code);
        // It is asked once whether the chain has it.
        router = new RouterV2(hub, core);
        addRouter(router);
        Route memory route = _route();
        vm.recordLogs();
        swap(route, 1e18);
        (,,, uint256 blockNumber) =
            abi.decode(routerLogs(IRouterV2.ExecutionProof.selector)[0].data, (uint256, uint256, uint256, uint256));
        assertEq(blockNumber, 987_654_321);
    }

    function test_swapExactIn_aFeeOfZeroIsNotAnnounced() public {
        PlainToken tokenA = new PlainToken("A", 0);
        PlainToken tokenB = new PlainToken("B", 0);
        address pool = createV2(address(tokenA), address(tokenB), 1e6, 1e6);
        Route memory route = routeOf(legV2(pool, address(tokenA), address(tokenB)), 100);
        vm.recordLogs();
        swap(route, 100);
        assertEq(routerLogs(IRouterV2.Fee.selector).length, 0);
    }

    /// @dev What strangers gave to Core is in Core's own event, and in nobody's swap.
    function testFuzz_swapExactIn_announcesItsOwnFeeAndNoDonation(uint256 donated) public {
        donated = bound(donated, 0, 1e18);
        Route memory route = _route();
        uint256 fee = protocolFee(route.grossOut);
        usdc.mint(address(core), donated);
        fund(user, address(weth), 1e18);
        _expectFee(address(usdc), fee);
        vm.prank(user);
        router.swapExactIn(route, 1e18, 1, user, block.timestamp);
        vm.expectEmit(address(core));
        uint256 toT1 = (fee + donated) / 2;
        emit ICore.FeeRecorded(address(usdc), fee + donated, toT1, fee + donated - toT1);
        core.recordFee(address(usdc));
    }

    /// @dev Of a token that taxes transfers the event counts what reached Core.
    function test_swapExactIn_announcesTheFeeThatArrived() public {
        TaxedToken taxed = new TaxedToken("TAX", 18, 200);
        address pool = createV2(address(usdc), address(taxed), 3_000_000e6, 1000e18);
        Route memory route = routeOf(legV2(pool, address(usdc), address(taxed)), 3000e6);
        uint256 fee = protocolFee(route.grossOut);
        // The second tax, on the payout, is in no quote of the pool.
        route.grossOut = route.grossOut * 97 / 100;
        fund(user, address(usdc), 3000e6);
        _expectFee(address(taxed), fee - fee * 200 / 10_000);
        vm.prank(user);
        router.swapExactIn(route, 3000e6, 1, user, block.timestamp);
    }

    function test_swapExactIn_feesInSluGoToTheStakers() public {
        address pool = createPair(1000e18, 1000e18);
        Route memory route = routeOf(legV2(pool, address(weth), address(slu)), 1e18);
        assertEq(swap(route, 1e18), route.grossOut - protocolFee(route.grossOut));
        assertEq(core.fundStakers(), protocolFee(route.grossOut) / 2);
        assertTrue(staking.isSolvent());
    }

    function _route() private returns (Route memory) {
        return routeOf(legV2(v2WethUsdc, address(weth), address(usdc)), 1e18);
    }

    function _expectFee(address token, uint256 amount) private {
        vm.expectEmit(address(router));
        emit IRouterV2.Fee(token, amount, amount / 2, amount - amount / 2);
    }

    /// @dev Of the wrapped token and SLU, which cannot be minted.
    function createPair(uint256 amountWeth, uint256 amountSlu) private returns (address pair) {
        pair = v2Factory.createPair(address(weth), address(slu));
        slu.transfer(pair, amountSlu);
        fundV2(pair, address(weth), address(weth), amountWeth, 0);
    }
}

/// @notice The chain's own height on Arbitrum, where `block.number` is another chain's.
contract ArbSys {
    function arbBlockNumber() external pure returns (uint256) {
        return 987_654_321;
    }
}
