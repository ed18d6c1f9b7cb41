// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlainStableSwap} from "../fixtures/StableSwapPools.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {HostileFixture} from "./HostileFixture.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice A connector token that turns, with pools of every kind over it, does not spoil trades between others.
contract HostileTokensTest is HostileFixture {
    function test_connector_ofAllKindsOfPools() public {
        _poolsOverWbtc();
        checkEveryTurn(address(wbtc), _functions());
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_connector_ofAllKindsOfPools(uint256 seed) public {
        _poolsOverWbtc();
        turnAtRandom(address(wbtc), _functions(), seed);
        check("random");
    }

    /// @dev Deep enough that the honest plan goes through them.
    function _poolsOverWbtc() private {
        noteWithout();
        _over(USDC_INDEX);
        _over(DAI_INDEX);
        bool used;
        address[] memory through = _tokensOfPlan();
        for (uint256 i; i < through.length; ++i) {
            used = used || through[i] == address(wbtc);
        }
        assertTrue(used);
    }

    function _over(uint256 other) private {
        createV2(address(wbtc), address(tokens[other]), worth(WBTC_INDEX, 9_000_000), worth(other, 9_000_000));
        createSolidly(
            address(wbtc), address(tokens[other]), false, worth(WBTC_INDEX, 4_000_000), worth(other, 4_000_000)
        );
        addAround(
            createV3(address(wbtc), address(tokens[other]), 500, worth(WBTC_INDEX, 1e9), worth(other, 1e9)), 500, 1e20
        );
        (address[] memory pair, uint256[] memory amounts) = pairOf(WBTC_INDEX, other);
        uint256[] memory weights = new uint256[](2);
        (weights[0], weights[1]) = (0.5e18, 0.5e18);
        addPool(WEIGHTED, createWeighted(pair, weights, amounts, 0.001e18), pair);
        for (uint256 i; i < 2; ++i) {
            amounts[i] = 1e6 * 10 ** PlainToken(pair[i]).decimals();
        }
        addPool(STABLE, createStable(pair, amounts, new address[](2), 200, 0.0001e18), pair);
        addPool(CURVE, address(new PlainStableSwap(pair, amounts, 400, 4e6)), pair);
    }

    function _tokensOfPlan() private view returns (address[] memory through) {
        through = new address[](previewInCall().route.legs.length);
        for (uint256 i; i < through.length; ++i) {
            through[i] = previewInCall().route.legs[i].tokenOut;
        }
    }

    function _functions() private pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](6);
        selectors[0] = IERC20.balanceOf.selector;
        selectors[1] = IERC20.transfer.selector;
        selectors[2] = IERC20.transferFrom.selector;
        selectors[3] = IERC20.approve.selector;
        selectors[4] = IERC20.allowance.selector;
        selectors[5] = bytes4(keccak256("decimals()"));
    }
}
