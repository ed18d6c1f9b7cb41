// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../../src/interfaces/IOptimizer.sol";
import {Test} from "forge-std/Test.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice A network under construction, in the format of `IOptimizer`.
struct Draft {
    uint256 connectors;
    uint256 amountIn;
    uint256[] words;
    uint256[] offsets;
}

/// @notice Builds networks, and follows amounts through them by formulas other than the optimizer's.
abstract contract NetworkFixture is Test {
    uint256 internal constant Q96 = 1 << 96;
    uint256 internal constant TAIL = 1;
    uint256 internal constant KEPT_PIPS = 997_000;
    uint256 internal constant WHOLE_PIPS = 1_000_000;

    function _draft(uint256 connectors, uint256 amountIn) internal pure returns (Draft memory draft) {
        draft.connectors = connectors;
        draft.amountIn = amountIn;
    }

    function _source(Draft memory draft) internal pure returns (uint256) {
        return 2 * draft.connectors;
    }

    function _target(Draft memory draft) internal pure returns (uint256) {
        return 2 * draft.connectors + 1;
    }

    /// @dev A constant-product pool with a fee of 0.3 %.
    function _addPool(Draft memory draft, uint256 from, uint256 to, uint256 reserveIn, uint256 reserveOut)
        internal
        pure
    {
        uint256 liquidity = FixedPointMathLib.sqrt(reserveIn * reserveOut * WHOLE_PIPS / KEPT_PIPS);
        uint256 start = FixedPointMathLib.sqrt(
            FixedPointMathLib.fullMulDiv(reserveOut * KEPT_PIPS, 1 << 192, reserveIn * WHOLE_PIPS)
        );
        uint256[] memory segments = new uint256[](5);
        (segments[0], segments[1], segments[2]) = (liquidity, start, TAIL);
        _addCurve(draft, from, to, segments);
    }

    /// @param segments (liquidity, start, end, inBefore, outBefore) for each.
    function _addCurve(Draft memory draft, uint256 from, uint256 to, uint256[] memory segments) internal pure {
        uint256 length = draft.words.length;
        uint256[] memory words = new uint256[](length + 3 + segments.length);
        for (uint256 k; k < length; ++k) {
            words[k] = draft.words[k];
        }
        (words[length], words[length + 1], words[length + 2]) = (from, to, segments.length / 5);
        for (uint256 k; k < segments.length; ++k) {
            words[length + 3 + k] = segments[k];
        }
        uint256[] memory offsets = new uint256[](draft.offsets.length + 1);
        for (uint256 k; k < draft.offsets.length; ++k) {
            offsets[k] = draft.offsets[k];
        }
        offsets[draft.offsets.length] = length;
        (draft.words, draft.offsets) = (words, offsets);
    }

    /// @dev Segments of the given liquidities between falling ratios.
    function _ranges(uint256[] memory liquidities, uint256[] memory ratios)
        internal
        pure
        returns (uint256[] memory segments)
    {
        segments = new uint256[](5 * liquidities.length);
        uint256 inBefore;
        uint256 outBefore;
        for (uint256 k; k < liquidities.length; ++k) {
            (uint256 liquidity, uint256 start, uint256 end) = (liquidities[k], ratios[k], ratios[k + 1]);
            (segments[5 * k], segments[5 * k + 1], segments[5 * k + 2]) = (liquidity, start, end);
            (segments[5 * k + 3], segments[5 * k + 4]) = (inBefore, outBefore);
            inBefore += FixedPointMathLib.fullMulDivUp(liquidity, Q96, end)
            - FixedPointMathLib.fullMulDiv(liquidity, Q96, start);
            outBefore += FixedPointMathLib.fullMulDiv(liquidity, start - end, Q96);
        }
    }

    function _call(IOptimizer optimizer, Draft memory draft) internal view returns (IOptimizer.Allocation memory) {
        return optimizer.optimize(draft.connectors, draft.amountIn, draft.words, draft.offsets, new uint256[](0));
    }

    /// @dev What edge k delivers, from virtual reserves: R_out x / (R_in + x).
    function _deliver(Draft memory draft, uint256 k, uint256 amountIn) internal pure returns (uint256) {
        uint256 offset = draft.offsets[k];
        uint256 segment = offset + 3;
        for (uint256 left = draft.words[offset + 2] - 1; left > 0 && amountIn >= draft.words[segment + 8]; --left) {
            segment += 5;
        }
        (uint256 liquidity, uint256 start, uint256 end) =
            (draft.words[segment], draft.words[segment + 1], draft.words[segment + 2]);
        amountIn -= draft.words[segment + 3];
        // Both terms of the denominator are scaled by what the second leaves room for.
        uint256 scale = FixedPointMathLib.log2(amountIn | 1) + FixedPointMathLib.log2(start) < 250 ? 0 : 96;
        uint256 scaled = FixedPointMathLib.fullMulDiv(amountIn, start, 1 << scale);
        uint256 amountOut =
            FixedPointMathLib.fullMulDiv(liquidity * start, scaled, (liquidity << (96 - scale)) + scaled) / Q96;
        uint256 most = FixedPointMathLib.fullMulDiv(liquidity, start - end, Q96);
        return draft.words[segment + 4] + (amountOut > most ? most : amountOut);
    }

    function _from(Draft memory draft, uint256 k) internal pure returns (uint256) {
        return draft.words[draft.offsets[k]];
    }

    function _to(Draft memory draft, uint256 k) internal pure returns (uint256) {
        return draft.words[draft.offsets[k] + 1];
    }

    /// @dev Follows the flows stage by stage; fails where a node gives away more than it has.
    function _follow(Draft memory draft, uint256[] memory flows)
        internal
        pure
        returns (uint256 amountOut, uint256[] memory waiting)
    {
        uint256[] memory holdings = new uint256[](_target(draft) + 1);
        holdings[_source(draft)] = draft.amountIn;
        waiting = new uint256[](draft.connectors);
        bool waited;
        for (uint256 k; k < flows.length; ++k) {
            uint256 from = _from(draft, k);
            if (!waited && _inLayerTwo(draft, from)) {
                waited = true;
                for (uint256 a; a < draft.connectors; ++a) {
                    waiting[a] = holdings[a];
                    holdings[a + draft.connectors] += holdings[a];
                }
            }
            if (flows[k] == 0) continue;
            require(flows[k] <= holdings[from], "a node gives more than it has");
            holdings[from] -= flows[k];
            holdings[_to(draft, k)] += _deliver(draft, k, flows[k]);
        }
        return (holdings[_target(draft)], waiting);
    }

    function _inLayerTwo(Draft memory draft, uint256 node) internal pure returns (bool) {
        return node >= draft.connectors && node < _source(draft);
    }

    /// @dev A routing at random: weights of all orders of magnitude, and many zeros.
    function _wander(Draft memory draft, uint256 seed) internal pure returns (uint256) {
        uint256[] memory weights = new uint256[](draft.offsets.length);
        uint256[] memory waiting = new uint256[](draft.connectors);
        for (uint256 k; k < weights.length; ++k) {
            weights[k] = _weight(uint256(keccak256(abi.encode(seed, k))));
        }
        for (uint256 a; a < waiting.length; ++a) {
            waiting[a] = _weight(uint256(keccak256(abi.encode(seed, "wait", a))));
        }
        return _share(draft, weights, waiting);
    }

    function _weight(uint256 word) private pure returns (uint256) {
        return word % 3 == 0 ? 0 : (word >> 128) >> (word % 64);
    }

    /// @dev A routing near the given one: every share changed by up to a part of 2^shift.
    function _wanderNear(Draft memory draft, uint256[] memory flows, uint256 shift, uint256 seed)
        internal
        pure
        returns (uint256)
    {
        (, uint256[] memory waiting) = _follow(draft, flows);
        uint256[] memory weights = new uint256[](flows.length);
        for (uint256 k; k < flows.length; ++k) {
            weights[k] = _change(flows[k], shift, uint256(keccak256(abi.encode(seed, k))));
        }
        for (uint256 a; a < waiting.length; ++a) {
            waiting[a] = _change(waiting[a], shift, uint256(keccak256(abi.encode(seed, "wait", a))));
        }
        return _share(draft, weights, waiting);
    }

    function _change(uint256 weight, uint256 shift, uint256 word) private pure returns (uint256) {
        weight <<= 64;
        uint256 most = weight >> shift;
        return weight - FixedPointMathLib.fullMulDiv(most, word >> 192, 1 << 64)
            + FixedPointMathLib.fullMulDiv(most, word & type(uint64).max, 1 << 64);
    }

    /// @dev What reaches the target if every node splits what it has by weights.
    function _share(Draft memory draft, uint256[] memory weights, uint256[] memory waiting)
        internal
        pure
        returns (uint256)
    {
        uint256[] memory totals = new uint256[](_target(draft) + 1);
        for (uint256 k; k < weights.length; ++k) {
            totals[_from(draft, k)] += weights[k];
        }
        uint256[] memory holdings = new uint256[](_target(draft) + 1);
        holdings[_source(draft)] = draft.amountIn;
        bool waited;
        for (uint256 k; k < weights.length; ++k) {
            uint256 from = _from(draft, k);
            if (!waited && _inLayerTwo(draft, from)) {
                waited = true;
                for (uint256 a; a < draft.connectors; ++a) {
                    if (waiting[a] == 0) continue;
                    holdings[
                        a
                        + draft.connectors
                    ] += FixedPointMathLib.fullMulDiv(holdings[a], waiting[a], totals[a] + waiting[a]);
                }
            }
            if (weights[k] == 0) continue;
            uint256 total = totals[from] + (from < draft.connectors ? waiting[from] : 0);
            uint256 amount = FixedPointMathLib.fullMulDiv(holdings[from], weights[k], total);
            holdings[_to(draft, k)] += _deliver(draft, k, amount);
        }
        return holdings[_target(draft)];
    }

    /// @dev The best path with one pool for each hop, by trying all.
    function _bestPath(Draft memory draft) internal pure returns (uint256 best) {
        uint256[] memory most = new uint256[](_target(draft) + 1);
        most[_source(draft)] = draft.amountIn;
        bool waited;
        for (uint256 k; k < draft.offsets.length; ++k) {
            uint256 from = _from(draft, k);
            if (!waited && from != _source(draft)) {
                waited = true;
                for (uint256 a; a < draft.connectors; ++a) {
                    most[a + draft.connectors] = most[a];
                }
            }
            uint256 amountOut = _deliver(draft, k, most[from]);
            if (amountOut > most[_to(draft, k)]) most[_to(draft, k)] = amountOut;
        }
        return most[_target(draft)];
    }

    /// @dev A network of up to 40 pools around common prices: constant-product pools and ranges, tokens of 6, 8, 9 and 18
    /// decimals and of values up to six orders of magnitude apart, some pools dust, prices off by up to 1.5 %.
    function _random(uint256 seed) internal pure returns (Draft memory draft) {
        uint256 m = _pick(seed, "m", 0, 10);
        // What 10^-6 of the unit of account is in base units of each token, the target last.
        uint256[] memory units = new uint256[](m + 2);
        for (uint256 k; k < units.length; ++k) {
            uint8[4] memory decimals = [6, 8, 9, 18];
            uint256 value = _pick(seed, "value", k, 7);
            units[k] = 10 ** decimals[_pick(seed, "decimals", k, 4)] * 10 ** (6 - value) / 10 ** 3 + 1;
        }
        draft = _draft(m, units[m] * 10 ** (3 + _pick(seed, "size", 0, 7)));
        for (uint256 stage; stage < 3; ++stage) {
            uint256 pools = 1 + _pick(seed, "pools", stage, 14);
            for (uint256 k; k < pools; ++k) {
                _addRandom(draft, units, stage, uint256(keccak256(abi.encode(seed, stage, k))));
            }
        }
    }

    function _pick(uint256 seed, string memory what, uint256 which, uint256 choices) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, what, which))) % choices;
    }

    function _addRandom(Draft memory draft, uint256[] memory units, uint256 stage, uint256 seed) internal pure {
        uint256 m = draft.connectors;
        uint256 from = stage == 0 ? 2 * m : stage == 1 ? seed % (m + 1) : m + seed % (m + 1);
        uint256 to = stage == 0 ? (seed >> 16) % (m + 1) : stage == 1 ? m + (seed >> 16) % (m + 1) : 2 * m + 1;
        if (stage == 0 && to == m) to = 2 * m + 1;
        if (stage == 1 && (from == m || to == 2 * m || to == from + m)) return;
        if (stage == 2 && from == 2 * m) return;

        uint256 depth = 10 ** (4 + _pick(seed, "depth", 0, 7));
        uint256 reserveIn = _unit(units, m, from) * depth;
        uint256 reserveOut = _unit(units, m, to) * depth * (985 + _pick(seed, "skew", 0, 30)) / 1000;
        if (_pick(seed, "kind", 0, 2) == 0) _addPool(draft, from, to, reserveIn, reserveOut);
        else _addRanges(draft, from, to, reserveIn, reserveOut, seed);
    }

    function _unit(uint256[] memory units, uint256 m, uint256 node) private pure returns (uint256) {
        return units[node < m ? node : node < 2 * m ? node - m : node - m];
    }

    function _addRanges(
        Draft memory draft,
        uint256 from,
        uint256 to,
        uint256 reserveIn,
        uint256 reserveOut,
        uint256 seed
    ) private pure {
        uint256 count = 1 + _pick(seed, "count", 0, 5);
        uint256[] memory liquidities = new uint256[](count);
        uint256[] memory ratios = new uint256[](count + 1);
        ratios[0] = FixedPointMathLib.sqrt(FixedPointMathLib.fullMulDiv(reserveOut, 1 << 192, reserveIn));
        for (uint256 k; k < count; ++k) {
            liquidities[k] =
                FixedPointMathLib.sqrt(reserveIn * reserveOut) * (1 + _pick(seed, "deep", k, 30)) / (k + 1) + 1;
            ratios[k + 1] = ratios[k] - ratios[k] / (20 + _pick(seed, "width", k, 2000)) - 1;
        }
        if (_pick(seed, "tail", 0, 3) != 0) ratios[count] = TAIL;
        _addCurve(draft, from, to, _ranges(liquidities, ratios));
    }
}
