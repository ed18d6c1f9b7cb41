// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CRYPTO_FEE, CRYPTO_ONE, CryptoSwap, MIN_CRYPTO_GAMMA} from "../math/CryptoSwap.sol";
import {indexesOf} from "../venues/Listed.sol";

/// @title Cryptoswap pools as words
/// @notice How a pool travels from where it is read to where it is priced: the words below, then the balances in parts of the
/// invariant, then what 1e18 base units of each token are worth in it.
/// @dev What a pool says of itself is not believed beyond what these pools can be: outside of it the mathematics overflow.
library CryptoWords {
    uint256 internal constant KEY = 0;
    uint256 internal constant TOKENS = 1;
    uint256 internal constant ANN = 2;
    uint256 internal constant GAMMA = 3;
    uint256 internal constant INVARIANT = 4;
    uint256 internal constant MID_FEE = 5;
    uint256 internal constant OUT_FEE = 6;
    uint256 internal constant FEE_GAMMA = 7;
    uint256 internal constant HEAD = 8;

    uint256 private constant WAD = 1e18;
    /// @dev From parts of 1e18 to those of `CRYPTO_ONE`.
    uint256 private constant FINER = 1e9;
    uint256 private constant MAX_BALANCE = 1 << 104;
    uint256 private constant MIN_INVARIANT = 1e16;
    uint256 private constant MAX_INVARIANT = 1e34;
    uint256 private constant MAX_RATE = 1e50;
    uint256 private constant MAX_ANN = 1e10;
    uint256 private constant MIN_ANN = 100;
    /// @dev No balance is less than this part of the invariant, nor more than this many of it.
    uint256 private constant MAX_IMBALANCE = 50;

    /// @notice Room for a pool of `tokens` tokens.
    function open(uint256 key, uint256 tokens) internal pure returns (uint256[] memory words) {
        words = new uint256[](HEAD + 2 * tokens);
        (words[KEY], words[TOKENS]) = (key, tokens);
    }

    /// @notice Writes token `k`, once the invariant is there: its balance in base units and what 1e18 of them are worth.
    function put(uint256[] memory words, uint256 k, uint256 balance, uint256 rate) internal pure {
        bool fits = balance <= MAX_BALANCE && rate <= MAX_RATE && words[INVARIANT] != 0;
        words[HEAD + k] = fits ? balance * rate / WAD * CRYPTO_ONE / words[INVARIANT] : 0;
        words[HEAD + words[TOKENS] + k] = rate;
    }

    /// @notice Whether what was written can be priced.
    function isSane(uint256[] memory words) internal pure returns (bool) {
        if (
            words[ANN] < MIN_ANN || words[ANN] > MAX_ANN || words[GAMMA] > WAD
                || words[GAMMA] * FINER < MIN_CRYPTO_GAMMA
        ) return false;
        if (words[FEE_GAMMA] == 0 || words[FEE_GAMMA] > WAD) return false;
        if (words[MID_FEE] > words[OUT_FEE] || words[OUT_FEE] >= CRYPTO_FEE) return false;
        if (words[INVARIANT] < MIN_INVARIANT || words[INVARIANT] > MAX_INVARIANT) return false;
        for (uint256 k; k < words[TOKENS]; ++k) {
            uint256 balance = words[HEAD + k];
            if (balance < CRYPTO_ONE / MAX_IMBALANCE || balance > CRYPTO_ONE * MAX_IMBALANCE) return false;
        }
        return true;
    }

    function poolOf(uint256[] memory words, bool zeroForOne) internal pure returns (CryptoSwap memory pool) {
        (pool.ann, pool.gamma) = (words[ANN], words[GAMMA] * FINER);
        (pool.midFee, pool.outFee, pool.feeGamma) = (words[MID_FEE], words[OUT_FEE], words[FEE_GAMMA] * FINER);
        (uint256 i, uint256 j) = indexesOf(words[KEY], zeroForOne);
        (pool.balanceIn, pool.balanceOut) = (words[HEAD + i], words[HEAD + j]);
        // The places of three tokens add up to three.
        if (words[TOKENS] == 3) pool.other = words[HEAD + 3 - i - j];
    }

    /// @notice What 1e18 base units of the token sold and the token bought are worth, and the invariant.
    function ratesOf(uint256[] memory words, bool zeroForOne)
        internal
        pure
        returns (uint256 rateIn, uint256 rateOut, uint256 invariant)
    {
        (uint256 i, uint256 j) = indexesOf(words[KEY], zeroForOne);
        uint256 at = HEAD + words[TOKENS];
        return (words[at + i], words[at + j], words[INVARIANT]);
    }
}
