// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {ICurvePool} from "../../src/venues/CurveStable.sol";
import {listedKey} from "../../src/venues/Listed.sol";
import {drawnOut} from "../fixtures/DrawnCurve.sol";
import {
    FirstStableSwap,
    NgStableSwap,
    OldStableSwap,
    PlainStableSwap,
    StableSwapPool
} from "../fixtures/StableSwapPools.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {KindCases} from "./KindCases.sol";
import {SampledCases} from "./SampledCases.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice As pools of the native token, which they count by an address without code.
contract NativeStableSwap is PlainStableSwap {
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    constructor(address[] memory coins_, uint256[] memory amounts) PlainStableSwap(coins_, amounts, 400, 4e6) {}

    function coins(uint256 k) external view override returns (address) {
        return k == 0 ? NATIVE : _coins[k];
    }
}

/// @notice As pools of lending tokens, whose rates they do not say.
contract LendingStableSwap is PlainStableSwap {
    constructor(address[] memory coins_, uint256[] memory amounts) PlainStableSwap(coins_, amounts, 400, 4e6) {}

    function _rate(uint256 k) internal view override returns (uint256) {
        return super._rate(k) * (k == 0 ? 1.02e18 : 1e18) / 1e18;
    }
}

/// @notice As pools whose rates are a list of fixed length, not that of StableSwap-NG.
contract FixedRatesStableSwap is LendingStableSwap {
    constructor(address[] memory coins_, uint256[] memory amounts) LendingStableSwap(coins_, amounts) {}

    function stored_rates() external view returns (uint256[2] memory) {
        return [_rate(0), _rate(1)];
    }
}

/// @notice As crypto pools, which count by uint256.
contract CryptoSwap is PlainStableSwap {
    constructor(address[] memory coins_, uint256[] memory amounts) PlainStableSwap(coins_, amounts, 400, 4e6) {}

    function get_dy(int128, int128, uint256) external pure override returns (uint256) {
        revert();
    }

    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256) {
        return _bought(i, j, dx);
    }
}

