import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Deployments } from '@sluice/domain'
import { isLocal, type MarketSetting, marketKinds, parseTokenList } from '@sluice/engine'
import { z } from 'zod'
import { parseCidrs } from '../http/callers.js'

/*
 * Parsers for the values of environment variables. A message completes a sentence that begins with the variable's name. No
 * message repeats the value: it may be a secret.
 */

/** A decimal integer; both bounds are included. */
export function integer({ max, min = 0 }: { max: number; min?: number }) {
  const message = `must be an integer from ${min} to ${max}`
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

/** A URL with one of these protocols. */
export function address(protocols: readonly string[], message: string) {
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), message)
}

const http = ['http:', 'https:']
const commaSeparated = z
  .string()
  .transform((text): readonly string[] => text.split(',').map((each) => each.trim()))

/** A base URL without a trailing slash. */
export const httpUrl = address(http, 'must be an http or https URL').transform(withoutSlashes)

/** URLs, best first. */
export const httpUrls = commaSeparated.refine(
  (urls) => urls.every((url) => isHttpUrl(url)),
  'must be comma-separated http or https URLs',
)

/** A list of CIDR blocks. */
export const cidrs = commaSeparated.refine(
  (blocks) => parseCidrs(blocks) !== undefined,
  'must be comma-separated CIDR blocks',
)

/** The file written by the deploy command. */
export const deploymentsFile = z.string().transform((path, context): Deployments.Deployments => {
  const content = readJson(path)
  if (content !== undefined) return Deployments.parse(content)
  return refuse(context, path, 'names a file that cannot be read as JSON')
})

/** Files, each a standard token list. */
export const tokenLists = commaSeparated.transform((paths, context) =>
  paths.flatMap((path) => {
    try {
      return parseTokenList(readJson(path), fileBeside(path))
    } catch {
      return refuse(context, paths, 'names a file that is not a token list')
    }
  }),
)

/** Market data sources, best first; `off` for none. */
export const marketData = z.string().transform((text, context) => {
  if (text === 'off') return []
  return text.split(',').map((each): MarketSetting => {
    const [name = '', url] = each.trim().split(/=(.*)/s)
    const kind = marketKinds.find((known) => known === name)
    if (kind === undefined) {
      const kinds = marketKinds.join(', ')
      return refuse(context, text, `must be off, or comma-separated sources: ${kinds}`)
    }
    if (url === undefined) return { kind }
    if (isTrustworthy(url)) return { kind, url: withoutSlashes(url) }
    const reason = 'must use https URLs without a query; http is allowed for this machine only'
    return refuse(context, text, reason)
  })
})

/** Requires https, since market data decide which token a symbol means. http is allowed for this machine only. */
function isTrustworthy(url: string): boolean {
  const isPlain = isHttpUrl(url) && !/[?#]/.test(url)
  return isPlain && (new URL(url).protocol === 'https:' || isLocal(url))
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && http.includes(new URL(text).protocol)
}

function withoutSlashes(url: string): string {
  return url.replace(/\/+$/, '')
}

/** Reads a file below the folder of another one; `undefined` if it cannot be read. */
function fileBeside(path: string) {
  return (name: string): Uint8Array | undefined => {
    try {
      return readFileSync(join(dirname(path), name))
    } catch {
      return undefined
    }
  }
}

/** `undefined` if the file does not exist or is not JSON. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function refuse(context: z.RefinementCtx, input: unknown, message: string): never {
  context.addIssue({ code: 'custom', message, input })
  return z.NEVER
}
