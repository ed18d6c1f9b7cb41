// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PancakeDeployer} from "../../src/devnet/Deployers.sol";
import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {CallbackCases} from "../fixtures/CallbackCases.sol";
import {IV3Factory, IV3Pool} from "../fixtures/VenuesFixture.sol";

/// @notice PancakeSwap V3 is Uniswap V3 with other data: its published factory and pools, and the deployer between them,
/// which its package lacks.
/// forge-config: default.fuzz.runs = 100
contract PancakeV3Test is CallbackCases {
    string private constant ARTIFACTS = "node_modules/@pancakeswap/v3-core/artifacts/contracts/";
    /// @dev Of the real chains' pools.
    bytes32 private constant INIT_CODE_HASH = 0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2;

    IV3Factory private factory;

    function deployVenue() internal override returns (VenueConfig memory config) {
        bytes memory poolCode = vm.getCode(string.concat(ARTIFACTS, "PancakeV3Pool.sol/PancakeV3Pool.json"));
        assertEq(keccak256(poolCode), INIT_CODE_HASH);
        PancakeDeployer deployer = new PancakeDeployer(poolCode);
        factory = IV3Factory(
            deployCode(
                string.concat(ARTIFACTS, "PancakeV3Factory.sol/PancakeV3Factory.json"), abi.encode(address(deployer))
            )
        );
        config = v3Config(
            "pancakeswap-v3",
            address(factory),
            INIT_CODE_HASH,
            bytes4(keccak256("pancakeV3SwapCallback(int256,int256,bytes)"))
        );
        config.venue.deployer = address(deployer);
        config.tiers[2] = Tier({key: 2500, feePips: 2500, tickSpacing: 50});
    }

    function open(address token0, address token1, uint160 sqrtPriceX96) internal override returns (address created) {
        created = factory.createPool(token0, token1, 2500);
        IV3Pool(created).initialize(sqrtPriceX96);
    }

    function tierIndex() internal pure override returns (uint256) {
        return 2;
    }
}
