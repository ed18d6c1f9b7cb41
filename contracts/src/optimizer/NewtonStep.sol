// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {at, atInt, copyInt, increase, putInt} from "../math/UncheckedArrays.sol";
import {ONE_Q64, abs} from "./FixedPoint.sol";
import {Network} from "./Network.sol";
import {Workspace} from "./Workspace.sol";

/// @dev Rounds of finding out which pairs move together.
uint256 constant TIE_ROUNDS = 4;
/// @dev A node's own excess is added to its pivot, shifted right by this: small if the model is good, a brake where
/// a node is far out of balance or does not conduct at all.
uint256 constant DAMPING_SHIFT = 3;
/// @dev Steps of single nodes are cut here before the whole step is scaled, Q64.
int256 constant STEP_LIMIT = 4 * ONE_Q64;

/// @notice The damped Newton step of the logarithms of the worths, at most 1 for any node; written to `s.step`.
/// @return slope Derivative of the bound along the step; negative, or zero if nothing is left to gain.
function newtonStep(Workspace memory s) pure returns (int256 slope) {
    unchecked {
        Network memory network = s.network;
        uint256 tied = _tiedAtStart(s);
        for (uint256 round; round < TIE_ROUNDS; ++round) {
            _solve(s, tied);
            uint256 wider = tied;
            for (uint256 node; node < network.layerOne; ++node) {
                if (!network.hasPair(node) || (tied >> node) & 1 == 1) continue;
                if (atInt(s.step, node) + _offset(s, node) < atInt(s.step, at(network.partners, node))) {
                    wider |= 1 << node;
                }
            }
            if (wider == tied) break;
            tied = wider;
        }
        slope = _scale(s);
        // A pair that was still apart may have been tied in vain, and to close its gap can cost more than the rest gains.
        if (slope < 0) return slope;
        _solve(s, _tiedAtStart(s));
        return _scale(s);
    }
}

/// @dev Pairs of one price whose first node has value to spare: it waits, and the two move together.
function _tiedAtStart(Workspace memory s) pure returns (uint256 tied) {
    unchecked {
        Network memory network = s.network;
        for (uint256 node; node < network.layerOne; ++node) {
            if (!network.hasPair(node)) continue;
            bool even = at(s.prices, node) == at(s.prices, at(network.partners, node));
            if (even && atInt(s.excess, node) > 0) tied |= 1 << node;
        }
    }
}

/// @dev Logarithm of worth(a,1) / worth(a,2), Q64, to first order and at most 1: how far the first may fall alone.
function _offset(Workspace memory s, uint256 node) pure returns (int256) {
    unchecked {
        uint256 price = at(s.prices, node);
        uint256 later = at(s.prices, at(s.network.partners, node));
        if (price > 2 * later) return ONE_Q64;
        return int256(((price - later) << 65) / later);
    }
}

/// @dev Solves hessian * step = -excess, tied pairs as one node. One node moving too far alone would spoil the
/// direction if it alone were cut, hence the whole step is scaled in the end.
function _solve(Workspace memory s, uint256 tied) pure {
    unchecked {
        uint256 unknowns = s.network.target;
        copyInt(s.hessian, s.factor);
        for (uint256 k; k < unknowns; ++k) {
            putInt(s.step, k, -atInt(s.excess, k));
        }
        for (uint256 node; node < s.network.layerOne; ++node) {
            if ((tied >> node) & 1 == 1) _merge(s, node);
        }
        _eliminate(s.factor, s.step, unknowns);
        _substitute(s.factor, s.step, unknowns);
        for (uint256 node; node < s.network.layerOne; ++node) {
            if ((tied >> node) & 1 == 0) continue;
            putInt(s.step, node, atInt(s.step, at(s.network.partners, node)) - _offset(s, node));
        }
    }
}

