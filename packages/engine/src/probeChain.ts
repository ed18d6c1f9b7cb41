import { PlanCall } from '@sluice/domain'
import { type Hex, numberToHex } from 'viem'
import { type ChainState, noteHead, settleHead } from './ChainState.js'
import { readHead } from './readHead.js'
import { callBatch, type RpcCall, type RpcOutcome } from './rpc/callBatch.js'
import { isNodesFault } from './rpc/failures.js'
import * as Standing from './rpc/Standing.js'
import type { Upstream } from './rpc/Upstream.js'

const timeoutMs = 2_000

export type ProbeOptions = {
  /** Unix milliseconds. */
  now: () => number
  signal?: AbortSignal | undefined
}

/**
 * Asks every node of a chain which chain it serves, whether Router and Quoter hold code there, and what it can do. A
 * node of another chain is taken out, which also catches a mistyped setting.
 */
export async function probeChain(state: ChainState, options: ProbeOptions): Promise<void> {
  const startedAt = performance.now()
  await Promise.all(state.upstreams.map((upstream) => probe(state, upstream, options)))
  // All were asked, so whoever answered decides.
  settleHead(state, 1, startedAt)
}

async function probe(state: ChainState, upstream: Upstream, options: ProbeOptions): Promise<void> {
  const { quoter, router } = state.chain.contracts
  const askedAt = performance.now()
  const [chainId, header, quoterCode, routerCode, atNoBlock, metered] = await callBatch(
    upstream,
    [
      { method: 'eth_chainId', params: [] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getCode', params: [quoter, 'latest'] },
      { method: 'eth_getCode', params: [router, 'latest'] },
      ...capabilityCalls,
    ],
    { timeoutMs, signal: options.signal },
  )
  const head = readHead(state, header!, options.now())
  noteConduct(upstream, 'failure' in head && isNodesFault(head.failure))
  if (!chainId!.ok || typeof chainId!.result !== 'string') return
  upstream.isExcluded = Number.parseInt(chainId!.result, 16) !== state.chain.chainId
  if (upstream.isExcluded) return state.heads.forget(upstream.label, Number.POSITIVE_INFINITY)
  if (!('failure' in head)) noteHead(state, upstream, head, askedAt)
  if (hasCode(quoterCode!) && hasCode(routerCode!)) state.isProbed = true
  noteCapabilities(upstream, atNoBlock!, metered!)
}

/** Only the recovery of a demoted node is of interest: others are judged by their quotes. */
function noteConduct({ standing }: Upstream, hasFailed: boolean): void {
  if (!Standing.isDemoted(standing)) return
  if (hasFailed) Standing.fail(standing, performance.now())
  else Standing.succeed(standing, performance.now())
}

/** A hash that no block has. */
const noBlock: Hex = `0x${'5c'.repeat(32)}`
const somewhere = '0x00000000000000000000000000000000005c5c5c'
/** Returns the gas that is left: GAS, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const gasMeter: Hex = '0x5a60005260206000f3'

/**
 * A call at a hash that no block has must fail: a node that answers it ignores the hash. A call to code that exists only
 * as an override tells whether overrides are taken and how much gas a call gets.
 */
const capabilityCall = { to: somewhere, data: '0x', gas: numberToHex(PlanCall.exactGas) }
const capabilityCalls: readonly RpcCall[] = [
  { method: 'eth_call', params: [capabilityCall, { blockHash: noBlock }] },
  { method: 'eth_call', params: [capabilityCall, 'latest', { [somewhere]: { code: gasMeter } }] },
]

function noteCapabilities(upstream: Upstream, atNoBlock: RpcOutcome, metered: RpcOutcome): void {
  if (atNoBlock.ok) upstream.takesBlockHash = false
  if (!metered.ok) {
    if (metered.failure === 'unsupported') upstream.takesOverrides = false
    return
  }
  const isNumber = typeof metered.result === 'string' && /^0x[0-9a-f]{64}$/.test(metered.result)
  upstream.takesOverrides = isNumber
  upstream.gasCap = isNumber ? BigInt(metered.result as Hex) : undefined
}

function hasCode(outcome: RpcOutcome): boolean {
  return outcome.ok && typeof outcome.result === 'string' && /^0x[0-9a-f]{2}/.test(outcome.result)
}
