// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Converter} from "../../src/adapters/Converter.sol";
import {Erc4626Adapter, ICooldown} from "../../src/adapters/Erc4626Adapter.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {HookToken, PlainToken} from "../fixtures/Tokens.sol";
import {FeeVault, LendingVault, LyingVault, OpenZeppelinVault, SoladyVault} from "../fixtures/Vaults.sol";
import {ConverterCases} from "./ConverterCases.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @notice A wrapped native token whose fallback burns all gas in a static call, as that of WETH9 does.
contract BurningToken is PlainToken {
    constructor() PlainToken("WETH", 18) {}

    fallback() external {
        assembly ("memory-safe") {
            invalid()
        }
    }
}

/// @notice Vaults of an asset of six decimals.
abstract contract Erc4626Cases is ConverterCases {
    uint256 private constant MOST_DONATED = 1e18;

    PlainToken internal asset;
    IERC4626 internal vault;
    PlainToken internal wrapped;

    function _createVault(address asset_) internal virtual returns (IERC4626);

    function _newAsset() internal virtual returns (PlainToken) {
        return new PlainToken("ASSET", 6);
    }

    function _deploy() internal override returns (address, address) {
        (asset, wrapped) = (_newAsset(), new BurningToken());
        adapter = new Erc4626Adapter(address(wrapped), address(wrapped));
        vault = _createVault(address(asset));
        pool = address(vault);
        uint256 amount = RESERVE * 10 ** asset.decimals();
        asset.mint(address(this), amount);
        asset.approve(pool, type(uint256).max);
        vault.deposit(amount, address(this));
        return (address(asset), pool);
    }

    /// @dev Somebody gives the vault up to a thousand times what it has.
    function _change(uint256 seed) internal override {
        asset.mint(pool, bound(seed >> 8, 0, MOST_DONATED >> (seed & 63)));
    }

    function _give(PlainToken token, address to, uint256 amount) internal override {
        if (token == asset) return super._give(token, to, amount);
        asset.mint(address(this), vault.previewMint(amount));
        vault.mint(amount, to);
    }

    function _calledFunctions() internal pure override returns (bytes4[] memory selectors) {
        selectors = new bytes4[](9);
        selectors[0] = IERC4626.asset.selector;
        selectors[1] = IERC4626.maxDeposit.selector;
        selectors[2] = IERC4626.previewDeposit.selector;
        selectors[3] = IERC4626.previewRedeem.selector;
        selectors[4] = IERC4626.deposit.selector;
        selectors[5] = IERC4626.redeem.selector;
        selectors[6] = IERC20.totalSupply.selector;
        selectors[7] = IERC20.balanceOf.selector;
        selectors[8] = ICooldown.cooldownDuration.selector;
    }

    function _keyOf(IERC4626 other) internal view returns (uint256) {
        return _keys(address(asset), address(other))[0];
    }
}

/// forge-config: default.fuzz.runs = 100
contract OpenZeppelinVaultTest is Erc4626Cases {
    function _createVault(address asset_) internal override returns (IERC4626) {
        return new OpenZeppelinVault(asset_, 0);
    }
}

/// forge-config: default.fuzz.runs = 100
contract OffsetVaultTest is Erc4626Cases {
    function _newAsset() internal override returns (PlainToken) {
        return new PlainToken("ASSET", 18);
    }

    function _createVault(address asset_) internal override returns (IERC4626) {
        return new OpenZeppelinVault(asset_, 6);
    }
}

/// forge-config: default.fuzz.runs = 100
contract SoladyVaultTest is Erc4626Cases {
    function _createVault(address asset_) internal override returns (IERC4626) {
        return IERC4626(address(new SoladyVault(asset_, true)));
    }
}

/// forge-config: default.fuzz.runs = 100
contract BareSoladyVaultTest is Erc4626Cases {
    function _createVault(address asset_) internal override returns (IERC4626) {
        return IERC4626(address(new SoladyVault(asset_, false)));
    }
}

/// forge-config: default.fuzz.runs = 100
contract FeeVaultTest is Erc4626Cases {
    function _createVault(address asset_) internal override returns (IERC4626) {
        return new FeeVault(asset_, 37);
    }

    function test_read_hasTheLimitOfDeposits() public {
        FeeVault(pool).setCap(vault.totalAssets() + 777e6);
        bool deposits = address(asset) == address(a);
        assertEq(_draw(deposits).segments[3], 777e6);
        assertGt(_quote(deposits, 777e6), 0);
        assertEq(_quote(deposits, 777e6 + 1), 0);
        FeeVault(pool).setCap(0);
        assertEq(_draw(deposits).segments.length, 0);
        assertEq(_draw(!deposits).segments.length, 5);
    }

    /// @dev Its shares cannot be redeemed in one call.
    function test_read_redeemsNothingAfterACooldown() public {
        FeeVault(pool).setCooldown(7 days);
        bool deposits = address(asset) == address(a);
        assertEq(_draw(deposits).segments.length, 5);
        assertEq(_draw(!deposits).segments.length, 0);
        assertEq(_quote(!deposits, 1e6), 0);
    }
}

