import type { Address } from 'viem'
import * as Endpoints from '../endpoints/Endpoints.js'
import * as PlanCall from '../plan/PlanCall.js'
import * as PreparedRequest from '../request/PreparedRequest.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as CallParameters from './CallParameters.js'

/** Endpoint that turns a node's response into a quote. */
export const decode = Endpoints.all.postDecode

/** A complete JSON-RPC request, ready to send. */
export type RpcRequest = {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: 'eth_call'
  readonly params: CallParameters.CallParameters
}

/** Reference to a state override in the same response: a JSON pointer as a URI fragment. */
export type OverrideReference = `#/overrides/${number}`

/** A JSON-RPC request whose reference must be replaced with the state override before it is sent. */
export type ReferringRequest = Omit<RpcRequest, 'params'> & {
  readonly params: readonly [...CallParameters.Plain, OverrideReference]
}

/** A prepared quote, in its JSON form: the call for the caller's own node, and the request that decode takes back. */
export type Preparation = {
  readonly ok: true
  readonly mode: 'prepare'
  readonly chainId: number
  readonly protocolVersion: string
  readonly contracts: { readonly quoter: Address; readonly router: Address }
  readonly call: PlanCall.Call
  readonly rpcRequest: RpcRequest
  /** `rpcRequest` as a shell command. */
  readonly curl: string
  readonly request: PreparedRequest.PreparedRequest
  readonly decode: typeof decode
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** A prepared quote in a batch that has the state override once per chain. It has no shell command. */
export type Referring = Omit<Preparation, 'rpcRequest' | 'curl'> & {
  readonly rpcRequest: ReferringRequest
}

/** Prepares the call of a request. Asks no node. */
export function from(request: QuoteRequest, options: from.Options): Preparation {
  const { id = 1, rpcUrl } = options
  const call = PlanCall.of(request)
  const params = CallParameters.of(request, options)
  const rpcRequest = { jsonrpc: '2.0', id, method: 'eth_call', params } as const
  const curl = curlOf(rpcRequest, rpcUrl)
  const { head, tail } = frameOf(request, call, options)
  return { ...head, rpcRequest, curl, ...tail }
}

/** Prepares the call of a request, with a reference in place of the state override. */
export function referring(
  request: QuoteRequest,
  options: Pick<from.Options, 'preparedAt' | 'id' | 'hash'>,
): Referring {
  const { id = 1 } = options
  const call = PlanCall.of(request)
  const params = [
    ...CallParameters.plainOf(call, 'latest'),
    `#/overrides/${request.chain.chainId}`,
  ] as const
  const rpcRequest = { jsonrpc: '2.0', id, method: 'eth_call', params } as const
  const { head, tail } = frameOf(request, call, options)
  return { ...head, rpcRequest, ...tail }
}

/** Members of a prepared quote before and after `rpcRequest` and `curl`. */
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
  type Options = CallParameters.of.Options & {
    /** Unix milliseconds. */
    preparedAt: number
    /** Id of the JSON-RPC request. @default 1 */
    id?: number | undefined
    /** Node URL that `curl` uses if `RPC_URL` is not set: that of a devnet. */
    rpcUrl?: string | undefined
    hash?: PreparedRequest.Hash | undefined
  }
}

/** Maximum length of a command-line argument, in characters, that every system accepts. */
const maxArgumentLength = 100_000

/**
 * Shell command that sends a JSON-RPC request or batch to the caller's node.
 *
 * @param content Request or batch whose JSON contains no single quote.
 * @param rpcUrl Node URL if the variable is not set.
 * @param variable Name of the environment variable with the node's URL. @default RPC_URL
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
 * Shell command that sends a JSON-RPC batch to the caller's node. If the calls are for several chains, returns one command
 * per chain, with the node URL in `RPC_<chainId>`. `undefined` if there are no calls.
 *
 * @param options.rpcUrlOf Node URL of a chain if its variable is not set.
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
