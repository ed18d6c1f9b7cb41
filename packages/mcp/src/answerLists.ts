import { Lru } from '@sluice/domain'

/** Lists that are the same for everybody until the next release. */
const lists = ['tools/list', 'prompts/list']
/** What a client says of itself that changes how it is answered. */
const telling = ['accept', 'content-type', 'mcp-protocol-version'] as const
/** Longer ones are made up. */
const maxTelling = 100
const maxKept = 32
/** Stands for a message's id in an answer that is kept. */
const anyId = 'the-id-of-a-message'

type List = { readonly id: string | number; readonly method: string }

/**
 * Answers bodies that only ask for lists from what the server said the first time: to describe all tools takes ten
 * milliseconds, which any caller could ask for ten times in a body.
 *
 * @returns A way to answer; `undefined` from it for every other body.
 */
export function createListAnswers(
  ask: (request: Request) => Promise<Response>,
): (request: Request, text: string) => Promise<Response | undefined> {
  const kept = Lru.create<string, Promise<Kept | undefined>>(maxKept)

  async function learn(request: Request, method: string): Promise<Kept | undefined> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: anyId, method })
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const answer = await ask(new Request(request.url, { method: 'POST', headers, body }))
    const text = await answer.text()
    if (answer.status !== 200 || !text.includes('"result"')) return undefined
    return { text, headers: [...answer.headers] }
  }

  function find(request: Request, method: string): Promise<Kept | undefined> {
    const key = [method, ...telling.map((name) => request.headers.get(name))].join('\n')
    const found = kept.get(key)
    if (found !== undefined) return found
    const learnt = learn(request, method)
    kept.put(key, learnt)
    learnt.catch(() => kept.delete(key))
    return learnt
  }

  return async (request, text) => {
    const asked = listsIn(text)
    if (asked === undefined || telling.some((name) => isLong(request.headers.get(name))))
      return undefined
    const answers = await Promise.all(asked.map(({ method }) => find(request, method)))
    const [first] = answers
    if (first === undefined || answers.includes(undefined)) return undefined
    const isStream = first.text.startsWith('event: ')
    // Events follow each other; how other kinds of answers are put together is for the server to say.
    if (asked.length > 1 && !isStream) return undefined
    const texts = asked.map(({ id }, place) =>
      answers[place]!.text.replace(JSON.stringify(anyId), () => JSON.stringify(id)),
    )
    return new Response(texts.join(''), { status: 200, headers: first.headers })
  }
}

function isLong(header: string | null): boolean {
  return header !== null && header.length > maxTelling
}

type Kept = { readonly text: string; readonly headers: [string, string][] }

/** The messages of a body that asks for whole lists and nothing else. */
function listsIn(text: string): readonly List[] | undefined {
  // Long bodies ask for more, and are parsed only once.
  if (text.length > 2_048) return undefined
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return undefined
  }
  const messages = Array.isArray(content) ? content : [content]
  if (messages.length === 0 || !messages.every(isList)) return undefined
  const ids = new Set(messages.map(({ id }) => id))
  return ids.size === messages.length ? messages : undefined
}

function isList(message: unknown): message is List {
  if (typeof message !== 'object' || message === null) return false
  const { id, jsonrpc, method, params, ...others } = message as Record<string, unknown>
  const isPlain = params === undefined || JSON.stringify(params) === '{}'
  const isIdentified = typeof id === 'string' || Number.isSafeInteger(id)
  const isKnown = typeof method === 'string' && lists.includes(method)
  return isPlain && isIdentified && isKnown && jsonrpc === '2.0' && Object.keys(others).length === 0
}
