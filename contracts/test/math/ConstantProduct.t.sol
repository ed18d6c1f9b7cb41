// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BeyondReserves, constantProductOut} from "../../src/math/ConstantProduct.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";

contract ConstantProductTest is Test {
    uint256 private constant MAX = type(uint112).max;

    function quote(uint256 amountIn, uint256 reserveIn, uint256 reserveOut, uint256 feePips)
        external
        pure
        returns (uint256)
    {
        return constantProductOut(amountIn, reserveIn, reserveOut, feePips);
    }

    /// @dev In 512 bits, so that nothing of it could overflow.
    function testFuzz_constantProductOut_isTheFormula(
        uint112 amountIn,
        uint112 reserveIn,
        uint112 reserveOut,
        uint256 feePips
    ) public pure {
        reserveIn = uint112(bound(reserveIn, 1, MAX));
        feePips = bound(feePips, 0, 999_999);
        uint256 charged = uint256(amountIn) * (1e6 - feePips);
        assertEq(
            constantProductOut(amountIn, reserveIn, reserveOut, feePips),
            Math.mulDiv(charged, reserveOut, uint256(reserveIn) * 1e6 + charged)
        );
    }

    function test_constantProductOut_ofTheLargestNumbers() public pure {
        assertEq(constantProductOut(MAX, MAX, MAX, 0), MAX / 2);
    }

    function test_constantProductOut_revertsIf_beyondWhatPairsCount() public {
        uint256[3][3] memory cases = [[MAX + 1, 1, 1], [1, MAX + 1, 1], [1, 1, type(uint256).max]];
        for (uint256 i; i < cases.length; ++i) {
            uint256[3] memory each = cases[i];
            vm.expectRevert(abi.encodeWithSelector(BeyondReserves.selector, each[0], each[1], each[2]));
            this.quote(each[0], each[1], each[2], 3000);
        }
    }
}
