import { createHash } from 'node:crypto'
import { quoterAbi } from '@sluice/abi'
import { startDevnet } from '@sluice/devnet'
import {
  DecodedQuote,
  Preparation,
  type PreparedRequest,
  type QuoteRequest,
  Registry,
} from '@sluice/domain'
import { decodeFunctionResult, encodeFunctionData, getAddress, type Hex } from 'viem'
import { type Figure, quantile } from '../lib/figures.js'
import { overHttp } from './overHttp.js'

const chainId = 8453
const recipient = getAddress('0x00000000000000000000000000000000000a11ce')
/** Rounds of each measurement. Ours and the bare one alternate, so that a busy machine slows both. */
const rounds = 30
const roundMs = 60

/**
 * Compares preparing and decoding with the bare codec: calls per second, compared with viem that encodes the same call and
 * decodes the same result; and requests per second over HTTP, compared with a bare server that returns the same bytes.
 */
export async function run(): Promise<Figure[]> {
  const devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  const { rpcUrl } = devnet.chains[0]!
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
    return [
      figure('prepare.perSecond', prepare.ours, '1/s'),
      figure('prepare.ratio', prepare.ratio, 'ratio'),
      figure('decode.perSecond', decode.ours, '1/s'),
      figure('decode.ratio', decode.ratio, 'ratio'),
      ...(await overHttp()),
    ]
  } finally {
    await devnet.stop()
  }
}

/** A trade whose amount changes with each call, and the node's result for it. */
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

/** The server's hash function. */
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

/** Returns the medians of calls per second, and the median of the ratios of all rounds. */
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
