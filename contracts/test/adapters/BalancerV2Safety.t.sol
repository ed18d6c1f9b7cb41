// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AdapterBase} from "../../src/adapters/AdapterBase.sol";
import {BalancerV2Adapter, IBalancerFactory} from "../../src/adapters/BalancerV2Adapter.sol";
import {adapterKey} from "../../src/venues/AdapterKey.sol";
import {IBalancerPool, IBalancerVault} from "../../src/venues/Balancer.sol";
import {IWeightedPool} from "../../src/venues/BalancerWeighted.sol";
import {BalancerFixture} from "../fixtures/BalancerFixture.sol";
import {SeededAnswers} from "../fixtures/SeededAnswers.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {AdapterSafetyCases} from "./AdapterSafetyCases.sol";

interface IRegistrations {
    function registerPool(uint8 specialization) external returns (bytes32);
    function registerTokens(bytes32 poolId, address[] calldata tokens, address[] calldata managers) external;
}

/// @notice A pool that the Vault knows and no factory created.
contract RegisteredForgery is SeededAnswers {
    bytes32 public immutable getPoolId;
    address public immutable getVault;

    constructor(address vault, address[] memory tokens, uint256 seed) SeededAnswers(seed) {
        getVault = vault;
        getPoolId = IRegistrations(vault).registerPool(uint8(seed % 3));
        IRegistrations(vault).registerTokens(getPoolId, tokens, new address[](tokens.length));
    }
}

contract BalancerV2SafetyTest is AdapterSafetyCases, BalancerFixture {
    /// @dev "Token not registered", and "cannot swap the same token".
    function test_swap_revertsIf_theTokensAreOthers() public {
        PlainToken c = new PlainToken("C", 18);
        a.mint(address(adapter), AMOUNT);
        c.mint(address(adapter), AMOUNT);
        vm.expectRevert("BAL#521");
        adapter.swap(key, address(a), address(c), AMOUNT, user);
        vm.expectRevert("BAL#521");
        adapter.swap(key, address(c), address(b), AMOUNT, user);
        vm.expectRevert("BAL#509");
        adapter.swap(key, address(a), address(a), AMOUNT, user);
    }

    function test_keysOf_leavesThePoolsOwnTokenOut() public {
        (address[] memory tokens, uint256[] memory amounts) = _pair(a, b);
        adapter = new BalancerV2Adapter(address(stableFactory), address(0));
        pool = createStable(tokens, amounts, new address[](2), 200, 0.0004e18);
        uint256[] memory hints = new uint256[](1);
        hints[0] = uint160(pool);
        assertEq(adapter.keysOf(address(a), address(b), hints)[0], adapterKey(pool, 0, 1));
        assertEq(adapter.keysOf(address(a), pool, hints).length, 0);
    }

    function _deployAdapter() internal override returns (AdapterBase) {
        deployBalancer();
        return new BalancerV2Adapter(address(weightedFactory), address(0));
    }

    function _createPool(PlainToken token0, PlainToken token1) internal override returns (address) {
        (address[] memory tokens, uint256[] memory amounts) = _pair(token0, token1);
        uint256[] memory weights = new uint256[](2);
        (weights[0], weights[1]) = (0.5e18, 0.5e18);
        return createWeighted(tokens, weights, amounts, 0.001e18);
    }

    function _forge(PlainToken token0, PlainToken token1, uint256 seed) internal override returns (address) {
        (address[] memory tokens,) = _pair(token0, token1);
        return address(new RegisteredForgery(address(vault), tokens, seed));
    }

    function _calledFunctions() internal view override returns (address[] memory targets, bytes4[] memory selectors) {
        (targets, selectors) = (new address[](9), new bytes4[](9));
        selectors[0] = IBalancerPool.getPoolId.selector;
        selectors[1] = IBalancerPool.getVault.selector;
        selectors[2] = IBalancerPool.getSwapFeePercentage.selector;
        selectors[3] = IBalancerPool.getPausedState.selector;
        selectors[4] = IBalancerPool.getScalingFactors.selector;
        selectors[5] = IWeightedPool.getNormalizedWeights.selector;
        selectors[6] = IBalancerFactory.getVault.selector;
        selectors[7] = IBalancerFactory.isPoolFromFactory.selector;
        selectors[8] = IBalancerVault.getPoolTokens.selector;
        for (uint256 i; i < targets.length; ++i) {
            targets[i] = i < 6 ? pool : i < 8 ? address(weightedFactory) : address(vault);
        }
    }

    function _holder() internal view override returns (address) {
        return address(vault);
    }
}
