// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {GaugelessVoter} from "../../src/devnet/Deployers.sol";
import {IHub} from "../../src/interfaces/IHub.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {ISolidlyFactory} from "../../src/venues/Solidly.sol";
import {HostileFixture} from "./HostileFixture.sol";

interface ICLFactory {
    function createPool(address tokenA, address tokenB, int24 tickSpacing, uint160 sqrtPriceX96)
        external
        returns (address);
    function setSwapFeeModule(address module) external;
}

/// @notice A fee module that answers as it is told, and may tell a preview from a swap.
contract FeeModule {
    uint24 public feePips = 100;

    function set(uint24 feePips_) external {
        feePips = feePips_;
    }

    function getFee(address) external view returns (uint24) {
        return feePips;
    }
}

/// @notice Derived pools cannot be replaced, but those who set their fees can turn.
contract HostileDerivedTest is HostileFixture {
    string private constant ARTIFACTS = "node_modules/.sluice/venues/";
    int24 private constant SPACING = 100;
    /// @dev If a unit of USDC is worth 10^12 of DAI.
    int24 private constant PEG_TICK = 276_324;

    FeeModule private feeModule;

    function test_slipstream_feeModule() public {
        address pool = _slipstreamPool();
        assertTrue(uses(previewInCall(), pool));
        bytes4[] memory selectors = new bytes4[](1);
        selectors[0] = FeeModule.getFee.selector;
        checkEveryTurn(address(feeModule), selectors);
    }

    /// @dev A fee of nothing for the preview, and of a tenth for the swap: the floor holds, the user keeps what is theirs.
    function test_slipstream_feeModuleThatLies() public {
        address pool = _slipstreamPool();
        feeModule.set(1);
        Plan memory plan = previewInCall();
        assertTrue(uses(plan, pool));
        feeModule.set(100_000);
        fund(user, plan.route.tokenIn, plan.route.amountIn);
        vm.prank(user);
        vm.expectPartialRevert(IRouter.BelowFloor.selector);
        router.swapExactIn(plan.route, plan.route.amountIn, plan.ironFloor, user, block.timestamp);

        // Who asks for a dry run sees it beforehand, and the next preview has another plan.
        plan = quoter.previewPlanExact(
            plan.route.tokenIn,
            plan.route.tokenOut,
            plan.route.amountIn,
            PreviewOptions(1e9, new address[](0), 0, new uint256[](0))
        );
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable));
        check("lies");
    }

    function test_solidly_factory() public {
        noteWithout();
        address pool = address(
            createSolidly(address(usdc), address(dai), true, worth(USDC_INDEX, 4e6), worth(USDC_INDEX, 4e6) * 1e12)
        );
        assertTrue(uses(previewInCall(), pool));
        bytes4[] memory selectors = new bytes4[](2);
        selectors[0] = ISolidlyFactory.getFee.selector;
        selectors[1] = ISolidlyFactory.isPaused.selector;
        checkEveryTurn(address(solidlyFactory), selectors);
    }

    function _slipstreamPool() private returns (address pool) {
        noteWithout();
        address implementation = deployCode(string.concat(ARTIFACTS, "CLPool.json"));
        address voter = address(new GaugelessVoter());
        ICLFactory factory = ICLFactory(
            deployCode(string.concat(ARTIFACTS, "CLFactory.json"), abi.encode(voter, voter, implementation))
        );
        feeModule = new FeeModule();
        factory.setSwapFeeModule(address(feeModule));
        _addSlipstream(address(factory), implementation);
        (address token0, address token1) =
            address(usdc) < address(dai) ? (address(usdc), address(dai)) : (address(dai), address(usdc));
        // A unit of USDC is 10^12 of DAI.
        uint160 sqrtPriceX96 = token0 == address(usdc) ? uint160(1e6 << 96) : uint160(uint256(1 << 96) / 1e6);
        pool = factory.createPool(token0, token1, SPACING, sqrtPriceX96);
        int24 tick = token0 == address(usdc) ? PEG_TICK : -PEG_TICK;
        addRange(pool, tick - 1000, tick + 1000, 1e21);
    }

    function _addSlipstream(address factory, address implementation) private {
        VenueConfig memory config = v3Config("slipstream", factory, cloneHash(implementation), V3_CALLBACK);
        config.venue.kind = VenueKinds.SLIPSTREAM;
        config.venue.unlockedWord = 5;
        config.tiers = new Tier[](1);
        config.tiers[0] = Tier({key: uint208(uint24(SPACING)), feePips: 0, tickSpacing: SPACING});
        vm.startPrank(owner);
        hub.schedule(abi.encodeCall(IHub.addVenue, (config)));
        skip(hub.TIMELOCK());
        hub.addVenue(config);
        vm.stopPrank();
    }
}
