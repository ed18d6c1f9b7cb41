/** Explanation of an error that can revert a swap. */
export type RevertFacts = {
  /** Declaration in Solidity, for example `BelowFloor(uint256 floor, uint256 amountOut)`. */
  readonly signature: string
  readonly meaning: string
  /** What to do next. */
  readonly advice: string
}

/** Explanation of a revert with a text instead of a custom error: `require(…, 'TF')`. */
export type ReasonFacts = Omit<RevertFacts, 'signature'> & { readonly reason: string }

/** Kind of contract that declares the error. */
export type Origin = 'sluice' | 'token' | 'permit2' | 'pool'

const askAgain = 'Request a new quote and send its transaction.'
const allow =
  'Approve the Router (`approval.spender` of the quote) for `amountIn` of the input token, then send again.'
const fund = 'Sell less, or fund the account first.'
const tokenRefuses =
  'The token decides who may transfer it. Check the token before you try again; another amount or route does not help.'
const signAgain = 'Sign again and send before the deadline.'
const askSmaller = 'Request a new quote. If it fails again, sell less.'

/** Errors of the Routers and of the libraries they use. */
const sluice: readonly RevertFacts[] = [
  {
    signature: 'BelowFloor(uint256 floor, uint256 amountOut)',
    meaning: 'The swap would have paid less than its minimum, so it was undone.',
    advice:
      'The price has moved, or a token takes a tax on transfers. Request a new quote; with `exact=1` it includes taxes.',
  },
  {
    signature: 'BelowPriceFloor(uint256 least, uint256 paid)',
    meaning:
      'A pool with hooks would have paid less for its leg than its quote lets through, so the swap was undone.',
    advice:
      'The price has moved, or the hooks pay less than they said. Request a new quote; without the hint at this pool if it fails again.',
  },
  {
    signature: 'Expired(uint256 deadline, uint256 timestamp)',
    meaning: "The block came after the swap's deadline.",
    advice: askAgain,
  },
  {
    signature: 'UnknownVenueKind(uint8 kind)',
    meaning: 'A venue of the Hub has a kind that this Router does not know.',
    advice: 'Report it: the Hub and the Router on this chain do not fit together.',
  },
  {
    signature: 'Paused()',
    meaning: 'The owner of the protocol has stopped swaps on this chain.',
    advice:
      'Wait until swaps resume, at least a day after the announcement. The protocol holds none of your tokens.',
  },
  {
    signature: 'Retired()',
    meaning: 'This generation of the protocol is switched off on this chain for good.',
    advice:
      'Request a quote of the other generation (`version`). The protocol holds none of your tokens.',
  },
  {
    signature: 'TooLittleGas(uint256 left, uint256 enough)',
    meaning: 'The transfer of the fee failed, possibly because too little gas was left.',
    advice: 'Send the same transaction with 500,000 more gas.',
  },
  {
    signature: 'PartialFill(address pool, uint256 amountIn, uint256 taken)',
    meaning: 'The pool ran out of liquidity before it took the whole input of its leg.',
    advice: askSmaller,
  },
  {
    signature: 'BeyondReserves(uint256 amountIn, uint256 reserveIn, uint256 reserveOut)',
    meaning: "The trade exceeds the range of the pool's formula.",
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
    meaning:
      'The route is malformed at this leg. If `leg` is the number of legs, the numbers of the route itself are wrong.',
    advice: 'Send the route of a quote unchanged.',
  },
  {
    signature: 'BadRecipient(address recipient)',
    meaning: 'The recipient is zero, the Router itself or one of the two tokens.',
    advice: 'Use an account that can spend the output.',
  },
  {
    signature: 'BadIntegratorFee(address integrator, uint256 integratorFeeBps)',
    meaning: 'The integrator is zero or the Router, or its fee is not from 1 to 100 basis points.',
    advice: 'Name an account that can spend the fee, and 1 to 100 basis points.',
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
    meaning: '`balanceOf` of the token failed: the address is not a token, or has no code.',
    advice: 'Check the address of the token.',
  },
  {
    signature: 'UnexpectedCall(address caller)',
    meaning: 'Someone called the Router during a swap, or a pool made an unexpected callback.',
    advice: 'Request a new quote. If it fails again, a pool or token of the route is hostile.',
  },
  {
    signature: 'NativeRefused(address recipient)',
    meaning: 'The recipient rejected the native coin.',
    advice: 'Use another recipient, or buy the wrapped coin.',
  },
  {
    signature: 'NotWrappedNative(address token)',
    meaning: 'The route does not begin or end with the wrapped native coin.',
    advice: 'Use `swapExactIn` for this route.',
  },
  {
    signature: 'NoLender()',
    meaning: 'No pool could lend the input for a dry run.',
    advice: 'Request the quote without `exact=1`.',
  },
  {
    signature: 'TransferRefused(address token, bytes reason)',
    meaning: 'A token rejected a transfer; `reason` is its error.',
    advice:
      'Read the reason. Common ones: the allowance or balance is too low, or the token is paused or blocks an account.',
  },
  {
    signature: 'TransferFromFailed()',
    meaning: 'The input token rejected the transfer from the payer.',
    advice: `${allow} If it is approved already, the payer holds too little, or the token is paused or blocks the payer.`,
  },
  {
    signature: 'TransferFailed()',
    meaning: 'A token rejected a transfer from the Router.',
    advice: tokenRefuses,
  },
  {
    signature: 'ApproveFailed()',
    meaning: 'A token rejected an approval.',
    advice: tokenRefuses,
  },
  {
    signature: 'ETHTransferFailed()',
    meaning: 'The recipient rejected the native coin.',
    advice: 'Use another recipient, or buy the wrapped coin.',
  },
]

