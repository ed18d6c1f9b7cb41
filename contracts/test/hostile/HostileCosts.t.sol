// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {Leg, Route} from "../../src/types/Route.sol";
import {ICurvePool} from "../../src/venues/CurveStable.sol";
import {FickleStableSwap, PlainStableSwap} from "../fixtures/StableSwapPools.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {Turn} from "../fixtures/Turned.sol";
import {HostileFixture} from "./HostileFixture.sol";

/// @notice What hostile pools cost the search, and what they can try while a leg on them is filled.
contract HostileCostsTest is HostileFixture {
    /// @dev What one pool that burns all it is given may add to a preview.
    uint256 private constant MOST_BURNT = 700_000;
    /// @dev The same where only its prices burn, which are asked for again and again.
    uint256 private constant MOST_BURNT_BY_PRICES = 5_000_000;

    bytes private _answer;

    /// @dev A pool of all four connector tokens is met in six pairs, and read once.
    function test_discovery_paysForAHostilePoolOnce() public {
        noteWithout();
        (address pool, address[] memory all) = _ofAllConnectors();
        turn(pool, ICurvePool.get_dy.selector, Turn.Reverts);
        addPool(CURVE, pool, all);
        uint256 reverting = _gasOfPreview();
        turn(pool, ICurvePool.get_dy.selector, Turn.BurnsGas);
        uint256 burning = _gasOfPreview();
        assertLt(burning, reverting + MOST_BURNT);
        check("burns");
    }

    /// @dev The more there are the more they burn, and each is refused on its own.
    function test_discovery_withSixHostilePools() public {
        noteWithout();
        for (uint256 i; i < 6; ++i) {
            (address pool, address[] memory all) = _ofAllConnectors();
            turn(pool, ICurvePool.get_dy.selector, i % 2 == 0 ? Turn.BurnsGas : Turn.AnswersAMegabyte);
            addPool(CURVE, pool, all);
        }
        check("six");
    }

    function test_plan_gasOfAPoolWhosePricesBurn() public {
        uint256 honest = _gasOfPreview();
        _fickle().turn(0, true);
        assertLt(_gasOfPreview(), honest + MOST_BURNT_BY_PRICES);
    }

    /// @dev A pool cannot start another swap while it fills a leg.
    function test_execution_aPoolCannotReenter() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        address pool = address(new PlainStableSwap(pair, amounts, 400, 4e6));
        addPool(CURVE, pool, pair);
        Plan memory plan = previewInCall();
        assertTrue(uses(plan, pool));
        turn(pool, ICurvePool.exchange.selector, Turn.Reenters);
        reenter(pool, address(this), this.attack.selector);
        assertEq(execute(plan), plan.netOut);
        assertEq(_answer, abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(this)));
    }

    /// @notice What the pool tries, and how it ends.
    function attack() external {
        Leg[] memory legs = new Leg[](1);
        legs[0] = legV2(v2Factory.getPair(address(weth), address(dai)), address(weth), address(dai));
        Route memory route = Route(address(weth), address(dai), 1e18, 1, 0, legs);
        weth.mint(address(this), 1e18);
        weth.approve(address(router), 1e18);
        try router.swapExactIn(route, 1e18, 1, address(this), block.timestamp) {}
        catch (bytes memory reason) {
            _answer = reason;
        }
    }

    /// @dev It says one thing and pays another: the dry run says so, and the floor holds.
    function test_execution_aPoolThatPaysLessThanItSays() public {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        address pool = address(new PlainStableSwap(pair, amounts, 400, 4e6));
        addPool(CURVE, pool, pair);
        turn(pool, ICurvePool.exchange.selector, Turn.AnswersOnes);
        Plan memory plan = previewInCall();
        assertTrue(uses(plan, pool));
        Plan memory exact = quoter.previewPlanExact(
            plan.route.tokenIn,
            plan.route.tokenOut,
            plan.route.amountIn,
            PreviewOptions(1e9, new address[](0), 0, new uint256[](0))
        );
        assertEq(uint8(exact.verdict), uint8(Verdict.DryRunFailed));
        fund(user, plan.route.tokenIn, plan.route.amountIn);
        vm.prank(user);
        vm.expectPartialRevert(IRouter.PartialFill.selector);
        router.swapExactIn(plan.route, plan.route.amountIn, plan.ironFloor, user, block.timestamp);
    }

    /* SHORTHANDS */

    function _gasOfPreview() private view returns (uint256 gas) {
        gas = gasleft();
        previewInCall();
        gas -= gasleft();
    }

    function _fickle() private returns (FickleStableSwap pool) {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        noteWithout();
        pool = new FickleStableSwap(pair, amounts, 400, 4e6);
        addPool(CURVE, address(pool), pair);
        assertTrue(uses(previewInCall(), address(pool)));
    }

    function _ofAllConnectors() private returns (address pool, address[] memory all) {
        uint256[] memory amounts = new uint256[](4);
        all = new address[](4);
        for (uint256 i; i < 4; ++i) {
            (all[i], amounts[i]) = (address(tokens[i]), 1_000_000 * 10 ** tokens[i].decimals());
        }
        pool = address(new PlainStableSwap(all, amounts, 400, 4e6));
    }
}
