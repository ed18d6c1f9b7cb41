// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ask} from "../libraries/Answers.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {CurveStable, ICurvePool, IDecimals} from "../venues/CurveStable.sol";
import {MAX_LISTED_TOKENS, indexesOf, withKey} from "../venues/Listed.sol";
import {StableWords} from "../venues/StableWords.sol";
import {CurvePools, ICurveCoins} from "./CurvePools.sol";

/// @title What prices a StableSwap pool
/// @notice The words of `StableWords`. What the mathematics do not price is refused: a pool whose own `get_dy` is not what follows
/// from what was read, such as one of lending tokens, or one of before 2020, which counts its tokens by `int128`.
/// @dev Whoever calls caps the gas.
library CurveStableReads {
    using StableWords for uint256[];

    /// @dev What fees are parts of.
    uint256 private constant WHOLE_FEE = 1e10;
    uint256 private constant A_PRECISION = 100;
    uint256 private constant GETTER_GAS = 150_000;
    /// @dev The trial is this part of the balance, as a shift: large enough for another amplification to show.
    uint256 private constant TRIAL_SHIFT = 2;
    uint256 private constant NATIVE_RATE = 1e18;

    /// @notice Balances, rates, amplification and fee; empty if the pool cannot be priced.
    function read(address pool, uint256 key) internal view returns (uint256[] memory state) {
        (uint256[] memory rates, bool isNg) = _ratesOf(pool);
        uint256 n = rates.length;
        (uint256 i, uint256 j) = indexesOf(key, true);
        if (i >= n || j >= n) return state;
        state = StableWords.open(key, n);
        if (state.length == 0) return state;
        state[StableWords.FEE] = ICurvePool(pool).fee();
        if (isNg) state[StableWords.DIVIDES_LAST] = 1;
        if (isNg) (, state[StableWords.OFFPEG]) = _tell(pool, ICurvePool.offpeg_fee_multiplier.selector);
        (state[StableWords.ANN], state[StableWords.PRECISION]) = _amplificationOf(pool, n);
        uint256 trial;
        for (uint256 k; k < n; ++k) {
            uint256 balance = ICurvePool(pool).balances(k);
            state.put(k, balance, rates[k]);
            if (k == i) trial = balance >> TRIAL_SHIFT;
        }
        state = state.close(WHOLE_FEE);
        if (state.length != 0 && quote(state, true, trial) == 0) return new uint256[](0);
    }

    /// @notice What the pool pays for `amountIn`; zero where its view and the mathematics part. A pool that was moved has no view.
    function quote(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut)
    {
        address pool = adapterPool(state[StableWords.KEY]);
        uint256 whole = state[StableWords.TOKENS] * state[StableWords.PRECISION];
        uint256 left = state[StableWords.ANN] % whole;
        bool isMoved = state[StableWords.IS_MOVED] == 1;
        if (left != 0 && !isMoved && _isView(pool, state, zeroForOne, amountIn, left)) {
            (amountOut,,) = CurveStable.outputsOf(state, zeroForOne, amountIn);
        } else {
            (amountOut,) = CurveStable.quote(pool, state, zeroForOne, amountIn);
        }
    }

    /// @dev Whether the pool's view is what follows from a whole amplification. StableSwap-NG's view rounds it, which shows while it
    /// moves, but the swap does not.
    function _isView(address pool, uint256[] memory state, bool zeroForOne, uint256 amountIn, uint256 left)
        private
        view
        returns (bool)
    {
        uint256[] memory rounded = withKey(state, state[StableWords.KEY]);
        rounded[StableWords.ANN] -= left;
        rounded[StableWords.DIVIDES_LAST] = 1;
        if (rounded.close(WHOLE_FEE).length == 0) return false;
        (uint256 i, uint256 j) = indexesOf(state[StableWords.KEY], zeroForOne);
        (uint256 amountOut,,) = CurveStable.outputsOf(rounded, zeroForOne, amountIn);
        return amountOut == ICurvePool(pool).get_dy(int128(uint128(i)), int128(uint128(j)), amountIn);
    }

    /// @dev What 1e18 base units of each token are normalized to. Pools say it if it is not what follows from the decimals:
    /// StableSwap-NG as a list, and those before it with rate oracles as words.
    /// @return rates One for each token.
    /// @return isNg Whether they are a list.
    function _ratesOf(address pool) private view returns (uint256[] memory rates, bool isNg) {
        uint256[] memory answer =
            ask(pool, GETTER_GAS, MAX_LISTED_TOKENS + 2, abi.encodeCall(ICurvePool.stored_rates, ()));
        isNg = answer.length > 2 && answer[0] == 32 && answer[1] == answer.length - 2;
        if (!isNg && answer.length != 0) return (answer, false);
        if (!isNg) return (_plainRatesOf(pool), false);
        rates = new uint256[](answer.length - 2);
        for (uint256 k; k < rates.length; ++k) {
            rates[k] = answer[k + 2];
        }
    }

    function _plainRatesOf(address pool) private view returns (uint256[] memory rates) {
        rates = new uint256[](MAX_LISTED_TOKENS);
        uint256 n;
        for (; n < MAX_LISTED_TOKENS; ++n) {
            uint256[] memory coin = ask(pool, GETTER_GAS, 1, abi.encodeCall(ICurveCoins.coins, (n)));
            if (coin.length == 0) break;
            rates[n] = coin[0] == uint160(CurvePools.NATIVE)
                ? NATIVE_RATE
                : 10 ** (36 - IDecimals(address(uint160(coin[0]))).decimals());
        }
        assembly ("memory-safe") {
            mstore(rates, n)
        }
    }

    /// @dev Times the number of tokens, and what it is parts of. Pools of early 2020 count in whole units.
    function _amplificationOf(address pool, uint256 n) private view returns (uint256 ann, uint256 precision) {
        (bool told, uint256 precise) = _tell(pool, ICurvePool.A_precise.selector);
        return told ? (precise * n, A_PRECISION) : (ICurvePool(pool).A() * n, 1);
    }

    function _tell(address pool, bytes4 getter) private view returns (bool told, uint256 answer) {
        uint256[] memory words = ask(pool, GETTER_GAS, 1, abi.encodePacked(getter));
        return words.length == 0 ? (false, 0) : (true, words[0]);
    }
}
