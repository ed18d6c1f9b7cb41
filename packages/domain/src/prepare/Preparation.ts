import { type Address, type Hex, numberToHex } from 'viem'
import * as Endpoints from '../endpoints/Endpoints.js'
import * as PlanCall from '../plan/PlanCall.js'
import type { StateOverride } from '../registry/Undeployed.js'
import * as PreparedRequest from '../request/PreparedRequest.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'

type Plain = readonly [Pick<PlanCall.Call, 'to' | 'data' | 'gas'>, block: 'latest' | Hex]

/** Where a node's answer becomes a quote. */
export const decode = Endpoints.all.postDecode

/** A whole JSON-RPC request, to be sent as it is. */
export type RpcRequest = {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: 'eth_call'
  /** The third is there where the chain has no deployment yet. */
  readonly params: Plain | readonly [...Plain, StateOverride]
}

/** Stands in a call for state that stands elsewhere in the same answer: a JSON pointer as a URI fragment. */
export type OverrideReference = `#/overrides/${number}`

/** One that is to be sent once its reference was replaced by what it points to. */
export type ReferringRequest = Omit<RpcRequest, 'params'> & {
  readonly params: readonly [...Plain, OverrideReference]
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

/** A preparation in an answer that holds the state of its chain once for all. No command is given for it. */
export type Referring = Omit<Preparation, 'rpcRequest' | 'curl'> & {
  readonly rpcRequest: ReferringRequest
}

/** Prepares the call for a request. Pure: nothing is asked of any node. */
export function from(request: QuoteRequest, options: from.Options): Preparation {
  const { blockNumber, funds, gas, id = 1, rpcUrl } = options
  const override = overrideOf(request.chain, funds)
  const call = PlanCall.of(request)
  const sent = gas === undefined ? call : { ...call, gas }
  const block = blockNumber === undefined ? 'latest' : numberToHex(blockNumber)
  const plain = plainOf(sent, block)
  const params = override === undefined ? plain : ([...plain, override] as const)
  const rpcRequest = { jsonrpc: '2.0', id, method: 'eth_call', params } as const
  const curl = curlOf(rpcRequest, rpcUrl)
  const { head, tail } = frameOf(request, call, options)
  return { ...head, rpcRequest, curl, ...tail }
}

/** The same for an answer that holds the state that the chain's calls bring along once for all of them. */
export function referring(
  request: QuoteRequest,
  options: Pick<from.Options, 'preparedAt' | 'id' | 'hash'>,
): Referring {
  const { id = 1 } = options
  const call = PlanCall.of(request)
  const params = [...plainOf(call, 'latest'), `#/overrides/${request.chain.chainId}`] as const
  const rpcRequest = { jsonrpc: '2.0', id, method: 'eth_call', params } as const
  const { head, tail } = frameOf(request, call, options)
  return { ...head, rpcRequest, ...tail }
}

/**
 * A request as a node takes it: with the state that it points to.
 *
 * @param overrides Of the answer in which the request stands.
 */
export function resolve<request extends { readonly params: readonly unknown[] }>(
  request: request,
  overrides: Readonly<Record<string, object>>,
): request {
  const { params } = request
  const [call, block, reference] = params
  const chainId = typeof reference === 'string' && /^#\/overrides\/(\d+)$/.exec(reference)?.[1]
  const override = chainId ? overrides[chainId] : undefined
  return override === undefined ? request : { ...request, params: [call, block, override] }
}

function plainOf({ data, gas, to }: PlanCall.Call, block: 'latest' | Hex): Plain {
  return [{ to, data, gas }, block]
}

/** What stands before and after the ways to send the call. */
function frameOf(
  request: QuoteRequest,
  call: PlanCall.Call,
  { hash, preparedAt }: Pick<from.Options, 'preparedAt' | 'hash'>,
) {
  const { chainId, contracts, version } = request.chain
  const { quoter, router } = contracts
  const prepared = PreparedRequest.from(request, { call, preparedAt, hash })
  return {
    head: {
      ok: true,
      mode: 'prepare',
      chainId,
      protocolVersion: version,
      contracts: { quoter, router },
      call,
    },
    tail: { request: prepared, decode, expiresAt: prepared.expiresAt },
  } as const
}

export declare namespace from {
  type Options = {
    /** Unix milliseconds. */
    preparedAt: number
    /** Block to ask the node for. @default its latest */
    blockNumber?: number | undefined
    /** Storage that the call gives along, so that a dry run has the input. */
    funds?: StateOverride | undefined
    /** Gas for the call. @default what every node takes */
    gas?: Hex | undefined
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

/** More characters than this a system does not take as one argument of a command. */
const maxArgumentLength = 100_000

/**
 * A shell command that sends JSON-RPC to the reader's node.
 *
 * @param content JSON without a single quote in it.
 * @param rpcUrl The node to ask if the reader sets no variable.
 * @param variable Name of the reader's variable. @default RPC_URL
 */
export function curlOf(content: object, rpcUrl?: string, variable = 'RPC_URL'): string {
  const json = JSON.stringify(content)
  const url = rpcUrl === undefined ? `$${variable}` : `\${${variable}:-${rpcUrl}}`
  const start = "curl -s -H 'content-type: application/json' --data"
  return json.length > maxArgumentLength
    ? `${start} @- "${url}" <<'JSON'\n${json}\nJSON`
    : `${start} '${json}' "${url}"`
}

/**
 * The shell command that sends a JSON-RPC batch to the reader's node. A node knows one chain: where the calls are of
 * several, each chain has a command of its own, whose node `RPC_<chainId>` names. `undefined` if there is no call.
 *
 * @param options.rpcUrlOf A node to name if the reader names none.
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
    return curlOf(batch, options.rpcUrlOf(chainId), variable)
  })
  return commands.join('\n')
}
