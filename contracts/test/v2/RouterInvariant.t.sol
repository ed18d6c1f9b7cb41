// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {IRouterV2, Permit, Permit2Transfer, Terms} from "../../src/interfaces/IRouterV2.sol";
import {protocolFee} from "../../src/math/FeeMath.sol";
import {Leg, Route} from "../../src/types/Route.sol";
import {SecondGeneration} from "../fixtures/SecondGeneration.sol";
import {PlainToken, WrappedToken} from "../fixtures/Tokens.sol";
import {RouterCampaignCases, RouterCampaignHandler, RouterOverrideCases} from "../router/RouterCampaignCases.sol";
import {RouterHandler, RouterInvariantCases} from "../router/RouterInvariantCases.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Vm} from "forge-std/Vm.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @notice The same swaps by every way in and out that 2.0.0 has, and attempts on who has approved the Router and Permit2.
contract SecondHandler is RouterHandler, SecondGeneration {
    uint256 private constant SIGNERS_KEY = 0x5161;

    address private immutable signer = vm.addr(SIGNERS_KEY);
    address private immutable attacker = makeAddr("attacker");
    uint256 public donatedNative;
    uint256[5] public taken;
    /// What the integrator has of each token.
    mapping(address token => uint256) public integratorFees;
    /// @dev The integrator's fee in the swap that was sent last.
    uint256 private _feeBps;
    uint256 private _way;
    uint256 private _nonce;
    address private _announced;

    function open() public override {
        super.open();
        vm.deal(address(weth), 1e36);
        for (uint256 i; i < 5; ++i) {
            vm.prank(victim);
            SafeTransferLib.safeApprove(tokens[i], address(PERMIT2), type(uint256).max);
            vm.prank(signer);
            SafeTransferLib.safeApprove(tokens[i], address(PERMIT2), type(uint256).max);
        }
    }

    function permit2() external pure returns (address) {
        return address(PERMIT2);
    }

    /// @dev What has arrived is recorded when Core is touched.
    function coreLedger(address token) external returns (uint256) {
        core.recordFee(token);
        (uint256 t1, uint256 t2) = core.ledger(token);
        return t1 + t2;
    }

    function donateNative(uint256 amount) external {
        amount = bound(amount, 1, 1e20);
        donatedNative += amount;
        vm.deal(address(router), donatedNative);
    }

    /// @notice Somebody tries to swap the victim's tokens to themselves, with whatever stands for a signature.
    function attack(uint256 token, uint256 amount, bytes calldata signature, uint8 v, bytes32 r, bytes32 s) external {
        token = bound(token, 1, 4);
        Route memory route = Route(tokens[token], tokens[0], bound(amount, 1e6, 1e20), 1, 10_000, new Leg[](1));
        route.legs[0] = legV2(v2Factory.getPair(route.tokenIn, route.tokenOut), route.tokenIn, route.tokenOut);
        Terms memory terms = Terms(route.amountIn, 1, attacker, block.timestamp);
        vm.startPrank(attacker);
        try router2.swapExactInWithPermit2(route, terms, Permit2Transfer(victim, _nonce, signature)) {
            taken[token] += route.amountIn;
        } catch {}
        try router2.swapExactInWithPermit(route, terms, Permit(v, r, s)) {
            taken[token] += route.amountIn;
        } catch {}
        bytes memory call =
            abi.encodeCall(router2.swapExactInWithPermit2, (route, terms, Permit2Transfer(victim, _nonce, signature)));
        try router2.swapWithIntegratorFee(attacker, 100, call) {
            taken[token] += route.amountIn;
        } catch {}
        try router2.swapExactIn(route, route.amountIn, 1, attacker, block.timestamp) {
            taken[token] += route.amountIn;
        } catch {}
        vm.stopPrank();
    }

    /// @dev The account's tokens reach the swap, and its output the account, by the way whose turn it is.
    function send(address account, Route memory route) internal override returns (uint256 amountOut) {
        _announced = account;
        ++_way;
        // Half of the swaps pay an integrator too, by each way.
        _feeBps = (_way >> 1) % 2 == 0 ? 0 : 1 + uint256(keccak256(abi.encode(_way))) % 100;
        uint256 balanceBefore = PlainToken(route.tokenOut).balanceOf(integrator);
        amountOut = _sendOneWay(account, route);
        integratorFees[route.tokenOut] += integratorFee(route);
        assertEq(PlainToken(route.tokenOut).balanceOf(integrator) - balanceBefore, integratorFee(route));
    }

    function integratorFee(Route memory route) internal view override returns (uint256) {
        return route.grossOut * _feeBps / 10_000;
    }

    function _sendOneWay(address account, Route memory route) private returns (uint256) {
        if (_way % 2 == 0) return _sendSigned(account, route);
        if (route.tokenIn == address(weth)) return _sendNative(account, route);
        if (route.tokenOut == address(weth)) return _receiveNative(account, route);
        if (_way % 3 == 0) {
            return _call(
                account, 0, abi.encodeCall(IRouter.swapExactIn, (route, route.amountIn, 1, account, block.timestamp))
            );
        }
        Terms memory terms = Terms(route.amountIn, 1, account, block.timestamp);
        return _call(account, 0, abi.encodeCall(router2.swapExactInWithPermit, (route, terms, Permit(0, 0, 0))));
    }

    /// @dev Makes the swap, by itself or with the integrator's fee.
    function _call(address sender, uint256 value, bytes memory swap) private returns (uint256) {
        if (_feeBps != 0) {
            vm.prank(sender);
            return router2.swapWithIntegratorFee{value: value}(integrator, _feeBps, swap);
        }
        vm.prank(sender);
        (bool ok, bytes memory answer) = address(router).call{value: value}(swap);
        return abi.decode(Address.verifyCallResult(ok, answer), (uint256));
    }

    function _sendSigned(address account, Route memory route) private returns (uint256) {
        _announced = signer;
        vm.startPrank(account);
        // The account's own allowance is not used, and one of the tokens lets none be changed that is not zero.
        SafeTransferLib.safeApprove(route.tokenIn, address(router), 0);
        SafeTransferLib.safeTransfer(route.tokenIn, signer, route.amountIn);
        vm.stopPrank();
        Terms memory terms = Terms(route.amountIn, 1, account, block.timestamp);
        Permit2Transfer memory permit = _feeBps == 0
            ? signPermit2(SIGNERS_KEY, route, terms, _nonce++)
            : signPermit2(SIGNERS_KEY, route, terms, _nonce++, integrator, _feeBps);
        return _call(attacker, 0, abi.encodeCall(router2.swapExactInWithPermit2, (route, terms, permit)));
    }

    function _sendNative(address account, Route memory route) private returns (uint256) {
        vm.prank(account);
        WrappedToken(address(weth)).withdraw(route.amountIn);
        bytes memory swap = abi.encodeCall(router2.swapExactInNative, (route, 1, account, block.timestamp));
        return _call(account, route.amountIn, swap);
    }

    function _receiveNative(address account, Route memory route) private returns (uint256 amountOut) {
        amountOut = _call(
            account,
            0,
            abi.encodeCall(router2.swapExactInForNative, (route, route.amountIn, 1, account, block.timestamp))
        );
        vm.prank(account);
        WrappedToken(address(weth)).deposit{value: amountOut}();
    }

    function assertAnnounced(address, Route memory route, uint256 amountOut, Vm.Log[] memory logs)
        internal
        view
        override
    {
        uint256 fee = protocolFee(route.grossOut);
        uint256 cut = integratorFee(route);
        assertEq(logs.length, 2 + (fee == 0 ? 0 : 1) + (cut == 0 ? 0 : 1));
        if (fee != 0) {
            assertEq(logs[0].topics[0], IRouterV2.Fee.selector);
            assertEq(logs[0].topics[1], bytes32(uint256(uint160(route.tokenOut))));
            assertEq(logs[0].data, abi.encode(fee, fee / 2, fee - fee / 2));
        }
        if (cut != 0) {
            Vm.Log memory log = logs[logs.length - 3];
            assertEq(log.topics[0], IRouterV2.IntegratorFee.selector);
            assertEq(log.topics[1], bytes32(uint256(uint160(integrator))));
            assertEq(log.topics[2], bytes32(uint256(uint160(route.tokenOut))));
            assertEq(log.data, abi.encode(cut));
        }
        assertIsSwap(logs[logs.length - 2], _announced, route, amountOut);
        Vm.Log memory proof = logs[logs.length - 1];
        assertEq(proof.topics[0], IRouterV2.ExecutionProof.selector);
        assertEq(proof.topics[1], bytes32(uint256(uint160(_announced))));
        assertEq(proof.topics[2], bytes32(uint256(uint160(route.tokenOut))));
        (uint256 quoted, uint256 realized,,) = abi.decode(proof.data, (uint256, uint256, uint256, uint256));
        assertEq(quoted, route.grossOut - fee - cut);
        assertEq(realized, amountOut);
    }
}

