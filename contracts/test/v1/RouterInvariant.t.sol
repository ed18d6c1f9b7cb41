// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Route} from "../../src/types/Route.sol";
import {FirstGeneration} from "../fixtures/FirstGeneration.sol";
import {RouterCampaignCases, RouterCampaignHandler, RouterOverrideCases} from "../router/RouterCampaignCases.sol";
import {RouterHandler, RouterInvariantCases} from "../router/RouterInvariantCases.sol";
import {Vm} from "forge-std/Vm.sol";

contract FirstHandler is RouterHandler, FirstGeneration {
    function assertAnnounced(address account, Route memory route, uint256 amountOut, Vm.Log[] memory logs)
        internal
        pure
        override
    {
        assertEq(logs.length, 1);
        assertIsSwap(logs[0], account, route, amountOut);
    }
}

contract RouterInvariantTest is RouterInvariantCases {
    function createHandler() internal override returns (RouterHandler) {
        return new FirstHandler();
    }
}

contract FirstCampaignHandler is RouterCampaignHandler, FirstGeneration {}

contract RouterCampaignTest is RouterCampaignCases {
    function createHandler() internal override returns (RouterCampaignHandler) {
        return new FirstCampaignHandler();
    }
}

/// forge-config: default.invariant.runs = 100
/// forge-config: default.invariant.depth = 50
/// forge-config: default.invariant.fail-on-revert = false
/// forge-config: default.invariant.call-override = true
contract RouterOverrideTest is RouterOverrideCases {
    function createHandler() internal override returns (RouterCampaignHandler) {
        return new FirstCampaignHandler();
    }
}
