// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {HooksFixture} from "../fixtures/HooksFixture.sol";

/// @notice Plans for an output over pools that one contract keeps: a leg on one of them moves no other.
contract OutputOverUniswapV4Test is HooksFixture {
    uint24 private constant FEE = 3000;
    /// @dev What a plan may miss of the least input and of its bound, as a part of it: a basis point.
    uint256 private constant PARTS = 10_000;

    function setUp() public {
        deployHooks();
        VenueConfig memory config = v3Config(
            "uniswap-v4",
            address(manager),
            bytes32(uint256(uint160(address(weth)))),
            bytes4(keccak256("unlockCallback(bytes)"))
        );
        (config.venue.kind, config.venue.unlockedWord, config.tiers) = (VenueKinds.UNISWAP_V4, 0, new Tier[](1));
        uint208 key = FEE | uint208(uint24(SPACING)) << 24;
        config.tiers[0] = Tier({key: key, feePips: FEE, tickSpacing: SPACING});
        addVenue(config);
        createHooked(address(0), WETH_INDEX, DAI_INDEX, FEE, false, 3_000_000);
        createHooked(address(0), DAI_INDEX, USDC_INDEX, FEE, false, 3_000_000);
        createHooked(address(0), WETH_INDEX, WBTC_INDEX, FEE, false, 1_000_000);
        createHooked(address(0), WBTC_INDEX, USDC_INDEX, FEE, false, 1_000_000);
    }

    /// forge-config: default.fuzz.runs = 100
    function testFuzz_previewPlanForOutput_isTheLeastInput(uint256 dollars) public {
        uint256 amountOut = worth(USDC_INDEX, bound(dollars, 10, 1_000_000));
        PreviewOptions memory options;
        (Plan memory plan, uint256 lowerBound,) =
            quoter.previewPlanForOutput(address(weth), address(usdc), amountOut, options);
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        assertGt(plan.route.legs.length, 1);
        assertGe(plan.netOut, amountOut);
        assertLe(lowerBound, plan.route.amountIn);
        assertGe(lowerBound, plan.route.amountIn - plan.route.amountIn / PARTS, "bound");
        uint256 less = plan.route.amountIn - plan.route.amountIn / PARTS;
        assertLt(quoter.previewPlan(address(weth), address(usdc), less, options).netOut, amountOut, "least");
        assertEq(execute(plan), plan.netOut, "execution");
    }
}
