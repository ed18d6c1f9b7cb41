// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {GaugelessVoter} from "../../src/devnet/Deployers.sol";
import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {ISlipstreamPool} from "../../src/venues/Slipstream.sol";
import {IUniswapV3Pool} from "../../src/venues/UniswapV3.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {CallbackCases} from "../fixtures/CallbackCases.sol";
import {KindCases} from "./KindCases.sol";

interface ICLFactory {
    function createPool(address tokenA, address tokenB, int24 tickSpacing, uint160 sqrtPriceX96)
        external
        returns (address);
    function setSwapFeeModule(address module) external;
}

/// @notice Aerodrome's Slipstream from its sources (`tools/build-venues.mjs`), with a fee module of the test's.
/// forge-config: default.fuzz.runs = 100
contract SlipstreamTest is CallbackCases {
    string private constant ARTIFACTS = "node_modules/.sluice/venues/";
    int24 private constant SPACING = 100;

    ICLFactory private factory;
    uint24 private feePips = 500;

    function deployVenue() internal override returns (VenueConfig memory config) {
        address implementation = deployCode(string.concat(ARTIFACTS, "CLPool.json"));
        address voter = address(new GaugelessVoter());
        factory = ICLFactory(
            deployCode(string.concat(ARTIFACTS, "CLFactory.json"), abi.encode(voter, voter, implementation))
        );
        factory.setSwapFeeModule(address(this));
        config = v3Config("aerodrome-slipstream", address(factory), bytes32(0), V3_CALLBACK);
        config.venue.initCodeHash = keccak256(
            abi.encodePacked(
                hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", implementation, hex"5af43d82803e903d91602b57fd5bf3"
            )
        );
        config.venue.kind = VenueKinds.SLIPSTREAM;
        config.venue.unlockedWord = 5;
        config.tiers = new Tier[](1);
        config.tiers[0] = Tier({key: uint208(uint24(SPACING)), feePips: 0, tickSpacing: SPACING});
    }

    /// @notice The fee module's answer.
    function getFee(address) external view returns (uint24) {
        return feePips;
    }

    function open(address token0, address token1, uint160 sqrtPriceX96) internal override returns (address) {
        return factory.createPool(token0, token1, SPACING, sqrtPriceX96);
    }

    function tierIndex() internal pure override returns (uint256) {
        return 0;
    }

    function testFuzz_quote_followsTheFee(uint24 fee, uint256 amountIn) public {
        feePips = uint24(bound(fee, 0, 100_000));
        _openAt(0);
        addLiquidity(-3000, 3000, 1e18);
        _assertPays(true, bound(amountIn, 1, 1e17));
        feePips = uint24(bound(uint256(feePips) * 7, 0, 100_000));
        _assertPays(false, bound(amountIn, 1, 1e17));
    }

    /// @dev WETH/USDC of Base with spacing 100: a clone of the implementation that the factory's code names.
    function test_derive_isThePoolOnBase() public pure {
        VenueConfig memory config = v3Config(
            "",
            0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A,
            keccak256(
                hex"3d602d80600a3d3981f3363d3d373d3d3d363d73eC8E5342B19977B4eF8892e02D8DAEcfa1315831"
                hex"5af43d82803e903d91602b57fd5bf3"
            ),
            V3_CALLBACK
        );
        config.venue.kind = VenueKinds.SLIPSTREAM;
        assertEq(
            Venues.derive(
                config.venue.packed(),
                0x4200000000000000000000000000000000000006,
                0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913,
                100
            ),
            0xb2cc224c1c9feE385f8ad6a55b4d94E92359DC59
        );
    }
}

/// @notice The cases that every kind passes.
/// forge-config: default.fuzz.runs = 100
contract SlipstreamKindTest is KindCases {
    string private constant ARTIFACTS = "node_modules/.sluice/venues/";
    int24 private constant SPACING = 100;

    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.SLIPSTREAM;
    }

    function deployKind() internal override returns (uint16 number_, address pool_, uint256) {
        address implementation = deployCode(string.concat(ARTIFACTS, "CLPool.json"));
        address voter = address(new GaugelessVoter());
        ICLFactory factory = ICLFactory(
            deployCode(string.concat(ARTIFACTS, "CLFactory.json"), abi.encode(voter, voter, implementation))
        );
        VenueConfig memory config = v3Config("slipstream", address(factory), cloneHash(implementation), V3_CALLBACK);
        config.venue.kind = VenueKinds.SLIPSTREAM;
        config.venue.unlockedWord = 5;
        config.tiers = new Tier[](1);
        config.tiers[0] = Tier({key: uint208(uint24(SPACING)), feePips: 0, tickSpacing: SPACING});
        number_ = addVenue(config);
        (uint160 price, int24 tick) = evenPrice();
        (address low, address high) = usdc < dai ? (address(usdc), address(dai)) : (address(dai), address(usdc));
        pool_ = factory.createPool(low, high, SPACING, price);
        addRange(pool_, tick - 1000, tick + 1000, 1e21);
        return (number_, pool_, uint24(SPACING));
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        (target, selectors) = (pool, new bytes4[](5));
        selectors[0] = IUniswapV3Pool.slot0.selector;
        selectors[1] = IUniswapV3Pool.liquidity.selector;
        selectors[2] = IUniswapV3Pool.tickBitmap.selector;
        selectors[3] = IUniswapV3Pool.ticks.selector;
        selectors[4] = ISlipstreamPool.fee.selector;
    }
}
