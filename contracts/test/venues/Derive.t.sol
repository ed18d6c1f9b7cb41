// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Venue} from "../../src/types/Venue.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {FirstGeneration} from "../fixtures/FirstGeneration.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";

/// @notice Derived pool addresses against pools that stand on Ethereum, and against what the real factories create.
contract DeriveTest is ProtocolFixture, FirstGeneration {
    address private constant WETH = 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2;
    address private constant USDC = 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48;

    function test_derive_uniswapV2OnEthereum() public pure {
        Venue memory venue = v2Config("", 0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f, V2_INIT_CODE_HASH, 3000).venue;
        assertEq(Venues.derive(venue.packed(), WETH, USDC, 0), 0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc);
        assertEq(Venues.derive(venue.packed(), USDC, WETH, 0), 0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc);
    }

    function test_derive_uniswapV3OnEthereum() public pure {
        Venue memory venue =
        v3Config("", 0x1F98431c8aD98523631AE4a59f267346ea31F984, V3_INIT_CODE_HASH, V3_CALLBACK).venue;
        assertEq(Venues.derive(venue.packed(), WETH, USDC, 500), 0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640);
        assertEq(Venues.derive(venue.packed(), USDC, WETH, 3000), 0x8ad599c3A0ff1De082011EFDDc58f1908eb6e6D8);
    }

    function testFuzz_derive_isWhatTheFactoriesCreate(address tokenA, address tokenB) public {
        vm.assume(tokenA != tokenB && tokenA != address(0) && tokenB != address(0));
        deployVenues();
        Venue memory v2 = v2Config("", address(v2Factory), V2_INIT_CODE_HASH, 3000).venue;
        Venue memory v3 = v3Config("", address(v3Factory), V3_INIT_CODE_HASH, V3_CALLBACK).venue;
        assertEq(Venues.derive(v2.packed(), tokenA, tokenB, 0), v2Factory.createPair(tokenA, tokenB));
        assertEq(Venues.derive(v3.packed(), tokenA, tokenB, 10_000), v3Factory.createPool(tokenA, tokenB, 10_000));
    }

    function test_derive_doesNotTruncateTheKey() public pure {
        Venue memory venue = v3Config("", address(1), V3_INIT_CODE_HASH, V3_CALLBACK).venue;
        assertNotEq(
            Venues.derive(venue.packed(), WETH, USDC, 500), Venues.derive(venue.packed(), WETH, USDC, (1 << 24) + 500)
        );
    }

    function test_derive_isZeroForAListedKind() public pure {
        Venue memory venue;
        venue.kind = VenueKinds.CURVE;
        assertEq(Venues.derive(venue.packed(), WETH, USDC, 500), address(0));
    }
}
