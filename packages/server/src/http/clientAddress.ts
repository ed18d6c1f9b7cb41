import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'

/** Addresses of proxies whose `x-forwarded-for` is believed. */
export type TrustedProxies = Pick<BlockList, 'check'>

/**
 * Reads a list of CIDR blocks.
 *
 * @returns `undefined` where one is none.
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

/**
 * Who asks, as far as limits go: the peer, or the last address in `x-forwarded-for` that no trusted proxy vouches for. An
 * IPv6 caller is its /64, since that is what one subscriber has.
 */
export function clientAddress(c: Context<AppEnv>, proxies: TrustedProxies): string {
  const peer = plain(c.env?.incoming?.socket.remoteAddress ?? '')
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',').map((each) => each.trim())
  let address = peer
  while (isIP(address) !== 0 && proxies.check(address, familyOf(address))) {
    const next = plain(forwarded.pop() ?? '')
    if (isIP(next) === 0) break
    address = next
  }
  return isIPv6(address) ? network(address) : address
}

/** IPv4 in IPv6's clothes is IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=[0-9.]+$)/i, '')
}

function familyOf(address: string) {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
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
