// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Pricer} from "../../src/Pricer.sol";
import {IOptimizer} from "../../src/interfaces/IOptimizer.sol";
import {ISampler} from "../../src/interfaces/ISampler.sol";
import {
    KEPT_RANGES,
    closeAll,
    drawAround,
    extend,
    isBeyondRead,
    leavesRead,
    mostInput
} from "../../src/solver/Edges.sol";
import {PoolWords} from "../../src/solver/PoolWords.sol";
import {Search} from "../../src/solver/Search.sol";
import {Curve, Edge, Pool} from "../../src/types/Market.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {Test} from "forge-std/Test.sol";

/// @notice A pool of so many parts, each of which takes a thousand. Of one without parts nothing can be read.
contract PartsSampler is ISampler {
    function read(VenueKind, address, address, uint256) external pure returns (uint256[] memory) {}

    function quote(VenueKind, address, uint256[] calldata, bool, uint256) external pure returns (uint256, uint256) {}

    /// @param state The number of parts.
    function draw(VenueKind, uint256[] calldata state, bool, Stretch calldata stretch)
        external
        pure
        returns (Drawing memory drawing)
    {
        require(state[0] != 0);
        uint256 cursor = stretch.cursor;
        uint256 parts = state[0] - cursor < stretch.steps ? state[0] - cursor : stretch.steps;
        drawing.startRatio = (1 << 96) + stretch.focus;
        drawing.cursor = cursor + parts;
        drawing.open = drawing.cursor < state[0];
        drawing.segments = new uint256[](5 * parts);
        for (uint256 k; k < parts; ++k) {
            uint256 start = (1 << 96) - ((cursor + k) << 80);
            (drawing.segments[5 * k], drawing.segments[5 * k + 1]) = (1e18, start);
            (drawing.segments[5 * k + 2], drawing.segments[5 * k + 3]) = (start - (1 << 80), 1000);
            drawing.segments[5 * k + 4] = 900;
        }
    }
}

