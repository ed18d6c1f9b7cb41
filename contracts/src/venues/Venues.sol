// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Payment} from "../libraries/Payment.sol";
import {Venue, VenueConfig, VenueKind} from "../types/Venue.sol";
import {UniswapV2} from "./UniswapV2.sol";
import {UniswapV3} from "./UniswapV3.sol";

/// @title Registry of the venue kinds
/// @notice The one place that tells kinds apart: a new kind is one library and one line in each function here.
library Venues {
    /// @notice The pool that the venue's deployer creates for two tokens and a key; zero for an unknown kind.
    function derive(Venue memory venue, address tokenA, address tokenB, uint256 key) internal pure returns (address) {
        if (venue.kind == VenueKind.UniswapV2) return UniswapV2.derive(venue, tokenA, tokenB);
        if (venue.kind == VenueKind.UniswapV3) return UniswapV3.derive(venue, tokenA, tokenB, key);
        return address(0);
    }

    /// @notice Swaps the payment for `tokenOut`, which arrives at this contract.
    function fill(Venue memory venue, Payment memory payment, address tokenOut) internal {
        if (venue.kind == VenueKind.UniswapV2) return UniswapV2.fill(venue, payment, tokenOut);
        if (venue.kind == VenueKind.UniswapV3) return UniswapV3.fill(payment, tokenOut);
    }

    /// @notice What the running callback asks for. One kind calls back today.
    function owed() internal pure returns (uint256) {
        return UniswapV3.owed();
    }

    /// @notice Whether a venue's data is what its kind needs.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        if (config.venue.kind == VenueKind.UniswapV2) return UniswapV2.isValid(config);
        if (config.venue.kind == VenueKind.UniswapV3) return UniswapV3.isValid(config);
        return false;
    }
}