/// @notice Against the tests' own pools: no bytecode of Curve's is published on npm.
contract CurveTest is SampledCases {
    /// @dev A pool whose balance without an input comes out above what it holds.
    function test_draw_isNotEmptyIf_noInputRoundsUp() public {
        testFuzz_draw_isNotEmptyIf_thePoolPays(1060402262806540979525706282095, true, 41087529474664765417);
    }

    function _subject(uint256 seed) internal override returns (Subject memory) {
        return _poolOf(seed, 1);
    }

    function _lopsided(uint256 seed) internal override returns (Subject memory) {
        return _poolOf(seed, 10_000);
    }

    /// @dev With up to `most` times more of a token than its share.
    function _poolOf(uint256 seed, uint256 most) private returns (Subject memory subject) {
        uint256 n = 2 + (seed >> 32) % 3;
        address[] memory coins = new address[](n);
        uint256[] memory amounts = new uint256[](n);
        uint256 whole = 2000 * 10 ** _between(seed >> 64, 0, 4);
        uint256 spread = 1 + (seed >> 48) % 6;
        for (uint256 i; i < n; ++i) {
            PlainToken coin = new PlainToken("C", uint8(_between(seed >> (8 * i), 6, 18)));
            coins[i] = address(coin);
            amounts[i] = whole * _between(seed >> (72 + 16 * i), 1000, 1000 * spread) * 10 ** coin.decimals() / 1000;
            amounts[i] *= 1 + uint256(keccak256(abi.encode(seed, i))) % most;
        }
        (subject.kind, subject.deployer) = (VenueKinds.CURVE, address(this));
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

    function _isShared() internal pure override returns (bool) {
        return true;
    }

    /// @dev Where the fee moves, the curve has the lowest it may be.
    function _tightness(Subject memory subject) internal view override returns (uint256) {
        try NgStableSwap(subject.pool).offpeg_fee_multiplier() returns (uint256 multiplier) {
            return multiplier == 0 ? TIGHTNESS : 1e8;
        } catch {
            return TIGHTNESS;
        }
    }

    /// @dev The fee is taken from the output.
    function _mostOut(Subject memory subject, uint256 reserveOut) internal view override returns (uint256) {
        return reserveOut - reserveOut * StableSwapPool(subject.pool).fee() / 1e10;
    }

    function pay(Subject memory subject, bool zeroForOne, uint256 amountIn) external override returns (uint256) {
        (PlainToken sold, PlainToken bought) =
            zeroForOne ? (subject.token0, subject.token1) : (subject.token1, subject.token0);
        (uint256 i, uint256 j) = (subject.key >> 4 & 15, subject.key & 15);
        if (!zeroForOne) (i, j) = (j, i);
        sold.mint(address(this), amountIn);
        sold.approve(subject.pool, amountIn);
        uint256 before = bought.balanceOf(address(this));
        // Some return what they paid, and some nothing.
        ICurvePool(subject.pool).exchange(int128(uint128(i)), int128(uint128(j)), amountIn, 0);
        return bought.balanceOf(address(this)) - before;
    }

    function _reserves(Subject memory subject, bool zeroForOne) internal view override returns (uint256, uint256) {
        StableSwapPool pool = StableSwapPool(subject.pool);
        (uint256 reserve0, uint256 reserve1) = (pool.balances(subject.key >> 4 & 15), pool.balances(subject.key & 15));
        return zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
    }

    /* WHAT IS DRAWN */

    /// @dev With a fee of 0.73 % of the output, the pool keeps that part of its balance, however large the input.
    function test_draw_whatTheFeeKeepsIsNoRest() public {
        testFuzz_draw_keepsTheOptimizersDomain(
            94341574664775196660365460577075631320903334273303448876262137321456157227068, false
        );
    }

    /// @dev Pools of twenty billion tokens up to the largest amount that fits into a word. Their prices fall by too little
    /// for the optimizer. A larger amplification does not fit into its numbers.
    function testFuzz_draw_ofALargePool_keepsTheOptimizersDomain(
        uint256 size,
        uint256 amp,
        bool zeroForOne,
        uint256 part
    ) public {
        size = bound(size, 2e28, 1 << 111);
        amp = bound(amp, 10, FixedPointMathLib.min(1e6, (1 << 118) / size));
        Subject memory subject = _large(size, amp);
        uint256 amountIn = _amount(subject, zeroForOne, part, 16);
        uint256[] memory words = _drawAll(subject, zeroForOne, amountIn);
        _assertDomain(words);
        (uint256 quoted,) = _quote(subject, zeroForOne, amountIn);
        if (quoted != 0) assertGe(drawnOut(words, amountIn + 2) + 1 + words.length, quoted, "below");
    }

    function _large(uint256 size, uint256 amp) private returns (Subject memory subject) {
        (address[] memory coins, uint256[] memory amounts) = _two();
        (amounts[0], amounts[1]) = (size, size);
        (subject.kind, subject.deployer) = (VenueKinds.CURVE, address(this));
        subject.pool = address(new PlainStableSwap(coins, amounts, amp, 4e6));
        bool inOrder = coins[0] < coins[1];
        subject.key = inOrder ? listedKey(0, 0, 1) : listedKey(0, 1, 0);
        (subject.token0, subject.token1) = (PlainToken(coins[inOrder ? 0 : 1]), PlainToken(coins[inOrder ? 1 : 0]));
        return _read(subject);
    }

    /* WHAT IS REFUSED */

    function test_read_refusesWhatTheMathematicsDoNotPrice() public {
        (address[] memory coins, uint256[] memory amounts) = _two();
        assertGt(_words(new PlainStableSwap(coins, amounts, 400, 4e6)), 0);
        assertGt(_words(new OldStableSwap(coins, amounts, 400, 4e6)), 0);
        assertGt(_words(new NgStableSwap(coins, amounts, 400, 4e6, 2e10, 1.02e18)), 0);

        assertEq(_words(new FirstStableSwap(coins, amounts, 400, 4e6)), 0, "counts by int128");
        assertEq(_words(new NativeStableSwap(coins, amounts)), 0, "native");
        assertEq(_words(new LendingStableSwap(coins, amounts)), 0, "lending");
        assertEq(_words(new FixedRatesStableSwap(coins, amounts)), 0, "fixed rates");
        assertEq(_words(new CryptoSwap(coins, amounts)), 0, "crypto");
    }

    function test_read_refusesParametersBeyondWhatPoolsHave() public {
        (address[] memory coins, uint256[] memory amounts) = _two();
        assertEq(_words(new PlainStableSwap(coins, amounts, 400, 1e10)), 0, "fee of all");
        assertEq(_words(new PlainStableSwap(coins, amounts, 400, 2e10)), 0, "fee of more than all");
        assertGt(_words(new PlainStableSwap(coins, amounts, 1, 4e6)), 0, "A of one");
        assertGt(_words(new PlainStableSwap(coins, amounts, 1e6, 4e6)), 0, "A of a million");
        assertEq(_words(new PlainStableSwap(coins, amounts, 1e6 + 1, 4e6)), 0, "A of more");
        amounts[0] = amounts[1] * 1e5 + 1e18;
        assertEq(_words(new PlainStableSwap(coins, amounts, 400, 4e6)), 0, "imbalance");
        (amounts[0], amounts[1]) = (1e11, 1e11);
        assertEq(_words(new PlainStableSwap(coins, amounts, 400, 4e6)), 0, "dust");
        (amounts[0], amounts[1]) = (1 << 112, 1 << 112);
        assertEq(_words(new PlainStableSwap(coins, amounts, 400, 4e6)), 0, "too large");
        assertEq(_words(new PlainStableSwap(coins, amounts, 0, 4e6)), 0, "no amplification");
    }

    function _two() private returns (address[] memory coins, uint256[] memory amounts) {
        (coins, amounts) = (new address[](2), new uint256[](2));
        for (uint256 i; i < 2; ++i) {
            (coins[i], amounts[i]) = (address(new PlainToken("C", 18)), 1e24);
        }
    }

    /// @dev How many words are read; none also where the reading fails.
    function _words(StableSwapPool pool) private view returns (uint256) {
        try sampler.read(VenueKinds.CURVE, address(this), address(pool), listedKey(1, 0, 1)) returns (
            uint256[] memory words
        ) {
            return words.length;
        } catch {
            return 0;
        }
    }
}

/// @notice The cases that every kind passes.
/// forge-config: default.fuzz.runs = 100
contract CurveKindTest is KindCases {
    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.CURVE;
    }

    function deployKind() internal override returns (uint16, address pool_, uint256) {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        pool_ = address(new NgStableSwap(pair, amounts, 400, 4e6, 5e10, 1e18));
        addPool(CURVE, pool_, pair);
        return (CURVE, pool_, listedKey(1, 0, 1));
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        (target, selectors) = (pool, new bytes4[](8));
        selectors[0] = ICurvePool.coins.selector;
        selectors[1] = ICurvePool.balances.selector;
        selectors[2] = ICurvePool.A_precise.selector;
        selectors[3] = ICurvePool.fee.selector;
        selectors[4] = ICurvePool.stored_rates.selector;
        selectors[5] = ICurvePool.offpeg_fee_multiplier.selector;
        selectors[6] = ICurvePool.get_dy.selector;
        selectors[7] = ICurvePool.exchange.selector;
    }
}
