// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IFinder} from "../interfaces/IFinder.sol";
import {IHub} from "../interfaces/IHub.sol";
import {Words} from "../libraries/Words.sol";

/// @dev Place of the offset of the options, behind the Hub, the two tokens and the amount.
uint256 constant OFFSET_AT = 4;

/// @notice `finder.findMarket(hub, tokenIn, tokenOut, amountIn, options)` with the arguments of the running call of `findRoute`, as they
/// came. Reverts if the Finder does.
/// @dev To decode and encode them anew would take more code than the Solver has room for.
function askMarket(IFinder finder, IHub hub) returns (bytes memory market) {
    // Without the selector, and with a word for the Hub.
    uint256[] memory arguments = new uint256[]((msg.data.length + 59) / 32);
    assembly ("memory-safe") {
        calldatacopy(add(arguments, 64), 4, sub(calldatasize(), 4))
    }
    arguments[0] = uint160(address(hub));
    // The options lie one word further.
    arguments[OFFSET_AT] += 32;
    (bool answered, bytes memory answer) =
        Words.askOnce(address(finder), IFinder.findMarket.selector, arguments, gasleft());
    require(answered);
    // Behind the answer's length there are an offset, and then the bytes.
    assembly ("memory-safe") {
        market := add(answer, 64)
    }
}
