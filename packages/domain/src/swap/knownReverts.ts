/** What to know about an error with which a contract can end a swap. */
export type RevertFacts = {
  /** As Solidity declares it, for example `BelowFloor(uint256 floor, uint256 amountOut)`. */
  readonly signature: string
  readonly meaning: string
  /** What to do next. */
  readonly advice: string
}

/** A plain text in place of a custom error: `require(…, 'TF')`. */
export type ReasonFacts = Omit<RevertFacts, 'signature'> & { readonly reason: string }

/** Whose error it is. */
export type Origin = 'sluice' | 'token' | 'permit2' | 'pool'

const askAgain = 'Ask for a new quote and send that one.'
const allow =
  'Approve the Router (`approval.spender` of the quote) for `amountIn` of the input token, then send again.'
const fund = 'Sell less, or fund the account first.'
const tokenRefuses =
  'The token decides who may move it. Look the token up before you try again; another amount or route does not help.'
const signAgain = 'Sign again and send before the deadline.'
const askSmaller = 'Ask for a new quote. If it fails again, sell less.'

/** Errors of the Routers, and of what they are built with. */
const sluice: readonly RevertFacts[] = [
  {
    signature: 'BelowFloor(uint256 floor, uint256 amountOut)',
    meaning: 'The swap would have paid less than its minimum, so it was undone.',
    advice:
      'The price has moved, or a token takes a tax on transfers. Ask for a new quote; with `exact=1` it counts taxes.',
  },
  {
    signature: 'Expired(uint256 deadline, uint256 timestamp)',
    meaning: "The block came after the swap's deadline.",
    advice: askAgain,
  },
  {
    signature: 'UnknownVenueKind(uint8 kind)',
    meaning: 'A venue of the Hub has a kind that this Router does not know.',
    advice: 'Report it: the Hub and the Router on this chain do not belong together.',
  },
  {
    signature: 'Paused()',
    meaning: 'The owner of the protocol has stopped swaps on this chain.',
    advice:
      'Wait until swaps are resumed, a day after that was announced at the least. Nothing of yours is held.',
  },
  {
    signature: 'Retired()',
    meaning: 'This generation of the protocol is switched off on this chain for good.',
    advice: 'Ask for a quote of the other generation (`version`). Nothing of yours is held.',
  },
  {
    signature: 'TooLittleGas(uint256 left, uint256 enough)',
    meaning:
      'The fee could not be paid with the gas that was left, and it may be for the lack of it.',
    advice: 'Send the same transaction with half a million gas more.',
  },
  {
    signature: 'PartialFill(address pool, uint256 amountIn, uint256 taken)',
    meaning: "The pool's liquidity ended before it had taken the whole input of its leg.",
    advice: askSmaller,
  },
  {
    signature: 'BeyondReserves(uint256 amountIn, uint256 reserveIn, uint256 reserveOut)',
    meaning: "The trade is beyond what the pool's mathematics can count.",
    advice: askSmaller,
  },
  {
    signature: 'LeftBehind(address token, uint256 amount)',
    meaning: 'Some of a token would have stayed in the Router.',
    advice: askAgain,
  },
  {
    signature: 'UnknownPool(address pool, address derived)',
    meaning: 'A leg names a pool that its venue did not create.',
    advice:
      'Send the route of a quote unchanged. If you did, do not trust the source of the quote.',
  },
  {
    signature: 'UnknownVenue(uint16 venue)',
    meaning: 'A leg names a venue that the chain does not have, or that was removed.',
    advice: askAgain,
  },
  {
    signature: 'BadRoute(uint256 leg)',
    meaning: 'The route is malformed at this leg; the number of legs means its own numbers.',
    advice: 'Send the route of a quote unchanged.',
  },
  {
    signature: 'BadRecipient(address recipient)',
    meaning: 'The recipient is zero, the Router itself or one of the two tokens.',
    advice: 'Name an account that can use the output.',
  },
  {
    signature: 'ZeroMinimum()',
    meaning: 'A minimum of zero would switch price protection off.',
    advice: 'Send the calldata of a quote unchanged.',
  },
  {
    signature: 'ZeroAmount()',
    meaning: 'The input is zero.',
    advice: 'Send the calldata of a quote unchanged.',
  },
  {
    signature: 'UnreadableBalance(address token)',
    meaning: 'The token does not answer `balanceOf`: it is not a token, or not deployed.',
    advice: 'Check the address of the token.',
  },
  {
    signature: 'UnexpectedCall(address caller)',
    meaning: 'Someone called the Router while a swap was running, or a pool called back wrongly.',
    advice: 'Ask for a new quote. If it fails again, a pool or token of the route is hostile.',
  },
  {
    signature: 'NativeRefused(address recipient)',
    meaning: 'The recipient did not take the native coin.',
    advice: 'Name another recipient, or ask for the wrapped coin.',
  },
  {
    signature: 'NotWrappedNative(address token)',
    meaning: 'The route does not begin or end with the wrapped native coin.',
    advice: 'Use `swapExactIn` for this route.',
  },
  {
    signature: 'NoLender()',
    meaning: 'No pool could lend the input for a dry run.',
    advice: 'Ask without `exact=1`.',
  },
  {
    signature: 'TransferRefused(address token, bytes reason)',
    meaning: 'A token refused a transfer; `reason` is what it said.',
    advice:
      'Read the reason: too little allowance or balance, or a token that is paused or blocks an account.',
  },
  {
    signature: 'TransferFromFailed()',
    meaning: 'The input token refused to move from the payer.',
    advice: `${allow} If it is approved, the payer holds too little of it, or the token is paused or blocks the payer.`,
  },
  {
    signature: 'TransferFailed()',
    meaning: 'A token refused a transfer from the Router.',
    advice: tokenRefuses,
  },
  {
    signature: 'ApproveFailed()',
    meaning: 'A token refused an approval.',
    advice: tokenRefuses,
  },
  {
    signature: 'ETHTransferFailed()',
    meaning: 'The recipient did not take the native coin.',
    advice: 'Name another recipient, or ask for the wrapped coin.',
  },
]

