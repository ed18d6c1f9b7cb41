import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { quoterAbi } from '@sluice/abi'
import { startDevnet } from '@sluice/devnet'
import {
  DecodedQuote,
  Preparation,
  type PreparedRequest,
  type QuoteRequest,
  Registry,
} from '@sluice/domain'
import { startServer } from '@sluice/server'
import autocannon from 'autocannon'
import { decodeFunctionResult, encodeFunctionData, getAddress, type Hex } from 'viem'
import { type Figure, quantile } from '../lib/figures.js'

const chainId = 8453
const recipient = getAddress('0x00000000000000000000000000000000000a11ce')
/** Rounds of each measurement, ours and the bare one in turns, so that a busy machine slows both. */
const rounds = 30
const roundMs = 60
const httpRounds = 5
const httpSeconds = 2

/**
 * What preparing and decoding cost beside the bare codec: calls per second of each, over viem encoding the same call and
 * decoding the same answer; and requests per second over HTTP beside a bare server that returns the same bytes.
 */
export async function run(): Promise<Figure[]> {
  const devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  const { rpcUrl } = devnet.chains[0]!
  const server = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map([[chainId, [rpcUrl]]]),
    logLevel: 'silent',
  })
  try {
    const registry = Registry.from(devnet.deployments, [chainId])
    const subject = await subjectOf(registry, rpcUrl)
    const figure = (name: string, value: number, unit: string): Figure => ({
      bench: 'codec',
      figure: name,
      value,
      unit,
      set: 'all',
    })
    const prepare = compare(
      () => prepareOnce(subject),
      () => encodeOnce(subject),
    )
    const decode = compare(
      () => decodeOnce(registry, subject),
      () => decodeBare(subject),
    )
    const http = await compareHttp(server.url)
    return [
      figure('prepare.perSecond', prepare.ours, '1/s'),
      figure('prepare.ratio', prepare.ratio, 'ratio'),
      figure('decode.perSecond', decode.ours, '1/s'),
      figure('decode.ratio', decode.ratio, 'ratio'),
      figure('http.perSecond', http.ours, '1/s'),
      figure('http.ratio', http.ratio, 'ratio'),
    ]
  } finally {
    await server.stop()
    await devnet.stop()
  }
}

/** A trade whose amount changes from call to call, and the node's answer to it. */
type Subject = {
  request: QuoteRequest.QuoteRequest
  prepared: Preparation.Preparation['request']
  result: Hex
  count: bigint
}

async function subjectOf(registry: Registry.Registry, rpcUrl: string): Promise<Subject> {
  const chain = registry.get(chainId)!
  const request = {
    chain,
    tokenIn: { address: chain.wrappedNative, isNative: true },
    tokenOut: { address: chain.usdc, isNative: false },
    amountIn: 300n * 10n ** 18n,
    recipient,
    slippageBps: 50,
    deadlineSec: 120,
    isExact: false,
    gasPrice: 0n,
    connectors: [],
  } as const
  const { request: prepared, rpcRequest } = Preparation.from(request, { preparedAt: Date.now() })
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rpcRequest),
  })
  const { result } = (await answer.json()) as { result: Hex }
  return { request, prepared, result, count: 0n }
}

/** The server's. */
const hash: PreparedRequest.Hash = (text) => `0x${createHash('sha256').update(text).digest('hex')}`

function prepareOnce(subject: Subject) {
  const amountIn = subject.request.amountIn + ++subject.count
  return Preparation.from({ ...subject.request, amountIn }, { preparedAt: Date.now(), hash })
}

function encodeOnce({ request, ...subject }: Subject) {
  return encodeFunctionData({
    abi: quoterAbi,
    functionName: 'previewPlan',
    args: [request.tokenIn.address, request.tokenOut.address, request.amountIn + ++subject.count],
  })
}

function decodeOnce(registry: Registry.Registry, { prepared, result }: Subject) {
  const now = prepared.preparedAt
  return DecodedQuote.from(registry, { prepared, result, now, maxBlockAgeSec: 3_600, hash })
}

function decodeBare({ result }: Subject) {
  return decodeFunctionResult({ abi: quoterAbi, functionName: 'previewPlanExact', data: result })
}

/** Medians of calls per second; the ratio's is of the rounds' ratios. */
function compare(ours: () => unknown, bare: () => unknown) {
  for (const action of [ours, bare]) perSecond(action)
  const pairs = Array.from({ length: rounds }, () => ({
    ours: perSecond(ours),
    bare: perSecond(bare),
  }))
  return {
    ours: quantile(
      pairs.map((pair) => pair.ours),
      0.5,
    ),
    ratio: quantile(
      pairs.map((pair) => pair.ours / pair.bare),
      0.5,
    ),
  }
}

function perSecond(action: () => unknown): number {
  const start = performance.now()
  let calls = 0
  while (performance.now() - start < roundMs) {
    for (let index = 0; index < 20; ++index) action()
    calls += 20
  }
  return (calls * 1_000) / (performance.now() - start)
}

async function compareHttp(url: string) {
  const path = `/api/quote/prepare?chain=base&in=ETH&out=USDC&amountIn=300&recipient=${recipient}`
  const body = await (await fetch(url + path)).text()
  const bare = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(body)
  })
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
  try {
    const pairs: { ours: number; bare: number }[] = []
    for (let round = 0; round <= httpRounds; ++round) {
      const pair = { ours: await load(url + path), bare: await load(bareUrl + path) }
      // The first round warms up.
      if (round > 0) pairs.push(pair)
    }
    return {
      ours: quantile(
        pairs.map((pair) => pair.ours),
        0.5,
      ),
      ratio: quantile(
        pairs.map((pair) => pair.ours / pair.bare),
        0.5,
      ),
    }
  } finally {
    bare.closeAllConnections()
    bare.close()
  }
}

async function load(url: string): Promise<number> {
  const result = await autocannon({
    url,
    connections: 20,
    duration: httpSeconds,
    // A connection serves a thousand requests and is closed.
    reconnectRate: 900,
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: not every answer was one`)
  return result.requests.average
}
