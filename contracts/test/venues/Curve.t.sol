// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VenueKind} from "../../src/types/Venue.sol";
import {listedKey} from "../../src/venues/Listed.sol";
import {NgStableSwap, OldStableSwap, PlainStableSwap, StableSwapPool} from "../fixtures/StableSwapPools.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {SampledCases} from "./SampledCases.sol";

/// @notice Against the tests' own pools: no bytecode of Curve's is published on npm.
contract CurveTest is SampledCases {
    function _subject(uint256 seed) internal override returns (Subject memory subject) {
        uint256 n = 2 + (seed >> 32) % 3;
        address[] memory coins = new address[](n);
        uint256[] memory amounts = new uint256[](n);
        uint256 whole = 2000 * 10 ** _between(seed >> 64, 0, 4);
        uint256 spread = 1 + (seed >> 48) % 6;
        for (uint256 i; i < n; ++i) {
            PlainToken coin = new PlainToken("C", uint8(_between(seed >> (8 * i), 6, 18)));
            coins[i] = address(coin);
            amounts[i] = whole * _between(seed >> (72 + 16 * i), 1000, 1000 * spread) * 10 ** coin.decimals() / 1000;
        }
        (subject.kind, subject.deployer) = (VenueKind.Curve, address(this));
        subject.pool = _pool(seed >> 136, coins, amounts);
        uint256 i0 = (seed >> 176) % n;
        uint256 i1 = (i0 + 1 + (seed >> 180) % (n - 1)) % n;
        if (coins[i0] > coins[i1]) (i0, i1) = (i1, i0);
        subject.key = listedKey(0, i0, i1);
        (subject.token0, subject.token1) = (PlainToken(coins[i0]), PlainToken(coins[i1]));
    }

    function _pool(uint256 seed, address[] memory coins, uint256[] memory amounts) private returns (address) {
        uint256 amp = _between(seed, 10, 5000);
        uint256 fee = _between(seed >> 16, 0, 1e8);
        uint256 pick = (seed >> 48) % 3;
        if (pick == 0) return address(new PlainStableSwap(coins, amounts, amp, fee));
        if (pick == 1) return address(new OldStableSwap(coins, amounts, amp, fee));
        uint256 rate = _between(seed >> 64, 0.9e18, 1.3e18);
        return address(new NgStableSwap(coins, amounts, amp, fee, (seed >> 96) % 2 * 5e10, rate));
    }

    /// @dev Where the fee moves, the curve has the lowest it may be.
    function _tightness(Subject memory subject) internal view override returns (uint256) {
        try NgStableSwap(subject.pool).offpeg_fee_multiplier() returns (uint256 multiplier) {
            return multiplier == 0 ? TIGHTNESS : 1e8;
        } catch {
            return TIGHTNESS;
        }
    }

    function pay(Subject memory subject, bool zeroForOne, uint256 amountIn) external override returns (uint256) {
        (PlainToken sold, PlainToken bought) =
            zeroForOne ? (subject.token0, subject.token1) : (subject.token1, subject.token0);
        (uint256 i, uint256 j) = (subject.key >> 4 & 15, subject.key & 15);
        if (!zeroForOne) (i, j) = (j, i);
        sold.mint(address(this), amountIn);
        sold.approve(subject.pool, amountIn);
        uint256 before = bought.balanceOf(address(this));
        StableSwapPool(subject.pool).exchange(int128(uint128(i)), int128(uint128(j)), amountIn, 0);
        return bought.balanceOf(address(this)) - before;
    }

    function _reserves(Subject memory subject, bool zeroForOne) internal view override returns (uint256, uint256) {
        StableSwapPool pool = StableSwapPool(subject.pool);
        (uint256 reserve0, uint256 reserve1) = (pool.balances(subject.key >> 4 & 15), pool.balances(subject.key & 15));
        return zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
    }
}
