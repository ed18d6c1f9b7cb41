// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {VenueConfig} from "../../src/types/Venue.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {CallbackCases} from "../fixtures/CallbackCases.sol";
import {IV3Factory, IV3Pool} from "../fixtures/VenuesFixture.sol";

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
