import type { Failure } from './failures.js'

/** A JSON-RPC error, before anything of it is believed. */
export type RpcError = { code?: unknown; message?: unknown; data?: unknown }

/** First match wins; the wording of the clients and vendors that are in use. */
const rules: readonly (readonly [RegExp, Failure])[] = [
  [
    /out ?of ?gas|gas required exceeds|invalid ?\w* ?(opcode|jump)|opcode ?not ?found|stack ?(under|over)flow|stack limit/i,
    'halt',
  ],
  [/revert|vm execution error|vm exception/i, 'revert'],
  [/method .*(not (found|supported|available)|does not exist)|unsupported/i, 'unsupported'],
  [
    /header (for hash )?not found|(missing|unknown) (trie node|block|header)|block ?(out ?of ?range|not found)|not (yet )?available|hash is not currently canonical|state .*(pruned|not available|unavailable)/i,
    'not_ready',
  ],
  [
    /rate ?limit|too many requests|capacity exceeded|quota|limit exceeded|compute units/i,
    'rate_limited',
  ],
  [/response (size|is too big)|too large|exceeds .*size/i, 'too_large'],
  [/unauthori[sz]ed|forbidden|api key|authenticat/i, 'auth'],
  [/time(d)? ?out|deadline exceeded|aborted/i, 'timeout'],
]

const codes: Readonly<Record<number, Failure>> = {
  3: 'revert',
  [-32001]: 'not_ready',
  [-32005]: 'rate_limited',
  [-32015]: 'revert',
  [-32601]: 'unsupported',
}

/** What a JSON-RPC error of an `eth_call` or of a read means. */
export function classify(error: RpcError): Failure {
  const message = typeof error.message === 'string' ? error.message.slice(0, 500) : ''
  // What follows these words is written by the contract, so nothing can be read from it.
  if (error.code === 3 || /^(VM Exception.*: )?(execution )?revert/i.test(message)) return 'revert'
  const byMessage = rules.find(([pattern]) => pattern.test(message))?.[1]
  if (byMessage !== undefined) return byMessage
  return (typeof error.code === 'number' && codes[error.code]) || 'server'
}
