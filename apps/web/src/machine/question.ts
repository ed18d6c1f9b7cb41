import { Addresses, SwapWay } from '@sluice/domain'
import type { QuoteParameters } from '@sluice/sdk'
import { type ReadAmount, readAmount } from './readAmount.js'
import { nativeCoin, type Payment, type State, type Token } from './State.js'

/** Seconds from the quote until a signed swap expires. */
export const deadlineSec = 300

export function tokenKey(chainId: number, address: string): string {
  return `${chainId} ${address.toLowerCase()}`
}

/** What is known of a side's token; a token that nobody has told of has its address for a name. */
export function tokenOf(
  { tokens }: Pick<State, 'tokens'>,
  chainId: number,
  address: string,
): Token {
  return (
    tokens.get(tokenKey(chainId, address)) ?? {
      chainId,
      address,
      symbol: Addresses.hasShape(address) ? Addresses.shorten(address) : address,
      name: 'Unknown token',
      decimals: undefined,
      isListed: false,
    }
  )
}

export function sidesOf(state: State): { tokenIn: Token; tokenOut: Token } {
  const { chainId, tokenIn, tokenOut } = state.trade
  return { tokenIn: tokenOf(state, chainId, tokenIn), tokenOut: tokenOf(state, chainId, tokenOut) }
}

/** The amount that the reader fixes. */
export function amountOf(state: State): ReadAmount {
  const { tokenIn, tokenOut } = sidesOf(state)
  const { fixed, text } = state.trade
  return readAmount(text, (fixed === 'in' ? tokenIn : tokenOut).decimals)
}

/** The generation that is asked. */
export function versionOf({ generations, trade }: State): string {
  const deployed = generations.get(trade.chainId) ?? []
  if (trade.generation !== 'auto' && deployed.includes(trade.generation)) return trade.generation
  return deployed.includes('2.0.0') ? '2.0.0' : '1.0.0'
}

/** The connected account. */
export function accountOf({ wallet }: State): string | undefined {
  return wallet.status === 'connected' ? wallet.account : undefined
}

export function recipientProblem(text: string): string | undefined {
  if (text === '') return undefined
  const parsed = Addresses.parse(text)
  if (!parsed.ok) return `The recipient ${parsed.reason}.`
  return BigInt(parsed.address) === 0n ? 'The zero address is nobody.' : undefined
}

/** What the form asks, if it asks anything. */
export function questionOf(state: State): QuoteParameters | undefined {
  const { chainId, fixed, integrator, recipient, slippageBps, tokenIn, tokenOut } = state.trade
  const amount = amountOf(state)
  if (!state.chainNames.has(chainId)) return undefined
  if (amount.kind !== 'amount' || isSamePair(state)) return undefined
  if (recipientProblem(recipient) !== undefined) return undefined
  const account = accountOf(state)
  const payee = recipient === '' ? account : recipient
  const signature = signatureOf(state)
  return {
    chain: chainId,
    in: tokenIn,
    out: tokenOut,
    ...(fixed === 'in' ? { amountIn: amount.base } : { amountOut: amount.base }),
    version: versionOf(state),
    ...(payee !== undefined && { recipient: payee, deadlineSec }),
    ...(account !== undefined && { sender: account }),
    ...(slippageBps !== undefined && { slippageBps }),
    ...(signature !== undefined && { signature }),
    ...(integrator !== undefined &&
      SwapWay.takesMore({ version: versionOf(state) }) && {
        integrator: integrator.account,
        integratorFeeBps: integrator.bps,
      }),
  }
}

/** Whether a signature could pay for what is sold. A wallet that makes several calls at once needs none. */
export function maySign(state: State): boolean {
  const { chainId, tokenIn, tokenOut } = state.trade
  const isCoin = tokenIn === nativeCoin || tokenOut === nativeCoin
  const batches = state.wallet.batches?.includes(chainId) === true
  const isTaken = SwapWay.takesMore({ version: versionOf(state) })
  return accountOf(state) !== undefined && isTaken && !isCoin && !batches
}

/** Names what the account pays with, for `State.payments`; `undefined` if a signature cannot pay for it. */
export function paymentKeyOf(state: State): string | undefined {
  const account = accountOf(state)
  if (account === undefined || !maySign(state)) return undefined
  return balanceKey(state.trade.chainId, account, state.trade.tokenIn)
}

/** How the account pays; `undefined` if that is not known, or a signature cannot pay. */
export function paymentOf(state: State): Payment | undefined {
  return state.payments.get(paymentKeyOf(state) ?? '')
}

function signatureOf(state: State): 'permit' | 'permit2' | undefined {
  const payment = paymentOf(state)
  return payment === 'permit' || payment === 'permit2' ? payment : undefined
}

/** Names a question: two that differ in anything have different names. */
export function keyOf(question: QuoteParameters | undefined): string | undefined {
  if (question === undefined) return undefined
  const entries = Object.entries(question).map(([name, value]) => `${name}=${String(value)}`)
  return entries.join('&').toLowerCase()
}

/** The coin and its wrapped form are one token to the Router. */
export function isSamePair({ tokens, trade }: State): boolean {
  const { chainId, tokenIn, tokenOut } = trade
  const plain = (address: string) => {
    const token = tokens.get(tokenKey(chainId, address))
    const isWrapped = token?.isListed === true && token.symbol === 'WETH'
    return address === nativeCoin || isWrapped ? nativeCoin : address.toLowerCase()
  }
  return plain(tokenIn) === plain(tokenOut)
}

/** The quote on the screen if it answers what the form asks now. */
export function currentQuote(state: State) {
  const key = keyOf(questionOf(state))
  return key !== undefined && state.shown?.key === key ? state.shown : undefined
}

export function balanceKey(chainId: number, account: string, token: string): string {
  return `${chainId} ${account.toLowerCase()} ${token.toLowerCase()}`
}

export function balanceOf(state: State, token: string): bigint | undefined {
  const account = accountOf(state)
  if (account === undefined) return undefined
  return state.balances.get(balanceKey(state.trade.chainId, account, token))
}
