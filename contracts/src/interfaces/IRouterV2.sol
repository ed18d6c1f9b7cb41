// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Route} from "../types/Route.sol";
import {ICore} from "./ICore.sol";
import {IRouter} from "./IRouter.sol";

/// @notice What a swap asks for, beside the route; the same as `swapExactIn` takes one by one.
struct Terms {
    /// In base units of `route.tokenIn`.
    uint256 amountIn;
    /// Least net output, in base units of `route.tokenOut`; zero is refused.
    uint256 minOut;
    address recipient;
    /// Unix seconds; the last second in which the swap may happen, and in which the signature that pays for it holds.
    uint256 deadline;
}

/// @notice An approval by signature (EIP-2612) of the caller, to the Router, for `Terms.amountIn` until
/// `Terms.deadline`.
struct Permit {
    uint8 v;
    bytes32 r;
    bytes32 s;
}

/// @notice A transfer by signature (Permit2) of `owner`, to the Router, of `Terms.amountIn` until `Terms.deadline`,
/// with the swap as its witness.
struct Permit2Transfer {
    address owner;
    /// Any that `owner` has not used on Permit2 yet.
    uint256 nonce;
    bytes signature;
}

/// @title Router of the generation 2.0.0
/// @notice Fees go to Core. Besides an allowance it takes native tokens, an approval by signature or a transfer by
/// signature, and it pays in native tokens too.
interface IRouterV2 is IRouter {
    /// @notice What was quoted and what was delivered. Amounts of `tokenOut`, after all fees.
    /// @dev `floorUsed <= realized` and `floorUsed <= quoted` always, and `floorUsed` is at least `quoted` less the
    /// protocol's allowance, so a quote cannot be claimed that is out of reach of the delivery. How low a quote is claimed
    /// is the caller's word, and the proof is worth as much as its `floorUsed`.
    /// @param quoted The quote that the route carries, for this input; the floor if that is higher.
    /// @param realized What the recipient was paid, measured by balance.
    /// @param floorUsed The minimum that was enforced: the higher of the user's and the protocol's.
    /// @param blockNumber The chain's own height, as the Quoter's witness gives it.
    event ExecutionProof(
        address indexed user,
        address indexed tokenOut,
        uint256 quoted,
        uint256 realized,
        uint256 floorUsed,
        uint256 blockNumber
    );
    /// @notice Core has this swap's fee of `amount`, and its split: `toT1 = floor(amount / 2)`. A fee of zero is not announced.
    /// @dev Core records it when it is next touched, with all that has arrived since, and announces that itself.
    /// @dev Less than 28 bps of the delivery where the token taxes the transfer to Core: that is measured, unless all that the
    /// pools say to have paid has arrived, so that the token takes nothing from transfers.
    event Fee(address indexed token, uint256 amount, uint256 toT1, uint256 toT2);
    /// @notice `integrator` has this swap's fee of `amount`, beside the protocol's. A fee of zero is not announced.
    /// @dev Less than was taken where the token taxes the transfer, as in `Fee`.
    event IntegratorFee(address indexed integrator, address indexed token, uint256 amount);

    /// @notice Native tokens are swapped as the wrapped one, and this is another token.
    error NotWrappedNative(address token);
    /// @notice The recipient refused native tokens, or needs more than 100,000 gas to take them.
    error NativeRefused(address recipient);
    /// @notice The integrator is zero or the Router, or its fee is not from 1 to 100 basis points.
    error BadIntegratorFee(address integrator, uint256 integratorFeeBps);

    /// @notice Where the fees go, and who splits them.
    function core() external view returns (ICore);

    /// @notice Swaps the native tokens sent along: `msg.value` of them, as the route's wrapped `tokenIn`.
    function swapExactInNative(Route calldata route, uint256 minOut, address recipient, uint256 deadline)
        external
        payable
        returns (uint256 amountOut);

    /// @notice As `swapExactIn`, and pays native tokens for the route's wrapped `tokenOut`.
    /// @dev The recipient is called with 100,000 gas at most, so that it cannot burn the sender's; it cannot reenter.
    function swapExactInForNative(
        Route calldata route,
        uint256 amountIn,
        uint256 minOut,
        address recipient,
        uint256 deadline
    ) external returns (uint256 amountOut);

    /// @notice As `swapExactIn`, after handing the caller's approval to the token.
    /// @dev A permit that fails is passed over, because somebody may have sent it ahead: the allowance decides.
    function swapExactInWithPermit(Route calldata route, Terms calldata terms, Permit calldata permit)
        external
        returns (uint256 amountOut);

    /// @notice Swaps tokens of `permit.owner`, who has signed this very swap. Anybody may send it.
    /// @dev The witness is `SwapWitness(bytes32 routeHash,address recipient,uint256 minOut)` with `routeHash` the hash
    /// of `abi.encode(route)`; the amount and the deadline are Permit2's own members. The owner is the events' `user`.
    /// Within `swapWithIntegratorFee` it is `SwapWitness(bytes32 routeHash,address recipient,uint256 minOut,address
    /// integrator,uint256 integratorFeeBps)`, so that nobody can add a fee to what was signed, or change it.
    function swapExactInWithPermit2(Route calldata route, Terms calldata terms, Permit2Transfer calldata permit)
        external
        returns (uint256 amountOut);

    /// @notice Makes a swap of which an integrator takes a part: `swap` is the whole call of one of the five functions above,
    /// with this call's sender and value.
    /// @dev The fee is `floor(grossOut * integratorFeeBps / 10_000)` of what the legs deliver, paid in `route.tokenOut` (its
    /// wrapped form where the recipient gets native tokens). The swap's `minOut` is what is left after all fees, and the
    /// protocol floor is that of an output after all fees. If the token refuses to pay the integrator, the recipient gets
    /// that too.
    /// @dev Warning: the caller chooses the integrator and agrees to the fee. A swap pays an integrator only if its owner sent this
    /// call, or signed the fee with Permit2.
    /// @param integrator Who is paid; neither zero nor the Router.
    /// @param integratorFeeBps From 1 to 100.
    /// @return amountOut What the swap's recipient was paid, measured by balance.
    function swapWithIntegratorFee(address integrator, uint256 integratorFeeBps, bytes calldata swap)
        external
        payable
        returns (uint256 amountOut);
}
