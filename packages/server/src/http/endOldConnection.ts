import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers after which a connection is let go. */
const manyAnswers = 1_000

const history = Symbol('history')
type History = { answers: number; last: ServerResponse | undefined }
/** On the socket itself: a WeakMap of them costs a fifth of a quick answer. */
type KnownSocket = Socket & { [history]?: History }

/**
 * Lets a connection go with its thousandth answer, so that callers who keep theirs spread over the processes that there
 * are. Node's own limit leaves it open and answers what follows with an empty 503.
 *
 * A caller who sends requests before the answers to earlier ones keeps the connection for another thousand: what was sent
 * ahead would be lost with it.
 */
export function endOldConnection({ socket }: IncomingMessage, outgoing: ServerResponse): void {
  const known = socket as KnownSocket
  known[history] ??= { answers: 0, last: undefined }
  const own = known[history]
  own.answers++
  if (own.answers < manyAnswers - 1) return
  const isAlone = own.last?.writableFinished
  own.last = outgoing
  if (own.answers < manyAnswers) return
  if (isAlone) outgoing.setHeader('connection', 'close')
  else known[history] = { answers: 0, last: undefined }
}
