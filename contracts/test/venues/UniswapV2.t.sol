// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {IUniswapV2Pair} from "../../src/venues/UniswapV2.sol";
import {IV2Factory} from "../fixtures/VenuesFixture.sol";
import {KindCases} from "./KindCases.sol";

/// @notice A second factory of the same code beside Uniswap's own.
/// forge-config: default.fuzz.runs = 100
contract UniswapV2KindTest is KindCases {
    uint24 private constant FEE_PIPS = 3000;

    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.UNISWAP_V2;
    }

    function deployKind() internal override returns (uint16 number_, address pool_, uint256 key_) {
        IV2Factory first = v2Factory;
        deployVenues();
        pool_ = createV2(address(usdc), address(dai), worth(USDC_INDEX, 8_000_000), worth(DAI_INDEX, 8_000_000));
        number_ = addVenue(v2Config("uniswap-v2-fork", address(v2Factory), V2_INIT_CODE_HASH, FEE_PIPS));
        (v2Factory, key_) = (first, 0);
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        (target, selectors) = (pool, new bytes4[](3));
        selectors[0] = IUniswapV2Pair.getReserves.selector;
        selectors[1] = IUniswapV2Pair.price0CumulativeLast.selector;
        selectors[2] = IUniswapV2Pair.swap.selector;
    }
}
