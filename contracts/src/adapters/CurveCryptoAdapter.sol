// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {ask} from "../libraries/Answers.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {adapterPool} from "../venues/AdapterKey.sol";
import {IDecimals} from "../venues/CurveStable.sol";
import {indexesOf} from "../venues/Listed.sol";
import {CryptoDrawing} from "./CryptoDrawing.sol";
import {CryptoWords} from "./CryptoWords.sol";
import {CurveAdapter} from "./CurveAdapter.sol";
import {ICurveCoins} from "./CurvePools.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What is read of a pool.
interface ICryptoPool {
    function balances(uint256 index) external view returns (uint256);
    /// @dev Of tokens after the first, in 1e-18 of the first: a pool of two has the one without an index.
    function price_scale() external view returns (uint256);
    function price_scale(uint256 index) external view returns (uint256);
    function A() external view returns (uint256);
    function gamma() external view returns (uint256);
    function D() external view returns (uint256);
    function mid_fee() external view returns (uint256);
    function out_fee() external view returns (uint256);
    function fee_gamma() external view returns (uint256);
    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256);
}

/// @title Curve's cryptoswap pools of two and three tokens that one registry vouches for
/// @notice One for each registry: the factories of twocrypto-NG and tricrypto-NG, and those before them. Quotes are the pool's own
/// `get_dy`, where the mathematics agree. Pools whose parameters move, or which follow other mathematics, are refused.
contract CurveCryptoAdapter is CurveAdapter {
    using CryptoWords for uint256[];

    bytes4 private constant EXCHANGE = bytes4(keccak256("exchange(uint256,uint256,uint256,uint256)"));
    bytes4 private constant EXCHANGE_TO = bytes4(keccak256("exchange(uint256,uint256,uint256,uint256,address)"));
    uint256 private constant COIN_GAS = 60_000;
    uint256 private constant WAD = 1e18;
    /// @dev How far the pool's own quote may differ from the mathematics: at most one part in `LESS_PARTS` below, and one part in
    /// `2 ** MORE_SHIFT` above. The curve is raised by twice as much.
    uint256 private constant LESS_PARTS = 1e6;
    uint256 private constant MORE_SHIFT = 22;
    /// @dev What the invariant that a pool keeps is rounded by may show in the output: this part of the balance, as a shift. Where
    /// that makes it more, the input is dust and the quote is zero, because the curve would be below.
    uint256 private constant DUST_SHIFT = 40;
    uint256 private constant UNITS = 2;
    /// @dev The trial is this part of the balance, as a shift.
    uint256 private constant TRIAL_SHIFT = 4;
    /// @dev Gas that a leg adds to a swap.
    uint256 private constant LEG_GAS = 215_000;

    constructor(address registry_, address wrapped_) CurveAdapter(registry_, wrapped_) {}

    /// @inheritdoc ISampler
    function read(VenueKind, address, address, uint256 key) external view returns (uint256[] memory state) {
        address target = adapterPool(key);
        ICryptoPool pool = ICryptoPool(target);
        uint256 n = ask(target, COIN_GAS, 1, abi.encodeCall(ICurveCoins.coins, (2))).length == 0 ? 2 : 3;
        (uint256 i, uint256 j) = indexesOf(key, true);
        if (i >= n || j >= n || i == j) return state;
        state = CryptoWords.open(key, n);
        (state[CryptoWords.ANN], state[CryptoWords.GAMMA]) = (pool.A(), pool.gamma());
        state[CryptoWords.INVARIANT] = pool.D();
        (state[CryptoWords.MID_FEE], state[CryptoWords.OUT_FEE]) = (pool.mid_fee(), pool.out_fee());
        state[CryptoWords.FEE_GAMMA] = pool.fee_gamma();
        uint256 trial;
        for (uint256 k; k < n; ++k) {
            uint256 balance = pool.balances(k);
            state.put(k, balance, _rateOf(pool, k, n));
            if (k == i) trial = balance >> TRIAL_SHIFT;
        }
        if (!state.isSane() || _quote(state, true, trial) == 0) return new uint256[](0);
    }

    /// @inheritdoc ISampler
    function draw(VenueKind, uint256[] calldata state, bool zeroForOne, Stretch calldata stretch)
        external
        pure
        returns (Drawing memory)
    {
        return CryptoDrawing.draw(state, zeroForOne, stretch);
    }

    /// @inheritdoc ISampler
    function quote(VenueKind, address, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        amountOut = _quote(state, zeroForOne, amountIn);
        if (amountOut != 0) gas = LEG_GAS;
    }

    function _exchanges() internal pure override returns (bytes4 exchange, bytes4 exchangeTo) {
        return (EXCHANGE, EXCHANGE_TO);
    }

    /// @dev Zero where the pool's view and the mathematics part.
    function _quote(uint256[] memory state, bool zeroForOne, uint256 amountIn)
        private
        view
        returns (uint256 amountOut)
    {
        (uint256 i, uint256 j) = indexesOf(state[CryptoWords.KEY], zeroForOne);
        amountOut = ICryptoPool(adapterPool(state[CryptoWords.KEY])).get_dy(i, j, amountIn);
        (uint256 paid, uint256 reserve) = CryptoDrawing.paidFor(state, zeroForOne, amountIn);
        uint256 least = FixedPointMathLib.zeroFloorSub(paid, paid / LESS_PARTS + (reserve >> DUST_SHIFT) + UNITS);
        if (amountOut < least || amountOut > paid + (paid >> MORE_SHIFT) + 1) return 0;
    }

    /// @dev What 1e18 base units of token `k` are worth.
    function _rateOf(ICryptoPool pool, uint256 k, uint256 n) private view returns (uint256) {
        uint256 precision = 10 ** (18 - IDecimals(ICurveCoins(address(pool)).coins(k)).decimals());
        if (k == 0) return precision * WAD;
        return precision * (n == 2 ? pool.price_scale() : pool.price_scale(k - 1));
    }
}
