// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {evaluate} from "./DualBound.sol";
import {searchLine} from "./LineSearch.sol";
import {newtonStep} from "./NewtonStep.sol";
import {sweep} from "./Relaxation.sol";
import {Search, WORTHLESS} from "./Search.sol";
import {copy} from "./Words.sol";

/// @dev Evaluations of the whole network.
uint256 constant MAX_PASSES = 36;
/// @dev The descent ends when a step promises less than this part of the bound. With stiff pools a bound that is good
/// to 2**-22 can still have a tenth of a node's flow in the wrong place.
uint256 constant STOP_SHIFT = 28;
/// @dev Less than this is no reason to sweep when a line search fails.
uint256 constant SWEEP_SHIFT = 22;
uint256 constant MAX_SWEEPS = 4;
uint256 constant STUCK_SHIFT = 4;

/// @notice Lowers the bound from `s.prices` by damped Newton steps until it is least.
/// @return bound The least found, at `s.prices` and with `s.demand`; `WORTHLESS` if the first prices are.
function descend(Search memory s) pure returns (int256 bound) {
    unchecked {
        bound = evaluate(s, s.prices, s.demand);
        if (bound == WORTHLESS) return bound;
        uint256 passes = 1;
        uint256 sweeps;
        while (passes < MAX_PASSES) {
            int256 slope = newtonStep(s);
            if (-slope < (bound >> STOP_SHIFT)) break;
            (bool accepted, int256 next, uint256 spent) = searchLine(s, bound, slope, MAX_PASSES - passes);
            bool stuck = bound - next < (-slope >> STUCK_SHIFT);
            bound = next;
            passes += spent;
            if (!stuck && passes < MAX_PASSES) continue;

            if (passes >= MAX_PASSES || sweeps == MAX_SWEEPS || -slope < (bound >> SWEEP_SHIFT)) {
                if (accepted) continue;
                break;
            }
            ++sweeps;
            copy(s.prices, s.savedPrices);
            sweep(s);
            next = evaluate(s, s.prices, s.demand);
            ++passes;
            if (next >= bound) {
                (s.prices, s.savedPrices) = (s.savedPrices, s.prices);
                evaluate(s, s.prices, s.demand);
                break;
            }
            bound = next;
        }
    }
}
