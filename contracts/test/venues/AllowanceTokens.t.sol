// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {AllVenuesFixture} from "../fixtures/AllVenuesFixture.sol";
import {OldStableSwap} from "../fixtures/StableSwapPools.sol";
import {NoReturnToken, PlainToken} from "../fixtures/Tokens.sol";

/// @notice Venues that take their input by allowance, with a token that returns nothing and lets no allowance change
/// but from or to zero, as USDT on Ethereum: sold, bought, and in the middle.
contract AllowanceTokensTest is AllVenuesFixture {
    uint256 private constant TETHER_INDEX = 5;
    uint256 private constant DOLLARS = 50_000;

    NoReturnToken private tether;

    function setUp() public {
        deployAllVenues();
        tether = new NoReturnToken("USDT", 6);
        tokens.push(tether);
        microDollars.push(1_000_000);
        // From WETH there is no other way on than through it.
        createV2Of(WETH_INDEX, TETHER_INDEX);
    }

    function test_curve() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(TETHER_INDEX, DAI_INDEX);
        address pool = address(new OldStableSwap(pair, amounts, 400, 4e6));
        addPool(CURVE, pool, pair);
        _checkAll(pool, pool);
    }

    function test_balancerStable() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(TETHER_INDEX, DAI_INDEX);
        address pool = createStable(pair, amounts, new address[](2), 200, 0.0001e18);
        addPool(STABLE, pool, pair);
        _checkAll(pool, address(vault));
    }

    function test_balancerWeighted() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(TETHER_INDEX, DAI_INDEX);
        uint256[] memory weights = new uint256[](2);
        (weights[0], weights[1]) = (0.5e18, 0.5e18);
        address pool = createWeighted(pair, weights, amounts, 0.001e18);
        addPool(WEIGHTED, pool, pair);
        _checkAll(pool, address(vault));
    }

    function _checkAll(address pool, address spender) private {
        _check(TETHER_INDEX, DAI_INDEX, pool, spender);
        _check(DAI_INDEX, TETHER_INDEX, pool, spender);
        // Twice, because the first could leave an allowance behind.
        _check(TETHER_INDEX, DAI_INDEX, pool, spender);
        assertEq(_check(WETH_INDEX, DAI_INDEX, pool, spender).hops, 2);
        assertEq(_check(DAI_INDEX, WETH_INDEX, pool, spender).hops, 2);
    }

    function _check(uint256 tokenIn, uint256 tokenOut, address pool, address spender)
        private
        returns (Plan memory plan)
    {
        address[] memory hints = new address[](1);
        hints[0] = address(tether);
        plan = quoter.previewPlan(
            address(tokens[tokenIn]),
            address(tokens[tokenOut]),
            worth(tokenIn, DOLLARS),
            PreviewOptions(0, hints, 0, new uint256[](0))
        );
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        bool used;
        for (uint256 i; i < plan.route.legs.length; ++i) {
            used = used || plan.route.legs[i].pool == pool;
        }
        assertTrue(used, "unused");
        assertEq(execute(plan), plan.netOut, "execution");
        for (uint256 i; i < plan.route.legs.length; ++i) {
            PlainToken sold = PlainToken(plan.route.legs[i].tokenIn);
            assertEq(sold.balanceOf(address(router)), 0);
            assertEq(sold.allowance(address(router), spender), 0);
        }
    }
}
