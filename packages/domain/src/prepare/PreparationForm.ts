import type { Hex } from 'viem'
import * as PlanCall from '../plan/PlanCall.js'
import * as PreparedRequest from '../request/PreparedRequest.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as Words from '../values/Words.js'
import * as CallText from './CallText.js'
import { decode } from './Preparation.js'

/**
 * A preparation as JSON, but for what changes from one amount and second to the next. Whoever asks for a trade asks for
 * it in other amounts too, and to fill in a form is a small part of the work of writing it.
 */
export type PreparationForm = {
  /** Between them stand, in this order: the amount's word in the call, the RPC request and the command; the amount. */
  readonly texts: readonly [string, string, string, string, string]
  /** After the digest, up to when it expires. */
  readonly end: string
  /** What the digest is over, around the amount's word; the times follow. */
  readonly digested: CallText.Sides
}

/** The form for a request of any amount. */
export function of(request: QuoteRequest, options: of.Options = {}): PreparationForm {
  const { id = 1, rpcUrl } = options
  const { chainId, contracts, stateOverride: override, version } = request.chain
  const call = PlanCall.of(request)
  const [dataStart, , dataEnd] = PlanCall.partsOf(call.data)
  const [rpcStart, rpcEnd] = CallText.rpcSides(call, { id, override, quote: '"' })
  const [quotedStart, quotedEnd] = CallText.rpcSides(call, { id, override, quote: '\\"' })
  const length = rpcStart.length + call.data.length + rpcEnd.length
  const [before, after] = CallText.commandSides(length, rpcUrl).map(CallText.escaped)
  const [start, end] = requestSides(request, call)
  const [digestedStart, , digestedEnd] = PreparedRequest.digestedParts(request, call)
  const { quoter, router } = contracts
  return {
    texts: [
      `{"ok":true,"mode":"prepare","chainId":${chainId},"protocolVersion":"${version}","contracts":{"quoter":"${quoter}","router":"${router}"},"call":{"to":"${call.to}","data":"${dataStart}`,
      `${dataEnd}","gas":"${call.gas}","function":"${call.function}","signature":"${call.signature}"},"rpcRequest":${rpcStart}${dataStart}`,
      `${dataEnd}${rpcEnd},"curl":"${before}${quotedStart}${dataStart}`,
      `${dataEnd}${quotedEnd}${after}","request":${start}`,
      end,
    ],
    end: `},"decode":${JSON.stringify(decode)},"expiresAt":`,
    digested: [digestedStart, digestedEnd],
  }
}

export declare namespace of {
  type Options = {
    /** Id of the JSON-RPC request. @default 1 */
    id?: number | undefined
    /** A node to name in `curl` where the reader sets no `RPC_URL`; a devnet's own. */
    rpcUrl?: string | undefined
  }
}

/** Characters of what is filled in, but for the amount, the times and the digest. */
export function lengthOf({ end, texts }: PreparationForm): number {
  return texts.reduce((sum, text) => sum + text.length, end.length)
}

/**
 * The JSON of a preparation. A property holds it to what `JSON.stringify` writes of `Preparation.from`.
 *
 * @param options.macOf Adds a `mac` over the digest to the request.
 */
export function fill({ digested, end, texts }: PreparationForm, options: fill.Options): string {
  const { amountIn, hash = PreparedRequest.defaultHash, macOf, preparedAt } = options
  const [from, until] = timesOf(preparedAt)
  const word = Words.integer(amountIn)
  const digest = hash(`${digested[0]}${word}${digested[1]}${from}|${until}`)
  const mac = macOf === undefined ? '' : `,"mac":"${macOf(digest)}"`
  const [call, rpc, command, request, amount] = texts
  return `${call}${word}${rpc}${word}${command}${word}${request}${amountIn}${amount}${from},"expiresAt":${until},"digest":"${digest}"${mac}${end}${until}}`
}

export declare namespace fill {
  type Options = {
    amountIn: bigint
    /** Unix milliseconds. */
    preparedAt: number
    hash?: PreparedRequest.Hash | undefined
    macOf?: ((digest: string) => string) | undefined
  }
}

let last: { preparedAt: number; texts: readonly [string, string] } | undefined

/** When a preparation begins and ends, as text; a server writes many of one second. */
function timesOf(preparedAt: number): readonly [string, string] {
  if (last?.preparedAt !== preparedAt) {
    const expiresAt = preparedAt + PreparedRequest.validForMs
    last = { preparedAt, texts: [`${preparedAt}`, `${expiresAt}`] }
  }
  return last.texts
}

/** The request around its amount, up to its times. */
function requestSides(request: QuoteRequest, call: PlanCall.Call): CallText.Sides {
  const blank = { call, preparedAt: 0, hash: (): Hex => '0x' }
  const json = JSON.stringify(PreparedRequest.from(request, blank))
  const start = `"amountIn":"`
  const times = `"preparedAt":`
  const at = json.indexOf(start) + start.length
  return [
    json.slice(0, at),
    json.slice(json.indexOf('"', at), json.indexOf(times, at) + times.length),
  ]
}
