// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {SEGMENT_WORDS} from "../../src/types/Market.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {SampledCases} from "../venues/SampledCases.sol";

/// @notice What the tests of sampled kinds share that an adapter trades.
abstract contract SampledAdapterCases is SampledCases {
    /// @dev Swaps through an adapter for this contract. It keeps nothing, and no allowance to `holder`, who keeps the pool's tokens.
    function _payThrough(IAdapter trader, Subject memory subject, bool zeroForOne, uint256 amountIn, address holder)
        internal
        returns (uint256 paid)
    {
        (PlainToken sold, PlainToken bought) =
            zeroForOne ? (subject.token0, subject.token1) : (subject.token1, subject.token0);
        sold.mint(address(trader), amountIn);
        paid = trader.swap(subject.key, address(sold), address(bought), amountIn, address(this));
        assertEq(bought.balanceOf(address(this)), paid, "says what it paid");
        assertEq(sold.balanceOf(address(trader)), 0, "kept of the input");
        assertEq(bought.balanceOf(address(trader)), 0, "kept of the output");
        assertEq(address(trader).balance, 0, "kept native tokens");
        assertEq(sold.allowance(address(trader), holder), 0, "allowed");
    }

    /// @dev A curve that ends does so with the most that its pool takes, to the base unit: the bound counts on that.
    function _assertEndsWithTheMost(Subject memory subject, bool zeroForOne) internal {
        uint256[] memory words = _drawAll(subject, zeroForOne, 0);
        // A pool that pays nearly all it has for less than it takes is drawn on as one that pays nothing more.
        vm.assume(words[words.length - 1] != 0);
        uint256 most;
        for (uint256 i; i < words.length; i += SEGMENT_WORDS) {
            most += words[i + 3];
        }
        (uint256 quoted,) = _quote(subject, zeroForOne, most);
        (uint256 beyond,) = _quote(subject, zeroForOne, most + 1);
        assertGt(quoted, 0);
        assertEq(beyond, 0);
        vm.expectRevert();
        this.pay(subject, zeroForOne, most + 1);
        assertEq(this.pay(subject, zeroForOne, most), quoted);
    }

    /// @dev Tokens of 6 to 18 decimals, in the order of their addresses.
    function _tokens(uint256 seed, uint256 count) internal returns (address[] memory tokens) {
        tokens = new address[](count);
        for (uint256 i; i < count; ++i) {
            address token = address(new PlainToken("T", uint8(_between(seed >> (8 * i), 6, 18))));
            uint256 at = i;
            for (; at != 0 && tokens[at - 1] > token; --at) {
                tokens[at] = tokens[at - 1];
            }
            tokens[at] = token;
        }
    }
}
