// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Converter} from "../../src/adapters/Converter.sol";
import {IStEth, IWstEth, WstEthAdapter} from "../../src/adapters/WstEthAdapter.sol";
import {IAdapter} from "../../src/interfaces/IAdapter.sol";
import {ISampler} from "../../src/interfaces/ISampler.sol";
import {VenueKinds} from "../../src/types/VenueKind.sol";
import {TestStEth, TestWstEth} from "../fixtures/StakedEth.sol";
import {PlainToken, WrappedToken} from "../fixtures/Tokens.sol";
import {Turn, Turned} from "../fixtures/Turned.sol";

/// forge-config: default.fuzz.runs = 100
/// @notice From the native token into wstETH, and in no other way.
contract WstEthAdapterTest is Turned {
    uint256 private constant LIMIT = 150_000e18;

    WrappedToken private weth = new WrappedToken("WETH", 18);
    TestStEth private stEth = new TestStEth();
    TestWstEth private wstEth = new TestWstEth(stEth);
    WstEthAdapter private adapter = new WstEthAdapter(address(wstEth), address(weth));
    bool private isFirst = weth < PlainToken(address(wstEth));
    uint256 private key;
    address private user = makeAddr("user");

    receive() external payable {}

    function setUp() public {
        vm.deal(address(weth), 1e30);
        key = adapter.keysOf(address(weth), address(wstEth), new uint256[](0))[0];
    }

    function testFuzz_quote_equalsExecution(uint256 rate, uint256 amountIn) public {
        stEth.setRate(bound(rate, 1e23, 1e25));
        amountIn = bound(amountIn, 1, LIMIT);
        uint256 quoted = _quote(amountIn);
        if (quoted == 0) return;
        weth.mint(address(adapter), amountIn);
        assertEq(adapter.swap(key, address(weth), address(wstEth), amountIn, user), quoted);
        assertEq(wstEth.balanceOf(user), quoted);
        assertEq(weth.balanceOf(address(adapter)), 0);
        assertEq(wstEth.balanceOf(address(adapter)), 0);
        assertEq(address(adapter).balance, 0);
    }

    function test_read_hasTheLimitOfStaking() public {
        stEth.setLimit(77e18);
        assertEq(_draw(isFirst).segments[3], 77e18);
        assertGt(_quote(77e18), 0);
        assertEq(_quote(77e18 + 1), 0);
        stEth.setLimit(0);
        assertEq(_read().length, 0, "paused");
    }

    function test_read_hasNoWayBack() public {
        assertEq(_draw(!isFirst).segments.length, 0);
        vm.deal(address(this), 1e18);
        (bool sent,) = address(wstEth).call{value: 1e18}("");
        assertTrue(sent);
        wstEth.transfer(address(adapter), 1e18);
        vm.expectRevert(abi.encodeWithSelector(Converter.NoPreview.selector, address(wstEth), 1e18));
        adapter.swap(key, address(wstEth), address(weth), 1e18, user);
    }

    function test_keysOf_doesNotTradeStEth() public view {
        uint256[] memory none = new uint256[](0);
        assertEq(adapter.keysOf(address(stEth), address(wstEth), none).length, 0);
        assertEq(adapter.keysOf(address(stEth), address(weth), none).length, 0);
    }

    function test_swap_revertsIf_theKeyIsOfAnotherContract() public {
        address other = makeAddr("other");
        weth.mint(address(adapter), 1e18);
        vm.expectRevert(abi.encodeWithSelector(IAdapter.NotInRegistry.selector, other));
        adapter.swap(uint256(uint160(other)) << 8 | 1, address(weth), address(wstEth), 1e18, user);
    }

    function test_swap_isTheSameWithDonations() public {
        vm.deal(address(this), 1e18);
        (bool sent,) = address(wstEth).call{value: 1e18}("");
        assertTrue(sent);
        wstEth.transfer(address(adapter), 1e18);
        vm.deal(address(adapter), 5);
        weth.mint(address(adapter), 2e18);
        assertEq(adapter.swap(key, address(weth), address(wstEth), 1e18, user), _quote(1e18));
        assertEq(wstEth.balanceOf(address(adapter)), 1e18);
        assertEq(address(adapter).balance, 5);
    }

    function test_receive_takesNothingFromStrangers() public {
        vm.deal(address(this), 1 ether);
        (bool ok,) = address(adapter).call{value: 1}("");
        assertFalse(ok);
    }

    function test_adapter_survivesWhateverIsAnswered() public {
        bytes4[2] memory selectors = [IStEth.getSharesByPooledEth.selector, IStEth.getCurrentStakeLimit.selector];
        for (uint256 i; i < 2; ++i) {
            for (uint256 how = 1; how < TURNS; ++how) {
                uint256 snapshot = vm.snapshotState();
                weth.mint(address(adapter), 1e18);
                turn(address(stEth), selectors[i], Turn(how));
                reenter(address(stEth), address(adapter), IAdapter.registry.selector);
                _read();
                // What it stakes with is the turned contract, which takes no native tokens.
                vm.expectRevert();
                adapter.swap{gas: 3_000_000}(key, address(weth), address(wstEth), 1e18, user);
                vm.revertToStateAndDelete(snapshot);
            }
        }
        turn(address(wstEth), IWstEth.stETH.selector, Turn.AnswersZeros);
        assertEq(_read().length, 0);
    }

    function _read() private view returns (uint256[] memory) {
        return adapter.read(VenueKinds.ADAPTER, address(adapter), address(adapter), key);
    }

    function _draw(bool zeroForOne) private view returns (ISampler.Drawing memory) {
        return adapter.draw(VenueKinds.ADAPTER, _read(), zeroForOne, ISampler.Stretch(0, 4, 0, 0));
    }

    function _quote(uint256 amountIn) private view returns (uint256 amountOut) {
        (amountOut,) = adapter.quote(VenueKinds.ADAPTER, address(adapter), _read(), isFirst, amountIn);
    }
}
