import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type Capabilities, newCapabilities } from './Capabilities.js'
import * as Standing from './Standing.js'

/** One node of a chain. The URL may hold a key: it is never logged, thrown or answered; `label` stands for it. */
export type Upstream = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Keeps connections open between calls. */
  readonly agent: HttpAgent
  /** "8453#1" */
  readonly label: string
  /** Host and port: two addresses of one host fail together. Never shown. */
  readonly host: string
  readonly standing: Standing.Standing
  /** The node serves another chain, and stays out until it is seen to serve the right one. */
  isExcluded: boolean
  /** Answers in a row that were of another chain. */
  strangeAnswers: number
  readonly can: Capabilities
}

/** Connections to one node; calls beyond wait for a free one. */
const maxSockets = 64

/**
 * A node that was never asked. A user name and a password in its address go into the header that carries them.
 *
 * @param node.label Stands for the node in reports, in place of its address.
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

/** One answer of another chain can be a flipped bit; two in a row are not. */
const strangeAnswersToExclude = 2

/** Takes note of whether an answer was of the right chain: two wrong ones in a row exclude the node, one right one takes it back. */
export function noteChain(upstream: Upstream, isRight: boolean): void {
  upstream.strangeAnswers = isRight ? 0 : upstream.strangeAnswers + 1
  if (isRight) upstream.isExcluded = false
  else if (upstream.strangeAnswers >= strangeAnswersToExclude) upstream.isExcluded = true
}
