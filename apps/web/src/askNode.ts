/** Whatever answers JSON-RPC: a node by its address, or a wallet. */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<unknown>

/** The node could not be asked, or refused; the message is for the reader. */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
  }
}

const timeoutMs = 15_000

/** Asks the node at an address of the reader's own; the browser does, and nobody else learns of it. */
export function nodeAt(url: string): AskNode {
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(url, { method: 'POST', headers, body, signal }).catch((cause) => {
      throw new NodeError(
        'The node cannot be reached from this page. Is its address right, and does it allow requests from browsers (CORS)?',
        cause,
      )
    })
    const reply = (await answer.json().catch(() => undefined)) as Reply | undefined
    if (reply?.error !== undefined) throw new NodeError(wordsOf(reply.error))
    if (reply?.result === undefined) throw new NodeError('What answers there is no JSON-RPC node.')
    return reply.result
  }
}

type Reply = { readonly result?: unknown; readonly error?: unknown }

/** A node's own words, cut to a line. */
function wordsOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown }
  const text = typeof message === 'string' ? message.slice(0, 160) : 'no reason'
  return `The node refused: ${text}`
}

export type Wallet = {
  readonly request: (ask: { method: string; params?: unknown }) => Promise<unknown>
}

/** Asks the node that a wallet uses. */
export function nodeOf(wallet: Wallet): AskNode {
  return async (method, params) => {
    try {
      return await wallet.request({ method, params })
    } catch (cause) {
      throw new NodeError(wordsOf(cause), cause)
    }
  }
}

/** The wallet that announces itself first, by EIP-6963; else the one that stands in the page. */
export function findWallet(): Promise<Wallet | undefined> {
  return new Promise((resolve) => {
    const settle = (wallet: Wallet | undefined) => {
      window.removeEventListener('eip6963:announceProvider', onAnnounced)
      resolve(wallet)
    }
    const onAnnounced = (event: Event) => {
      const { provider } = (event as CustomEvent<{ provider?: Wallet }>).detail ?? {}
      if (provider) settle(provider)
    }
    window.addEventListener('eip6963:announceProvider', onAnnounced)
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    setTimeout(() => settle((window as { ethereum?: Wallet }).ethereum), 100)
  })
}