contract RouterV2InvariantTest is RouterInvariantCases {
    function createHandler() internal override returns (RouterHandler) {
        return new SecondHandler();
    }

    function handlerSelectors() internal pure override returns (bytes4[] memory selectors) {
        selectors = new bytes4[](4);
        (selectors[0], selectors[1]) = (RouterHandler.swapAlong.selector, RouterHandler.donate.selector);
        (selectors[2], selectors[3]) = (SecondHandler.donateNative.selector, SecondHandler.attack.selector);
    }

    function assertGeneration() internal override {
        SecondHandler second = SecondHandler(payable(address(handler)));
        address router = handler.routerAddress();
        assertEq(router.balance, second.donatedNative(), "holds what it was given by force");
        for (uint256 i; i < 5; ++i) {
            PlainToken token = PlainToken(handler.tokens(i));
            assertEq(second.taken(i), 0, "a swap with somebody else's tokens");
            assertEq(token.allowance(router, second.permit2()), 0);
            assertEq(token.allowance(router, handler.feeCollectorAddress()), 0);
            assertEq(token.allowance(handler.victim(), second.permit2()), type(uint256).max);
            assertEq(token.balanceOf(second.integrator()), second.integratorFees(address(token)), "the integrator's");
            assertEq(second.coreLedger(address(token)), handler.fees(i), "the ledger counts every fee");
        }
    }
}

contract SecondCampaignHandler is RouterCampaignHandler, SecondGeneration {}

contract RouterV2CampaignTest is RouterCampaignCases {
    function createHandler() internal override returns (RouterCampaignHandler) {
        return new SecondCampaignHandler();
    }
}

/// forge-config: default.invariant.runs = 100
/// forge-config: default.invariant.depth = 50
/// forge-config: default.invariant.fail-on-revert = false
/// forge-config: default.invariant.call-override = true
contract RouterV2OverrideTest is RouterOverrideCases {
    function createHandler() internal override returns (RouterCampaignHandler) {
        return new SecondCampaignHandler();
    }
}
