// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {EfficientHashLib} from "solady/utils/EfficientHashLib.sol";
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
import {MAX_INTEGRATOR_FEE_BPS, partDown, protocolFee} from "../math/FeeMath.sol";
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
    bytes32 private constant FEE_WITNESS_TYPE = keccak256(
        "SwapWitness(bytes32 routeHash,address recipient,uint256 minOut,address integrator,uint256 integratorFeeBps)"
    );
    /// @dev The end of the type that is signed, as Permit2 asks for it: the witness, then all types by name.
    string private constant WITNESS_START =
        "SwapWitness witness)SwapWitness(bytes32 routeHash,address recipient,uint256 minOut";
    string private constant WITNESS_FEE = ",address integrator,uint256 integratorFeeBps";
    string private constant WITNESS_END = ")TokenPermissions(address token,uint256 amount)";

    /// @dev What a recipient of native tokens may burn.
    uint256 private constant NATIVE_GAS = 100_000;

    /// @dev What measuring the fee and announcing it and the proof take, less than finding the recipient of 1.0.0.
    uint256 private constant PROOF_GAS = 3_500;

    /// @dev Whether `block.number` is another chain's height. An account that nothing else touches is not asked in a swap.
    bool private immutable IS_ARBITRUM;

    /// @dev Who takes the fee that stands in the lock; read only if one does.
    address private transient _integrator;

    constructor(IHub hub_, ICore core_) Execution(hub_) {
        core = core_;
        IS_ARBITRUM = address(ARB_SYS).code.length != 0;
    }

    /// @inheritdoc IRouter
    function swapExactIn(Route calldata route, uint256 amountIn, uint256 minOut, address recipient, uint256 deadline)
        external
        returns (uint256 amountOut)
    {
        Order memory order = Order(
            msg.sender, msg.sender, route.tokenIn, route.tokenOut, amountIn, minOut, recipient, deadline, false, 0
        );
        return _swapExactIn(route, order);
    }

    /// @inheritdoc IRouterV2
    function swapExactInNative(Route calldata route, uint256 minOut, address recipient, uint256 deadline)
        external
        payable
        returns (uint256 amountOut)
    {
        Order memory order = Order(
            msg.sender, address(this), route.tokenIn, route.tokenOut, msg.value, minOut, recipient, deadline, false, 0
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
        Order memory order = Order(
            msg.sender, msg.sender, route.tokenIn, route.tokenOut, amountIn, minOut, recipient, deadline, true, 0
        );
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
        return _finish(route, order, _collect(route, order, permit));
    }

    /// @inheritdoc IRouterV2
    function swapWithIntegratorFee(address integrator, uint256 integratorFeeBps, bytes calldata swap)
        external
        payable
        returns (uint256 amountOut)
    {
        if (_lock != 0) revert UnexpectedCall(msg.sender);
        bool isBad = integratorFeeBps == 0 || integratorFeeBps > MAX_INTEGRATOR_FEE_BPS;
        if (isBad || integrator == address(0) || integrator == address(this)) {
            revert BadIntegratorFee(integrator, integratorFeeBps);
        }
        (_lock, _integrator) = (integratorFeeBps << FEE_SHIFT, integrator);
        // amountOut = abi.decode(address(this).functionDelegateCall(swap), (uint256));
        // But this contract's own answers are not checked again: swaps answer with one word.
        assembly ("memory-safe") {
            let free := mload(0x40)
            calldatacopy(free, swap.offset, swap.length)
            let swapped := delegatecall(gas(), address(), free, swap.length, 0, 32)
            if iszero(swapped) {
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
            amountOut := mload(0)
        }
        // Only swaps release the lock.
        if (_lock != 0) revert UnexpectedCall(msg.sender);
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
            false,
            0
        );
    }

    function _requireWrapped(address token) private view {
        if (token != hub.wrappedNative()) revert NotWrappedNative(token);
    }

    /// @dev Brings the owner's tokens here; what arrived, which is less if the token taxes transfers.
    function _collect(Route calldata route, Order memory order, Permit2Transfer calldata permit)
        private
        returns (uint256 arrived)
    {
        (address token, uint256 amountIn) = (order.tokenIn, order.amountIn);
        uint256 routeHash = uint256(keccak256(abi.encode(route)));
        uint256 recipient = uint160(order.recipient);
        uint256 feeBps = order.integratorFeeBps;
        bytes32 witness = feeBps == 0
            ? EfficientHashLib.hash(uint256(WITNESS_TYPE), routeHash, recipient, order.minOut)
            : EfficientHashLib.hash(
                uint256(FEE_WITNESS_TYPE), routeHash, recipient, order.minOut, uint160(_integrator), feeBps
            );
        uint256 balanceBefore = balanceOf(token, address(this));
        PERMIT2.permitWitnessTransferFrom(
            IPermit2.PermitTransferFrom(IPermit2.TokenPermissions(token, amountIn), permit.nonce, order.deadline),
            IPermit2.SignatureTransferDetails(address(this), amountIn),
            permit.owner,
            witness,
            string.concat(WITNESS_START, feeBps == 0 ? "" : WITNESS_FEE, WITNESS_END),
            permit.signature
        );
        arrived = balanceOf(token, address(this)) - balanceBefore;
        if (arrived > amountIn) arrived = amountIn;
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

    /// @dev Core records its fee when it is next touched. Both fees are of all that was delivered.
    function _takeFees(Order memory order, uint256 grossOut, bool isPlain) internal override returns (uint256 fees) {
        address token = order.tokenOut;
        uint256 arrived;
        (fees, arrived) = _sendFee(token, address(core), protocolFee(grossOut), isPlain);
        if (arrived != 0) {
            uint256 toT1 = stakersPart(arrived);
            emit Fee(token, arrived, toT1, arrived - toT1);
        }
        if (order.integratorFeeBps != 0) {
            address integrator = _integrator;
            uint256 sent;
            (sent, arrived) = _sendFee(token, integrator, partDown(grossOut, order.integratorFeeBps), isPlain);
            if (arrived != 0) emit IntegratorFee(integrator, token, arrived);
            fees += sent;
        }
    }

    /// @dev A token that takes nothing from transfers is not asked what arrived.
    /// @return sent The fee, or zero if the token refuses it.
    /// @return arrived What the collector got.
    function _sendFee(address token, address collector, uint256 fee, bool isPlain)
        private
        returns (uint256 sent, uint256 arrived)
    {
        if (fee == 0) return (0, 0);
        uint256 balanceBefore = isPlain ? 0 : balanceOf(token, collector);
        if (!FeePayment.send(token, collector, fee)) return (0, 0);
        return (fee, isPlain ? fee : _gained(token, collector, balanceBefore, fee));
    }

    function _announce(Order memory order, Outcome memory outcome) internal override {
        address tokenOut = order.tokenOut;
        uint256 quoted = outcome.quotedNet;
        // Whoever accepts no less than the floor was not promised less.
        if (quoted < outcome.floor) quoted = outcome.floor;
        uint256 blockNumber = IS_ARBITRUM ? ARB_SYS.arbBlockNumber() : block.number;
        emit Swap(order.user, order.tokenIn, tokenOut, order.amountIn, outcome.amountOut, outcome.legs);
        emit ExecutionProof(order.user, tokenOut, quoted, outcome.amountOut, outcome.floor, blockNumber);
    }
}
