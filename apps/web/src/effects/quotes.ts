import { ApiError, BaseError, NetworkError, type Quote, RpcRequiredError } from '@sluice/sdk'

/** Ways to get a quote for the trade. */
export type Source = {
  readonly stream: () => AsyncIterable<Quote>
  readonly once: () => Promise<Quote>
  /** The reader's own node, for a service that makes no quotes; `undefined` without one. */
  readonly own: () => Promise<Quote> | undefined
}

/** What follows a question. */
export type Follow = {
  readonly key: string
  readonly source: Source
  readonly signal: AbortSignal
  readonly blockTimeMs: number
  readonly onQuote: (quote: Quote) => void
  readonly onError: (error: unknown) => void
}

type Told = { readonly key: string; readonly quote: Quote }

/** Browsers open six connections to a service, so tabs share one stream: its holder tells the others. */
const streamLock = 'sluice stream'
const [minPollMs, firstWaitMs, longestWaitMs, refusedWaitMs] = [2_500, 1_500, 20_000, 30_000]
const cutWaitMs = 250
/** A long wait after these would be for nothing: the same question has the same answer. */
const isFinal = (error: unknown) =>
  error instanceof BaseError && !error.retryable && error.code.startsWith('bad_')

/** Quotes of one question, block after block, until the signal aborts; failures are told, and looked after again. */
export async function followQuote(follow: Follow): Promise<void> {
  const { key, onError, onQuote, signal } = follow
  const channel = new BroadcastChannel('sluice quotes')
  let [heardAt, waitMs, failures] = [0, firstWaitMs, 0]
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data?.key !== key || signal.aborted) return
    heardAt = Date.now()
    onQuote(data.quote)
  }
  try {
    while (!signal.aborted) {
      try {
        await askOnce(follow, {
          channel,
          isHeard: () => Date.now() - heardAt < pollMs(follow),
        })
        ;[waitMs, failures] = [firstWaitMs, 0]
        await pause(pollMs(follow), signal)
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        // A connection that breaks is opened again before anybody is told.
        const isCut = error instanceof NetworkError && failures === 1
        if (!isCut) onError(error)
        if (isFinal(error)) return
        const isRefused = error instanceof BaseError && !error.retryable
        await pause(isCut ? cutWaitMs : isRefused ? refusedWaitMs : waitMs, signal)
        if (!isCut) waitMs = Math.min(2 * waitMs, longestWaitMs)
      }
    }
  } finally {
    channel.close()
  }
}

function pollMs({ blockTimeMs }: Follow): number {
  return Math.max(blockTimeMs, minPollMs)
}

type Sharing = { readonly channel: BroadcastChannel; readonly isHeard: () => boolean }

/** Streams if no other tab does; else looks once, unless another tab has just told. */
async function askOnce(follow: Follow, { channel, isHeard }: Sharing): Promise<void> {
  const { key, onQuote, signal, source } = follow
  const stream = async () => {
    for await (const quote of source.stream()) {
      onQuote(quote)
      channel.postMessage({ key, quote })
    }
  }
  const single = async () => {
    if (isHeard()) return
    const quote = await source.once()
    if (!signal.aborted) onQuote(quote)
  }
  try {
    if (navigator.locks === undefined) return await stream()
    await navigator.locks.request(streamLock, { ifAvailable: true }, (lock) =>
      lock === null ? single() : stream(),
    )
  } catch (error) {
    if (error instanceof RpcRequiredError) {
      const quote = await source.own()
      if (quote === undefined) throw error
      if (!signal.aborted) onQuote(quote)
      return
    }
    // The service has no stream to spare, and still answers.
    const isBusy = error instanceof ApiError && ['overloaded', 'rate_limited'].includes(error.code)
    if (!isBusy || signal.aborted) throw error
    await single()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
