// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {dropDeadEnds} from "../../src/solver/DeadEnds.sol";
import {Search} from "../../src/solver/Search.sol";
import {Edge} from "../../src/types/Market.sol";
import {Test} from "forge-std/Test.sol";

/// @notice Plans over two connector tokens, A and B, some of whose legs lead nowhere.
contract DeadEndsTest is Test {
    /// @dev Nodes: A and B reached by one swap, A and B before the last one, `tokenIn`, `tokenOut`.
    uint256 private constant A = 0;
    uint256 private constant B = 1;
    uint256 private constant A_LAST = 2;
    uint256 private constant B_LAST = 3;
    uint256 private constant SOURCE = 4;
    uint256 private constant SINK = 5;

    /// @dev Edges: into A and B, from B to A and from A to B, from A and B to `tokenOut`, and straight to it.
    function _search() private pure returns (Search memory search) {
        search.connectors = 2;
        search.tokens = new address[](4);
        search.edges = new Edge[](7);
        _lead(search.edges[0], SOURCE, A);
        _lead(search.edges[1], SOURCE, B);
        _lead(search.edges[2], SOURCE, SINK);
        _lead(search.edges[3], B, A_LAST);
        _lead(search.edges[4], A, B_LAST);
        _lead(search.edges[5], A_LAST, SINK);
        _lead(search.edges[6], B_LAST, SINK);
    }

    function _lead(Edge memory edge, uint256 from, uint256 to) private pure {
        (edge.from, edge.to) = (from, to);
    }

    /// @dev The edges with a flow that are left of those in `used`, one bit each.
    function _left(uint256 used) private pure returns (uint256 left) {
        uint256[] memory flows = new uint256[](7);
        for (uint256 e; e < 7; ++e) {
            flows[e] = (used >> e) & 1;
        }
        dropDeadEnds(_search(), flows);
        for (uint256 e; e < 7; ++e) {
            left |= flows[e] << e;
        }
    }

    function test_everyWayThatIsWhole_stays() public pure {
        assertEq(_left(127), 127, "all");
        assertEq(_left(33), 33, "through A");
        assertEq(_left(42), 42, "through B and A");
        assertEq(_left(4), 4, "straight");
    }

    function test_aTokenThatIsSoldInTheSameStageAlone_isNotBoughtInIt() public pure {
        // A is sold for B, which may happen before B is sold for A.
        assertEq(_left(91), 83, "B for A");
        assertEq(_left(59), 43, "A for B");
    }

    function test_aTokenThatIsBoughtInTheSameStageAlone_isNotSoldInIt() public pure {
        // A is bought with B, which may happen after A is sold for B.
        assertEq(_left(122), 106, "A for B");
        assertEq(_left(121), 113, "B for A");
    }

    function test_whatDependsOnADeadEnd_isDropped() public pure {
        assertEq(_left(10 | 4), 4, "nothing sells A");
        assertEq(_left(96 | 4), 4, "nothing buys A or B");
        assertEq(_left(8 | 32), 0, "nothing buys B");
    }

    /// @dev As the plan is executed: whatever a stage is ordered, each token that is bought is sold later, and each that is
    /// sold was bought before; and no edge is dropped that lies on a way of edges that are kept.
    function testFuzz_whateverIsLeft_isWhole(uint256 used) public pure {
        used &= 127;
        uint256 left = _left(used);
        assertEq(left & ~used, 0, "nothing is added");
        uint256 whole;
        uint256[6] memory ways = [uint256(4), 33, 66, 42, 81, 0];
        for (uint256 k; k < 5; ++k) {
            if (used & ways[k] == ways[k]) whole |= ways[k];
        }
        assertEq(left, whole);
    }
}
