// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IFinder} from "../interfaces/IFinder.sol";
import {IHub} from "../interfaces/IHub.sol";
import {IPricer} from "../interfaces/IPricer.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {currentWitness} from "../libraries/Witnesses.sol";
import {PreviewOptions, Witness} from "../types/Plan.sol";
import {Leg, Route, WHOLE_SHARE} from "../types/Route.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @notice The contracts that a trial brings along, with a Hub that is not configured yet.
struct Bench {
    IHub hub;
    IFinder finder;
    IPricer pricer;
    IRouter router;
}

/// @notice A pair whose pools are asked for.
struct Pair {
    address tokenIn;
    address tokenOut;
    uint256 amountIn;
    /// Pools that adapters look at in addition.
    uint256[] pools;
}

/// @notice A swap on one pool.
struct Attempt {
    Leg leg;
    /// The pool's words from `IFinder.findMarket` at this block.
    uint256[] pool;
    uint256 amountIn;
}

/// @notice What the arithmetic says of a swap, and what the pool did.
struct Outcome {
    /// The Pricer answered.
    bool priced;
    /// Zero if it says that the pool cannot take all of the input.
    uint256 expectedOut;
    /// Gas that the leg adds to a swap, by the Pricer.
    uint256 expectedGas;
    /// The Router swapped on the pool.
    bool swapped;
    /// What the pool delivered, before the protocol's fee.
    uint256 amountOut;
    /// Gas of the Router's call.
    uint256 gas;
    /// What a failed swap reverted with.
    bytes failure;
}

/// @title Trial
/// @notice Compares what Sluice computes with what the pools do. It is never deployed: a call brings it along as a state
/// override, in the place of the Hub's owner, with the tokens that it sells. Every swap ends in a revert.
contract Trial {
    /// @notice How a swap ends.
    error Swapped(uint256 amountOut, uint256 gas);
    /// @notice Only this contract calls itself here.
    error NotSelf();

    /// @notice Configures the Hub, and finds the pools of each pair.
    /// @return witness The block of the call.
    /// @return found `MarketWords` for each pair; empty if the Finder failed.
    function find(Bench calldata bench, IHub.Config calldata config, Pair[] calldata pairs)
        external
        returns (Witness memory witness, bytes[] memory found)
    {
        witness = currentWitness();
        bench.hub.initialize(config);
        found = new bytes[](pairs.length);
        PreviewOptions memory options;
        for (uint256 i; i < pairs.length; ++i) {
            Pair calldata pair = pairs[i];
            options.pools = pair.pools;
            try bench.finder.findMarket(bench.hub, pair.tokenIn, pair.tokenOut, pair.amountIn, options) returns (
                bytes memory words
            ) {
                found[i] = words;
            } catch {}
        }
    }

    /// @notice Configures the Hub, makes each swap, and then prices it. A reverted swap leaves nothing warm behind, so the
    /// gas of a swap does not depend on the swaps before it.
    /// @param gasEach Most gas of one swap or one price.
    /// @return witness The block of the call.
    /// @return outcomes In the order of the attempts.
    function run(Bench calldata bench, IHub.Config calldata config, Attempt[] calldata attempts, uint256 gasEach)
        external
        returns (Witness memory witness, Outcome[] memory outcomes)
    {
        witness = currentWitness();
        bench.hub.initialize(config);
        outcomes = new Outcome[](attempts.length);
        for (uint256 i; i < attempts.length; ++i) {
            try this.swap{gas: gasEach}(bench.router, attempts[i].leg, attempts[i].amountIn) {}
            catch (bytes memory result) {
                _note(outcomes[i], result);
            }
        }
        for (uint256 i; i < attempts.length; ++i) {
            Attempt calldata attempt = attempts[i];
            bool zeroForOne = attempt.leg.tokenIn < attempt.leg.tokenOut;
            try bench.pricer.quote{gas: gasEach}(attempt.pool, zeroForOne, attempt.amountIn) returns (
                uint256 amountOut, uint256 gas, uint256
            ) {
                (outcomes[i].priced, outcomes[i].expectedOut, outcomes[i].expectedGas) = (true, amountOut, gas);
            } catch {}
        }
    }

    /// @notice Configures the Hub, and calls the Quoter with it.
    /// @param question Calldata of one of the Quoter's functions.
    /// @return What the Quoter answers. Reverts with its reason if it reverts.
    function quote(Bench calldata bench, IHub.Config calldata config, address quoter, bytes calldata question)
        external
        returns (bytes memory)
    {
        bench.hub.initialize(config);
        return Address.functionCall(quoter, question);
    }

    /// @notice Swaps on one pool. Reverts always: `Swapped`, or why it failed.
    function swap(IRouter router, Leg calldata leg, uint256 amountIn) external {
        if (msg.sender != address(this)) revert NotSelf();
        Route memory route;
        (route.tokenIn, route.tokenOut, route.amountIn) = (leg.tokenIn, leg.tokenOut, amountIn);
        // The floor of a quote of next to nothing lets every output through.
        route.grossOut = 1;
        route.legs = new Leg[](1);
        route.legs[0] = leg;
        route.legs[0].share = WHOLE_SHARE;
        SafeTransferLib.safeApproveWithRetry(leg.tokenIn, address(router), amountIn);
        uint256 held = IERC20(leg.tokenOut).balanceOf(address(this));
        uint256 gas = gasleft();
        router.swapExactIn(route, amountIn, 1, address(this), block.timestamp);
        gas -= gasleft();
        // The Hub's fees come here, too.
        revert Swapped(IERC20(leg.tokenOut).balanceOf(address(this)) - held, gas);
    }

    function _note(Outcome memory outcome, bytes memory result) private pure {
        outcome.swapped = result.length == 68 && bytes4(result) == Swapped.selector;
        if (!outcome.swapped) {
            outcome.failure = result;
            return;
        }
        uint256 amountOut;
        uint256 taken;
        assembly ("memory-safe") {
            amountOut := mload(add(result, 36))
            taken := mload(add(result, 68))
        }
        (outcome.amountOut, outcome.gas) = (amountOut, taken);
    }
}