/// forge-config: default.fuzz.runs = 100
/// @notice Vaults that do not pay as they say.
contract Erc4626SafetyTest is Erc4626Cases {
    function _createVault(address asset_) internal override returns (IERC4626) {
        return new LendingVault(asset_);
    }

    /// @dev What it has lent it may not get back in the same call.
    function test_swap_redeemsNoMoreThanTheVaultHolds() public {
        LendingVault(pool).lend(RESERVE * 1e6 - 500e6);
        bool redeems = pool == address(a);
        assertApproxEqAbs(_draw(redeems).segments[3], 500e6, 1);
        assertGt(_quote(redeems, 499e6), 0);
        assertEq(_quote(redeems, 501e6), 0);
        PlainToken(pool).transfer(address(adapter), 501e6);
        vm.expectRevert(abi.encodeWithSelector(Converter.BeyondLimit.selector, pool, 501e6, 500e6));
        adapter.swap(key, pool, address(asset), 501e6, user);
    }

    function test_swap_revertsIf_theVaultTakesLess() public {
        IERC4626 other = _lying(9_000, 10_000);
        asset.mint(address(adapter), 1e9);
        uint256 its = _keyOf(other);
        vm.expectRevert(abi.encodeWithSelector(IRouter.PartialFill.selector, other, 1e9, 9e8));
        adapter.swap(its, address(asset), address(other), 1e9, user);
        vm.prank(address(1));
        other.transfer(address(adapter), 1e6);
        vm.expectRevert(abi.encodeWithSelector(IRouter.PartialFill.selector, other, 1e6, 9e5));
        adapter.swap(its, address(other), address(asset), 1e6, user);
    }

    function test_swap_revertsIf_theVaultPaysLess() public {
        IERC4626 other = _lying(10_000, 9_999);
        asset.mint(address(adapter), 1e9);
        uint256 its = _keyOf(other);
        vm.expectPartialRevert(Converter.Underpaid.selector);
        adapter.swap(its, address(asset), address(other), 1e9, user);
        vm.prank(address(1));
        other.transfer(address(adapter), 1e6);
        vm.expectPartialRevert(Converter.Underpaid.selector);
        adapter.swap(its, address(other), address(asset), 1e6, user);
    }

    /// @dev The asset calls while it is taken, when the adapter holds what a donation left.
    function test_swap_cannotBeReentered() public {
        HookToken hooked = new HookToken("HOOK", 18);
        IERC4626 other = new OpenZeppelinVault(address(hooked), 0);
        uint256 its = _keys(address(hooked), address(other))[0];
        asset.mint(address(adapter), 1e6);
        hooked.mint(address(adapter), 1e18);
        bytes memory theft = abi.encodeCall(adapter.swap, (key, address(asset), pool, 0, address(this)));
        hooked.setHook(address(adapter), theft, true);
        assertEq(adapter.swap(its, address(hooked), address(other), 1e18, user), 1e18);
        assertGt(hooked.hookCalls(), 0);
        assertFalse(hooked.hookSucceeded());
        assertEq(
            hooked.hookAnswer(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
    }

    /// @dev Its fallback would burn what the question is given.
    function test_keysOf_doesNotAskTheWrappedNativeToken() public {
        address x = address(new PlainToken("X", 18));
        vm.expectCall(address(wrapped), abi.encodeCall(IERC4626.asset, ()), 0);
        vm.expectCall(x, abi.encodeCall(IERC4626.asset, ()), 1);
        assertEq(_keys(address(wrapped), x).length, 0);
    }

    /// @dev A vault without shares has a price, too.
    function test_swap_makesTheFirstDeposit() public {
        IERC4626 other = new OpenZeppelinVault(address(asset), 0);
        uint256 its = _keyOf(other);
        asset.mint(address(adapter), 1e9);
        assertEq(adapter.swap(its, address(asset), address(other), 0, user), 1e9);
        assertEq(other.balanceOf(user), 1e9);
    }

    /// @dev With shares of the first account.
    function _lying(uint256 takenBps, uint256 paidBps) private returns (IERC4626 other) {
        other = new LyingVault(address(asset), takenBps, paidBps);
        asset.mint(address(this), 1e12);
        asset.approve(address(other), type(uint256).max);
        other.deposit(1e12, address(1));
    }
}