/// @dev Replaces step(a,1) by step(a,2) - offset: adds row and column (a,1) to those of (a,2). Layer 1 has no edges
/// within itself and none to a token's own layer 2, so the row holds the diagonal, the rest of layer 2 and the source.
function _merge(Workspace memory s, uint256 node) pure {
    unchecked {
        (int256[] memory matrix, int256[] memory rhs) = (s.factor, s.step);
        uint256 unknowns = s.network.target;
        uint256 other = at(s.network.partners, node);
        int256 offset = _offset(s, node);
        uint256 row = node * unknowns;

        int256 entry = atInt(matrix, row + node);
        putInt(matrix, row + node, 0);
        increase(matrix, other * unknowns + other, entry);
        increase(rhs, other, atInt(rhs, node) + ((entry * offset) >> 64));
        putInt(rhs, node, 0);
        for (uint256 k = s.network.layerOne; k < unknowns; ++k) {
            entry = atInt(matrix, row + k);
            if (entry == 0) continue;
            putInt(matrix, row + k, 0);
            increase(rhs, k, (entry * offset) >> 64);
            increase(matrix, k < other ? k * unknowns + other : other * unknowns + k, entry);
        }
    }
}

/// @dev Gaussian elimination of a symmetric matrix given by its upper triangle, without pivoting: it is a Laplacian,
/// whose diagonal dominates. A node that neither conducts nor has an excess keeps its price.
function _eliminate(int256[] memory matrix, int256[] memory rhs, uint256 unknowns) pure {
    unchecked {
        for (uint256 c; c < unknowns; ++c) {
            uint256 row = c * unknowns;
            int256 pivot = atInt(matrix, row + c);
            int256 value = atInt(rhs, c);
            pivot += int256(abs(value) >> DAMPING_SHIFT) + (pivot >> 30);
            if (pivot <= 0) {
                putInt(matrix, row + c, 0);
                continue;
            }
            putInt(matrix, row + c, ++pivot);
            for (uint256 r = c + 1; r < unknowns; ++r) {
                int256 factor = atInt(matrix, row + r);
                if (factor == 0) continue;
                factor = (factor << 64) / pivot;
                for (uint256 k = r; k < unknowns; ++k) {
                    int256 entry = atInt(matrix, row + k);
                    if (entry != 0) increase(matrix, r * unknowns + k, -((factor * entry) >> 64));
                }
                increase(rhs, r, -((factor * value) >> 64));
            }
        }
    }
}

function _substitute(int256[] memory matrix, int256[] memory rhs, uint256 unknowns) pure {
    unchecked {
        for (uint256 c = unknowns; c > 0;) {
            --c;
            uint256 row = c * unknowns;
            int256 pivot = atInt(matrix, row + c);
            int256 sum;
            if (pivot != 0) {
                sum = atInt(rhs, c) << 64;
                for (uint256 k = c + 1; k < unknowns; ++k) {
                    int256 entry = atInt(matrix, row + k);
                    if (entry != 0) sum -= entry * atInt(rhs, k);
                }
                sum /= pivot;
                if (sum > STEP_LIMIT) sum = STEP_LIMIT;
                if (sum < -STEP_LIMIT) sum = -STEP_LIMIT;
            }
            putInt(rhs, c, sum);
        }
    }
}

/// @dev Shortens the step until no node moves by more than 1, and returns its slope.
function _scale(Workspace memory s) pure returns (int256 slope) {
    unchecked {
        uint256 longest;
        uint256 unknowns = s.network.target;
        for (uint256 k; k < unknowns; ++k) {
            uint256 length = abs(atInt(s.step, k));
            if (length > longest) longest = length;
        }
        if (longest > uint256(ONE_Q64)) {
            for (uint256 k; k < unknowns; ++k) {
                putInt(s.step, k, (atInt(s.step, k) << 64) / int256(longest));
            }
        }
        return slopeAlong(s);
    }
}

/// @notice Derivative along `s.step` of the bound last evaluated.
function slopeAlong(Workspace memory s) pure returns (int256 slope) {
    unchecked {
        uint256 unknowns = s.network.target;
        for (uint256 k; k < unknowns; ++k) {
            slope += (atInt(s.excess, k) * atInt(s.step, k)) >> 64;
        }
    }
}
