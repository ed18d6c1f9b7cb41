// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {estimateOut} from "../../src/solver/Estimate.sol";
import {Curve, Pool} from "../../src/types/Market.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {Tier, Venue} from "../../src/types/Venue.sol";
import {VenueKind} from "../../src/types/VenueKind.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {HostileFixture} from "../hostile/HostileFixture.sol";

/// @notice What every venue kind must keep within the protocol, on a pool of USDC and DAI beside those of Uniswap V2.
abstract contract KindCases is HostileFixture {
    /// @dev What the Solver adds to its bound for the rounding of curves, as a shift.
    uint256 private constant MARGIN_SHIFT = 28;
    uint256 private constant MAX_DOLLARS = 300_000;

    /// @dev The pool under test, its venue's number in the Hub, and the leg's key.
    uint16 internal number;
    address internal pool;
    uint256 internal key;

    /* WHAT A KIND TEACHES */

    /// @notice The kind under test.
    function kind() internal pure virtual returns (VenueKind);
    /// @notice Adds a venue of the kind, unless the fixture has one, and a pool of `usdc` and `dai` with some millions of
    /// dollars on each side, so that a search prefers it.
    function deployKind() internal virtual returns (uint16 number_, address pool_, uint256 key_);
    /// @notice Every function that a search or a fill calls, and of whom.
    function calledFunctions() internal virtual returns (address target, bytes4[] memory selectors);

    function setUp() public override {
        super.setUp();
        noteWithout();
        (number, pool, key) = deployKind();
        skip(60);
    }

    /* CASES */

    function test_table_saysWhatTheHubHas() public view {
        Venue memory venue = hub.venue(number);
        assertTrue(venue.kind == kind());
        assertTrue(venue.kind.isKnown());
        assertEq(venue.callback != 0, venue.kind.callsBack(), "callback");
        assertEq(hub.venues()[number - 1].tiers.length == 0, !venue.kind.isDerived(), "tiers");
        address derived = Venues.derive(venue.packed(), address(usdc), address(dai), key);
        assertEq(derived, venue.kind.isListed() ? address(0) : pool, "derived");
        address listed = hub.poolAt(number, address(usdc), address(dai), key);
        assertEq(listed, venue.kind.isListed() ? pool : address(0), "in the list");
    }

    function test_previewPlan_tradesHereAndEqualsExecution() public {
        Plan memory plan = previewInCall();
        assertTrue(uses(plan, pool), "another pool won");
        assertGt(plan.netOut, netWithout);
        assertGe(plan.upperBound, plan.route.grossOut);
        // It need not find a lender then.
        usdc.mint(address(quoter), plan.route.amountIn);
        Plan memory exact = quoter.previewPlanExact(
            plan.route.tokenIn,
            plan.route.tokenOut,
            plan.route.amountIn,
            PreviewOptions(1e9, new address[](0), 0, new uint256[](0))
        );
        assertEq(uint8(exact.verdict), uint8(Verdict.Executable));
        assertEq(exact.netOut, plan.netOut, "dry run");
        assertEq(execute(plan), plan.netOut, "execution");
    }

    function testFuzz_quote_equalsExecution(uint256 amountIn, bool sellsUsdc) public {
        (PlainToken sold, PlainToken bought) = sellsUsdc ? (usdc, dai) : (dai, usdc);
        amountIn = _amount(amountIn, sellsUsdc);
        (uint256 quoted, uint256 gas) = Venues.quote(_read(), sold < bought, amountIn);
        if (quoted == 0) return;
        assertGt(gas, 0);
        assertEq(
            swap(_route(address(sold), address(bought), amountIn, quoted), amountIn), quoted - quoted * 28 / 10_000
        );
        for (uint256 i; i < 2; ++i) {
            PlainToken token = i == 0 ? sold : bought;
            assertEq(token.balanceOf(address(router)), 0, "kept");
            assertEq(token.allowance(address(router), pool), 0, "allowed to the pool");
            assertEq(token.allowance(address(router), hub.venue(number).deployer), 0, "allowed to the deployer");
        }
        assertEq(address(router).balance, 0);
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_curve_isNeverBelowThePool(uint256 amountIn, bool sellsUsdc) public {
        bool zeroForOne = sellsUsdc == (usdc < dai);
        amountIn = _amount(amountIn, sellsUsdc);
        Pool memory read = _read();
        (uint256 quoted,) = Venues.quote(read, zeroForOne, amountIn);
        Curve memory curve;
        Venues.extend(read, zeroForOne, curve, 2);
        for (uint256 i; i < 40 && curve.open; ++i) {
            Venues.extend(read, zeroForOne, curve, 8);
        }
        // Some round their fee on the input down: up to a unit after the fee is free.
        uint256 drawn = estimateOut(curve, amountIn + 2);
        assertGe(drawn + (drawn >> MARGIN_SHIFT) + 2 * curve.count + 2, quoted, "below the pool");
    }

    /// @dev Its code is the pool's own, which only the place tells apart.
    function test_swapExactIn_revertsIf_thePoolIsNotTheVenues() public {
        address another = makeAddr("another pool");
        vm.etch(another, pool.code);
        Route memory route = _route(address(usdc), address(dai), 1e6, 1);
        route.legs[0].pool = another;
        fund(user, address(usdc), 1e6);
        vm.prank(user);
        vm.expectRevert(abi.encodeWithSelector(IRouter.UnknownPool.selector, another, pool));
        router.swapExactIn(route, 1e6, 1, user, block.timestamp);
    }

    function test_search_survivesWhateverIsAnswered() public {
        (address target, bytes4[] memory selectors) = calledFunctions();
        checkEveryTurn(target, selectors);
    }

    function testFuzz_search_survivesWhateverIsAnswered(uint256 seed) public {
        (address target, bytes4[] memory selectors) = calledFunctions();
        turnAtRandom(target, selectors, seed);
        check("random");
    }

    /* SHORTHANDS */

    /// @dev Square root of the price at which a unit of USDC is 10^12 of DAI, and its tick, as a pool of theirs has them.
    function evenPrice() internal view returns (uint160 sqrtPriceX96, int24 tick) {
        return usdc < dai ? (uint160(1e6 << 96), int24(276_324)) : (uint160(uint256(1 << 96) / 1e6), int24(-276_325));
    }

    /// @dev From a unit to some hundred thousand dollars, every order of magnitude alike.
    function _amount(uint256 random, bool sellsUsdc) private view returns (uint256) {
        uint256 most = worth(sellsUsdc ? USDC_INDEX : DAI_INDEX, MAX_DOLLARS) >> (random & 31);
        return 1 + (random >> 8) % (most + 1);
    }

    function _read() private returns (Pool memory read) {
        Venue memory venue = hub.venue(number);
        (read.number, read.venue, read.pool) = (number, venue.packed(), pool);
        read.tier = venue.kind.isDerived() ? _tier() : Tier(uint208(key), 0, 0);
        (address a, address b) = (address(usdc), address(dai));
        (read.address0, read.address1) = a < b ? (a, b) : (b, a);
        read.sampler = Venues.readerOf(read.venue, address(solver.finder().sampler()), address(solver.pricer()));
        assertTrue(Venues.read(read), "not read");
    }

    function _tier() private view returns (Tier memory) {
        Tier[] memory tiers = hub.venues()[number - 1].tiers;
        for (uint256 i; i < tiers.length; ++i) {
            if (tiers[i].key == key) return tiers[i];
        }
        revert("no tier has the key");
    }

    function _route(address tokenIn, address tokenOut, uint256 amountIn, uint256 grossOut)
        private
        view
        returns (Route memory route)
    {
        (route.tokenIn, route.tokenOut) = (tokenIn, tokenOut);
        (route.amountIn, route.grossOut) = (amountIn, grossOut);
        route.legs = new Leg[](1);
        route.legs[0] = Leg(number, pool, tokenIn, tokenOut, key, WHOLE_SHARE);
    }
}
