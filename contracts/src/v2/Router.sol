// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {Execution, Order, Outcome} from "../execution/Execution.sol";
import {ICore} from "../interfaces/ICore.sol";
import {IHub} from "../interfaces/IHub.sol";
import {IPermit2} from "../interfaces/IPermit2.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {IRouterV2, Permit, Permit2Transfer, Terms} from "../interfaces/IRouterV2.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {FeePayment} from "../libraries/FeePayment.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {ARB_SYS} from "../libraries/Witnesses.sol";
import {protocolFee} from "../math/FeeMath.sol";
import {stakersPart} from "../math/FeeSplit.sol";
import {firstFeeGas} from "../math/FirstFee.sol";
import {Route} from "../types/Route.sol";
import {PAUSED_BIT} from "../types/Settlement.sol";
import {IWrappedNative} from "../venues/UniswapV4.sol";

/// @title Router of the generation 2.0.0
/// @dev What it collects itself it collects within the lock, from the caller's value or from whom Permit2 found to have
/// signed, and hands to the legs in the same call.
contract RouterV2 is IRouterV2, Execution {
    /// @inheritdoc IRouterV2
    ICore public immutable core;

    IPermit2 private constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    bytes32 private constant WITNESS_TYPE =
        keccak256("SwapWitness(bytes32 routeHash,address recipient,uint256 minOut)");
    /// @dev The end of the type that is signed, as Permit2 asks for it: the witness, then all types by name.
    string private constant WITNESS_TYPE_STRING =
        "SwapWitness witness)SwapWitness(bytes32 routeHash,address recipient,uint256 minOut)TokenPermissions(address token,uint256 amount)";

    /// @dev What a recipient of native tokens may burn.
    uint256 private constant NATIVE_GAS = 100_000;

    /// @dev What measuring the fee and announcing it and the proof take, less than finding the recipient of 1.0.0.
    uint256 private constant PROOF_GAS = 3_500;

    /// @dev Whether `block.number` is another chain's height. An account that nothing else touches is not asked in a swap.
    bool private immutable IS_ARBITRUM;

    constructor(IHub hub_, ICore core_) Execution(hub_) {
        core = core_;
        IS_ARBITRUM = address(ARB_SYS).code.length != 0;
    }

    /// @inheritdoc IRouter
    function swapExactIn(Route calldata route, uint256 amountIn, uint256 minOut, address recipient, uint256 deadline)
        external
        returns (uint256 amountOut)
    {
        Order memory order =
            Order(msg.sender, msg.sender, route.tokenIn, route.tokenOut, amountIn, minOut, recipient, deadline, false);
        return _swapExactIn(route, order);
    }

    /// @inheritdoc IRouterV2
    function swapExactInNative(Route calldata route, uint256 minOut, address recipient, uint256 deadline)
        external
        payable
        returns (uint256 amountOut)
    {
        Order memory order = Order(
            msg.sender, address(this), route.tokenIn, route.tokenOut, msg.value, minOut, recipient, deadline, false
        );
        _start(route, order);
        _requireWrapped(route.tokenIn);
        IWrappedNative(route.tokenIn).deposit{value: msg.value}();
        return _finish(route, order, msg.value);
    }

    /// @inheritdoc IRouterV2
    function swapExactInForNative(
        Route calldata route,
        uint256 amountIn,
        uint256 minOut,
        address recipient,
        uint256 deadline
    ) external returns (uint256 amountOut) {
        _requireWrapped(route.tokenOut);
        Order memory order =
            Order(msg.sender, msg.sender, route.tokenIn, route.tokenOut, amountIn, minOut, recipient, deadline, true);
        return _swapExactIn(route, order);
    }

    /// @inheritdoc IRouterV2
    function swapExactInWithPermit(Route calldata route, Terms calldata terms, Permit calldata permit)
        external
        returns (uint256 amountOut)
    {
        Order memory order = _order(msg.sender, msg.sender, route, terms);
        _start(route, order);
        try IERC20Permit(route.tokenIn)
            .permit(msg.sender, address(this), terms.amountIn, terms.deadline, permit.v, permit.r, permit.s) {}
            catch {}
        return _finish(route, order, terms.amountIn);
    }

    /// @inheritdoc IRouterV2
    function swapExactInWithPermit2(Route calldata route, Terms calldata terms, Permit2Transfer calldata permit)
        external
        returns (uint256 amountOut)
    {
        Order memory order = _order(permit.owner, address(this), route, terms);
        _start(route, order);
        return _finish(route, order, _collect(route, terms, permit));
    }

    /// @inheritdoc IRouter
    function settlementGas(address tokenOut) external view returns (uint256) {
        return PROOF_GAS + firstFeeGas(tokenOut, address(core));
    }

    function _order(address user, address payer, Route calldata route, Terms calldata terms)
        private
        pure
        returns (Order memory)
    {
        return Order(
            user,
            payer,
            route.tokenIn,
            route.tokenOut,
            terms.amountIn,
            terms.minOut,
            terms.recipient,
            terms.deadline,
            false
        );
    }

    function _requireWrapped(address token) private view {
        if (token != hub.wrappedNative()) revert NotWrappedNative(token);
    }

    /// @dev Brings the owner's tokens here; what arrived, which is less if the token taxes transfers.
    function _collect(Route calldata route, Terms calldata terms, Permit2Transfer calldata permit)
        private
        returns (uint256 arrived)
    {
        bytes32 witness =
            keccak256(abi.encode(WITNESS_TYPE, keccak256(abi.encode(route)), terms.recipient, terms.minOut));
        uint256 balanceBefore = balanceOf(route.tokenIn, address(this));
        PERMIT2.permitWitnessTransferFrom(
            IPermit2.PermitTransferFrom(
                IPermit2.TokenPermissions(route.tokenIn, terms.amountIn), permit.nonce, terms.deadline
            ),
            IPermit2.SignatureTransferDetails(address(this), terms.amountIn),
            permit.owner,
            witness,
            WITNESS_TYPE_STRING,
            permit.signature
        );
        arrived = balanceOf(route.tokenIn, address(this)) - balanceBefore;
        if (arrived > terms.amountIn) arrived = terms.amountIn;
    }

    /// @dev Native tokens carry no tax, and a recipient may pass them on at once, so what was sent is what arrived.
    function _pay(Order memory order, uint256 amount) internal override returns (uint256) {
        if (!order.inNative) return super._pay(order, amount);
        address token = order.tokenOut;
        NativeSender.expect(token);
        IWrappedNative(token).withdraw(amount);
        NativeSender.expect(address(0));
        // Nothing of the answer is copied, whatever its size.
        if (!SafeTransferLib.trySafeTransferETH(order.recipient, amount, NATIVE_GAS)) {
            revert NativeRefused(order.recipient);
        }
        return amount;
    }

    function _stops() internal pure override returns (uint256) {
        return PAUSED_BIT | PAUSED_BIT << 2;
    }

    /// @dev Core records the fee when it is next touched. A token that takes nothing from transfers is not asked what arrived.
    function _takeFee(address token, uint256 fee, bool isPlain) internal override returns (bool) {
        uint256 balanceBefore = isPlain ? 0 : balanceOf(token, address(core));
        if (!FeePayment.send(token, address(core), fee)) return false;
        uint256 arrived = isPlain ? fee : _gained(token, address(core), balanceBefore, fee);
        uint256 toT1 = stakersPart(arrived);
        if (arrived != 0) emit Fee(token, arrived, toT1, arrived - toT1);
        return true;
    }

    function _announce(Order memory order, Outcome memory outcome) internal override {
        address tokenOut = order.tokenOut;
        uint256 quoted = outcome.quotedOut - protocolFee(outcome.quotedOut);
        // Whoever accepts no less than the floor was not promised less.
        if (quoted < outcome.floor) quoted = outcome.floor;
        uint256 blockNumber = IS_ARBITRUM ? ARB_SYS.arbBlockNumber() : block.number;
        emit Swap(order.user, order.tokenIn, tokenOut, order.amountIn, outcome.amountOut, outcome.legs);
        emit ExecutionProof(order.user, tokenOut, quoted, outcome.amountOut, outcome.floor, blockNumber);
    }
}
