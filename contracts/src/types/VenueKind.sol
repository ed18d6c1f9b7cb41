// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// The one table of venue kinds. `npm run abi` writes it down for TypeScript, as packages/abi/src/generated/venueKinds.ts.
// docs/adding-a-venue.md says what else a new kind needs.

/// @notice Which mathematics and which calls a venue's pools have: one of the numbers in `VenueKinds`.
type VenueKind is uint8;

using {
    equals as ==,
    differs as !=,
    isKnown,
    isListed,
    isDerived,
    isAttested,
    hasTicks,
    isSampled,
    callsBack,
    isSentAhead,
    isShared,
    lends,
    roundsFeeDown
} for VenueKind global;

/// @notice A kind that this code does not know.
error UnknownVenueKind(VenueKind kind);

/// @title Numbers and traits of the venue kinds
/// @notice A kind is a value without an order. Its row of `TABLE` holds its traits, and code asks for these.
library VenueKinds {
    /* NUMBERS: Hubs store them, so a number never changes and is never used again. Zero is not a kind. */

    VenueKind internal constant UNISWAP_V2 = VenueKind.wrap(1);
    VenueKind internal constant UNISWAP_V3 = VenueKind.wrap(2);
    VenueKind internal constant SLIPSTREAM = VenueKind.wrap(3);
    VenueKind internal constant ALGEBRA = VenueKind.wrap(4);
    VenueKind internal constant UNISWAP_V4 = VenueKind.wrap(5);
    VenueKind internal constant SOLIDLY = VenueKind.wrap(6);
    VenueKind internal constant CURVE = VenueKind.wrap(7);
    VenueKind internal constant BALANCER_WEIGHTED = VenueKind.wrap(8);
    VenueKind internal constant BALANCER_STABLE = VenueKind.wrap(9);
    /// @dev Pools behind an adapter, which is the venue's deployer; see `IAdapter`.
    VenueKind internal constant ADAPTER = VenueKind.wrap(10);

    /* TRAITS: each is a column of `TABLE`, 16 bits wide, with a bit for each number. */

    uint256 internal constant COLUMN = 0xffff;

    /// @dev How the curve is drawn: range by range between ticks, or through samples. A kind with neither is a constant
    /// product, one segment.
    uint256 internal constant TICKS = 1 << 0;
    uint256 internal constant SAMPLED = 1 << 16;
    /// @dev How a leg's pool is found: derived from the venue, the tokens and the key, listed by the Hub's owner, or attested by a
    /// registry that the venue's adapter asks. Each kind has one of the three.
    uint256 internal constant DERIVED = 1 << 32;
    uint256 internal constant LISTED = 1 << 48;
    uint256 internal constant ATTESTED = 1 << 176;
    /// @dev How the pool gets its input: it calls back for it, it is sent ahead, or the pool takes it by allowance. Each
    /// kind has one of the three.
    uint256 internal constant CALLBACK = 1 << 64;
    uint256 internal constant PUSH = 1 << 80;
    uint256 internal constant ALLOWANCE = 1 << 96;
    /// @dev A pool may hold the chain's native currency.
    uint256 internal constant NATIVE = 1 << 112;
    /// @dev One contract holds the tokens of all pools, so a balance says nothing about a single pool.
    uint256 internal constant SHARED = 1 << 128;
    /// @dev The pool lends to anyone who pays back in the same call, so a dry run can borrow the input.
    uint256 internal constant LENDS = 1 << 144;
    /// @dev Pools round the fee on their input down, and swap up to a unit free of fee.
    uint256 internal constant FEE_ROUNDS_DOWN = 1 << 160;

    /* TABLE: a row for each kind. */

    // forgefmt: disable-next-item
    uint256 internal constant TABLE =
          (DERIVED | PUSH | LENDS) << VenueKind.unwrap(UNISWAP_V2)
        | (TICKS | DERIVED | CALLBACK | LENDS) << VenueKind.unwrap(UNISWAP_V3)
        | (TICKS | DERIVED | CALLBACK | LENDS) << VenueKind.unwrap(SLIPSTREAM)
        | (TICKS | DERIVED | CALLBACK | LENDS) << VenueKind.unwrap(ALGEBRA)
        | (TICKS | DERIVED | CALLBACK | NATIVE | SHARED | LENDS) << VenueKind.unwrap(UNISWAP_V4)
        | (SAMPLED | DERIVED | PUSH | FEE_ROUNDS_DOWN) << VenueKind.unwrap(SOLIDLY)
        | (SAMPLED | LISTED | ALLOWANCE) << VenueKind.unwrap(CURVE)
        | (SAMPLED | LISTED | ALLOWANCE | SHARED) << VenueKind.unwrap(BALANCER_WEIGHTED)
        | (SAMPLED | LISTED | ALLOWANCE | SHARED) << VenueKind.unwrap(BALANCER_STABLE)
        | (SAMPLED | ATTESTED | PUSH | SHARED) << VenueKind.unwrap(ADAPTER);
}

