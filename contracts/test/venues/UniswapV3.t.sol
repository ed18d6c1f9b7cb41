// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {VenueConfig} from "../../src/types/Venue.sol";
import {CallbackCases} from "../fixtures/CallbackCases.sol";
import {IV3Factory, IV3Pool} from "../fixtures/VenuesFixture.sol";

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

    function tierIndex() internal pure override returns (uint256) {
        return 1;
    }
}
