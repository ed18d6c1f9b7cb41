// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions, Verdict} from "../../src/types/Plan.sol";
import {Leg} from "../../src/types/Route.sol";
import {AllVenuesFixture} from "../fixtures/AllVenuesFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {Turn, Turned} from "../fixtures/Turned.sol";

/// @notice A market of honest pools beside one contract that turns, and what must hold then: there is a plan within the
/// gas of a call, no worse than without that contract, and what is executed never costs the user more than it says.
abstract contract HostileFixture is AllVenuesFixture, Turned {
    /// @dev What a call is given; many nodes cap calls not far above.
    uint256 internal constant CALL_GAS = 12_000_000;
    uint256 private constant DOLLARS = 30_000;
    /// @dev Other curves beside them can move a split by so many parts.
    uint256 private constant SAME_PARTS = 1e6;

    /// @dev What is delivered without the contract that turns.
    uint256 internal netWithout;

    function setUp() public virtual {
        deployAllVenues();
        createV2Of(WETH_INDEX, USDC_INDEX);
        createV2Of(WETH_INDEX, DAI_INDEX);
        createV2Of(USDC_INDEX, DAI_INDEX);
    }

    /// @notice Notes what is delivered before the pool under test is there.
    function noteWithout() internal {
        netWithout = previewInCall().netOut;
        assertGt(netWithout, 0);
    }

    function previewInCall() internal view returns (Plan memory) {
        return quoter.previewPlan{gas: CALL_GAS}(
            address(usdc),
            address(dai),
            worth(USDC_INDEX, DOLLARS),
            PreviewOptions(1e9, new address[](0), 0, new uint256[](0))
        );
    }

    /// @notice Turns the function every way in turn, and checks each.
    function checkEveryTurn(address target, bytes4[] memory selectors) internal {
        for (uint256 i; i < selectors.length; ++i) {
            for (uint256 how = 1; how < TURNS; ++how) {
                if (Turn(how) == Turn.Reenters) continue;
                uint256 snapshot = vm.snapshotState();
                turn(target, selectors[i], Turn(how));
                check(string.concat(vm.toString(selectors[i]), " ", vm.toString(how)));
                vm.revertToStateAndDelete(snapshot);
            }
        }
    }

    /// @notice Turns all functions at random.
    function turnAtRandom(address target, bytes4[] memory selectors, uint256 seed) internal {
        for (uint256 i; i < selectors.length; ++i) {
            uint256 random = uint256(keccak256(abi.encode(seed, i)));
            Turn how = Turn(random % TURNS);
            if (random >> 128 & 1 == 0 || how == Turn.Reenters) continue;
            turn(target, selectors[i], how);
        }
    }

    /// @notice What must hold whatever has turned.
    function check(string memory what) internal {
        Plan memory plan = previewInCall();
        assertEq(uint8(plan.verdict), uint8(Verdict.Executable), what);
        assertGe(plan.netOut, netWithout - netWithout / SAME_PARTS, what);
        assertGe(plan.upperBound, plan.route.grossOut, what);
        fund(user, plan.route.tokenIn, plan.route.amountIn);
        uint256 before = PlainToken(plan.route.tokenOut).balanceOf(user);
        vm.prank(user);
        try router.swapExactIn{gas: CALL_GAS}(
            plan.route, plan.route.amountIn, plan.ironFloor, user, block.timestamp
        ) returns (
            uint256 paid
        ) {
            assertEq(PlainToken(plan.route.tokenOut).balanceOf(user) - before, paid, what);
            assertGe(paid, plan.ironFloor, what);
        } catch {
            // Only who promises what it does not pay makes a swap fail, and then nothing was moved.
            assertGt(plan.netOut, netWithout, what);
            assertEq(PlainToken(plan.route.tokenIn).balanceOf(user), plan.route.amountIn, what);
        }
        _assertNothingLeft(plan);
    }

    function uses(Plan memory plan, address pool) internal pure returns (bool used) {
        for (uint256 i; i < plan.route.legs.length; ++i) {
            used = used || plan.route.legs[i].pool == pool;
        }
    }

    function _assertNothingLeft(Plan memory plan) private view {
        for (uint256 i; i < plan.route.legs.length; ++i) {
            Leg memory leg = plan.route.legs[i];
            if (hasTurned(leg.tokenIn)) continue;
            assertEq(PlainToken(leg.tokenIn).balanceOf(address(router)), 0);
            assertEq(PlainToken(leg.tokenIn).allowance(address(router), leg.pool), 0);
            assertEq(PlainToken(leg.tokenIn).allowance(address(router), address(vault)), 0);
        }
    }
}
