// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {copy} from "../math/UncheckedArrays.sol";
import {evaluate} from "./DualBound.sol";
import {searchLine} from "./LineSearch.sol";
import {newtonStep} from "./NewtonStep.sol";
import {sweep} from "./Relaxation.sol";
import {WORTHLESS, Workspace} from "./Workspace.sol";

/// @dev Evaluations of the whole network.
uint256 constant MAX_PASSES = 36;
/// @dev The descent ends when a step promises less than this part of the bound. Far smaller than any gap that matters:
/// with stiff pools a bound that is good to 2**-22 can still have a tenth of a node's flow in the wrong place.
uint256 constant STOP_SHIFT = 32;
/// @dev A line search that gains less than this part of what the slope promised is stuck at a kink, where balancing the
/// nodes one by one helps: unless the slope is below this part of the bound, and so many times.
uint256 constant STUCK_SHIFT = 4;
uint256 constant SWEEP_SHIFT = 22;
uint256 constant MAX_SWEEPS = 2;

/// @notice Lowers the bound from `s.prices` by damped Newton steps until it is least, or the gas for it is used up: any
/// prices make a bound and a plan.
/// @return bound The least found, at `s.prices` and with `s.demand`; `WORTHLESS` if the first prices are.
function descend(Workspace memory s) view returns (int256 bound) {
    unchecked {
        bound = evaluate(s, s.prices, s.demand);
        if (bound == WORTHLESS) return bound;
        uint256 passes = 1;
        uint256 sweeps;
        while (passes < MAX_PASSES && gasleft() > s.gasKept) {
            int256 slope = newtonStep(s);
            if (-slope < (bound >> STOP_SHIFT)) break;
            (bool accepted, int256 next, uint256 spent) = searchLine(s, bound, slope, MAX_PASSES - passes);
            bool stuck = bound - next < (-slope >> STUCK_SHIFT);
            bound = next;
            passes += spent;
            if (
                stuck && passes < MAX_PASSES && gasleft() > s.gasKept && sweeps < MAX_SWEEPS
                    && -slope >= (bound >> SWEEP_SHIFT)
            ) {
                next = _trySweep(s, bound);
                if (next == bound && !accepted) break;
                bound = next;
                ++sweeps;
                ++passes;
            } else if (!accepted) {
                break;
            }
        }
    }
}

/// @dev Balances the nodes one by one, and takes it back where the bound does not fall by that.
/// @return The bound at `s.prices`.
function _trySweep(Workspace memory s, int256 bound) pure returns (int256) {
    copy(s.prices, s.savedPrices);
    sweep(s);
    int256 swept = evaluate(s, s.prices, s.demand);
    if (swept < bound) return swept;
    (s.prices, s.savedPrices) = (s.savedPrices, s.prices);
    return evaluate(s, s.prices, s.demand);
}
