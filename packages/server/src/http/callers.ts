import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'

/** Addresses of trusted proxies. */
export type TrustedProxies = Pick<BlockList, 'check'>

/**
 * Parses a list of CIDR blocks.
 *
 * @returns `undefined` if one is not a CIDR block.
 */
export function parseCidrs(texts: readonly string[]): TrustedProxies | undefined {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits = ''] = text.split('/')
    const family = familyOf(address)
    const most = family === 'ipv6' ? 128 : 32
    if (isIP(address) === 0 || !/^[0-9]{1,3}$/.test(bits) || Number(bits) > most) return undefined
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Identifies callers by address, for limits and logs. */
export type Callers = {
  /** The peer's address; if it is a trusted proxy, the last address in `x-forwarded-for` that is not one. */
  readonly of: (incoming: IncomingMessage | undefined) => string
  readonly ofSocket: (socket: Socket) => { address: string; isProxy: boolean }
}

/** Kept on the socket, because each request asks twice. */
const known = Symbol('caller')
type KnownSocket = Socket & { [known]?: string }

/** Identifies an IPv6 caller by its /64 network, since one subscriber has all of it. */
export function createCallers(trustedProxies: readonly string[]): Callers {
  // Checking even an empty list costs a native call for each request.
  const proxies = trustedProxies.length === 0 ? undefined : parseCidrs(trustedProxies)
  const isTrusted = (address: string) =>
    proxies !== undefined && isIP(address) !== 0 && proxies.check(address, familyOf(address))
  return {
    of(incoming) {
      if (proxies === undefined && incoming !== undefined) {
        const socket = incoming.socket as KnownSocket
        socket[known] ??= subscriberOf(plain(socket.remoteAddress ?? ''))
        return socket[known]
      }
      let address = plain(incoming?.socket.remoteAddress ?? '')
      if (isTrusted(address)) {
        const forwarded = `${incoming?.headers['x-forwarded-for'] ?? ''}`.split(',')
        do {
          const next = plain(forwarded.pop()?.trim() ?? '')
          if (isIP(next) === 0) break
          address = next
        } while (isTrusted(address))
      }
      return subscriberOf(address)
    },
    ofSocket({ remoteAddress = '' }) {
      const address = plain(remoteAddress)
      return { address: subscriberOf(address), isProxy: isTrusted(address) }
    },
  }
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=[0-9.]+$)/i, '')
}

function familyOf(address: string) {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

function subscriberOf(address: string): string {
  return isIPv6(address) ? network(address) : address
}

function network(address: string): string {
  const [head = '', tail = ''] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === '' ? [] : tail.split(':')
  const zeros = address.includes('::')
    ? Array(Math.max(0, 8 - groups.length - rest.length)).fill('0')
    : []
  const four = [...groups, ...zeros, ...rest].slice(0, 4)
  return `${four.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
