import {
  getQuote,
  type Quote,
  type QuoteParameters,
  RpcRequiredError,
  streamQuote,
} from '@sluice/sdk'
import type { AskNode } from '../askNode.js'
import { type Check, unchecked } from '../machine/Check.js'
import type { Effect } from '../machine/events.js'
import { sidesOf } from '../machine/question.js'
import { ownQuotes, proving } from './parts.js'
import { followQuote } from './quotes.js'
import type { Askers, World } from './World.js'
import { problemOf } from './words.js'

type Of<name extends Effect['do']> = Extract<Effect, { do: name }>

/** Follows quotes, asks for one again, and has the reader's node repeat them. */
export function createQuoting({ boot, dispatch, state }: World, { nodeFor }: Askers) {
  let asking = new AbortController()

  const names = () => {
    const { tokenIn, tokenOut } = sidesOf(state())
    return { in: tokenIn.symbol, out: tokenOut.symbol }
  }

  function ask({ key, parameters }: Of<'ask'>): void {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    const { chainId } = state().trade
    const blockTimeMs = boot.registry.get(chainId)?.blockTimeMs ?? 2_000
    const onError = (error: unknown) =>
      dispatch({ type: 'quoteFailed', key, problem: problemOf(error, names()) })
    followQuote({
      ...{ key, signal, blockTimeMs },
      source: {
        stream: () => streamQuote(boot.client, parameters, { signal }),
        once: () => getQuote(boot.client, parameters, { signal }),
        own() {
          const node = nodeFor(chainId)
          return node && byNode(node, parameters)
        },
      },
      onQuote: (quote) => dispatch({ type: 'quoted', key, quote, parameters }),
      onError,
    })
  }

  async function byNode(node: AskNode, parameters: QuoteParameters): Promise<Quote> {
    const { quoteByNode } = await ownQuotes.load()
    return await quoteByNode(node, parameters, boot)
  }

  async function checkBy(node: AskNode, quote: Quote): Promise<Check> {
    const part = await proving.load().catch(() => undefined)
    if (part === undefined)
      return { kind: 'unanswered', reason: 'A part of this page could not be loaded.' }
    return await part.checkQuote(node, quote, boot)
  }

  async function check({ shown }: Of<'check'>): Promise<void> {
    const node = nodeFor(shown.quote.chainId)
    const found = node === undefined ? unchecked : await checkBy(node, shown.quote)
    dispatch({ type: 'checked', shownId: shown.id, check: found })
  }

  /** The same question once more, and what the reader's node says of the answer. */
  async function refresh({ frozen }: Of<'refresh'>): Promise<void> {
    const { id: frozenId, parameters } = frozen
    try {
      const node = nodeFor(frozen.quote.chainId)
      const quote = await getQuote(boot.client, parameters).catch((error: unknown) => {
        // A service that makes no quotes leaves them to the reader's node.
        if (node === undefined || !(error instanceof RpcRequiredError)) throw error
        return byNode(node, parameters)
      })
      const found = node === undefined ? unchecked : await checkBy(node, quote)
      dispatch({ type: 'refreshed', frozenId, quote, check: found })
    } catch (error) {
      dispatch({ type: 'refreshFailed', frozenId, reason: problemOf(error, names()).message })
    }
  }

  return { ask, check, refresh, stopAsking: () => asking.abort() }
}
