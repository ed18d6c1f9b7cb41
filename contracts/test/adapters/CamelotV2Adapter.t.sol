// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Sampler} from "../../src/Sampler.sol";
import {DevCamelotPair} from "../../src/devnet/DevCamelot.sol";
import {VenueKind} from "../../src/types/VenueKind.sol";
import {adapterPool} from "../../src/venues/AdapterKey.sol";
import {CamelotFixture} from "../fixtures/CamelotFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {SampledCases} from "../venues/SampledCases.sol";

/// @notice Quotes and curves of Camelot V2, against pairs of both curves with fees at random.
/// forge-config: default.fuzz.runs = 100
contract CamelotV2AdapterTest is SampledCases, CamelotFixture {
    function setUp() public override {
        super.setUp();
        deployCamelot();
        sampler = Sampler(address(camelotAdapter));
    }

    function _subject(uint256 seed) internal override returns (Subject memory) {
        return _subjectOf(seed, 3000);
    }

    function _lopsided(uint256 seed) internal override returns (Subject memory) {
        return _subjectOf(seed, 100_000);
    }

    /// @dev `mostPermille` is the most by which a stable pair is unbalanced, in thousandths of a reserve.
    function _subjectOf(uint256 seed, uint256 mostPermille) private returns (Subject memory subject) {
        PlainToken tokenA = new PlainToken("A", uint8(_between(seed, 6, 18)));
        PlainToken tokenB = new PlainToken("B", uint8(_between(seed >> 8, 6, 18)));
        bool stable = seed >> 16 & 3 != 0;
        // A stable pair begins in balance, where it is nearly flat; most are unbalanced by a swap.
        uint256 amountA = _amountOf(tokenA, seed, 32);
        address pair = createCamelot(tokenA, tokenB, stable, amountA, _amountOf(tokenB, seed, stable ? 32 : 64));
        _setFees(pair, seed >> 136);
        (subject.token0, subject.token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        (subject.deployer, subject.pool) = (address(camelotAdapter), address(camelotAdapter));
        subject.kind = VenueKind.wrap(10);
        subject.key = camelotAdapter.keysOf(address(tokenA), address(tokenB), new uint256[](0))[0];
        assertEq(adapterPool(subject.key), pair);
        if (stable && seed >> 80 & 3 != 0) _unbalance(subject, seed & 1 == 0, _between(seed >> 64, 1, mostPermille));
    }

    /// @dev Between two thousand and twenty million whole tokens, and up to nine times as many.
    function _amountOf(PlainToken token, uint256 seed, uint256 shift) private view returns (uint256) {
        uint256 whole = 2000 * 10 ** _between(seed >> 24, 0, 4);
        return whole * _between(seed >> shift, 1000, 9000) * 10 ** token.decimals() / 1000;
    }

    /// @dev Low ones as stable pairs have them, or any.
    function _setFees(address pair, uint256 random) private {
        uint256 most = random & 1 == 0 ? 40 : 2000;
        uint256 fee1 = _between(random >> 32, 1, most);
        DevCamelotPair(pair).setFeePercent(uint16(_between(random >> 1, 1, most)), uint16(fee1));
    }

    function test_quote_hasTheFeeOfTheTokenSold() public {
        (PlainToken a, PlainToken b) = (new PlainToken("A", 18), new PlainToken("B", 18));
        if (a > b) (a, b) = (b, a);
        DevCamelotPair(createCamelot(a, b, false, 1e24, 1e24)).setFeePercent(100, 2000);
        Subject memory subject;
        (subject.kind, subject.token0, subject.token1) = (VenueKind.wrap(10), a, b);
        subject.key = camelotAdapter.keysOf(address(a), address(b), new uint256[](0))[0];
        subject = _read(subject);
        (uint256 there,) = _quote(subject, true, 1e18);
        (uint256 back,) = _quote(subject, false, 1e18);
        // A thousandth and a fiftieth of the input stay, and what is sold moves the price.
        assertEq(there, uint256(1e18 * 0.999e18) * 1e24 / (1e24 * 1e18 + 1e18 * 0.999e18));
        assertEq(back, uint256(1e18 * 0.98e18) * 1e24 / (1e24 * 1e18 + 1e18 * 0.98e18));
    }

    function test_read_refusesTinyAndLopsidedPairs() public {
        (PlainToken a, PlainToken b) = (new PlainToken("A", 18), new PlainToken("B", 18));
        address pair = createCamelot(a, b, false, 999, 1e18);
        uint256 key = camelotAdapter.keysOf(address(a), address(b), new uint256[](0))[0];
        assertEq(sampler.read(VenueKind.wrap(10), address(0), address(0), key).length, 0);
        a.mint(pair, 1);
        DevCamelotPair(pair).sync();
        assertGt(sampler.read(VenueKind.wrap(10), address(0), address(0), key).length, 0);
        DevCamelotPair(pair).setStableSwap(true, 0, 0);
        assertEq(sampler.read(VenueKind.wrap(10), address(0), address(0), key).length, 0);
    }

    function pay(Subject memory subject, bool zeroForOne, uint256 amountIn) external override returns (uint256 paid) {
        (PlainToken sold, PlainToken bought) =
            zeroForOne ? (subject.token0, subject.token1) : (subject.token1, subject.token0);
        uint256 before = bought.balanceOf(address(this));
        sold.mint(address(camelotAdapter), amountIn);
        paid = camelotAdapter.swap(subject.key, address(sold), address(bought), amountIn, address(this));
        assertEq(bought.balanceOf(address(this)) - before, paid, "says what it paid");
        assertEq(sold.balanceOf(address(camelotAdapter)), 0, "kept of the input");
        assertEq(bought.balanceOf(address(camelotAdapter)), 0, "kept of the output");
    }

    function _reserves(Subject memory subject, bool zeroForOne) internal view override returns (uint256, uint256) {
        (uint256 reserve0, uint256 reserve1,,) = DevCamelotPair(adapterPool(subject.key)).getReserves();
        return zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
    }

    function _unbalance(Subject memory subject, bool zeroForOne, uint256 permille) private {
        (uint256 reserve,) = _reserves(subject, zeroForOne);
        try this.pay(subject, zeroForOne, reserve * permille / 1000) {} catch {}
    }
}
