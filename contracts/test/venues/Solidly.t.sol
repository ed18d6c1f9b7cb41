// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Venue} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {ISolidlyPool} from "../../src/venues/Solidly.sol";
import {KindCases} from "./KindCases.sol";

import {Venues} from "../../src/venues/Venues.sol";
import {SolidlyFixture} from "../fixtures/SolidlyFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {SampledCases} from "./SampledCases.sol";
import {Pool} from "sphere-mezo-solidity-files/domains/aerodrome/contracts/Pool.sol";

contract SolidlyTest is SampledCases, SolidlyFixture {
    function setUp() public override {
        super.setUp();
        deploySolidly();
    }

    function _subject(uint256 seed) internal override returns (Subject memory) {
        return _poolOf(seed, 3000);
    }

    function _lopsided(uint256 seed) internal override returns (Subject memory) {
        return _poolOf(seed, 100_000);
    }

    /// @dev `mostPermille` is the most by which a stable pool is unbalanced, in thousandths of a reserve.
    function _poolOf(uint256 seed, uint256 mostPermille) private returns (Subject memory subject) {
        PlainToken tokenA = new PlainToken("A", uint8(_between(seed, 6, 18)));
        PlainToken tokenB = new PlainToken("B", uint8(_between(seed >> 8, 6, 18)));
        bool stable = seed >> 16 & 3 != 0;
        // Between two thousand and twenty million whole tokens, up to nine times as many of one as of the other.
        uint256 whole = 2000 * 10 ** _between(seed >> 24, 0, 4);
        uint256 amountA = whole * _between(seed >> 32, 1000, 9000) * 10 ** tokenA.decimals() / 1000;
        // A stable pool begins in balance, where it is nearly flat; most are unbalanced by a swap.
        uint256 amountB = whole * _between(seed >> (stable ? 32 : 64), 1000, 9000) * 10 ** tokenB.decimals() / 1000;
        Pool pool = createSolidly(address(tokenA), address(tokenB), stable, amountA, amountB);
        if (seed >> 128 & 1 == 0) solidlyFactory.setCustomFee(address(pool), _between(seed >> 136, 1, 300));
        (subject.token0, subject.token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        (subject.kind, subject.deployer) = (VenueKinds.SOLIDLY, address(solidlyFactory));
        (subject.pool, subject.key) = (address(pool), stable ? 1 : 0);
        if (stable && seed >> 80 & 3 != 0) _unbalance(subject, seed & 1 == 0, _between(seed >> 64, 1, mostPermille));
    }

    function test_derive_aerodromeOnBase() public pure {
        Venue memory venue;
        venue.kind = VenueKinds.SOLIDLY;
        venue.deployer = 0x420DD381b31aEf6683db6B902084cB0FFECe40Da;
        venue.initCodeHash = 0x6f178972b07752b522a4da1c5b71af6524e8b0bd6027ccb29e5312b0e5bcdc3c;
        address weth = 0x4200000000000000000000000000000000000006;
        address usdc = 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913;
        assertEq(Venues.derive(venue.packed(), weth, usdc, 0), 0xcDAC0d6c6C59727a65F871236188350531885C43);
        assertEq(Venues.derive(venue.packed(), usdc, weth, 0), 0xcDAC0d6c6C59727a65F871236188350531885C43);
        assertEq(Venues.derive(venue.packed(), weth, usdc, 2), address(0));
    }

    function test_derive_velodromeOnOptimism() public pure {
        Venue memory venue;
        venue.kind = VenueKinds.SOLIDLY;
        venue.deployer = 0xF1046053aa5682b4F9a81b5481394DA16BE5FF5a;
        venue.initCodeHash = 0xc0629f1c7daa09624e54d4f711ba99922a844907cce02997176399e4cc7e8fcf;
        address weth = 0x4200000000000000000000000000000000000006;
        address usdce = 0x7F5c764cBc14f9669B88837ca1490cCa17c31607;
        assertEq(Venues.derive(venue.packed(), weth, usdce, 0), 0x0493Bf8b6DBB159Ce2Db2E0E8403E753Abd1235b);
    }

    function test_read_refusesAPausedFactoryAndATinyPool() public {
        Subject memory subject = _subject(uint256(3) << 16);
        assertGt(_read(subject).state.length, 0);
        solidlyFactory.setPauseState(true);
        assertEq(_read(subject).state.length, 0);
        solidlyFactory.setPauseState(false);
        PlainToken a = new PlainToken("A", 18);
        PlainToken b = new PlainToken("B", 18);
        subject.pool = address(createSolidly(address(a), address(b), false, 1e6, 900));
        assertEq(_read(subject).state.length, 0);
    }

    /// @dev Beside reserves of few units, or prices far from one, the pool's steps never end for some inputs, which it refuses.
    /// What it pays for larger ones must not be missing from the curve.
    function testFuzz_draw_isNeverBelowSmallPools(uint256 seed, bool zeroForOne) public {
        PlainToken tokenA = new PlainToken("A", uint8(_between(seed, 6, 18)));
        PlainToken tokenB = new PlainToken("B", uint8(_between(seed >> 8, 6, 18)));
        // From a hundredth of a token to a thousand.
        uint256 parts = _between(seed >> 16, 100, 999) * 10 ** _between(seed >> 32, 0, 4);
        (uint256 amountA, uint256 amountB) =
            (parts * 10 ** tokenA.decimals() / 10_000, parts * 10 ** tokenB.decimals() / 10_000);
        Subject memory subject;
        (subject.token0, subject.token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        (subject.kind, subject.deployer, subject.key) = (VenueKinds.SOLIDLY, address(solidlyFactory), 1);
        subject.pool = address(createSolidly(address(tokenA), address(tokenB), true, amountA, amountB));
        subject = _read(subject);
        if (subject.state.length == 0) return;
        uint256[] memory segments = _drawAll(subject, zeroForOne, 0);
        (uint256 reserveIn,) = _reserves(subject, zeroForOne);
        for (uint256 amountIn = reserveIn / 8; amountIn < 16 * reserveIn; amountIn += amountIn / 4 + 1) {
            (uint256 quoted,) = _quote(subject, zeroForOne, amountIn);
            if (quoted != 0) _assertNotBelow(segments, amountIn, quoted);
        }
    }

    function test_quote_countsWhatTheFirstSwapsWrite() public {
        Subject memory subject = _subject(0);
        skip(60);
        (, uint256 first) = _quote(_read(subject), true, 1e6);
        this.pay(subject, true, 1e6);
        skip(60);
        (, uint256 again) = _quote(_read(subject), true, 1e6);
        (, uint256 back) = _quote(_read(subject), false, 1e6);
        assertEq(first - again, 2 * 34_200, "price sums, and fees of the token sold");
        assertEq(back - again, 34_200, "fees of the other token");
        this.pay(subject, false, 1e6);
        (, back) = _quote(_read(subject), false, 1e6);
        assertEq(back, again);
    }

    function _unbalance(Subject memory subject, bool zeroForOne, uint256 permille) private {
        (uint256 reserve,) = _reserves(subject, zeroForOne);
        this.pay(subject, zeroForOne, reserve * permille / 1000);
    }

    function pay(Subject memory subject, bool zeroForOne, uint256 amountIn) external override returns (uint256) {
        (PlainToken sold, PlainToken bought) =
            zeroForOne ? (subject.token0, subject.token1) : (subject.token1, subject.token0);
        uint256 out = Pool(subject.pool).getAmountOut(amountIn, address(sold));
        sold.mint(subject.pool, amountIn);
        uint256 before = bought.balanceOf(address(this));
        Pool(subject.pool).swap(zeroForOne ? 0 : out, zeroForOne ? out : 0, address(this), "");
        return bought.balanceOf(address(this)) - before;
    }

    function _reserves(Subject memory subject, bool zeroForOne) internal view override returns (uint256, uint256) {
        (uint256 reserve0, uint256 reserve1) = (Pool(subject.pool).reserve0(), Pool(subject.pool).reserve1());
        return zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
    }
}

/// @notice The cases that every kind passes.
/// forge-config: default.fuzz.runs = 100
contract SolidlyKindTest is KindCases {
    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.SOLIDLY;
    }

    function deployKind() internal override returns (uint16, address, uint256) {
        uint256 whole = 4_000_000;
        Pool pool_ = createSolidly(address(usdc), address(dai), true, whole * 1e6, whole * 1e18);
        return (SOLIDLY, address(pool_), 1);
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        (target, selectors) = (pool, new bytes4[](9));
        selectors[0] = ISolidlyPool.metadata.selector;
        selectors[1] = ISolidlyPool.reserve0.selector;
        selectors[2] = ISolidlyPool.reserve1.selector;
        selectors[3] = ISolidlyPool.lastObservation.selector;
        selectors[4] = ISolidlyPool.reserve0CumulativeLast.selector;
        selectors[5] = ISolidlyPool.index0.selector;
        selectors[6] = ISolidlyPool.index1.selector;
        selectors[7] = ISolidlyPool.getAmountOut.selector;
        selectors[8] = ISolidlyPool.swap.selector;
    }
}
