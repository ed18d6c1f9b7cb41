import { type Quote, Readiness, Rehearsal, SwapWay } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import type { PinnedBalance, PinnedCall, PinnedResult } from '../quotes/readPinned.js'

/** Storage slot of the sender's balance, and the amount to set there for a rehearsal. */
export type Funds = { readonly slot: Hex; readonly amount: bigint }

type Look = PinnedCall | PinnedBalance

/** Gas limit of a rehearsal: more than any swap with its preparation needs. */
const rehearsalGas = 50_000_000n
/** Native coin that a rehearsal gives the sender besides the amount sold, so that gas costs cannot make it fail. */
const coinForGas = 10n ** 18n

/** Returns the calls about the sender of a quote; `readState` reads their results, in the same order. */
export function callsOf(quote: Quote.Quote, funds: Funds | undefined): readonly Look[] {
  const { approval, request, tx } = quote
  const sender = request.sender!
  const rehearse = (resets: boolean) => rehearsalOf(quote, { funds, resets })
  return [
    request.tokenIn.isNative
      ? { balanceOf: sender }
      : { to: request.tokenIn.address, data: read('balanceOf', [sender]) },
    receivedOf(quote),
    ...(wraps(quote) ? [{ to: request.tokenIn.address, data: read('balanceOf', [sender]) }] : []),
    ...(approval
      ? [{ to: approval.token, data: read('allowance', [sender, approval.spender]) }]
      : []),
    rehearse(false),
    ...(approval ? [rehearse(true)] : []),
    ...(tx
      ? [
          {
            from: sender,
            to: tx.to,
            data: tx.data,
            value: numberToHex(tx.value),
            gas: rehearsalGas,
          },
        ]
      : []),
  ]
}

/** Reads the recipient's balance of the output token: a first balance costs more gas. */
function receivedOf({ request }: Quote.Quote): Look {
  const recipient = request.recipient!
  if (SwapWay.of(request) === 'nativeOut') return { balanceOf: recipient }
  return { to: request.tokenOut.address, data: read('balanceOf', [recipient]) }
}

/** Whether the native coin is wrapped by a separate transaction. */
function wraps({ request }: Quote.Quote): boolean {
  return request.tokenIn.isNative && SwapWay.of(request) !== 'nativeIn'
}

function read(functionName: 'balanceOf' | 'allowance', args: readonly Address[]): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName, args: args as never })
}

function rehearsalOf(
  quote: Quote.Quote,
  { funds, resets }: { funds: Funds | undefined; resets: boolean },
): PinnedCall {
  const { sender, tokenIn } = quote.request
  const { amountIn } = quote.soldRoute
  const from = sender!
  const code = Rehearsal.codeOf(Readiness.stepsOf(quote, { resets }))
  const token = funds && {
    [tokenIn.address]: { stateDiff: { [funds.slot]: numberToHex(funds.amount, { size: 32 }) } },
  }
  const coin = numberToHex((tokenIn.isNative ? amountIn : 0n) + coinForGas)
  const override = { [from]: { code, balance: coin }, ...token }
  // No `from`: some nodes reject calls from an account that has code.
  return { to: from, data: Rehearsal.start, gas: rehearsalGas, override }
}

/** Reads the results; `undefined` if the balance or the allowance is not a number. */
export function readState(
  quote: Quote.Quote,
  results: readonly PinnedResult[],
  options: { isFunded: boolean },
): Readiness.SenderState | undefined {
  const { approval, request, tx } = quote
  const left = [...results]
  const take = () => left.shift()!
  const balance = wordOf(take())
  const received = wordOf(take())
  const wrapped = wraps(quote) ? wordOf(take()) : undefined
  const allowance = approval ? wordOf(take()) : undefined
  if (balance === undefined || (approval && allowance === undefined)) return undefined
  const plain = stepsIn(take(), Readiness.stepsOf(quote, { resets: false }).length)
  const reset = approval
    ? stepsIn(take(), Readiness.stepsOf(quote, { resets: true }).length)
    : undefined
  const direct = tx ? directOf(take()) : undefined
  const isFunded = options.isFunded || request.tokenIn.isNative
  return { balance, received, wrapped, allowance, plain, reset, direct, isFunded }
}

function wordOf(result: PinnedResult): bigint | undefined {
  if (!result.ok || result.data.length < 3 || result.data.length > 66) return undefined
  return BigInt(result.data)
}

function stepsIn(result: PinnedResult, count: number) {
  return result.ok ? Rehearsal.read(result.data, count) : undefined
}

function directOf(result: PinnedResult) {
  if (result.ok) return { isOk: true, answer: result.data }
  const isHex = typeof result.data === 'string' && /^0x([0-9a-f]{2})*$/i.test(result.data)
  return { isOk: false, answer: isHex ? (result.data as Hex) : ('0x' as const) }
}

/** Whether the caller asked for a permit of the token. */
export function wantsPermit({ request, terms }: Quote.Quote): boolean {
  return terms !== undefined && SwapWay.of(request) === 'permit'
}
