import { Lru } from '@sluice/domain'

/** Methods whose response is the same for every caller until the next release. */
const lists = ['tools/list', 'prompts/list']
/** Request headers that change the response. */
const telling = ['accept', 'content-type', 'mcp-protocol-version'] as const
/** Maximum length of these headers. Real clients send shorter ones. */
const maxTelling = 100
const maxKept = 32
/** Placeholder for the message id in a cached response. */
const anyId = 'the-id-of-a-message'

type List = { readonly id: string | number; readonly method: string }

/**
 * Caches the responses to bodies that only request lists. Describing all tools takes ten milliseconds, and one body can
 * request it ten times.
 *
 * @returns A function that responds to such a body, and returns `undefined` for every other body.
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
    // Event streams can be concatenated. Only the server knows how to combine other kinds of responses.
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

/** Messages of a body that requests whole lists and nothing else; `undefined` for any other body. */
function listsIn(text: string): readonly List[] | undefined {
  // A long body requests something else. Do not parse it twice.
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