/** Errors of tokens: those of OpenZeppelin and Solady, which most tokens are made of. */
const token: readonly RevertFacts[] = [
  {
    signature: 'ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
    meaning: 'The spender is approved for less than the swap needs.',
    advice: allow,
  },
  {
    signature: 'InsufficientAllowance()',
    meaning: 'The spender is approved for too little.',
    advice: allow,
  },
  {
    signature: 'ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
    meaning: 'The payer holds less than the swap needs.',
    advice: fund,
  },
  { signature: 'InsufficientBalance()', meaning: 'The payer holds too little.', advice: fund },
  {
    signature: 'ERC20InvalidReceiver(address receiver)',
    meaning: 'The token does not let this address receive it.',
    advice: 'Name another recipient.',
  },
  {
    signature: 'ERC20InvalidSender(address sender)',
    meaning: 'The token does not let this address send it.',
    advice: tokenRefuses,
  },
  {
    signature: 'EnforcedPause()',
    meaning: 'The token is paused by its owner.',
    advice: tokenRefuses,
  },
  {
    signature: 'ERC2612ExpiredSignature(uint256 deadline)',
    meaning: "The permit's deadline is past.",
    advice: signAgain,
  },
  {
    signature: 'ERC2612InvalidSigner(address signer, address owner)',
    meaning: 'The permit was signed by another account, or for other values.',
    advice: 'Sign with the account that pays, exactly the data that was prepared.',
  },
  { signature: 'PermitExpired()', meaning: "The permit's deadline is past.", advice: signAgain },
  {
    signature: 'InvalidPermit()',
    meaning: 'The permit was signed by another account, or for other values.',
    advice: 'Sign with the account that pays, exactly the data that was prepared.',
  },
]

const permit2: readonly RevertFacts[] = [
  {
    signature: 'InvalidNonce()',
    meaning: 'The signature was used already.',
    advice: 'Sign again with another nonce.',
  },
  {
    signature: 'SignatureExpired(uint256 signatureDeadline)',
    meaning: "The signature's deadline is past.",
    advice: signAgain,
  },
  {
    signature: 'InvalidSigner()',
    meaning: 'The signature is of another account, or of other data.',
    advice: 'Sign with the account that pays, exactly the data that was prepared.',
  },
  {
    signature: 'InvalidSignature()',
    meaning: 'The signature cannot be read.',
    advice: 'Send the 65 or 64 bytes that the wallet gave, unchanged.',
  },
  {
    signature: 'InvalidSignatureLength()',
    meaning: 'The signature is not 65 or 64 bytes long.',
    advice: 'Send the bytes that the wallet gave, unchanged.',
  },
  {
    signature: 'InvalidContractSignature()',
    meaning: "The payer's contract does not accept the signature (EIP-1271).",
    advice: 'Sign with an owner of the contract account, or use an approval.',
  },
  {
    signature: 'InvalidAmount(uint256 maxAmount)',
    meaning: 'The swap asks for more than was signed.',
    advice: 'Sign the amount of the quote.',
  },
]

