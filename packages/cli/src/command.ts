import { type Client, createClient } from '@sluice/sdk'
import type { Flags, Values } from './flags.js'
import type { Io } from './io.js'
import { UsageError } from './UsageError.js'

/** A command that sends a request to the service or a node, and prints one result. */
export type Command = {
  readonly summary: string
  readonly flags: Flags
  /** Flags that can be given by position, without their names. */
  readonly positionals?: readonly string[]
  readonly examples: readonly string[]
  readonly run: (values: Values, context: Context) => Promise<Answer>
}

export type Context = { readonly io: Io; readonly client: Client }

/** Result of a command: prints `body` for programs, `text` for people. */
export type Answer = {
  readonly body: unknown
  readonly text: string
  /** @default 0 */
  readonly exitCode?: number
}

export function clientOf(values: Values, io: Io): Client {
  const [url, from] = values['url']
    ? [String(values['url']), '--url']
    : [io.env['SLUICE_URL'] || 'http://127.0.0.1:8080', 'SLUICE_URL']
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${from} must be an http or https address, such as http://127.0.0.1:8080.`)
  return createClient({ baseUrl: url })
}
