// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MarketParts, MarketWords} from "../../src/solver/MarketWords.sol";
import {PreviewOptions} from "../../src/types/Plan.sol";
import {MarketFixture} from "../fixtures/MarketFixture.sol";

/// @notice What the Finder says of a market that it did not read in whole.
contract FinderTest is MarketFixture {
    uint256 private constant AMPLE = 100_000_000;
    uint256 private constant LEAST_GAS = 300_000;
    uint256 private constant MOST_GAS = 8_000_000;
    uint256 private constant GAS_STEP = 50_000;

    function setUp() public {
        deployMarket();
        seedDenseMarket();
    }

    /// @dev Asked by itself, because a search that is short of gas for anything else says so as well.
    function test_findMarket_isTruncatedIfGasLeavesPoolsUnread() public {
        MarketParts memory whole = _find(AMPLE);
        assertFalse(whole.truncated);
        uint256 cut;
        for (uint256 gas = LEAST_GAS; gas <= MOST_GAS; gas += GAS_STEP) {
            MarketParts memory part = _find(gas);
            if (part.pools.length == whole.pools.length) continue;
            assertTrue(part.truncated, "not said");
            ++cut;
        }
        assertGt(cut, 10, "too few were cut off");
    }

    function _find(uint256 gas) private returns (MarketParts memory) {
        bytes memory words = solver.finder().findMarket{gas: gas}(
            hub,
            address(weth),
            address(tail),
            worth(0, 50_000),
            PreviewOptions(0, new address[](0), 0, new uint256[](0))
        );
        return MarketWords.unpack(words);
    }
}
