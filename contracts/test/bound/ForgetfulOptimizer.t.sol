// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Solver} from "../../src/Solver.sol";
import {IOptimizer} from "../../src/interfaces/IOptimizer.sol";
import {ISolver} from "../../src/interfaces/ISolver.sol";
import {Optimizer} from "../../src/optimizer/Optimizer.sol";
import {PreviewOptions} from "../../src/types/Plan.sol";
import {AllVenuesFixture} from "../fixtures/AllVenuesFixture.sol";
import {OldStableSwap} from "../fixtures/StableSwapPools.sol";

/// @notice Answers cold starts only.
contract ForgetfulOptimizer {
    IOptimizer private immutable optimizer = new Optimizer();

    fallback() external {
        if (msg.sig == IOptimizer.optimize.selector) {
            (,,,, uint256[] memory warmPrices) =
                abi.decode(msg.data[4:], (uint256, uint256, uint256[], uint256[], uint256[]));
            require(warmPrices.length == 0, "warm");
        }
        (bool ok, bytes memory answer) = address(optimizer).staticcall(msg.data);
        require(ok);
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}

/// @notice A split without an answer, as where gas ends, proves nothing.
contract ForgetfulOptimizerTest is AllVenuesFixture {
    function setUp() public {
        deployAllVenues();
    }

    /// @dev Curves are drawn around a plan that pays less than they say. If the split over these gets no answer, the bound stays.
    function test_upperBound_staysIf_aSecondSplitHasNoAnswer() public {
        Solver forgetful =
            new Solver(hub, IOptimizer(address(new ForgetfulOptimizer())), solver.pricer(), solver.finder());
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        addPool(CURVE, address(new OldStableSwap(pair, amounts, 400, 4e6)), pair);
        createSolidly(address(usdc), address(dai), true, 4_000_000e6, 4_000_000e18);
        PreviewOptions memory options;
        uint256 poorer;
        for (uint256 dollars = 100_000; dollars < 1_500_000; dollars = dollars * 3 / 2) {
            uint256 amountIn = worth(USDC_INDEX, dollars);
            uint256 best = solver.findRoute(address(usdc), address(dai), amountIn, options).route.grossOut;
            ISolver.Solution memory found = forgetful.findRoute(address(usdc), address(dai), amountIn, options);
            if (found.route.grossOut < best) ++poorer;
            assertGe(found.upperBound, best);
        }
        assertGt(poorer, 5, "the second split changes little");
    }
}
