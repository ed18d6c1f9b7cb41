import { scanJson } from '@sluice/api'

/** Room for a decode with a long route. */
export const maxBodyBytes = 256 * 1024
/** Older clients may send several messages in one body; each is as much work as a body of its own. */
const maxMessages = 10
/** A tool's deepest input is of eight levels, within four of the protocol's own. */
const maxDepth = 16

/**
 * Looks at a message before it is parsed and answered, which may cost far more than to send it.
 *
 * @returns The refusal of a body that is nested too deep, names a member twice, or holds too many messages; `undefined`
 * for every other, which is left as it was, unless `admit` answers in its place.
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

/** `undefined` if the body is too long or breaks off: its reader says so. */
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
