// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BalancerV2Adapter} from "../../src/adapters/BalancerV2Adapter.sol";
import {IAfterSwap} from "../../src/interfaces/IAfterSwap.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {AllVenuesFixture} from "../fixtures/AllVenuesFixture.sol";
import {NgStableSwap, OldStableSwap, PlainStableSwap} from "../fixtures/StableSwapPools.sol";

/// @notice Routes that trade several pairs of a pool of three tokens. Each swap moves the others' prices, and the quote is still what
/// is delivered.
contract SharedPoolsTest is AllVenuesFixture {
    uint256 private constant NG_RATE = 1.05e18;

    function setUp() public {
        deployAllVenues();
        createV2Of(WETH_INDEX, USDC_INDEX);
        createV2Of(WETH_INDEX, DAI_INDEX);
        createV2Of(USDC_INDEX, DAI_INDEX);
    }

    /// @dev WETH, USDC and DAI, of which the pool holds uneven amounts.
    function _addPool(uint256 form, uint256 seed) private returns (address pool) {
        (address[] memory three, uint256[] memory amounts) = threeTokens();
        for (uint256 i; i < 3; ++i) {
            amounts[i] = amounts[i] * (1 + (seed >> (8 * i)) % 20) / 10;
        }
        if (form == 0) {
            uint256[] memory weights = new uint256[](3);
            (weights[0], weights[1], weights[2]) = (0.4e18, 0.3e18, 0.3e18);
            pool = createWeighted(three, weights, amounts, 0.0005e18);
            addPool(WEIGHTED, pool, three);
            return pool;
        }
        // Stable pools take a coin of any price as worth one whole coin: the dollar coins and as many of the ether.
        for (uint256 i; i < 3; ++i) {
            if (three[i] == address(weth)) amounts[i] = amounts[i] * 1e18 / worth(WETH_INDEX, 1);
        }
        if (form == 1) {
            pool = createStable(three, amounts, new address[](3), 200, 0.0001e18);
            addPool(STABLE, pool, three);
            return pool;
        }
        if (form == 2) pool = address(new OldStableSwap(three, amounts, 400, 4e6));
        else if (form == 3) pool = address(new PlainStableSwap(three, amounts, 400, 4e6));
        else pool = address(new NgStableSwap(three, amounts, 400, 4e6, 5e10, NG_RATE));
        addPool(CURVE, pool, three);
    }

    function _usesOf(Plan memory plan, address pool) private pure returns (uint256 uses) {
        for (uint256 k; k < plan.route.legs.length; ++k) {
            if (plan.route.legs[k].pool == pool) ++uses;
        }
    }

    function test_route_tradesSeveralPairsOfAPool() public {
        address pool = _addPool(0, 0x090909);
        Plan memory plan = preview(weth, usdc, worth(WETH_INDEX, 1_500_000));
        assertGt(_usesOf(plan, pool), 1);
        assertGe(plan.upperBound, plan.route.grossOut);
        assertEq(execute(plan), plan.netOut, "execution");
    }

    /// @dev A small trade has no use for a second pair.
    function test_route_tradesOnePairIf_thatIsEnough() public {
        address pool = _addPool(0, 0x090909);
        Plan memory plan = preview(weth, usdc, worth(WETH_INDEX, 300));
        assertEq(_usesOf(plan, pool), 1);
    }

    /// @dev What the owner keeps of a swap moves the next one's price. A pool that lies about it pays another amount, a little, and the
    /// swap's floor is what holds.
    function test_route_ofAPoolThatLiesAboutItsOwnersPart_paysItsFloor() public {
        address pool = _addPool(3, uint256(keccak256(abi.encode(0))));
        vm.mockCall(pool, abi.encodeWithSignature("admin_fee()"), abi.encode(0));
        Plan memory plan = preview(usdc, dai, worth(USDC_INDEX, 1_000_000));
        assertGt(_usesOf(plan, pool), 1);
        uint256 paid = execute(plan);
        assertNotEq(paid, plan.netOut, "lies");
        assertGe(paid, plan.ironFloor);
    }

    function test_route_tradesSeveralPairsOfAnAdaptersPool() public {
        (address adapter, PreviewOptions memory options) = _addAdapter();
        Plan memory plan = _previewOf(options);
        assertGt(_usesOf(plan, adapter), 1);
        assertEq(execute(plan), plan.netOut, "execution");
    }

    /// @dev Adapters need not tell what a swap does to a pool's other pairs.
    function test_route_tradesOnePairIf_theAdapterDoesNotTellTheOthers() public {
        (address adapter, PreviewOptions memory options) = _addAdapter();
        vm.mockCallRevert(adapter, abi.encodeWithSelector(IAfterSwap.afterSwap.selector), "");
        Plan memory plan = _previewOf(options);
        assertEq(_usesOf(plan, adapter), 1);
        assertEq(execute(plan), plan.netOut, "execution");
    }

    /// @dev A venue of an adapter, and as a hint a pool of it.
    function _addAdapter() private returns (address adapter, PreviewOptions memory options) {
        adapter = address(new BalancerV2Adapter(address(weightedFactory), address(weth)));
        VenueConfig memory config;
        (config.id, config.factory, config.tiers) = ("weighted-by-adapter", address(weightedFactory), new Tier[](0));
        (config.venue.kind, config.venue.enabled, config.venue.deployer) = (VenueKinds.ADAPTER, true, adapter);
        addVenue(config);
        (address[] memory three, uint256[] memory amounts) = threeTokens();
        uint256[] memory weights = new uint256[](3);
        (weights[0], weights[1], weights[2]) = (0.4e18, 0.3e18, 0.3e18);
        options.pools = new uint256[](1);
        options.pools[0] = uint160(createWeighted(three, weights, amounts, 0.0005e18));
    }

    function _previewOf(PreviewOptions memory options) private view returns (Plan memory) {
        return quoter.previewPlan(address(weth), address(usdc), worth(WETH_INDEX, 1_500_000), options);
    }

    function testFuzz_route_isQuotedAsItIsPaid(uint256 seed, uint256 form, uint256 pair, uint256 dollars, bool priced)
        public
    {
        _addPool(form % 5, seed);
        (uint256 a, uint256 b) = (pair % 3, (pair % 3 + 1 + (pair >> 8) % 2) % 3);
        PreviewOptions memory options = PreviewOptions(priced ? 1 gwei : 0, new address[](0), 0, new uint256[](0));
        uint256 amountIn = worth(a, bound(dollars, 100, 3_000_000));
        Plan memory plan = quoter.previewPlan(address(tokens[a]), address(tokens[b]), amountIn, options);
        if (plan.verdict != Verdict.Executable) return;
        assertGe(plan.upperBound, plan.route.grossOut);
        assertEq(execute(plan), plan.netOut, "execution");
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_output_isQuotedAsItIsPaid(uint256 seed, uint256 form, uint256 pair, uint256 dollars) public {
        _addPool(form % 5, seed);
        (uint256 a, uint256 b) = (pair % 3, (pair % 3 + 1 + (pair >> 8) % 2) % 3);
        PreviewOptions memory options;
        uint256 amountOut = worth(b, bound(dollars, 100, 2_000_000));
        (Plan memory plan,,) = quoter.previewPlanForOutput(address(tokens[a]), address(tokens[b]), amountOut, options);
        if (plan.verdict != Verdict.Executable) return;
        assertGe(plan.netOut, amountOut);
        assertEq(execute(plan), plan.netOut, "execution");
    }
}
