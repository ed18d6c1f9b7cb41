// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {costOf} from "../math/GasValue.sol";
import {at} from "../math/UncheckedArrays.sol";
import {GasValue} from "../types/GasValue.sol";
import {everyEdge} from "./Edges.sol";
import {Draft} from "./Planner.sol";
import {Search} from "./Search.sol";

using {costOf} for GasValue;

/// @dev A leg is dear if it takes more gas than this, and if what it takes more costs more than the output shifted by `LITTLE_SHIFT`,
/// about a basis point: a pool with many small ranges, or one that burns gas.
uint256 constant PLAIN_LEG_GAS = 200_000;
uint256 constant LITTLE_SHIFT = 13;

/// @notice Every edge but those of a plan's dear legs, which are shunned from here on. A split ignores gas: it may lead all of the
/// trade into a dear pool that pays a little more than others, and then the plan has no other leg to compare it with.
/// @return which Empty if no leg is dear that was not shunned before.
function withoutDear(Search memory search, Draft memory draft) pure returns (uint256[] memory which) {
    uint256 shunnings = search.shunnings;
    for (uint256 e; e < draft.edgeGas.length; ++e) {
        uint256 gas = at(draft.edgeGas, e);
        if (gas <= PLAIN_LEG_GAS || search.shunned[e]) continue;
        if (search.gasValue.costOf(gas - PLAIN_LEG_GAS, 0) > draft.grossOut >> LITTLE_SHIFT) search.shun(e);
    }
    if (search.shunnings != shunnings) which = everyEdge(search);
}