/// @notice What is read further, in which order, and what it is charged with.
contract EdgesTest is Test {
    uint256 private constant RANGES = 8;
    /// @dev Parts that the sampled kinds draw at once beyond the ranges asked for.
    uint256 private constant EXTRA = 2;
    uint256 private constant PRICE = 1 << 96;

    PartsSampler private immutable sampler = new PartsSampler();
    Pricer private immutable pricer = new Pricer();

    /// @dev Pools between `tokenIn` and `tokenOut`, nothing of them read.
    function _searchOf(uint256[2] memory parts, uint256 rangesLeft) private view returns (Search memory search) {
        search.rangesLeft = rangesLeft;
        search.pricer = pricer;
        (search.pools, search.edges) = (new uint256[][](parts.length), new Edge[](parts.length));
        for (uint256 k; k < parts.length; ++k) {
            Pool memory pool;
            (pool.sampler, pool.words) = (address(sampler), new uint256[](1));
            pool.words[0] = parts[k];
            pool.venue.settings = VenueKind.unwrap(VenueKinds.CURVE);
            search.pools[k] = PoolWords.pack(pool);
            Edge memory edge = search.edges[k];
            (edge.pool, edge.to, edge.curve.open, edge.curve.endRatio) = (k, 1, true, 1 << 97);
            (edge.curve.tailLiquidity, edge.curve.most) = (1, type(uint256).max);
        }
    }

    function _both(uint256 a, uint256 b) private pure returns (uint256[] memory pair) {
        pair = new uint256[](2);
        (pair[0], pair[1]) = (a, b);
    }

    function _split(uint256[] memory flows, uint256[] memory prices)
        private
        pure
        returns (IOptimizer.Allocation memory)
    {
        return IOptimizer.Allocation(flows, 1, 1, prices);
    }

    function test_extend_readsWhatThePlanLeavesBeforeWhatTheProofNeeds() public {
        Search memory search = _searchOf([uint256(100), 100], RANGES);
        // Both prices are even, so that both curves end too early; only the second is used.
        assertTrue(extend(search, _split(_both(0, 1), _both(PRICE, PRICE)), RANGES));
        assertEq(search.edges[0].curve.count, 0);
        assertEq(search.edges[1].curve.count, RANGES + EXTRA);
        assertEq(search.rangesLeft, 0);
        assertTrue(search.truncated);
    }

    function test_extend_readsEachCurveOnceARound() public {
        Search memory search = _searchOf([uint256(100), 100], KEPT_RANGES + 100);
        extend(search, _split(_both(0, 1e6), _both(PRICE, PRICE)), RANGES);
        assertEq(search.edges[0].curve.count, RANGES + EXTRA);
        assertEq(search.edges[1].curve.count, RANGES + EXTRA);
        assertEq(search.rangesLeft, KEPT_RANGES + 100 - 2 * RANGES);
        assertFalse(search.truncated);
    }

    function test_extend_keepsRangesForWhatThePlanLeaves() public {
        Search memory search = _searchOf([uint256(100), 100], KEPT_RANGES);
        extend(search, _split(_both(0, 1e6), _both(PRICE, PRICE)), RANGES);
        assertEq(search.edges[0].curve.count, 0);
        assertEq(search.edges[1].curve.count, RANGES + EXTRA);
        assertTrue(search.truncated);
    }

    function test_extend_chargesACurveThatEndsWithWhatWasRead() public {
        Search memory search = _searchOf([uint256(3), 100], 100);
        extend(search, _split(_both(1, 0), _both(0, 0)), RANGES);
        assertFalse(search.edges[0].curve.open);
        assertEq(search.rangesLeft, 100 - 4);
    }

    function test_extend_readsWhatIsLeftOfTheLimit() public {
        Search memory search = _searchOf([uint256(100), 100], 3);
        extend(search, _split(_both(1, 0), _both(0, 0)), RANGES);
        assertEq(search.edges[0].curve.count, 3 + EXTRA);
        assertEq(search.rangesLeft, 0);
        assertFalse(search.truncated);
    }

    /// @dev Not even the limit, which others need.
    function test_extend_chargesNothingForWhatCannotBeRead() public {
        Search memory search = _searchOf([uint256(0), 0], 100);
        assertFalse(extend(search, _split(_both(1, 1), _both(PRICE, PRICE)), RANGES));
        assertEq(search.rangesLeft, 100);
        assertFalse(search.truncated);
    }

    /// @dev What a split puts there beyond the end is rounding.
    function test_leavesRead_isFalseWhereReadingEndedInAGap() public view {
        Search memory search = _searchOf([uint256(100), 100], 100);
        Curve memory curve = search.edges[0].curve;
        (curve.loadedIn, curve.tailLiquidity) = (1000, 0);
        assertFalse(leavesRead(search, _both(1001, 0)));
        curve.tailLiquidity = 1;
        assertTrue(leavesRead(search, _both(1001, 0)));
        assertFalse(leavesRead(search, _both(1000, 0)));
    }

    function test_drawAround_drawsWhatThePlanUsesAnewAroundIt() public {
        Search memory search = _searchOf([uint256(100), 100], 100);
        extend(search, _split(_both(1, 1), _both(0, 0)), RANGES);
        assertTrue(drawAround(search, _both(0, 5000), _both(PRICE, PRICE)));
        assertEq(search.edges[0].curve.startRatio, PRICE);
        assertEq(search.edges[1].curve.startRatio, PRICE + 5000);
        assertEq(search.edges[1].curve.loadedIn, 1000 * (RANGES + 2 * EXTRA));
        assertFalse(drawAround(search, _both(0, 0), _both(PRICE, PRICE)));
    }

    function test_drawAround_leavesACurveThatItDoesNotReachAsItWas() public {
        Search memory search = _searchOf([uint256(100), 100], 100);
        extend(search, _split(_both(1, 1), _both(0, 0)), RANGES);
        assertFalse(drawAround(search, _both(0, 1_000_000), _both(PRICE, PRICE)));
        assertEq(search.edges[1].curve.startRatio, PRICE);
        assertEq(search.edges[1].curve.count, RANGES + EXTRA);
    }

    function test_closeAll_endsCurvesWhereReadingEnded() public {
        Search memory search = _searchOf([uint256(100), 2], 100);
        extend(search, _split(_both(1, 1), _both(0, 0)), RANGES);
        uint256[] memory flows = _both(1e6, 0);
        assertTrue(leavesRead(search, flows));

        closeAll(search);
        assertFalse(leavesRead(search, flows));
        assertFalse(isBeyondRead(search.edges[0], _both(PRICE, PRICE)));
    }

    /// @dev Two pools that sell `tokenIn`, and one that does not.
    function _searchOfInputs() private pure returns (Search memory search) {
        search.connectors = 1;
        search.edges = new Edge[](3);
        for (uint256 k; k < 3; ++k) {
            search.edges[k].from = k == 2 ? 0 : search.source();
            search.edges[k].curve.loadedIn = 1000 << k;
        }
    }

    function test_mostInput_isTheSumOfWhatWasReadOfPoolsOfTheInput() public pure {
        assertEq(mostInput(_searchOfInputs()), 1000 + 2000);
    }

    function test_mostInput_countsWhatATailTakesToAThousandthOfItsPrice() public pure {
        Search memory search = _searchOfInputs();
        Curve memory curve = search.edges[1].curve;
        (curve.open, curve.tailLiquidity, curve.endRatio) = (true, 6e18, PRICE / 2);
        // Liquidity over the ratio, a thousand and twenty-four times.
        assertEq(mostInput(search), 3000 + 1024 * 12e18);
        // One that was read to its end has no tail.
        curve.open = false;
        assertEq(mostInput(search), 3000);
    }

    function test_mostInput_isUnknownBehindAGap() public pure {
        Search memory search = _searchOfInputs();
        (search.edges[0].curve.open, search.edges[0].curve.endRatio) = (true, PRICE);
        assertEq(mostInput(search), type(uint256).max);
        (search.edges[0].curve.tailLiquidity, search.edges[0].curve.endRatio) = (1, 0);
        assertEq(mostInput(search), type(uint256).max);
    }
}
