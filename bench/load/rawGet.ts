import { connect, type Socket } from 'node:net'

export type Answered = { readonly status: number; readonly tookMs: number }

type Kept = { readonly socket: Socket; asked: Asked | undefined; text: string; isUsed: boolean }
type Asked = {
  readonly path: string
  readonly startedAt: number
  readonly end: (status: number) => void
}

/** Idle connections by host. */
const idle = new Map<string, Kept[]>()

/**
 * Sends a GET on a kept connection; the status is 0 if there is no response. Does nothing else: Node's own client uses as
 * much CPU time per request as the service, which the service would lack on a machine with two cores.
 */
export function get(url: string): Promise<Answered> {
  const { host, hostname, pathname, port, search } = new URL(url)
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const asked: Asked = {
      path: pathname + search,
      startedAt,
      end: (status) => resolve({ status, tookMs: performance.now() - startedAt }),
    }
    ask(asked, { host, hostname, port })
  })
}

type Target = { readonly host: string; readonly hostname: string; readonly port: string }

function ask(asked: Asked, target: Target): void {
  const kept = idle.get(target.host)?.pop() ?? open(target)
  kept.asked = asked
  kept.socket.write(`GET ${asked.path} HTTP/1.1\r\nhost: ${target.host}\r\n\r\n`, 'latin1')
}

function open(target: Target): Kept {
  const socket = connect(Number(target.port), target.hostname).setNoDelay()
  const kept: Kept = { socket, asked: undefined, text: '', isUsed: false }
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    kept.text += chunk
    read(kept, target)
  })
  socket.on('error', () => {})
  socket.on('end', () => socket.destroy())
  socket.on('close', () => {
    const own = idle.get(target.host)
    const place = own?.indexOf(kept) ?? -1
    if (place >= 0) own!.splice(place, 1)
    const { asked } = kept
    kept.asked = undefined
    if (asked === undefined) return
    // A kept connection may be closed at the moment it is used; then every client retries.
    if (kept.isUsed && kept.text === '') ask(asked, target)
    else asked.end(0)
  })
  return kept
}

function read(kept: Kept, target: Target): void {
  const { asked, text } = kept
  const bodyAt = text.indexOf('\r\n\r\n') + 4
  if (bodyAt === 3 || asked === undefined) return
  const head = text.slice(0, bodyAt).toLowerCase()
  const length = Number(/\r\ncontent-length: (\d+)\r\n/.exec(head)?.[1] ?? Number.NaN)
  if (text.length < bodyAt + length) return
  kept.asked = undefined
  kept.text = ''
  kept.isUsed = true
  asked.end(Number(head.slice(9, 12)))
  // A response without a length ends with its connection.
  if (Number.isNaN(length) || head.includes('\r\nconnection: close\r\n'))
    return void kept.socket.end()
  const own = idle.get(target.host)
  if (own === undefined) idle.set(target.host, [kept])
  else own.push(kept)
}
