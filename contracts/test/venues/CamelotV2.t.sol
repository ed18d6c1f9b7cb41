// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ICamelotPair} from "../../src/adapters/CamelotWords.sol";
import {DevCamelotPair} from "../../src/devnet/DevCamelot.sol";
import {VenueConfig} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {adapterPool} from "../../src/venues/AdapterKey.sol";
import {CamelotFixture} from "../fixtures/CamelotFixture.sol";
import {KindCases} from "./KindCases.sol";

/// forge-config: default.fuzz.runs = 100
contract CamelotV2KindTest is KindCases, CamelotFixture {
    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.ADAPTER;
    }

    function deployKind() internal override returns (uint16 number_, address, uint256 key_) {
        deployCamelot();
        VenueConfig memory config;
        (config.id, config.factory) = ("camelot-v2", address(camelotFactory));
        (config.venue.kind, config.venue.enabled) = (VenueKinds.ADAPTER, true);
        config.venue.deployer = address(camelotAdapter);
        number_ = addVenue(config);
        (uint256 ofUsdc, uint256 ofDai) = (worth(USDC_INDEX, 8_000_000), worth(DAI_INDEX, 8_000_000));
        DevCamelotPair(createCamelot(usdc, dai, isStable(), ofUsdc, ofDai)).setFeePercent(40, 30);
        key_ = camelotAdapter.keysOf(address(usdc), address(dai), new uint256[](0))[0];
        return (number_, address(camelotAdapter), key_);
    }

    function isStable() internal pure virtual returns (bool) {
        return false;
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        selectors = new bytes4[](5);
        selectors[0] = ICamelotPair.getReserves.selector;
        selectors[1] = ICamelotPair.stableSwap.selector;
        selectors[2] = ICamelotPair.precisionMultiplier0.selector;
        selectors[3] = ICamelotPair.precisionMultiplier1.selector;
        selectors[4] = DevCamelotPair.swap.selector;
        return (adapterPool(key), selectors);
    }
}

/// forge-config: default.fuzz.runs = 100
contract CamelotV2StableKindTest is CamelotV2KindTest {
    function isStable() internal pure override returns (bool) {
        return true;
    }
}
