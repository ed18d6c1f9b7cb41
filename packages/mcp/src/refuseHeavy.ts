import { scanJson } from '@sluice/api'

/** Enough for decoding a quote with a long route. */
export const maxBodyBytes = 256 * 1024
/** Older clients may send several messages in one body. Each is as much work as a separate request. */
const maxMessages = 10
/** The deepest input of a tool has eight levels, inside four levels of the protocol. */
const maxDepth = 16

/**
 * Checks a body before it is parsed and handled, which can cost far more than sending it.
 *
 * @returns A 400 response if the body is nested too deep, names a member twice or holds too many messages; otherwise the
 * response of `admit`, if it returns one. `undefined` leaves the request unread for its handler.
 */
export async function refuseHeavy(
  request: Request,
  admit: (messages: number, text: string) => Promise<Response | undefined>,
): Promise<Response | undefined> {
  if (request.method !== 'POST') return undefined
  const text = await readText(request.clone())
  if (text === undefined) return undefined
  const reason = scanJson(text, { maxDepth })
  if (reason !== undefined) return refusal(`The body ${reason}.`)
  const messages = countMessages(text)
  if (messages > maxMessages)
    return refusal(`The body has more than ${maxMessages} messages; split it.`)
  return await admit(messages, text)
}

/** Text of the body; `undefined` if it is too long or breaks off, which the MCP handler then reports. */
async function readText(request: Request): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > maxBodyBytes) return undefined
      text += decoder.decode(chunk, { stream: true })
    }
  } catch {
    return undefined
  }
  return text
}

function countMessages(text: string): number {
  if (!/^\s*\[/.test(text)) return 1
  try {
    return (JSON.parse(text) as unknown[]).length
  } catch {
    return 0
  }
}

function refusal(message: string): Response {
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32_600, message } },
    { status: 400 },
  )
}
