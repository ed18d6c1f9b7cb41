// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Shape} from "../math/Sampling.sol";
import {StableSwap} from "../math/StableSwap.sol";
import {at} from "../math/UncheckedArrays.sol";
import {MAX_LISTED_TOKENS, indexesOf, withKey} from "./Listed.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @title StableSwap pools as words
/// @notice How Curve's and Balancer's stable pools travel from where they are read to where they are priced: the words
/// below, then the normalized balances, then what 1e18 base units of each token are normalized to, then the balances in base units.
/// @dev What a pool says of itself is not believed beyond what these pools can be: outside of it the mathematics
/// overflow, or converge too slowly for a search that has others to price.
library StableWords {
    /// @dev The key of a listed pool comes first, in all kinds.
    uint256 internal constant KEY = 0;
    uint256 internal constant TOKENS = 1;
    uint256 internal constant ANN = 2;
    uint256 internal constant PRECISION = 3;
    uint256 internal constant FEE = 4;
    /// @dev How the fee grows off the peg, in 1e-10; zero if it does not.
    uint256 internal constant OFFPEG = 5;
    uint256 internal constant INVARIANT = 6;
    /// @dev See `invariantOf`; 1 or 0.
    uint256 internal constant DIVIDES_LAST = 7;
    /// @dev Whether a swap has moved the pool since it was read; 1 or 0.
    uint256 internal constant IS_MOVED = 8;
    uint256 internal constant HEAD = 9;

    uint256 private constant WAD = 1e18;
    /// @dev Normalized balances below this round too coarsely.
    uint256 private constant DUST = 1e12;
    uint256 private constant MAX_BALANCE = type(uint112).max;
    /// @dev One balance is no more than this many times another.
    uint256 private constant MAX_IMBALANCE = 1e5;
    uint256 private constant MAX_AMPLIFICATION = 1e6;
    uint256 private constant MAX_PRECISION = 1e3;

    /// @notice Room for a pool of `tokens` tokens.
    function open(uint256 key, uint256 tokens) internal pure returns (uint256[] memory words) {
        if (tokens < 2 || tokens > MAX_LISTED_TOKENS) return words;
        words = new uint256[](HEAD + 3 * tokens);
        (words[KEY], words[TOKENS]) = (key, tokens);
    }

    /// @notice Writes token `k`: its balance in base units and what 1e18 of them are normalized to.
    function put(uint256[] memory words, uint256 k, uint256 balance, uint256 rate) internal pure {
        uint256 n = words[TOKENS];
        words[HEAD + k] = balance <= MAX_BALANCE ? balance * rate / WAD : 0;
        (words[HEAD + n + k], words[HEAD + 2 * n + k]) = (rate, balance);
    }

    /// @notice Checks what was written, computes the invariant, and returns the words; none if the pool cannot be
    /// priced.
    /// @param wholeFee What fees are parts of.
    function close(uint256[] memory words, uint256 wholeFee) internal pure returns (uint256[] memory) {
        words[INVARIANT] = _isSane(words, wholeFee) ? poolOf(words, true).invariantOf(words[DIVIDES_LAST] == 1) : 0;
        return words[INVARIANT] == 0 ? new uint256[](0) : words;
    }

    /// @notice The words after a swap that has brought `brought` of the token sold and taken `taken` of the other one, in base
    /// units. None if the pool cannot be priced then.
    function moved(uint256[] memory words, StableSwap memory pool, uint256 brought, uint256 taken, uint256 wholeFee)
        internal
        pure
        returns (uint256[] memory)
    {
        uint256[] memory later = withKey(words, words[KEY]);
        uint256 balances = HEAD + 2 * words[TOKENS];
        put(later, pool.i, words[balances + pool.i] + brought, pool.rateIn);
        put(later, pool.j, words[balances + pool.j] - taken, pool.rateOut);
        later[IS_MOVED] = 1;
        return close(later, wholeFee);
    }

    /// @notice The curve before it is sampled.
    function describe(uint256[] memory words, Shape memory shape) internal pure {
        (shape.unit, shape.most) = poolOf(words, shape.zeroForOne).unitAndMost();
    }

    function poolOf(uint256[] memory words, bool zeroForOne) internal pure returns (StableSwap memory pool) {
        (pool.ann, pool.precision, pool.invariant) = (at(words, ANN), at(words, PRECISION), at(words, INVARIANT));
        uint256 n = at(words, TOKENS);
        pool.balances = new uint256[](n);
        for (uint256 k; k < n; ++k) {
            pool.balances[k] = at(words, HEAD + k);
        }
        (pool.i, pool.j) = indexesOf(at(words, KEY), zeroForOne);
        (pool.rateIn, pool.rateOut) = (at(words, HEAD + n + pool.i), at(words, HEAD + n + pool.j));
    }

    function _isSane(uint256[] memory words, uint256 wholeFee) private pure returns (bool) {
        uint256 n = words[TOKENS];
        (uint256 ann, uint256 precision) = (at(words, ANN), at(words, PRECISION));
        if (precision == 0 || precision > MAX_PRECISION || at(words, FEE) >= wholeFee) return false;
        if (ann < precision * n || ann > MAX_AMPLIFICATION * precision * n) return false;
        (uint256 least, uint256 most) = (type(uint256).max, 0);
        for (uint256 k; k < n; ++k) {
            least = FixedPointMathLib.min(least, at(words, HEAD + k));
            most = FixedPointMathLib.max(most, at(words, HEAD + k));
        }
        return least >= DUST && most <= MAX_BALANCE && most / MAX_IMBALANCE <= least;
    }
}
