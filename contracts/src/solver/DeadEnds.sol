// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at} from "../math/UncheckedArrays.sol";
import {Edge} from "../types/Market.sol";
import {Search} from "./Search.sol";

/// @notice Drops edges that buy what no edge of a later stage sells or sell what none of an earlier stage buys, until none is
/// left. An edge of the same stage may come before it in the plan. Changes `flows`.
function dropDeadEnds(Search memory search, uint256[] memory flows) pure {
    bool changed = true;
    while (changed) {
        changed = false;
        // Bit by node: those with a way on, then those with a way in. A token's node before the last swap can be reached
        // from its node after the first one.
        uint256 nodes = 1 << search.sink();
        for (uint256 e = flows.length; e != 0;) {
            if (at(flows, --e) == 0) continue;
            Edge memory edge = search.edges[e];
            if (nodes >> edge.to & 1 == 0) (flows[e], changed) = (0, true);
            else nodes |= 1 << edge.from | 1 << search.tokenOfNode(edge.from);
        }
        nodes = 1 << search.source();
        for (uint256 e; e < flows.length; ++e) {
            if (at(flows, e) == 0) continue;
            Edge memory edge = search.edges[e];
            if (nodes >> edge.from & 1 == 0) (flows[e], changed) = (0, true);
            else nodes |= 1 << edge.to | 1 << search.layerTwo(search.tokenOfNode(edge.to));
        }
    }
}
