// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {AllVenuesFixture} from "../fixtures/AllVenuesFixture.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {NgStableSwap} from "../fixtures/StableSwapPools.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {IV3Pool} from "../fixtures/VenuesFixture.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice A plain token, save that reading a balance takes as much gas as behind a proxy or two. Laid out as
/// `PlainToken`, in whose place it stands.
contract CostlyToken {
    uint256 private constant READ_GAS = 4000;

    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address owner => uint256) private _balances;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function balanceOf(address owner) external view returns (uint256) {
        for (uint256 end = gasleft() - READ_GAS; gasleft() > end;) {}
        return _balances[owner];
    }

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        _balances[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        _balances[from] -= amount;
        _balances[to] += amount;
        return true;
    }
}

/// @notice With a gas price, legs that do not pay for their gas are left out.
contract NetOfGasTest is MarketFixture {
    uint256 private constant GWEI = 1e9;

    function setUp() public {
        deployMarket();
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_gasPrice_neverMakesThePlanWorseNetOfGas(uint256 seed, uint256 dollars, uint256 gasPrice) public {
        seedMarket(seed);
        dollars = bound(dollars, 10, 1_000_000);
        gasPrice = bound(gasPrice, GWEI / 100, 200 * GWEI);
        Plan memory free = quoter.previewPlan(address(usdc), address(weth), worth(1, dollars));
        Plan memory paid = quoter.previewPlan(
            address(usdc),
            address(weth),
            worth(1, dollars),
            PreviewOptions(gasPrice, new address[](0), 0, new uint256[](0))
        );
        if (free.verdict != Verdict.Executable) return;
        assertEq(uint8(paid.verdict), uint8(Verdict.Executable));
        assertLe(paid.route.legs.length, free.route.legs.length);
        assertLe(paid.route.grossOut, free.upperBound);
        // tokenOut is the native token, so gas is worth itself.
        assertGe(_net(paid, gasPrice), _net(free, gasPrice));
        assertEq(execute(paid), paid.netOut);
    }

    /// @dev Found by fuzzing: a split over what pruning left used one pool in both directions.
    function test_regression_noPoolIsUsedInBothDirections() public {
        seedMarket(257789092945463381564090738375569835);
        PreviewOptions memory options = PreviewOptions(79_334_271_634, new address[](0), 0, new uint256[](0));
        Plan memory plan = quoter.previewPlan(address(usdc), address(weth), worth(1, 626_014), options);
        for (uint256 i; i < plan.route.legs.length; ++i) {
            for (uint256 k; k < i; ++k) {
                assertNotEq(plan.route.legs[i].pool, plan.route.legs[k].pool);
            }
        }
        assertEq(execute(plan), plan.netOut);
    }

    function test_gasPrice_aSmallTradeTakesOnePath() public {
        seedMarket(3);
        uint256 amountIn = worth(1, 200);
        Plan memory plan = quoter.previewPlan(
            address(usdc), address(weth), amountIn, PreviewOptions(100 * GWEI, new address[](0), 0, new uint256[](0))
        );
        assertEq(plan.route.legs.length, 1);
    }

    /// @dev Every read of a balance costs more than with plain tokens, and every leg reads some.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_gasPrice_countsWhatTokensCost(uint256 seed, uint256 dollars, uint256 gasPrice, uint8 dear)
        public
    {
        for (uint256 i = 1; i < tokens.length; ++i) {
            if (dear >> i & 1 == 0) continue;
            vm.etch(address(tokens[i]), address(new CostlyToken(tokens[i].decimals())).code);
        }
        seedMarket(seed);
        dollars = bound(dollars, 10, 1_000_000);
        gasPrice = bound(gasPrice, GWEI / 100, 200 * GWEI);
        Plan memory free = quoter.previewPlan(address(usdc), address(weth), worth(1, dollars));
        vm.assume(free.verdict == Verdict.Executable);
        PreviewOptions memory options = PreviewOptions(gasPrice, new address[](0), 0, new uint256[](0));
        Plan memory paid = quoter.previewPlan(address(usdc), address(weth), worth(1, dollars), options);
        assertGe(_net(paid, gasPrice), _net(free, gasPrice));
    }

    /// @dev Nothing trades the native token, so nobody knows what gas costs: a leg must bring about a basis point.
    /// forge-config: default.fuzz.runs = 50
    function testFuzz_gasPrice_countsWhereNothingPricesIt(uint256 gasPrice) public {
        gasPrice = bound(gasPrice, 1, 1000 * GWEI);
        createV2(address(dai), address(usdc), 1_000_000e18, 1_000_000e6);
        addAround(createV3(address(dai), address(usdc), 3000, 1e18, 1e6), 6000, 1e18);
        // A split brings some hundredths of a basis point of the small trade, and ten basis points of the large one.
        _assertLegs(20e18, 0, 2);
        _assertLegs(20e18, gasPrice, 1);
        _assertLegs(4000e18, gasPrice, 2);
    }

    /// @dev Neither token trades against the native one, but what the trade passes does.
    function test_gasPrice_isToldByPoolsBesideTheTrade() public {
        _createPoolsBesideTheTrade();
        PreviewOptions memory options = PreviewOptions(20 * GWEI, new address[](0), 0, new uint256[](0));
        // Two swaps bring ten basis points more than one, and their gas costs about five dollars more.
        Plan memory plan = quoter.previewPlan(address(tail), address(dai), worth(4, 100), options);
        assertEq(plan.route.legs.length, 1);
        plan = quoter.previewPlan(address(tail), address(dai), worth(4, 20_000), options);
        assertGt(plan.route.legs.length, 1);
    }

    /// @dev A few dollars in one narrow range look deep as long as only the price and the liquidity there are read.
    function test_gasPrice_isNotToldByDust() public {
        _createPoolsBesideTheTrade();
        PreviewOptions memory options = PreviewOptions(20 * GWEI, new address[](0), 0, new uint256[](0));
        Plan memory before = quoter.previewPlan(address(tail), address(dai), worth(4, 20_000), options);
        assertGt(before.route.legs.length, 1);

        address pool = createV3(address(weth), address(usdc), 500, worth(0, 1), worth(1, 1000));
        uint256 dollars = usdc.balanceOf(pool);
        addAround(pool, 10, 1e13);
        assertLt(usdc.balanceOf(pool) - dollars, 10e6, "dust");
        Plan memory plan = quoter.previewPlan(address(tail), address(dai), worth(4, 20_000), options);
        assertEq(abi.encode(plan.route), abi.encode(before.route));
    }

    /// @dev The trade passes no pool of the native token, until somebody creates one of `tokenOut` with a few dollars in it.
    function test_gasPrice_isNotToldByTheOnlyPoolOfTheTradeIfThatIsDust() public {
        _createPoolsBesideTheTrade();
        PreviewOptions memory options = PreviewOptions(20 * GWEI, new address[](0), 0, new uint256[](0));
        Plan memory before = quoter.previewPlan(address(tail), address(dai), worth(4, 100), options);
        assertEq(before.route.legs.length, 1);
        createV2(address(weth), address(dai), worth(0, 3), worth(2, 3));
        Plan memory plan = quoter.previewPlan(address(tail), address(dai), worth(4, 100), options);
        assertEq(abi.encode(plan.route), abi.encode(before.route));
    }

    /// @dev A pool that pays nothing at its price, with something far from it, takes no room of those that price gas.
    function test_gasPrice_isToldBesideAnIdlePool() public {
        _createPoolsBesideTheTrade();
        createV2(address(weth), address(wbtc), worth(0, 1e7), worth(3, 1e7));
        createV2(address(wbtc), address(dai), worth(3, 1e7), worth(2, 1e7));
        PreviewOptions memory options = PreviewOptions(20 * GWEI, new address[](0), 0, new uint256[](0));
        Plan memory before = quoter.previewPlan(address(tail), address(dai), worth(4, 20_000), options);
        assertGt(before.route.legs.length, 1);
        address pool = createV3(address(tail), address(dai), 500, worth(4, 1), worth(2, 1));
        (, int24 tick,,,,,) = IV3Pool(pool).slot0();
        tick -= tick % 10;
        addRange(pool, tick + 1000, tick + 1010, uint128(1e5 * FixedPointMathLib.sqrt(worth(4, 1) * worth(2, 1))));
        addRange(pool, tick - 1010, tick - 1000, uint128(1e5 * FixedPointMathLib.sqrt(worth(4, 1) * worth(2, 1))));
        Plan memory plan = quoter.previewPlan(address(tail), address(dai), worth(4, 20_000), options);
        assertEq(abi.encode(plan.route), abi.encode(before.route));
        assertFalse(plan.truncated);
    }

    /// @dev A pool of single ticks pays a little more than two deep ones, and takes the gas of all its ticks.
    function test_gasPrice_prefersTwoHopsToAPoolOfManyTicks() public {
        createV2(address(tail), address(usdc), worth(4, 1e8), worth(1, 1e8));
        createV2(address(usdc), address(dai), worth(1, 1e8), worth(2, 1e8));
        createV2(address(weth), address(usdc), worth(0, 1e7), worth(1, 1e7));
        address pool = _createOfTicks(address(dai), worth(2, 1));

        PreviewOptions memory options = PreviewOptions(0, new address[](0), 0, new uint256[](0));
        Plan memory free = quoter.previewPlan(address(tail), address(dai), worth(4, 100), options);
        assertEq(free.route.legs[0].pool, pool, "pays more");
        options.gasPrice = 20 * GWEI;
        Plan memory paid = quoter.previewPlan(address(tail), address(dai), worth(4, 100), options);
        assertEq(paid.route.legs.length, 2, "two hops");
        assertEq(paid.route.legs[0].tokenOut, address(usdc));
        assertLt(paid.estGas, free.estGas / 4);
        assertEq(execute(paid), paid.netOut);
    }

    /// @dev The split leads all of the input into the pool of single ticks, so that nothing of the three hops is left in it.
    function test_gasPrice_prefersThreeHopsToAPoolOfManyTicks() public {
        createV2(address(tail), address(usdc), worth(4, 1e8), worth(1, 1e8));
        createV2(address(usdc), address(dai), worth(1, 1e8), worth(2, 1e8));
        createV2(address(dai), address(wbtc), worth(2, 1e8), worth(3, 1e8));
        createV2(address(weth), address(wbtc), worth(0, 1e7), worth(3, 1e7));
        PreviewOptions memory options = PreviewOptions(20 * GWEI, new address[](0), 0, new uint256[](0));
        Plan memory before = quoter.previewPlan(address(tail), address(wbtc), worth(4, 100), options);
        assertEq(before.route.legs.length, 3);
        address pool = _createOfTicks(address(wbtc), worth(3, 1));

        Plan memory free = quoter.previewPlan(address(tail), address(wbtc), worth(4, 100));
        assertEq(free.route.legs[0].pool, pool, "pays more");
        Plan memory paid = quoter.previewPlan(address(tail), address(wbtc), worth(4, 100), options);
        assertEq(abi.encode(paid.route), abi.encode(before.route));
    }

    /// @dev Nobody's pool of many ticks may hide what is left without it, whatever it pays: to use it takes millions of gas.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_gasPrice_aPoolOfManyTicksCostsNothing(uint256 seed, uint256 dollars, uint256 better) public {
        dollars = bound(dollars, 100, 5000);
        seedMarket(seed);
        PreviewOptions memory options = PreviewOptions(10 * GWEI, new address[](0), 0, new uint256[](0));
        Plan memory before = quoter.previewPlan(address(tail), address(weth), worth(4, dollars), options);
        vm.assume(before.verdict == Verdict.Executable);
        vm.assume(v3Factory.getPool(address(tail), address(weth), 100) == address(0));
        _createOfTicks(address(weth), worth(0, 1) * (1000 + bound(better, 0, 60)) / 1000);
        Plan memory paid = quoter.previewPlan(address(tail), address(weth), worth(4, dollars), options);
        int256 little = int256(before.netOut / 10_000);
        assertGe(_net(paid, options.gasPrice) + little, _net(before, options.gasPrice));
    }

    /// @dev Found by fuzzing: pruning removed the pool of many ticks together with a leg that pays for its gas without that pool.
    function test_regression_gasPrice_splitsAgainWithoutADearPool() public {
        testFuzz_gasPrice_aPoolOfManyTicksCostsNothing(40, 13_916, 33);
    }

    /// @dev No pool leads from the native token to `tokenOut`. What `tokenIn` buys of it still says what gas is worth.
    function test_gasPrice_isToldByWhatTokenInBuys() public {
        createV2(address(weth), address(usdc), worth(0, 1e7), worth(1, 1e7));
        address plain = createV3(address(tail), address(usdc), 10_000, worth(4, 1), worth(1, 1));
        addAround(plain, 6000, uint128(1e8 * FixedPointMathLib.sqrt(worth(4, 1) * worth(1, 1))));
        // Its fee is a hundredth of the other's.
        address pool = _createOfTicks(address(usdc), worth(1, 1));

        PreviewOptions memory options = PreviewOptions(0, new address[](0), 0, new uint256[](0));
        Plan memory free = quoter.previewPlan(address(usdc), address(tail), worth(1, 100), options);
        assertEq(free.route.legs[0].pool, pool, "pays more");
        options.gasPrice = 20 * GWEI;
        Plan memory paid = quoter.previewPlan(address(usdc), address(tail), worth(1, 100), options);
        assertEq(paid.route.legs.length, 1, "one pool");
        assertEq(paid.route.legs[0].pool, plain, "the one of little gas");
        assertEq(execute(paid), paid.netOut);
    }

    /// @dev No pool leads from the native token to `tokenOut`, until somebody creates one with a few dollars that pays a thirtieth of its
    /// price.
    function test_gasPrice_isNotToldByDustThatAloneBuysTheNativeToken() public {
        createV2(address(weth), address(usdc), worth(0, 1e7), worth(1, 1e7));
        createV2(address(usdc), address(tail), worth(1, 1e6), worth(4, 1e6));
        addAround(
            createV3(address(usdc), address(tail), 3000, worth(1, 1), worth(4, 1)),
            6000,
            uint128(1e6 * FixedPointMathLib.sqrt(worth(4, 1) * worth(1, 1)))
        );
        PreviewOptions memory options = PreviewOptions(20 * GWEI, new address[](0), 0, new uint256[](0));
        Plan memory before = quoter.previewPlan(address(usdc), address(tail), worth(1, 2000), options);
        assertEq(before.route.legs.length, 1);
        Plan memory free = quoter.previewPlan(address(usdc), address(tail), worth(1, 2000));
        assertEq(free.route.legs.length, 2, "a split pays more");

        createV2(address(weth), address(tail), worth(0, 300), worth(4, 10));
        Plan memory plan = quoter.previewPlan(address(usdc), address(tail), worth(1, 2000), options);
        assertEq(abi.encode(plan.route), abi.encode(before.route));
    }

    /// @dev One swap, two swaps that pay ten basis points more, and a pool of the native token that no path of the trade passes.
    function _createPoolsBesideTheTrade() private {
        createV2(address(tail), address(dai), worth(4, 1e6), worth(2, 1e6));
        createV2(address(tail), address(usdc), worth(4, 1e6), worth(1, 1.002e6));
        createV2(address(usdc), address(dai), worth(1, 1e8), worth(2, 1.005e8));
        createV2(address(weth), address(usdc), worth(0, 1e7), worth(1, 1e7));
    }

    /// @dev A pool of `tail` with a fee of a basis point, and about two dollars in each of 80 ticks on either side.
    /// @param dollar A dollar's worth of `token`.
    function _createOfTicks(address token, uint256 dollar) private returns (address pool) {
        pool = createV3(address(tail), token, 100, worth(4, 1), dollar);
        (, int24 tick,,,,,) = IV3Pool(pool).slot0();
        uint128 liquidity = uint128(40_000 * FixedPointMathLib.sqrt(worth(4, 1) * dollar));
        for (int24 t = -80; t < 80; ++t) {
            addRange(pool, tick + t, tick + t + 1, t % 2 == 0 ? liquidity : liquidity + 1);
        }
    }

    function _assertLegs(uint256 amountIn, uint256 gasPrice, uint256 legs) private {
        Plan memory plan = quoter.previewPlan(
            address(dai), address(usdc), amountIn, PreviewOptions(gasPrice, new address[](0), 0, new uint256[](0))
        );
        assertEq(plan.route.legs.length, legs);
        assertEq(execute(plan), plan.netOut);
    }

    function _net(Plan memory plan, uint256 gasPrice) private pure returns (int256) {
        return int256(plan.netOut) - int256(plan.estGas * gasPrice);
    }
}

/// @notice With a gas price, where the Hub lists a pool of the native token.
contract NetOfGasListedTest is AllVenuesFixture {
    /// @dev A pool of `tokenOut` and the native token, which no path of the trade passes.
    function test_gasPrice_readsNoListedPoolForOneToken() public {
        deployAllVenues();
        PlainToken rare = new PlainToken("RARE", 18);
        createV2(address(rare), address(usdc), 1_000_000e18, 1_000_000e6);
        createV2Of(USDC_INDEX, DAI_INDEX);
        createV2Of(WETH_INDEX, DAI_INDEX);
        (address[] memory pair, uint256[] memory amounts) = pairOf(WETH_INDEX, USDC_INDEX);
        addPool(CURVE, address(new NgStableSwap(pair, amounts, 400, 4e6, 5e10, 1e18)), pair);
        Plan memory plan = quoter.previewPlan(
            address(rare), address(dai), 100e18, PreviewOptions(1e9, new address[](0), 0, new uint256[](0))
        );
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertFalse(plan.truncated);
    }
}
