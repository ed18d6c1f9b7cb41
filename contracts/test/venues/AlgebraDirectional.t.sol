// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Curve, Pool} from "../../src/types/Market.sol";
import {Tier, Venue, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {IAlgebraPool} from "../../src/venues/Algebra.sol";
import {FeeCurve, IAlgebraRecord} from "../../src/venues/AlgebraFees.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {CallbackCases} from "../fixtures/CallbackCases.sol";
import {DirectionalDeployer, DirectionalPool} from "../fixtures/DirectionalPool.sol";
import {IV3Pool} from "../fixtures/VenuesFixture.sol";
import {IAlgebraPoolActions} from "./AlgebraIntegral.t.sol";
import {KindCases} from "./KindCases.sol";

/// @dev A venue as Camelot V3 is one.
function directionalConfig(address deployer, bytes32 initCodeHash) pure returns (VenueConfig memory config) {
    (config.id, config.factory) = ("camelot-v3", deployer);
    config.venue = Venue({
        kind: VenueKinds.ALGEBRA,
        enabled: true,
        unlockedWord: 7,
        feePips: 0,
        callback: bytes4(keccak256("algebraSwapCallback(int256,int256,bytes)")),
        deployer: deployer,
        initCodeHash: initCodeHash
    });
    config.tiers = new Tier[](1);
}

/// @notice Algebra 1.9, as Camelot V3 has it: a bitmap of raw ticks, and fees by direction that follow volatility and volume,
/// against an independent implementation.
/// forge-config: default.fuzz.runs = 100
contract AlgebraDirectionalTest is CallbackCases {
    DirectionalDeployer private deployer;

    function deployVenue() internal virtual override returns (VenueConfig memory) {
        deployer = new DirectionalDeployer();
        return directionalConfig(address(deployer), deployer.initCodeHash());
    }

    function open(address token0, address token1, uint160 sqrtPriceX96) internal virtual override returns (address) {
        DirectionalPool created = deployer.createPool(token0, token1);
        created.initialize(sqrtPriceX96);
        return address(created);
    }

    function setFees(FeeCurve memory zeroToOne, FeeCurve memory oneToZero) internal virtual {
        DirectionalPool(pool).dataStorageOperator().setFees(zeroToOne, oneToZero);
    }

    /// @dev Has the pool, whose price is in tick zero, write a timepoint in each of the last seconds, until one has the index.
    function recordUpTo(uint16 index) internal virtual {
        DirectionalPool(pool).recordUpTo(index);
    }

    function addLiquidity(int24 lower, int24 upper, uint128 liquidity) internal override {
        IAlgebraPoolActions(pool).mint(address(this), address(this), lower, upper, liquidity, "");
    }

    function tierIndex() internal pure override returns (uint256) {
        return 0;
    }

    function test_quote_stepsFromRawTickToRawTick() public {
        _openAt(0);
        addLiquidity(-60, 60, 1e18);
        addLiquidity(-15_360, -600, 1e18);
        for (uint256 amountIn = 1; amountIn < 1e18; amountIn = amountIn * 3 + 1) {
            _assertPays(true, amountIn);
            _assertPays(false, amountIn);
        }
    }

    function testFuzz_quote_takesTheFeeOfTheDirection(uint16 fee0, uint16 fee1, uint256 amountIn) public {
        _openAt(0);
        addLiquidity(-3000, 3000, 1e18);
        setFees(_flat(fee0), _flat(fee1));
        skip(1);
        _assertPays(true, bound(amountIn, 1, 1e17));
        _assertPays(false, bound(amountIn, 1, 1e17));
    }

    /// @dev All that volume can raise a fee by, it does: nothing about the fee is unknown.
    function testFuzz_quote_isExactIf_volumeDoesNotMatter(uint256 seed) public {
        _openAt(int24(int256(seed % 10_000)));
        addLiquidity(-60_000, 60_000, 1e18);
        setFees(_curve(seed, 1), _curve(seed >> 64, 1));
        skip(1);
        // A volume after which the third sigmoid is flat.
        trade(true, 1e18);
        skip(1);
        trade(false, 1e18);
        for (uint256 i; i < 12; ++i) {
            uint256 random = uint256(keccak256(abi.encode(seed, i)));
            skip(_pause(random));
            if (_volumeMatters()) {
                trade(true, 1e18);
                skip(1);
                trade(false, 1e18);
                skip(1);
            }
            assertFalse(_volumeMatters());
            _assertPays(true, 1 + _spread(random >> 8, 1e18));
            _assertPays(false, 1 + _spread(random >> 16, 1e18));
            trade(random & 1 == 0, 1 + _spread(random >> 24, 1e18));
            _assertPays(random & 2 == 0, 1e15);
        }
    }

    /// @dev The volume of the second before counts, and nobody can read it.
    function testFuzz_quote_isNeverAboveNorTheCurveBelow(uint256 seed) public {
        _openAt(int24(int256(seed % 10_000)));
        addLiquidity(-60_000, 60_000, 1e18);
        setFees(_curve(seed, 40), _curve(seed >> 64, 40));
        for (uint256 i; i < 12; ++i) {
            uint256 random = uint256(keccak256(abi.encode(seed, i)));
            skip(_pause(random));
            bool zeroForOne = random & 1 == 0;
            uint256 amountIn = 1 + _spread(random >> 24, 1e18);
            Pool memory read = _read();
            (uint256 quoted,) = Venues.quote(read, zeroForOne, amountIn);
            // With the fees that the curve is drawn with.
            read.state[2] = 0;
            (uint256 most,) = Venues.quote(read, zeroForOne, amountIn);
            (, uint256 paid) = trade(zeroForOne, amountIn);
            assertLe(quoted, paid, "above the pool");
            assertGe(most, paid, "below the pool");
        }
    }

    function test_quote_knowsTheFeeIf_theRecordIsFull() public {
        _openAt(0);
        addLiquidity(-60_000, 60_000, 1e18);
        setFees(_curve(7, 1), _curve(9, 1));
        skip(65_535);
        recordUpTo(65_535);
        for (uint256 i; i < 4; ++i) {
            skip(1 + i * 30_000);
            trade(i % 2 == 0, 3e18);
            skip(1);
            _assertPays(true, 1e17);
            _assertPays(false, 1e17);
        }
    }

    function test_read_drawsWithTheLeastFee() public {
        _openAt(0);
        addLiquidity(-60_000, 60_000, 1e18);
        setFees(_curve(1, 40), _curve(2, 40));
        skip(1);
        trade(true, 1e17);
        skip(60);
        Pool memory read = _read();
        assertTrue(_volumeMatters());
        Curve memory curve;
        Venues.extend(read, true, curve, 2);
        uint256 start = curve.startRatio;
        read.state[0] += read.state[2] >> 24 << 24;
        Curve memory worse;
        Venues.extend(read, true, worse, 2);
        assertGt(start, worse.startRatio);
    }

    /// @dev WETH/USDC of Camelot V3.
    function test_derive_isThePoolOnArbitrum() public pure {
        Venue memory venue =
        directionalConfig(
            0x6Dd3FB9653B10e806650F107C3B5A0a6fF974F65,
            0x6c1bebd370ba84753516bc1393c0d0a6c645856da55f5393ac8ab3d6dbc861d3
        )
        .venue;
        assertEq(
            Venues.derive(
                venue.packed(),
                0x82aF49447D8a07e3bd95BD0d56f35241523fBab1,
                0xaf88d065e77c8cC2239327C5EDb3A432268e5831,
                0
            ),
            0xB1026b8e7276e7AC75410F1fcbbe21796e8f7526
        );
    }

    /// @dev Whether a fee of the next swap depends on what cannot be read.
    function _volumeMatters() internal returns (bool) {
        return _read().state[2] >> 24 != 0;
    }

    function _flat(uint16 fee) internal pure returns (FeeCurve memory curve) {
        curve = FeeCurve(0, 0, 0, 0, 1, 1, 0, 1, fee);
    }

    /// @dev Some curve that the volatility of these tests moves along.
    function _curve(uint256 seed, uint16 volumeWidth) internal pure returns (FeeCurve memory) {
        return FeeCurve({
            alpha1: uint16(100 + seed % 10_000),
            alpha2: uint16(100 + (seed >> 8) % 20_000),
            beta1: uint32(_spread(seed >> 16, 1e6)),
            beta2: uint32(_spread(seed >> 24, 1e8)),
            gamma1: uint16(1 + (seed >> 32) % 60_000),
            gamma2: uint16(1 + (seed >> 40) % 60_000),
            volumeBeta: 0,
            volumeGamma: volumeWidth,
            baseFee: uint16(1 + (seed >> 48) % 5000)
        });
    }

    /// @dev Nothing, seconds, hours or days.
    function _pause(uint256 random) internal pure returns (uint256) {
        random = random >> 128;
        if (random % 4 == 0) return 0;
        if (random % 4 == 1) return 1 + (random >> 8) % 60;
        return (random >> 8) % (random % 4 == 2 ? 1 days : 3 days);
    }
}

/// @notice The cases that every kind passes.
/// forge-config: default.fuzz.runs = 100
contract AlgebraDirectionalKindTest is KindCases {
    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.ALGEBRA;
    }

    function deployKind() internal override returns (uint16 number_, address pool_, uint256) {
        DirectionalDeployer deployer = new DirectionalDeployer();
        number_ = addVenue(directionalConfig(address(deployer), deployer.initCodeHash()));
        (uint160 price, int24 tick) = evenPrice();
        (address token0, address token1) = usdc < dai ? (address(usdc), address(dai)) : (address(dai), address(usdc));
        pool_ = address(deployer.createPool(token0, token1));
        IV3Pool(pool_).initialize(price);
        tick = tick / 60 * 60;
        IAlgebraPoolActions(pool_).mint(address(this), address(this), tick - 960, tick + 960, 1e21, "");
        return (number_, pool_, 0);
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        (target, selectors) = (pool, new bytes4[](8));
        selectors[0] = IAlgebraPool.globalState.selector;
        selectors[1] = IAlgebraPool.liquidity.selector;
        selectors[2] = IAlgebraRecord.timepoints.selector;
        selectors[3] = IAlgebraRecord.getTimepoints.selector;
        selectors[4] = IAlgebraRecord.dataStorageOperator.selector;
        selectors[5] = IAlgebraPool.tickTable.selector;
        selectors[6] = IAlgebraPool.ticks.selector;
        selectors[7] = IAlgebraPool.totalFeeGrowth0Token.selector;
    }
}
