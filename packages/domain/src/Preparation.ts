import type { Address } from 'viem'
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
    | readonly [Pick<PlanCall.Call, 'to' | 'data' | 'gas'>, 'latest']
    | readonly [Pick<PlanCall.Call, 'to' | 'data' | 'gas'>, 'latest', StateOverride]
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
  const { hash, id = 1, preparedAt, rpcUrl } = options
  const { chainId, contracts, stateOverride, version } = request.chain
  const call = PlanCall.of(request)
  const { data, gas, to } = call
  const plain = [{ to, data, gas }, 'latest'] as const
  const params = stateOverride === undefined ? plain : ([...plain, stateOverride] as const)
  const rpcRequest = { jsonrpc: '2.0', id, method: 'eth_call', params } as const
  const prepared = PreparedRequest.from(request, { call, preparedAt, hash })
  return {
    ok: true,
    mode: 'prepare',
    chainId,
    protocolVersion: version,
    contracts: { quoter: contracts.quoter, router: contracts.router },
    call,
    rpcRequest,
    curl: commandOf(jsonOf(rpcRequest), rpcUrl),
    request: prepared,
    decode,
    expiresAt: prepared.expiresAt,
  }
}

/**
 * The same as JSON, written directly: most of it is long texts of hexadecimal, and with state overrides whole contracts,
 * that need no looking at each time. A property holds it to what `JSON.stringify` writes of `from`.
 *
 * @param options.macOf Adds a `mac` over the digest to the request.
 */
export function textOf(
  request: QuoteRequest,
  options: from.Options & { macOf?: ((digest: string) => string) | undefined },
): string {
  const { hash, id = 1, macOf, preparedAt, rpcUrl } = options
  const { chainId, contracts, stateOverride, version } = request.chain
  const call = PlanCall.of(request)
  const unsigned = PreparedRequest.from(request, { call, preparedAt, hash })
  const prepared = macOf === undefined ? unsigned : { ...unsigned, mac: macOf(unsigned.digest) }
  const rpc = rpcText(call, id, stateOverride, plainQuote)
  const [before, after] = commandParts(rpc.length, rpcUrl).map(escaped)
  const curl = `${before}${rpcText(call, id, stateOverride, escapedQuote)}${after}`
  const { quoter, router } = contracts
  return `{"ok":true,"mode":"prepare","chainId":${chainId},"protocolVersion":"${version}","contracts":{"quoter":"${quoter}","router":"${router}"},"call":{"to":"${call.to}","data":"${call.data}","gas":"${call.gas}","function":"${call.function}","signature":"${call.signature}"},"rpcRequest":${rpc},"curl":"${curl}","request":${JSON.stringify(prepared)},"decode":${decodeText},"expiresAt":${prepared.expiresAt}}`
}

const decodeText = JSON.stringify(decode)

export declare namespace from {
  type Options = {
    /** Unix milliseconds. */
    preparedAt: number
    /** Id of the JSON-RPC request. @default 1 */
    id?: number | undefined
    /** A node to name in `curl` where the reader sets no `RPC_URL`; a devnet's own. */
    rpcUrl?: string | undefined
    hash?: PreparedRequest.Hash | undefined
  }
}

/** A shell command that sends a JSON-RPC batch to the reader's node; `RPC_URL` names it. */
export function curlOf(batch: object, rpcUrl?: string): string {
  return commandOf(JSON.stringify(batch), rpcUrl)
}

/** More than this a system does not take as one argument. */
const maxArgument = 100_000

/** The JSON holds no quote of the shell's. */
function commandOf(json: string, rpcUrl: string | undefined): string {
  const [before, after] = commandParts(json.length, rpcUrl)
  return `${before}${json}${after}`
}

/** What stands around the JSON. */
function commandParts(length: number, rpcUrl: string | undefined): readonly [string, string] {
  const url = rpcUrl === undefined ? '$RPC_URL' : `\${RPC_URL:-${rpcUrl}}`
  const start = "curl -s -H 'content-type: application/json' --data"
  return length > maxArgument
    ? [`${start} @- "${url}" <<'JSON'\n`, '\nJSON']
    : [`${start} '`, `' "${url}"`]
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

const plainQuote = '"'
/** In JSON that stands in a text of JSON. */
const escapedQuote = '\\"'
type Quote = typeof plainQuote | typeof escapedQuote

/** What `JSON.stringify` writes, at a tenth of the time: every text in it is plain hexadecimal. */
function jsonOf({ id, params: [call, , override] }: RpcRequest): string {
  return rpcText(call, id, override, plainQuote)
}

function rpcText(
  { data, gas, to }: Pick<PlanCall.Call, 'to' | 'data' | 'gas'>,
  id: number,
  override: StateOverride | undefined,
  q: Quote,
): string {
  const call = `{${q}to${q}:${q}${to}${q},${q}data${q}:${q}${data}${q},${q}gas${q}:${q}${gas}${q}}`
  const params = `${call},${q}latest${q}${override === undefined ? '' : overrideText(override, q)}`
  return `{${q}jsonrpc${q}:${q}2.0${q},${q}id${q}:${id},${q}method${q}:${q}eth_call${q},${q}params${q}:[${params}]}`
}

/** Whole contracts, the same for every call of a chain. */
const overrideTexts = new WeakMap<StateOverride, Record<Quote, string>>()

function overrideText(override: StateOverride, q: Quote): string {
  let texts = overrideTexts.get(override)
  if (texts === undefined) {
    const text = `,${JSON.stringify(override)}`
    texts = { [plainQuote]: text, [escapedQuote]: text.replaceAll('"', escapedQuote) }
    overrideTexts.set(override, texts)
  }
  return texts[q]
}
