import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type Capabilities, newCapabilities } from './Capabilities.js'
import * as Standing from './Standing.js'

/** One node of a chain. Its URL may contain a key, so it is never logged, thrown or returned. `label` identifies the node. */
export type Upstream = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Keeps connections open between calls. */
  readonly agent: HttpAgent
  /** Name in reports, such as "8453#1". */
  readonly label: string
  /** Host and port, because two URLs of one host fail together. Never shown. */
  readonly host: string
  readonly standing: Standing.Standing
  /** Whether the node is excluded because it serves another chain. */
  isExcluded: boolean
  /** Responses in a row from another chain. */
  strangeAnswers: number
  readonly can: Capabilities
}

/** Maximum number of connections to one node. Further calls wait for a free one. */
const maxSockets = 64

/**
 * Creates the record of a node. Moves a user name and password in the URL into the `Authorization` header.
 *
 * @param node.label Name of the node in reports, in place of its URL.
 */
export function createUpstream(node: { url: string; label: string }): Upstream {
  const url = new URL(node.url)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (url.username !== '' || url.password !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
    url.username = ''
    url.password = ''
  }
  const Agent = url.protocol === 'https:' ? HttpsAgent : HttpAgent
  return {
    url: url.href,
    headers,
    agent: new Agent({ keepAlive: true, maxSockets }),
    label: node.label,
    host: url.host,
    standing: Standing.create(),
    isExcluded: false,
    strangeAnswers: 0,
    can: newCapabilities(),
  }
}

/** One response from another chain can be a flipped bit; two in a row cannot. */
const strangeAnswersToExclude = 2

/** Records whether a response is from the right chain. Two wrong ones in a row exclude the node; a right one includes it again. */
export function noteChain(upstream: Upstream, isRight: boolean): void {
  upstream.strangeAnswers = isRight ? 0 : upstream.strangeAnswers + 1
  if (isRight) upstream.isExcluded = false
  else if (upstream.strangeAnswers >= strangeAnswersToExclude) upstream.isExcluded = true
}
