// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tier, Venue, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {CallbackCases} from "../fixtures/CallbackCases.sol";
import {DirectionalDeployer, DirectionalPool} from "../fixtures/DirectionalPool.sol";

/// @notice Algebra 1.9, as Camelot V3 has it: fees by direction, against an independent implementation.
/// forge-config: default.fuzz.runs = 100
contract AlgebraDirectionalTest is CallbackCases {
    DirectionalDeployer private deployer;

    function deployVenue() internal override returns (VenueConfig memory) {
        deployer = new DirectionalDeployer();
        return algebraConfig(address(deployer), deployer.initCodeHash());
    }

    function algebraConfig(address from, bytes32 initCodeHash) internal pure returns (VenueConfig memory config) {
        config =
            v3Config("camelot-v3", from, initCodeHash, bytes4(keccak256("algebraSwapCallback(int256,int256,bytes)")));
        config.venue.kind = VenueKinds.ALGEBRA;
        config.venue.unlockedWord = 7;
        config.tiers = new Tier[](1);
    }

    function open(address token0, address token1, uint160 sqrtPriceX96) internal override returns (address) {
        DirectionalPool created = deployer.createPool(token0, token1, 60);
        created.initialize(sqrtPriceX96);
        return address(created);
    }

    function tierIndex() internal pure override returns (uint256) {
        return 0;
    }

    function testFuzz_quote_takesTheFeeOfTheDirection(uint16 fee0, uint16 fee1, uint256 amountIn) public {
        _openAt(0);
        addLiquidity(-3000, 3000, 1e18);
        DirectionalPool(pool).setFees(fee0, fee1);
        _assertPays(true, bound(amountIn, 1, 1e17));
        _assertPays(false, bound(amountIn, 1, 1e17));
    }

    /// @dev WETH/USDC of Camelot V3.
    function test_derive_isThePoolOnArbitrum() public pure {
        Venue memory venue =
        algebraConfig(
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
}
