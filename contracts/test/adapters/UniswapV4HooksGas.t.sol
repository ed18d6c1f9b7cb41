// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions} from "../../src/types/Plan.sol";
import {AFTER_SWAP, AFTER_SWAP_DELTA, BEFORE_SWAP, BurningHook, OutputFeeHook, PlainHook} from "../fixtures/Hooks.sol";
import {HooksFixture} from "../fixtures/HooksFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";

/// @notice What a leg is said to cost, and what it costs.
/// forge-config: default.isolate = true
contract UniswapV4HooksGasTest is HooksFixture {
    uint256 private constant TOLERANCE = 0.06e18;

    function setUp() public {
        deployHooks();
    }

    function test_estGas_isWhatASwapTakes() public {
        address plain = place(address(new PlainHook(manager)), BEFORE_SWAP | AFTER_SWAP);
        _expectGas(createHooked(plain, DAI_INDEX, USDC_INDEX, 500, false, 1_000_000), dai, usdc, DAI_INDEX);
        _expectGas(createHooked(plain, WETH_INDEX, USDC_INDEX, 500, true, 1_000_000), weth, usdc, WETH_INDEX);
        _expectGas(keyOf(plain, WETH_INDEX, USDC_INDEX, 500, true), usdc, weth, USDC_INDEX);
        address fee = place(address(new OutputFeeHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA);
        _expectGas(createHooked(fee, DAI_INDEX, WBTC_INDEX, 500, false, 1_000_000), wbtc, dai, WBTC_INDEX);
        address burning = place(address(new BurningHook(manager, 150_000)), BEFORE_SWAP);
        _expectGas(createHooked(burning, WETH_INDEX, WBTC_INDEX, 500, false, 1_000_000), weth, wbtc, WETH_INDEX);
    }

    function _expectGas(PoolKey memory key, PlainToken sold, PlainToken bought, uint256 index) private {
        PreviewOptions memory options;
        options.pools = new uint256[](1);
        options.pools[0] = idOf(key);
        uint256 amountIn = worth(index, 10_000);
        Plan memory plan = executingQuoter().previewPlan(address(sold), address(bought), amountIn, options);
        assertEq(plan.route.legs.length, 1);
        // Neither balance is the first, nor the last.
        sold.mint(user, 1);
        bought.mint(user, 1);
        bought.mint(feeRecipient, 1);
        bought.mint(address(router), 1);
        sold.mint(address(hooked), 1);
        fund(user, address(sold), amountIn);
        vm.prank(user);
        router.swapExactIn(plan.route, amountIn, plan.netOut, user, block.timestamp);
        assertApproxEqRel(vm.lastCallGas().gasTotalUsed, plan.estGas, TOLERANCE);
    }
}
