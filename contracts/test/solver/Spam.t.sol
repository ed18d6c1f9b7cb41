// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../../src/interfaces/IHub.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {IV3Factory} from "../fixtures/VenuesFixture.sol";

/// @notice Anybody can create pools, and tokens for hints: empty ones, or with next to nothing, by the hundred. They take
/// nothing from a quote.
contract SpamTest is MarketFixture {
    /// @dev Of the second factory; with the four of the first there are more pools of ten pairs than a search reads.
    uint256 private constant TIERS = 12;
    /// @dev To read across the whole of such an empty pool takes more gas than a search has.
    int24 private constant SPACING = 1;
    /// @dev What a quote may lose by rounding and by the split's own gap, in parts of it: 0.01 basis points.
    uint256 private constant PARTS = 1_000_000;

    IV3Factory private _second;
    /// @dev Whether spammed pools without liquidity are given a unit now and then.
    bool private isFilled;

    function setUp() public {
        deployMarket();
        _second = IV3Factory(
            deployCode("node_modules/@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json")
        );
        VenueConfig memory config = v3Config("uniswap-v3-two", address(_second), V3_INIT_CODE_HASH, V3_CALLBACK);
        config.tiers = new Tier[](TIERS);
        for (uint24 t; t < TIERS; ++t) {
            config.tiers[t] = Tier({key: 2001 + t, feePips: 2001 + t, tickSpacing: SPACING});
            _second.enableFeeAmount(2001 + t, SPACING);
        }
        vm.startPrank(owner);
        hub.schedule(abi.encodeCall(IHub.addVenue, (config)));
        skip(hub.TIMELOCK());
        hub.addVenue(config);
        vm.stopPrank();
    }

    function test_emptyPools_changeNothing() public {
        // What is worth having is found last: a pair without a pool of its own, over two connector tokens.
        createV2(address(tail), address(wbtc), worth(4, 900_000), worth(3, 900_000));
        createV2(address(wbtc), address(dai), worth(3, 900_000), worth(2, 900_000));
        createV2(address(dai), address(usdc), worth(2, 900_000), worth(1, 900_000));
        uint256 amountIn = worth(4, 1000);
        Plan memory before = preview(tail, usdc, amountIn);
        assertEq(uint8(before.verdict), uint8(Verdict.Executable));
        uint256 gas = gasleft();
        preview(tail, usdc, amountIn);
        gas -= gasleft();

        _spam(tokens, 0, 0);
        uint256 spammedGas = gasleft();
        Plan memory plan = preview(tail, usdc, amountIn);
        spammedGas -= gasleft();
        assertEq(plan.netOut, before.netOut);
        assertEq(plan.upperBound, before.upperBound);
        assertEq(plan.poolsRead, before.poolsRead);
        assertFalse(plan.truncated);
        // Three reads for each of 160 pools, which nobody pays but the node.
        assertLt(spammedGas, gas + 4_500_000);
    }

    /// @dev Whether they pay anything, only reading them tells. It is not done at the cost of what the plan needs.
    function test_emptyPoolsWithTokens_takeNothing() public {
        // So many ranges that the best split takes several rounds of reading.
        address pool = createV3(address(tail), address(usdc), 500, worth(4, 1e9), worth(1, 1e9));
        address other = createV3(address(tail), address(usdc), 100, worth(4, 1e9), worth(1, 1e9));
        for (int24 width = 10; width <= 1500; width += 10) {
            addAround(pool, width, 8e12);
            addAround(other, width, 8e12);
        }
        uint256 amountIn = worth(4, 200_000);
        Plan memory before = preview(tail, usdc, amountIn);
        for (uint24 t; t < TIERS; ++t) {
            v3Factory = _second;
            _fillWithTokens(createV3(address(tail), address(usdc), 2001 + t, worth(4, 1e9), worth(1, 1e14)));
        }
        Plan memory plan = preview(tail, usdc, amountIn);
        assertEq(plan.netOut, before.netOut);
        assertEq(before.route.legs.length, 2);
        assertLt(plan.gapMicroBps, type(uint256).max, "a bound");
    }

    function _fillWithTokens(address pool) private {
        tail.mint(pool, worth(4, 100));
        usdc.mint(pool, worth(1, 100));
    }

    /// forge-config: default.fuzz.runs = 8
    function testFuzz_dustPools_takeNothing(uint256 seed) public {
        seedMarket(seed % 1000);
        _assertKeeps(seed, 1 + seed % 50);
    }

    /// @dev With a unit or so of a token each, at any price, so that they pay nothing at their price and are not empty.
    /// forge-config: default.fuzz.runs = 8
    function testFuzz_poolsOfASingleUnit_takeNothing(uint256 seed) public {
        seedMarket(seed % 1000);
        isFilled = true;
        _assertKeeps(seed, 0);
    }

    /// forge-config: default.fuzz.runs = 8
    function testFuzz_spammedHints_takeNothing(uint256 seed) public {
        seedMarket(seed % 1000);
        uint256 amountIn = worth(4, 100_000 + seed % 100_000);
        Plan memory before = preview(tail, usdc, amountIn);
        PlainToken[] memory all = new PlainToken[](9);
        PreviewOptions memory options = PreviewOptions(0, new address[](4), 0, new uint256[](0));
        for (uint256 i; i < 9; ++i) {
            all[i] = i < 5 ? tokens[i] : new PlainToken("HINT", 18);
            if (i >= 5) options.connectors[i - 5] = address(all[i]);
        }
        _spam(all, seed % 2 == 0 ? 0 : 1 + seed % 50, seed);
        Plan memory plain = preview(tail, usdc, amountIn);
        Plan memory plan = quoter.previewPlan{gas: 30_000_000}(address(tail), address(usdc), amountIn, options);
        _assertNotLess(plain.netOut, before.netOut);
        _assertNotLess(plan.netOut, plain.netOut);
    }

    function _assertKeeps(uint256 seed, uint256 liquidity) private {
        uint256 tokenIn = seed % 5;
        uint256 tokenOut = (tokenIn + 1 + (seed >> 8) % 4) % 5;
        uint256 amountIn = worth(tokenIn, 100_000 + (seed >> 16) % 100_000);
        Plan memory before = preview(tokens[tokenIn], tokens[tokenOut], amountIn);
        _spam(tokens, liquidity, seed);
        Plan memory plan =
            quoter.previewPlan{gas: 30_000_000}(address(tokens[tokenIn]), address(tokens[tokenOut]), amountIn);
        assertEq(uint8(plan.verdict), uint8(before.verdict));
        _assertNotLess(plan.netOut, before.netOut);
        if (plan.netOut != 0) assertEq(execute(plan), plan.netOut);
    }

    function _assertNotLess(uint256 netOut, uint256 before) private pure {
        assertGe(netOut + before / PARTS + 1, before, "less than before");
    }

    /// @dev Every pool of both factories that is not there yet, at random prices around the market.
    function _spam(PlainToken[] memory all, uint256 liquidity, uint256 seed) private {
        IV3Factory first = v3Factory;
        for (uint256 a; a < all.length; ++a) {
            for (uint256 b = a + 1; b < all.length; ++b) {
                for (uint24 t; t < TIERS; ++t) {
                    v3Factory = _second;
                    _spamPool(all, a, b, 2001 + t, liquidity, uint256(keccak256(abi.encode(seed, a, b, t))));
                }
                v3Factory = first;
                if (_isFree(first, address(all[a]), address(all[b]), 10_000)) {
                    _spamPool(all, a, b, 10_000, liquidity, uint256(keccak256(abi.encode(seed, a, b))));
                }
            }
        }
    }

    function _spamPool(PlainToken[] memory all, uint256 a, uint256 b, uint24 fee, uint256 liquidity, uint256 random)
        private
    {
        (uint256 amountA, uint256 amountB) = (a < 5 ? worth(a, 1e9) : 1e27, b < 5 ? worth(b, 1e9) : 1e27);
        // Half to twice the market's price.
        amountB = amountB * (500 + random % 1500) / 1000;
        address pool = createV3(address(all[a]), address(all[b]), fee, amountA, amountB);
        if (liquidity != 0) {
            addAround(pool, int24(uint24(200 + (random >> 32) % 2000)), uint128(liquidity));
        } else if (isFilled && random % 2 == 1) {
            all[random >> 16 & 1 == 0 ? a : b].mint(pool, 1);
        }
    }

    function _isFree(IV3Factory factory, address a, address b, uint24 fee) private view returns (bool) {
        (bool ok, bytes memory answer) =
            address(factory).staticcall(abi.encodeWithSignature("getPool(address,address,uint24)", a, b, fee));
        return ok && abi.decode(answer, (address)) == address(0);
    }
}
