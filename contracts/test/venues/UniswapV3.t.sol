// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {VenueConfig} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {ICallbackPool} from "../../src/venues/CallbackPools.sol";
import {IUniswapV3Pool} from "../../src/venues/UniswapV3.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {CallbackCases} from "../fixtures/CallbackCases.sol";
import {IV3Factory, IV3Pool} from "../fixtures/VenuesFixture.sol";
import {KindCases} from "./KindCases.sol";

interface IObservations {
    function observations(uint256 index) external view returns (uint32 recordedAt, int56, uint160, bool);
}

/// @notice A second Uniswap V3 factory from the published bytecode, as a fork with nothing changed is.
/// forge-config: default.fuzz.runs = 100
contract UniswapV3Test is CallbackCases {
    IV3Factory private factory;

    function deployVenue() internal override returns (VenueConfig memory) {
        factory = IV3Factory(
            deployCode("node_modules/@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json")
        );
        return v3Config("uniswap-v3-fork", address(factory), V3_INIT_CODE_HASH, V3_CALLBACK);
    }

    function open(address token0, address token1, uint160 sqrtPriceX96) internal override returns (address created) {
        created = factory.createPool(token0, token1, 500);
        IV3Pool(created).initialize(sqrtPriceX96);
    }

    /// @dev The pool's own record shows whether it was written: its time is that of the last entry.
    function test_quote_countsTheRecordWhereTheTickIsLeft() public {
        // Away from the edge of a word, which would be a step of its own.
        _openAt(5);
        addLiquidity(-300 * spacing(), 300 * spacing(), 1e18);
        for (uint256 i; i < 2; ++i) {
            bool zeroForOne = i == 0;
            // The price stands on the tick's lower edge: any sale of token0 leaves it, and a small one of token1 does not.
            (, uint256 staying) = Venues.quote(_read(), false, 1e12);
            (, uint256 leaving) = Venues.quote(_read(), zeroForOne, zeroForOne ? 1e12 : 1e15);
            assertEq(leaving - staying, 7000);
            assertFalse(_isRecordedBy(false, 1e12));
            assertTrue(_isRecordedBy(zeroForOne, zeroForOne ? 1e12 : 1e15));
        }
    }

    function _isRecordedBy(bool zeroForOne, uint256 amountIn) private returns (bool isRecorded) {
        uint256 snapshot = vm.snapshotState();
        skip(1);
        trade(zeroForOne, amountIn);
        (uint32 recordedAt,,,) = IObservations(pool).observations(0);
        isRecorded = recordedAt == uint32(block.timestamp);
        vm.revertToStateAndDelete(snapshot);
    }

    function tierIndex() internal pure override returns (uint256) {
        return 1;
    }
}

/// @notice The cases that every kind passes.
/// forge-config: default.fuzz.runs = 100
contract UniswapV3KindTest is KindCases {
    uint24 private constant FEE = 100;

    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.UNISWAP_V3;
    }

    function deployKind() internal override returns (uint16, address pool_, uint256) {
        pool_ = createV3(address(usdc), address(dai), FEE, 1e6, 1e18);
        addAround(pool_, 1000, 1e21);
        return (UNISWAP_V3, pool_, FEE);
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        (target, selectors) = (pool, new bytes4[](8));
        selectors[0] = IUniswapV3Pool.slot0.selector;
        selectors[1] = IUniswapV3Pool.liquidity.selector;
        selectors[2] = IUniswapV3Pool.tickBitmap.selector;
        selectors[3] = IUniswapV3Pool.ticks.selector;
        selectors[4] = IUniswapV3Pool.feeGrowthGlobal0X128.selector;
        selectors[5] = IUniswapV3Pool.feeGrowthGlobal1X128.selector;
        selectors[6] = IUniswapV3Pool.protocolFees.selector;
        selectors[7] = ICallbackPool.swap.selector;
    }
}
