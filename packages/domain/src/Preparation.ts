import { type Address, type Hex, numberToHex } from 'viem'
import * as CallText from './CallText.js'
import * as PlanCall from './PlanCall.js'
import * as PreparedRequest from './PreparedRequest.js'
import type { QuoteRequest } from './QuoteRequest.js'
import type { StateOverride } from './Undeployed.js'

/** Where a node's answer becomes a quote. */
export const decode = { method: 'POST', path: '/api/quote/decode' } as const

/** A whole JSON-RPC request, to be sent as it is. */
export type RpcRequest = {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: 'eth_call'
  /** The third is there where the chain has no deployment yet. */
  readonly params:
    | readonly [Pick<PlanCall.Call, 'to' | 'data' | 'gas'>, block: 'latest' | Hex]
    | readonly [Pick<PlanCall.Call, 'to' | 'data' | 'gas'>, block: 'latest' | Hex, StateOverride]
}

/** The call that the reader's own node answers, and what turns its answer into a quote. As it stands in JSON. */
export type Preparation = {
  readonly ok: true
  readonly mode: 'prepare'
  readonly chainId: number
  readonly protocolVersion: string
  readonly contracts: { readonly quoter: Address; readonly router: Address }
  readonly call: PlanCall.Call
  readonly rpcRequest: RpcRequest
  /** The same for a shell. */
  readonly curl: string
  readonly request: PreparedRequest.PreparedRequest
  readonly decode: typeof decode
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** Prepares the call for a request. Pure: nothing is asked of any node. */
export function from(request: QuoteRequest, options: from.Options): Preparation {
  const { blockNumber, funds, hash, id = 1, preparedAt, rpcUrl } = options
  const { chainId, contracts, version } = request.chain
  const stateOverride = overrideOf(request.chain, funds)
  const call = PlanCall.of(request)
  const { data, gas, to } = call
  const block = blockNumber === undefined ? 'latest' : numberToHex(blockNumber)
  const plain = [{ to, data, gas }, block] as const
  const params = stateOverride === undefined ? plain : ([...plain, stateOverride] as const)
  const rpcRequest = { jsonrpc: '2.0', id, method: 'eth_call', params } as const
  const [before, after] = CallText.rpcSides(call, {
    block,
    id,
    override: stateOverride,
    quote: '"',
  })
  const prepared = PreparedRequest.from(request, { call, preparedAt, hash })
  return {
    ok: true,
    mode: 'prepare',
    chainId,
    protocolVersion: version,
    contracts: { quoter: contracts.quoter, router: contracts.router },
    call,
    rpcRequest,
    curl: CallText.command(`${before}${data}${after}`, rpcUrl),
    request: prepared,
    decode,
    expiresAt: prepared.expiresAt,
  }
}

export declare namespace from {
  type Options = {
    /** Unix milliseconds. */
    preparedAt: number
    /** Block to ask the node for. @default its latest */
    blockNumber?: number | undefined
    /** Storage that the call gives along, so that a dry run has the input. */
    funds?: StateOverride | undefined
    /** Id of the JSON-RPC request. @default 1 */
    id?: number | undefined
    /** A node to name in `curl` where the reader sets no `RPC_URL`; a devnet's own. */
    rpcUrl?: string | undefined
    hash?: PreparedRequest.Hash | undefined
  }
}

function overrideOf({ stateOverride }: QuoteRequest['chain'], funds: from.Options['funds']) {
  return funds === undefined ? stateOverride : { ...stateOverride, ...funds }
}

/** A shell command that sends JSON-RPC to the reader's node; `RPC_URL` names it. */
export function curlOf(content: object, rpcUrl?: string): string {
  return CallText.command(JSON.stringify(content), rpcUrl)
}

/**
 * The shell command that sends a JSON-RPC batch to the reader's node. A node knows one chain: where the calls are of
 * several, each chain has a command of its own, whose node `RPC_<chainId>` names. `undefined` where there is no call.
 *
 * @param options.rpcUrlOf A node to name where the reader names none.
 */
export function batchCurlOf(
  calls: readonly { readonly chainId: number; readonly rpcRequest: object }[],
  options: { rpcUrlOf: (chainId: number) => string | undefined },
): string | undefined {
  const chainIds = [...new Set(calls.map(({ chainId }) => chainId))]
  if (chainIds.length === 0) return undefined
  const commands = chainIds.map((chainId) => {
    const batch = calls.flatMap((call) => (call.chainId === chainId ? [call.rpcRequest] : []))
    const variable = chainIds.length === 1 ? undefined : `RPC_${chainId}`
    return CallText.command(JSON.stringify(batch), options.rpcUrlOf(chainId), variable)
  })
  return commands.join('\n')
}
