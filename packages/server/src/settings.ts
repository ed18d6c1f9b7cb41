import { readFileSync } from 'node:fs'
import { BaseError, Deployments } from '@sluice/domain'
import {
  isLocal,
  type ListedToken,
  type MarketSetting,
  marketKinds,
  parseTokenList,
} from '@sluice/engine'
import type { CallerNaming } from './logs/nameCallers.js'

/*
 * What the texts of single environment variables mean. Nothing here looks at the environment, and no message repeats a
 * value: it may be a secret.
 */

export function readRedisUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!URL.canParse(text) || !/^rediss?:$/.test(new URL(text).protocol))
    throw new InvalidConfigError('REDIS_URL', 'must be a redis or rediss address')
  return text
}

/** Unset: the public services. */
export function readMarketData(text: string | undefined): readonly MarketSetting[] {
  if (text === undefined || text === '') return marketKinds.map((kind) => ({ kind }))
  if (text === 'off') return []
  return text.split(',').map((each) => {
    const [name = '', url] = each.trim().split(/=(.*)/s)
    const kind = marketKinds.find((known) => known === name)
    if (kind === undefined)
      throw new InvalidConfigError(
        'MARKET_DATA',
        `must be off, or comma-separated sources: ${marketKinds.join(', ')}`,
      )
    return url === undefined ? { kind } : { kind, url: readMarketUrl(url) }
  })
}

export function readTokenLists(paths: string | undefined): readonly ListedToken[] {
  if (paths === undefined || paths === '') return []
  return paths.split(',').flatMap((path) => {
    try {
      return parseTokenList(JSON.parse(readFileSync(path.trim(), 'utf8')))
    } catch (cause) {
      throw new InvalidConfigError('TOKEN_LISTS', 'names a file that is no token list', cause)
    }
  })
}

/** What is read decides which token a symbol means, so it must come from whom it says it comes. */
function readMarketUrl(url: string): string {
  const isPlain = isHttpUrl(url) && !/[?#]/.test(url)
  if (!isPlain || (new URL(url).protocol !== 'https:' && !isLocal(url)))
    throw new InvalidConfigError(
      'MARKET_DATA',
      'takes https addresses without a query, and http ones on this machine',
    )
  return url.replace(/\/+$/, '')
}

/** Unset: on. */
export function readRelay(text: string | undefined): 'on' | 'off' {
  if (text === undefined || text === '') return 'on'
  if (text !== 'on' && text !== 'off')
    throw new InvalidConfigError('QUOTE_RELAY', 'must be on or off')
  return text
}

/** Unset: by address. */
export function readLogCaller(text: string | undefined): CallerNaming {
  if (text === undefined || text === '') return 'address'
  if (text !== 'address' && text !== 'hash' && text !== 'off')
    throw new InvalidConfigError('LOG_CALLER', 'must be address, hash or off')
  return text
}

export function readContact(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^(mailto:|https:\/\/)\S+$/.test(text))
    throw new InvalidConfigError('CONTACT', 'must begin with mailto: or https://')
  return text
}

export function readDigestKey(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (text.length < 16)
    throw new InvalidConfigError('DIGEST_KEY', 'must have 16 characters or more')
  return text
}

export function readInteger(
  env: Record<string, string | undefined>,
  name: string,
  { max, min = 0, fallback }: { max: number; min?: number; fallback: number },
): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : -1
  if (value < min || value > max)
    throw new InvalidConfigError(name, `must be an integer from ${min} to ${max}`)
  return value
}

export function readDeployments(path: string | undefined): Deployments.Deployments {
  if (path === undefined || path === '') return { schema: 1, chains: {} }
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new InvalidConfigError('DEPLOYMENTS', 'names a file that cannot be read as JSON', cause)
  }
  return Deployments.parse(content)
}

export function readBaseUrl(text: string | undefined, name = 'BASE_URL'): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!isHttpUrl(text)) throw new InvalidConfigError(name, 'must be an http or https address')
  return text.replace(/\/+$/, '')
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** Thrown when an environment variable is missing or wrong. */
export class InvalidConfigError extends BaseError {
  override readonly name = 'InvalidConfigError'
  constructor(variable: string, reason: string, cause?: unknown) {
    super(`Environment variable ${variable} ${reason}.`, { code: 'invalid_config', cause })
  }
}
