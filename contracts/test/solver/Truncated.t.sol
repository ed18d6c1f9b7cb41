// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice A plan that did not read every pool says so, whatever cut it off.
contract TruncatedTest is MarketFixture {
    uint256 private constant AMPLE = 500_000_000;
    uint256 private constant HINTS = 4;
    /// @dev Pools that one search reads.
    uint256 private constant MAX_POOLS = 96;
    uint256 private constant LEAST_GAS = 540_000;
    uint256 private constant MOST_GAS = 5_000_000;
    uint256 private constant GAS_STEP = 20_000;

    PlainToken[HINTS] private hints;

    /// @dev Two pools between every two tokens: with four hints fewer than one search reads.
    function setUp() public {
        deployMarket();
        for (uint256 i; i < HINTS; ++i) {
            hints[i] = new PlainToken("HINT", 18);
            tokens.push(hints[i]);
            microDollars.push(1_000_000 * (i + 1));
        }
        seedDenseMarket();
    }

    function test_truncated_atThePoolLimit() public {
        uint256 before = _preview(AMPLE, HINTS).poolsRead;
        assertFalse(_preview(AMPLE, HINTS).truncated, "all are read");
        _deepen(3000);
        _deepen(10_000);
        uint256 there = 2 * before;
        assertGt(there, MAX_POOLS, "not enough pools");
        Plan memory plan = _preview(AMPLE, HINTS);
        assertLt(plan.poolsRead, there);
        assertTrue(plan.truncated, "not said");
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
    }

    function test_truncated_belowThePoolLimit_isFalse() public {
        _deepen(3000);
        Plan memory plan = _preview(AMPLE, 0);
        assertLe(plan.poolsRead, MAX_POOLS);
        assertFalse(plan.truncated);
    }

    /// @dev Hints without pools cost gas to look for, and few pools are soon split: reading is all that is cut off.
    function test_truncated_whereverGasLeavesPoolsUnread() public {
        deployMarket();
        for (uint256 i; i < HINTS; ++i) {
            hints[i] = new PlainToken("LONELY", 18);
        }
        createV2(address(weth), address(tail), worth(0, 1e6), worth(4, 1e6));
        for (uint256 b = 1; b < 4; ++b) {
            createV2(address(weth), address(tokens[b]), worth(0, 1e6), worth(b, 1e6));
            createV2(address(tokens[b]), address(tail), worth(b, 1e6), worth(4, 1e6));
        }
        uint256 all = _preview(AMPLE, HINTS).poolsRead;
        assertEq(all, 7);
        uint256 cut;
        for (uint256 gas = LEAST_GAS; gas <= MOST_GAS; gas += GAS_STEP) {
            Plan memory plan = _preview(gas, HINTS);
            if (plan.poolsRead == all) continue;
            assertTrue(plan.truncated, "not said");
            ++cut;
        }
        assertGt(cut, 0, "none was cut off");
    }

    function _preview(uint256 gas, uint256 count) private view returns (Plan memory) {
        PreviewOptions memory options = PreviewOptions(0, new address[](count), 0, new uint256[](0));
        for (uint256 i; i < count; ++i) {
            options.connectors[i] = address(hints[i]);
        }
        return quoter.previewPlan{gas: gas}(address(weth), address(tail), worth(0, 50_000), options);
    }

    /// @dev One more pool with liquidity at the market between every two tokens.
    function _deepen(uint24 fee) private {
        for (uint256 a; a < tokens.length; ++a) {
            for (uint256 b = a + 1; b < tokens.length; ++b) {
                address pool = createV3(address(tokens[a]), address(tokens[b]), fee, worth(a, 1e9), worth(b, 1e9));
                addAround(pool, 2000, 1e16);
            }
        }
    }
}
