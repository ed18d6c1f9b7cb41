import { type Client, type ClientOptions, createClient } from '../src/index.js'

export type Asked = { method: string; url: string; body: unknown; headers: Headers }

type Answer = Response | Error | (() => Promise<Response>)

/** A client with scripted responses, and the requests that it sent. The last response repeats. */
export function serviceOf(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const asked: Asked[] = []
  const fetch = (async (url: string, init: RequestInit) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]!
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    asked.push({ method: init.method!, url, body, headers: new Headers(init.headers) })
    init.signal?.throwIfAborted()
    if (answer instanceof Error) throw answer
    if (typeof answer !== 'function') return answer.clone()
    return await Promise.race([
      answer(),
      new Promise<never>((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      ),
    ])
  }) as typeof globalThis.fetch
  const client: Client = createClient({
    baseUrl: 'http://sluice.test/',
    fetch,
    retry: { baseDelayMs: 1 },
    ...options,
  })
  return { client, asked }
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers })
}

export function failure(code: string, status: number, more: object = {}): Response {
  return json({ ok: false, code, error: `It is ${code}.`, ...more }, status)
}

export const quoteBody = {
  ok: true,
  mode: 'preview',
  chainId: 8453,
  tokenIn: '0x4200000000000000000000000000000000000006',
  tokenOut: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amountIn: '1000000000000000000',
  amountOut: '9007199254740993',
  quote: {
    grossOut: '9032490227377650',
    protocolFee: '25290972636657',
    netOut: '9007199254740993',
    ironFloor: '8917127262193584',
    effectiveMinOut: '8917127262193584',
    impactBps: 3,
    estGas: '130000',
    hops: 1,
    legs: 1,
    canExecute: true,
    hasSurplus: false,
    feeBps: 28,
  },
  route: {
    tokenIn: '0x4200000000000000000000000000000000000006',
    tokenOut: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    amountIn: '1000000000000000000',
    grossOut: '9032490227377650',
    impactBps: 3,
    legs: [
      {
        venue: 2,
        pool: '0x00000000000000000000000000000000000000b0',
        tokenIn: '0x4200000000000000000000000000000000000006',
        tokenOut: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        key: '3000',
        share: '1000000000000000000',
      },
    ],
  },
  meta: { quotedAt: 1_700_000_000_000, latencyMs: 3, rpcTried: 1, cache: 'miss' },
} as const

export const trade = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: 10n ** 18n } as const
