// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CoreFixture} from "../fixtures/CoreFixture.sol";

/// @notice What `recordFee` costs, each call a transaction of its own (21,000 and the calldata included).
/// forge-config: default.isolate = true
contract CoreGasTest is CoreFixture {
    function setUp() public {
        deployCore();
    }

    function test_gas_recordFee() public {
        _record("recordFee, first of a token");
        vm.warp(block.timestamp + 60);
        _record("recordFee, next");
        core.recordFee(address(usdc));
        vm.snapshotGasLastCall("Core", "recordFee, nothing arrived");
        core.claimT2(address(usdc));
        vm.snapshotGasLastCall("Core", "claimT2");
        vm.warp(block.timestamp + 30 hours);
        giveBuyer(1);
        vm.prank(buyer);
        core.buyT1(address(usdc), 1, buyer);
        vm.snapshotGasLastCall("Core", "buyT1");
    }

    function _record(string memory name) private {
        bring(usdc, 1e6);
        vm.snapshotGasLastCall("Core", name);
    }
}
