import { parseQuote, type Quote } from '@sluice/sdk'
import { unchecked } from '../src/machine/Check.js'
import { keyOf, questionOf, tokenKey } from '../src/machine/question.js'
import type { State, Token } from '../src/machine/State.js'

/** States and quotes for tests of the machine alone. */

export const [me, other] = [
  '0x00000000000000000000000000000000000000A1',
  '0x00000000000000000000000000000000000000b2',
]
export const slu = '0x00000000000000000000000000000000000000c3'
export const usdc = '0x00000000000000000000000000000000000000d4'
const token = (chainId: number, address: string, symbol: string, decimals: number): Token => {
  return { chainId, address, symbol, name: symbol, decimals, isListed: true }
}
export const tokens: readonly Token[] = [8453, 42161].flatMap((chainId) => [
  token(chainId, 'ETH', 'ETH', 18),
  token(chainId, slu, 'SLU', 18),
  token(chainId, usdc, 'USDC', 6),
])

export function stateOf(changes: Partial<State> = {}): State {
  return {
    trade: {
      chainId: 8453,
      tokenIn: slu,
      tokenOut: usdc,
      text: '100',
      fixed: 'in',
      recipient: '',
      slippageBps: undefined,
      generation: 'auto',
    },
    wallet: {
      choices: [{ id: 'w', name: 'W' }],
      status: 'connected',
      id: 'w',
      account: me,
      chainId: 8453,
      batches: [],
    },
    tokens: new Map(tokens.map((each) => [tokenKey(each.chainId, each.address), each])),
    generations: new Map([8453, 42161].map((id) => [id, ['1.0.0', '2.0.0']])),
    chainNames: new Map([
      [8453, 'Base'],
      [42161, 'Arbitrum'],
    ]),
    balances: new Map(),
    payments: new Map(),
    asking: { key: undefined },
    shown: undefined,
    check: unchecked,
    checkedId: undefined,
    hasNode: false,
    isHidden: false,
    isOnline: true,
    step: { at: 'form' },
    activity: [],
    sends: 0,
    answers: 0,
    now: 1_000_000,
    ...changes,
  }
}

/** An answer to what the state asks, as the service would give it. */
export function quoteFor(state: State, options: quoteFor.Options = {}): Quote {
  const { block = 7, impactBps = 10, issue, now = state.now } = options
  const question = questionOf(state)!
  const { chain, in: tokenIn, out: tokenOut } = question
  const { amountIn = 1_000n, amountOut: asked } = question
  const { amountOut = BigInt(asked ?? 1_000_000n), sold = 1_005n } = options
  const deadline = Math.floor(now / 1_000) + 300
  const swap = {
    to: other,
    data: '0x01',
    value: '0',
    gas: '100000',
    deadline,
    deadlineFrom: 'clock',
  }
  const call = (purpose: string) => ({
    purpose,
    to: other,
    data: '0x02',
    value: '0x0',
    gas: '0x100',
  })
  const { signature } = question
  const permit = {
    kind: signature,
    owner: question.sender,
    nonce: '0',
    recipient: question.recipient,
    minOut: '1',
    deadline: String(deadline),
    gas: '100000',
    typedData: { domain: { name: 'T', chainId: chain, verifyingContract: tokenIn }, types: {} },
  }
  const isSigned = signature !== undefined
  const isBlocked = issue === 'balance' || issue === 'simulation'
  return parseQuote({
    ok: true,
    mode: 'exact',
    chainId: chain,
    tokenIn,
    tokenOut,
    amountIn: String(amountIn),
    amountOut: String(amountOut),
    ...(asked !== undefined && {
      exactOutput: {
        amountOut: String(asked),
        amountInMax: String(sold),
        lowerBound: null,
        gapBps: null,
      },
    }),
    quote: {
      grossOut: String(amountOut),
      protocolFee: '0',
      netOut: String(amountOut),
      ironFloor: '1',
      effectiveMinOut: String((amountOut * 99n) / 100n),
      impactBps,
      estGas: '1',
      hops: 1,
      legs: 1,
      canExecute: true,
      hasSurplus: false,
      feeBps: 28,
    },
    route: {
      tokenIn,
      tokenOut,
      amountIn: String(amountIn),
      grossOut: String(amountOut),
      impactBps,
      legs: [],
    },
    issues: {
      ...(issue === 'balance' && {
        balance: { token: tokenIn, actual: '0', expected: String(amountIn) },
      }),
      ...(issue === 'allowance' && {
        allowance: { spender: other, actual: '0', expected: String(amountIn) },
      }),
      ...(issue === 'simulation' && { simulation: { code: 'Paused', error: 'It is paused.' } }),
    },
    ...(!isBlocked && isSigned && { permit }),
    ...(issue === undefined && (isSigned ? { calls: [] } : { tx: swap, calls: [call('swap')] })),
    ...(issue === 'allowance' && {
      calls: isSigned ? [call('approve')] : [call('approve'), call('swap')],
    }),
    ...(isBlocked && { txReason: 'no' }),
    meta: { quotedAt: 0, latencyMs: 0, rpcTried: 1, cache: 'miss', blockNumber: block },
  })
}

export declare namespace quoteFor {
  type Options = {
    amountOut?: bigint
    /** What the swap sells if the reader fixes the output. */
    sold?: bigint
    block?: number
    impactBps?: number
    issue?: 'allowance' | 'balance' | 'simulation' | undefined
    now?: number
  }
}

export function keyIn(state: State): string {
  return keyOf(questionOf(state))!
}
