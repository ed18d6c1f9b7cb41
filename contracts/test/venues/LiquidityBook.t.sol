// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ILBPair} from "../../src/adapters/LiquidityBookWords.sol";
import {VenueConfig} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {adapterPool} from "../../src/venues/AdapterKey.sol";
import {LiquidityBookFixture} from "../fixtures/LiquidityBookFixture.sol";
import {KindCases} from "./KindCases.sol";

/// forge-config: default.fuzz.runs = 100
contract LiquidityBookKindTest is KindCases, LiquidityBookFixture {
    /// @dev A fifth of a percent on each side.
    uint24 private constant BINS_A_SIDE = 20;

    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.ADAPTER;
    }

    function deployKind() internal override returns (uint16 number_, address, uint256 key_) {
        deployBook();
        VenueConfig memory config;
        (config.id, config.factory) = ("book", address(bookFactory));
        (config.venue.kind, config.venue.enabled) = (VenueKinds.ADAPTER, true);
        config.venue.deployer = address(bookAdapter);
        number_ = addVenue(config);
        uint24 id = idAt(1, worth(USDC_INDEX, 1e6), worth(DAI_INDEX, 1e6));
        address pair = createBook(usdc, dai, 1, id, usualFees());
        (uint128 ofUsdc, uint128 ofDai) = (uint128(worth(USDC_INDEX, 200_000)), uint128(worth(DAI_INDEX, 200_000)));
        addBin(pair, id, ofUsdc, ofDai);
        for (uint24 k = 1; k <= BINS_A_SIDE; ++k) {
            addBin(pair, id + k, ofUsdc, 0);
            addBin(pair, id - k, 0, ofDai);
        }
        key_ = bookAdapter.keysOf(address(usdc), address(dai), new uint256[](0))[0];
        return (number_, address(bookAdapter), key_);
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        selectors = new bytes4[](11);
        selectors[0] = ILBPair.getTokenX.selector;
        selectors[1] = ILBPair.getBinStep.selector;
        selectors[2] = ILBPair.getReserves.selector;
        selectors[3] = ILBPair.getActiveId.selector;
        selectors[4] = ILBPair.getBin.selector;
        selectors[5] = ILBPair.getNextNonEmptyBin.selector;
        selectors[6] = ILBPair.getSwapOut.selector;
        selectors[7] = ILBPair.getStaticFeeParameters.selector;
        selectors[8] = ILBPair.getVariableFeeParameters.selector;
        selectors[9] = ILBPair.getPriceFromId.selector;
        selectors[10] = ILBPair.swap.selector;
        return (adapterPool(key), selectors);
    }
}
