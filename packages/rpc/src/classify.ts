import type { Failure } from './failures.js'

/** A JSON-RPC error, not validated. */
export type RpcError = { code?: unknown; message?: unknown; data?: unknown }

/** Patterns of error messages of the clients and vendors in use. The first match decides. */
const rules: readonly (readonly [RegExp, Failure])[] = [
  [
    /pruned|state pruning|could not find block|beyond (the )?(current|latest) (head|block)|indexing is in progress|(state|block).*(not found|unavailable|not available)/i,
    'not_ready',
  ],
  [/credits limited/i, 'rate_limited'],
  [/received invalid block tag/i, 'not_ready'],
  [
    /gas ?(limit|amount)\b.{0,40}\b(too (high|large|big)|greater than|more ?th[ae]n|above|exceeds|exceeded|maximum)|gas too high|(exceeds?|above|more ?th[ae]n|greater than) (the |transaction |block |call |rpc |maximum |node )*gas ?(limit|cap|allowance)|gas ?limit ?more ?th[ae]n|gas ?cap (exceeded|reached)|exceeds .{0,20}gas ?cap/i,
    'gas_cap',
  ],
  [
    /out ?of ?gas|insufficient_gas|memory ?(limit)?oog|gas required exceeds|gas uint64 overflow|(invalid|bad)_?\w* ?(opcode|operation|jump|instruction)|opcode ?not ?found|stack ?(under|over)flow|stack limit|code size exceeded|return data out of bounds|write protection/i,
    'halt',
  ],
  [/revert|vm execution error|vm exception/i, 'revert'],
  [
    /method .*(not (found|supported|available|enabled|whitelisted|included)|does not exist)|unsupported|invalid (argument|param)|cannot unmarshal|too many (arguments|param)|expected .*(arguments|param)/i,
    'unsupported',
  ],
  [
    /header (for hash )?not found|(missing|unknown) (trie node|block|header)|block ?out ?of ?range|could not be found|no (historical|state) .*(available|found)|not (yet )?available|not currently canonical|ahead of latest|syncing/i,
    'not_ready',
  ],
  [
    /(block|log)s? range|range (of|is|exceeds|limit)|\d+[- ]block|(more than|up to|exceeds?) (max(imum)? |limit of )?[\d,]+ (results|logs|blocks)|max(imum)? results|too many (results|logs|blocks)|exceed max addresses|logs matched by query|limited to/i,
    'too_large',
  ],
  [/batch.* (too large|exceed)|response (size|is too big)|too large|exceeds .*size/i, 'too_large'],
  [
    /rate ?limit|too many request|capacity|quota|limit (exceeded|reached|available)|request (rate|count)|compute units|too much load/i,
    'rate_limited',
  ],
  [/unauthori[sz]ed|forbidden|api key|authenticat|project id|not allowed to access/i, 'auth'],
  [/time(d)? ?out|deadline exceeded|aborted/i, 'timeout'],
]

const codes: Readonly<Record<number, Failure>> = {
  3: 'revert',
  [-32001]: 'not_ready',
  [-32005]: 'rate_limited',
  [-32015]: 'revert',
  [-32601]: 'unsupported',
  [-32602]: 'unsupported',
}

/** Classifies a JSON-RPC error of an `eth_call` or of a read, by its message, then by its code. */
export function classify(error: RpcError): Failure {
  const message = typeof error.message === 'string' ? error.message.slice(0, 500) : ''
  // The contract writes the text after these words, so that text must not decide the class.
  if (error.code === 3 || /^(VM Exception.*: )?(execution )?revert/i.test(message)) return 'revert'
  const byMessage = rules.find(([pattern]) => pattern.test(message))?.[1]
  if (byMessage !== undefined) return byMessage
  return (typeof error.code === 'number' && codes[error.code]) || 'server'
}

/** A smaller number in an error message is not a gas cap. */
const minGasCap = 1_000_000n

/** Gas cap in an error message: the smallest number that can be a gas cap. */
export function gasCapIn(error: RpcError): bigint | undefined {
  const message = typeof error.message === 'string' ? error.message.slice(0, 500) : ''
  const numbers = (message.replaceAll(/[,_]/g, '').match(/\b\d{7,15}\b/g) ?? []).map(BigInt)
  return numbers.filter((each) => each >= minGasCap).sort((a, b) => (a < b ? -1 : 1))[0]
}
