// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What is called of Permit2, at the same address on every chain
/// @dev Its own names and layouts; see docs.uniswap.org/contracts/permit2/reference/signature-transfer.
interface IPermit2 {
    /// @notice What the signature lets be moved: at most `amount` of `token`.
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    /// @notice The part of the signed message that is the same for every spender: tokens, nonce and deadline.
    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the spender moves of it, and where to.
    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Moves tokens of `owner`, who has signed for exactly this caller, token, amount, nonce, deadline and
    /// witness. A nonce serves once.
    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