/** Errors of tokens built with OpenZeppelin or Solady, as most are. */
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
    meaning: 'The token does not allow this address to receive it.',
    advice: 'Use another recipient.',
  },
  {
    signature: 'ERC20InvalidSender(address sender)',
    meaning: 'The token does not allow this address to send it.',
    advice: tokenRefuses,
  },
  {
    signature: 'EnforcedPause()',
    meaning: 'The token is paused by its owner.',
    advice: tokenRefuses,
  },
  {
    signature: 'ERC2612ExpiredSignature(uint256 deadline)',
    meaning: 'The permit has expired.',
    advice: signAgain,
  },
  {
    signature: 'ERC2612InvalidSigner(address signer, address owner)',
    meaning: 'Another account signed the permit, or it has other values.',
    advice: 'Sign the prepared data unchanged, with the account that pays.',
  },
  { signature: 'PermitExpired()', meaning: 'The permit has expired.', advice: signAgain },
  {
    signature: 'InvalidPermit()',
    meaning: 'Another account signed the permit, or it has other values.',
    advice: 'Sign the prepared data unchanged, with the account that pays.',
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
    meaning: 'The signature has expired.',
    advice: signAgain,
  },
  {
    signature: 'InvalidSigner()',
    meaning: 'The signature is from another account, or for other data.',
    advice: 'Sign the prepared data unchanged, with the account that pays.',
  },
  {
    signature: 'InvalidSignature()',
    meaning: 'The signature is malformed.',
    advice: 'Send the 64 or 65 bytes from the wallet unchanged.',
  },
  {
    signature: 'InvalidSignatureLength()',
    meaning: 'The signature is not 65 or 64 bytes long.',
    advice: 'Send the bytes from the wallet unchanged.',
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
    meaning: 'A contract that the pool called has reverted; `reason` is its error.',
    advice: 'Read the reason.',
  },
  { signature: 'PoolNotInitialized()', meaning: 'The pool does not exist.', advice: askAgain },
  { signature: 'NotEnoughLiquidity()', meaning: 'The pool holds too little.', advice: askSmaller },
  {
    signature: 'PriceLimitAlreadyExceeded(uint160 sqrtPriceCurrentX96, uint160 sqrtPriceLimitX96)',
    meaning: "The pool's price has reached its limit.",
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
    advice: 'Request a quote with `exact=1`, which includes taxes.',
  },
  {
    signature: 'transferFailed()',
    meaning: 'The pool could not pay out a token.',
    advice: tokenRefuses,
  },
  {
    signature: 'invalidLimitSqrtPrice()',
    meaning: "The pool's price has reached its limit.",
    advice: askSmaller,
  },
  {
    signature: 'InsufficientOutputAmount()',
    meaning: 'The output rounds to zero.',
    advice: 'Sell more.',
  },
  {
    signature: 'InsufficientInputAmount()',
    meaning: 'The pool was paid too little: the input token takes a tax on transfers.',
    advice: 'Request a quote with `exact=1`, which includes taxes.',
  },
  {
    signature: 'InsufficientLiquidity()',
    meaning: 'The pool holds too little.',
    advice: askSmaller,
  },
  {
    signature: 'K()',
    meaning: 'The pool was paid too little: the input token takes a tax on transfers.',
    advice: 'Request a quote with `exact=1`, which includes taxes.',
  },
  {
    signature: 'IsPaused()',
    meaning: 'The venue has paused its pools.',
    advice: 'Request a new quote later.',
  },
]

/** Every known custom error, by origin. */
export const knownErrors: Readonly<Record<Origin, readonly RevertFacts[]>> = {
  sluice,
  token,
  permit2,
  pool,
}

const tooLittleIn = {
  meaning: 'The pool was paid too little: the input token takes a tax on transfers.',
  advice: 'Request a quote with `exact=1`, which includes taxes.',
}
const noTransfer = { meaning: 'The pool could not pay out a token.', advice: tokenRefuses }
const noAllowance = { meaning: 'The spender is approved for too little.', advice: allow }
const noBalance = { meaning: 'The payer holds too little.', advice: fund }
const inUse = { meaning: 'The pool was called while it was in use.', advice: askAgain }

/** Revert texts of widespread tokens and venues. */
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
    meaning: 'The output rounds to zero.',
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
  { reason: 'SPL', meaning: "The pool's price has reached its limit.", advice: askSmaller },
  {
    reason: 'BAL#507',
    meaning: 'The swap would have paid less than its minimum.',
    advice: askAgain,
  },
  { reason: 'BAL#304', meaning: 'The trade is too large for the pool.', advice: askSmaller },
  {
    reason: 'BAL#402',
    meaning: 'The venue has paused its pools.',
    advice: 'Request a new quote later.',
  },
]
