import type { Call } from '../plan/PlanCall.js'
import type { StateOverride } from '../registry/Undeployed.js'

/** What stands before and after a part that changes. */
export type Sides = readonly [before: string, after: string]

/** Mark of a text in JSON, and in JSON that stands in a text of JSON. */
type Quote = '"' | '\\"'

/** More than this a system does not take as one argument. */
const maxArgument = 100_000

/**
 * A JSON-RPC request around its calldata, as `JSON.stringify` writes it and at a tenth of the time: every text in it is
 * plain hexadecimal.
 */
export function rpcSides(
  { gas, to }: Pick<Call, 'to' | 'gas'>,
  options: { id: number; override: StateOverride | undefined; quote: Quote; block?: string },
): Sides {
  const { block = 'latest', id, override, quote: q } = options
  const rest = `${q}${block}${q}${override === undefined ? '' : overrideText(override, q)}`
  return [
    `{${q}jsonrpc${q}:${q}2.0${q},${q}id${q}:${id},${q}method${q}:${q}eth_call${q},${q}params${q}:[{${q}to${q}:${q}${to}${q},${q}data${q}:${q}`,
    `${q},${q}gas${q}:${q}${gas}${q}},${rest}]}`,
  ]
}

/**
 * A shell command around the JSON that it sends, which holds no quote of the shell's.
 *
 * @param length Of the JSON.
 * @param rpcUrl The node where the reader's variable names none.
 */
export function commandSides(
  length: number,
  rpcUrl: string | undefined,
  variable = 'RPC_URL',
): Sides {
  const url = rpcUrl === undefined ? `$${variable}` : `\${${variable}:-${rpcUrl}}`
  const start = "curl -s -H 'content-type: application/json' --data"
  return length > maxArgument
    ? [`${start} @- "${url}" <<'JSON'\n`, '\nJSON']
    : [`${start} '`, `' "${url}"`]
}

/** The shell command that sends a JSON text. */
export function command(json: string, rpcUrl: string | undefined, variable?: string): string {
  const [before, after] = commandSides(json.length, rpcUrl, variable)
  return `${before}${json}${after}`
}

/** A text as it stands within a text of JSON. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Whole contracts, the same for every call of a chain. */
const overrideTexts = new WeakMap<StateOverride, Record<Quote, string>>()

function overrideText(override: StateOverride, quote: Quote): string {
  let texts = overrideTexts.get(override)
  if (texts === undefined) {
    const text = `,${JSON.stringify(override)}`
    texts = { '"': text, '\\"': text.replaceAll('"', '\\"') }
    overrideTexts.set(override, texts)
  }
  return texts[quote]
}
