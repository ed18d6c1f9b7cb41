import { Addresses, Chains, KnownTokens } from '@sluice/domain'
import type { Activity, Generation, Integrator, Opened, Token, Trade } from '../machine/State.js'
import type { PageChain } from './boot.js'

/** What the browser keeps of this page; nothing of it leaves the browser. */
const keys = {
  activity: 'sluice.activity',
  opened: 'sluice.opened',
  wallet: 'sluice.wallet',
  nodes: 'sluice.nodes',
  tokens: 'sluice.tokens',
} as const

function read<value>(key: string, otherwise: value): value {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as value | null) ?? otherwise
  } catch {
    return otherwise
  }
}

function write(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // A browser that keeps nothing still swaps.
  }
}

export const activity = {
  read: () => {
    const list = read<readonly Activity[]>(keys.activity, [])
    return Array.isArray(list) ? list.filter((each) => typeof each?.id === 'string') : []
  },
  write: (list: readonly Activity[]) => write(keys.activity, list),
  /** Another tab has written it. */
  onChange: (tell: (list: readonly Activity[]) => void) =>
    window.addEventListener('storage', ({ key }) => {
      if (key === keys.activity) tell(activity.read())
    }),
}

/** Of this tab alone: another tab's wallet is no business of this one. */
export const opened = {
  read: (): Opened | undefined => {
    try {
      return (
        (JSON.parse(sessionStorage.getItem(keys.opened) ?? 'null') as Opened | null) ?? undefined
      )
    } catch {
      return undefined
    }
  },
  write: (value: Opened | undefined) => {
    try {
      if (value === undefined) sessionStorage.removeItem(keys.opened)
      else sessionStorage.setItem(keys.opened, JSON.stringify(value))
    } catch {
      // Without it a reload does not warn.
    }
  },
}

export const wallet = {
  read: () => read<string | undefined>(keys.wallet, undefined),
  write: (id: string | undefined) => write(keys.wallet, id),
}

export const nodes = {
  read: () =>
    new Map(
      Object.entries(read<Record<string, string>>(keys.nodes, {})).map(([id, url]) => [
        Number(id),
        url,
      ]),
    ),
  write: (map: ReadonlyMap<number, string>) => write(keys.nodes, Object.fromEntries(map)),
}

export const tokens = {
  read: () => {
    const list = read<readonly Token[]>(keys.tokens, [])
    return Array.isArray(list) ? list.map((token) => ({ ...token, isListed: false })) : []
  },
  write: (list: readonly Token[]) => write(keys.tokens, list),
}

/** A trade in the page's address, or what is wrong with it. */
export type ReadLink = { readonly trade: Trade; readonly problem?: string | undefined }

const generations: Readonly<Record<string, Generation>> = {
  '1': '1.0.0',
  '1.0.0': '1.0.0',
  '2': '2.0.0',
  '2.0.0': '2.0.0',
}

/** Reads the trade that a link asks for. A chain that is not served is refused, and never replaced by another. */
export function readLink(search: string, chains: readonly PageChain[]): ReadLink {
  const query = new URLSearchParams(search)
  const text = (name: string) => (query.get(name) ?? '').slice(0, 100)
  const wanted = text('chain')
  const chain =
    wanted === ''
      ? chains[0]
      : chains.find(({ alias, chainId }) => wanted === alias || Chains.idOf(wanted) === chainId)
  // A chain that is not served has no number here, and nothing can be asked before another is chosen.
  const chainId = chain?.chainId ?? 0
  const slippage = text('slippageBps')
  const isSlippage = /^[0-9]{1,4}$/.test(slippage) && Number(slippage) <= 5_000
  const trade: Trade = {
    chainId,
    tokenIn: text('in') || 'ETH',
    tokenOut: text('out') || KnownTokens.dollarOf(chainId).symbol,
    text: query.has('amount') ? text('amount') : '1',
    fixed: text('exact') === 'out' ? 'out' : 'in',
    recipient: text('recipient'),
    slippageBps: isSlippage ? Number(slippage) : undefined,
    generation: generations[text('version')] ?? 'auto',
  }
  const integrator = integratorOf(text('integrator'), text('integratorFeeBps'))
  const problem =
    chain === undefined
      ? `“${wanted}” is no chain of this service. It serves ${chains.map(({ alias }) => alias).join(', ')}.`
      : slippage !== '' && !isSlippage
        ? `“${slippage}” is no slippage: 0 to 5000 basis points.`
        : typeof integrator === 'string'
          ? integrator
          : undefined
  return { trade: typeof integrator === 'object' ? { ...trade, integrator } : trade, problem }
}

/** Basis points that the Router pays an integrator. */
const [min, max] = [1, 100]

/** The fee that a link asks for, or what is wrong with it: then none is taken. */
function integratorOf(account: string, bps: string): Integrator | string | undefined {
  if (account === '' && bps === '') return undefined
  const parsed = Addresses.parse(account)
  const isFee = /^[0-9]{1,3}$/.test(bps) && Number(bps) >= min && Number(bps) <= max
  if (parsed.ok && isFee) return { account: parsed.address, bps: Number(bps) }
  return `This link asks for a fee that cannot be taken, so none is: it needs an address and ${min} to ${max} basis points.`
}

/** Puts the trade into the page's address, so that it can be passed on. */
export function writeLink(trade: Trade, chains: readonly PageChain[]): void {
  const {
    chainId,
    fixed,
    generation,
    integrator,
    recipient,
    slippageBps,
    text,
    tokenIn,
    tokenOut,
  } = trade
  const alias = chains.find((chain) => chain.chainId === chainId)?.alias ?? String(chainId)
  const query = new URLSearchParams({ chain: alias, in: tokenIn, out: tokenOut, amount: text })
  if (fixed === 'out') query.set('exact', 'out')
  if (recipient !== '') query.set('recipient', recipient)
  if (slippageBps !== undefined) query.set('slippageBps', String(slippageBps))
  if (generation !== 'auto') query.set('version', generation)
  if (integrator !== undefined) {
    query.set('integrator', integrator.account)
    query.set('integratorFeeBps', String(integrator.bps))
  }
  history.replaceState(null, '', `?${query}`)
}