/** Errors of venues. */
const pool: readonly RevertFacts[] = [
  {
    signature: 'WrappedError(address target, bytes4 selector, bytes reason, bytes details)',
    meaning: 'A contract that the pool called reverted; `reason` is what it said.',
    advice: 'Read the reason.',
  },
  { signature: 'PoolNotInitialized()', meaning: 'The pool does not exist.', advice: askAgain },
  { signature: 'NotEnoughLiquidity()', meaning: 'The pool holds too little.', advice: askSmaller },
  {
    signature: 'PriceLimitAlreadyExceeded(uint160 sqrtPriceCurrentX96, uint160 sqrtPriceLimitX96)',
    meaning: "The pool's price is at its end.",
    advice: askSmaller,
  },
  {
    signature: 'CurrencyNotSettled()',
    meaning: 'The pool manager was paid too little.',
    advice: tokenRefuses,
  },
  {
    signature: 'ManagerLocked()',
    meaning: 'The pool manager was called out of order.',
    advice: askAgain,
  },
  { signature: 'locked()', meaning: 'The pool was called while it was in use.', advice: askAgain },
  {
    signature: 'insufficientInputAmount()',
    meaning: 'The pool was paid too little: the input token takes a tax on transfers.',
    advice: 'Ask with `exact=1`, which counts taxes.',
  },
  {
    signature: 'transferFailed()',
    meaning: 'The pool could not pay out a token.',
    advice: tokenRefuses,
  },
  {
    signature: 'invalidLimitSqrtPrice()',
    meaning: "The pool's price is at its end.",
    advice: askSmaller,
  },
  {
    signature: 'InsufficientOutputAmount()',
    meaning: 'The output rounds to nothing.',
    advice: 'Sell more.',
  },
  {
    signature: 'InsufficientInputAmount()',
    meaning: 'The pool was paid too little: the input token takes a tax on transfers.',
    advice: 'Ask with `exact=1`, which counts taxes.',
  },
  {
    signature: 'InsufficientLiquidity()',
    meaning: 'The pool holds too little.',
    advice: askSmaller,
  },
  {
    signature: 'K()',
    meaning: 'The pool was paid too little: the input token takes a tax on transfers.',
    advice: 'Ask with `exact=1`, which counts taxes.',
  },
  {
    signature: 'IsPaused()',
    meaning: 'The venue has stopped its pools.',
    advice: 'Ask for a new quote later.',
  },
]

export const knownErrors: Readonly<Record<Origin, readonly RevertFacts[]>> = {
  sluice,
  token,
  permit2,
  pool,
}

const tooLittleIn = {
  meaning: 'The pool was paid too little: the input token takes a tax on transfers.',
  advice: 'Ask with `exact=1`, which counts taxes.',
}
const noTransfer = { meaning: 'The pool could not pay out a token.', advice: tokenRefuses }
const noAllowance = { meaning: 'The spender is approved for too little.', advice: allow }
const noBalance = { meaning: 'The payer holds too little.', advice: fund }
const inUse = { meaning: 'The pool was called while it was in use.', advice: askAgain }

/** Plain texts, as widespread tokens and venues give them. */
export const knownReasons: readonly ReasonFacts[] = [
  { reason: 'ERC20: transfer amount exceeds allowance', ...noAllowance },
  { reason: 'ERC20: insufficient allowance', ...noAllowance },
  { reason: 'Dai/insufficient-allowance', ...noAllowance },
  { reason: 'ERC20: transfer amount exceeds balance', ...noBalance },
  { reason: 'Dai/insufficient-balance', ...noBalance },
  {
    reason: 'Pausable: paused',
    meaning: 'The token is paused by its owner.',
    advice: tokenRefuses,
  },
  {
    reason: 'Blacklistable: account is blacklisted',
    meaning: 'The token blocks an account of the swap.',
    advice: tokenRefuses,
  },
  { reason: 'UniswapV2: K', ...tooLittleIn },
  { reason: 'UniswapV2: INSUFFICIENT_INPUT_AMOUNT', ...tooLittleIn },
  { reason: 'IIA', ...tooLittleIn },
  {
    reason: 'UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT',
    meaning: 'The output rounds to nothing.',
    advice: 'Sell more.',
  },
  {
    reason: 'UniswapV2: INSUFFICIENT_LIQUIDITY',
    meaning: 'The pool holds too little.',
    advice: askSmaller,
  },
  { reason: 'UniswapV2: TRANSFER_FAILED', ...noTransfer },
  { reason: 'TF', ...noTransfer },
  { reason: 'UniswapV2: LOCKED', ...inUse },
  { reason: 'LOK', ...inUse },
  { reason: 'SPL', meaning: "The pool's price is at its end.", advice: askSmaller },
  {
    reason: 'BAL#507',
    meaning: 'The swap would have paid less than its minimum.',
    advice: askAgain,
  },
  { reason: 'BAL#304', meaning: 'The trade is too large for the pool.', advice: askSmaller },
  {
    reason: 'BAL#402',
    meaning: 'The venue has stopped its pools.',
    advice: 'Ask for a new quote later.',
  },
]