function equals(VenueKind a, VenueKind b) pure returns (bool) {
    return VenueKind.unwrap(a) == VenueKind.unwrap(b);
}

function differs(VenueKind a, VenueKind b) pure returns (bool) {
    return VenueKind.unwrap(a) != VenueKind.unwrap(b);
}

/// @notice Whether the table has the kind.
function isKnown(VenueKind kind) pure returns (bool) {
    return _in(
        kind,
        (VenueKinds.TABLE / VenueKinds.DERIVED
                | VenueKinds.TABLE / VenueKinds.LISTED
                | VenueKinds.TABLE / VenueKinds.ATTESTED) & VenueKinds.COLUMN
    );
}

/// @notice Whether the pool's address follows from the venue, the tokens and the key.
function isDerived(VenueKind kind) pure returns (bool) {
    return _in(kind, VenueKinds.TABLE / VenueKinds.DERIVED & VenueKinds.COLUMN);
}

/// @notice Whether the Hub lists the kind's pools, because they cannot be derived.
function isListed(VenueKind kind) pure returns (bool) {
    return _in(kind, VenueKinds.TABLE / VenueKinds.LISTED & VenueKinds.COLUMN);
}

/// @notice Whether the venue's deployer is an adapter, which asks a registry for the kind's pools.
function isAttested(VenueKind kind) pure returns (bool) {
    return _in(kind, VenueKinds.TABLE / VenueKinds.ATTESTED & VenueKinds.COLUMN);
}

/// @notice Whether liquidity changes at ticks.
function hasTicks(VenueKind kind) pure returns (bool) {
    return _in(kind, VenueKinds.TABLE / VenueKinds.TICKS & VenueKinds.COLUMN);
}

/// @notice Whether the Sampler draws and prices the kind's pools.
function isSampled(VenueKind kind) pure returns (bool) {
    return _in(kind, VenueKinds.TABLE / VenueKinds.SAMPLED & VenueKinds.COLUMN);
}

/// @notice Whether a pool calls back for its input.
function callsBack(VenueKind kind) pure returns (bool) {
    return _in(kind, VenueKinds.TABLE / VenueKinds.CALLBACK & VenueKinds.COLUMN);
}

/// @notice Whether a pool is sent its input ahead of the swap.
function isSentAhead(VenueKind kind) pure returns (bool) {
    return _in(kind, VenueKinds.TABLE / VenueKinds.PUSH & VenueKinds.COLUMN);
}

/// @notice Whether one contract holds the tokens of all pools.
function isShared(VenueKind kind) pure returns (bool) {
    return _in(kind, VenueKinds.TABLE / VenueKinds.SHARED & VenueKinds.COLUMN);
}

/// @notice Whether a dry run can borrow from a pool.
function lends(VenueKind kind) pure returns (bool) {
    return _in(kind, VenueKinds.TABLE / VenueKinds.LENDS & VenueKinds.COLUMN);
}

/// @notice Whether pools round the fee on their input down.
function roundsFeeDown(VenueKind kind) pure returns (bool) {
    return _in(kind, VenueKinds.TABLE / VenueKinds.FEE_ROUNDS_DOWN & VenueKinds.COLUMN);
}

/// @dev `column` is a constant of at most 16 bits, so this costs about as much as a comparison.
function _in(VenueKind kind, uint256 column) pure returns (bool) {
    return column >> VenueKind.unwrap(kind) & 1 != 0;
}
