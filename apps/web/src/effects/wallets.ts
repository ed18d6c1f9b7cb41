import { type AskNode, nodeOf, type Wallet } from '../askNode.js'
import type { WalletChoice } from '../machine/State.js'

/** A wallet and how it is called. */
export type Found = { readonly choice: WalletChoice; readonly provider: Provider }

export type Provider = Wallet & {
  readonly on?: (event: string, listener: (value: never) => void) => unknown
  readonly removeListener?: (event: string, listener: (value: never) => void) => unknown
}

type Announcement = {
  readonly info?: {
    readonly rdns?: unknown
    readonly name?: unknown
    readonly uuid?: unknown
  }
  readonly provider?: Provider
}

/** Id of the wallet that stands in the page without announcing itself. */
export const injectedId = 'injected'

/**
 * Wallets that announce themselves by EIP-6963, whenever they do, and the one of `window.ethereum` if it is none of them.
 *
 * @returns What has been found so far, by id.
 */
export function discover(
  onChange: (choices: readonly WalletChoice[]) => void,
): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>()
  const tell = () => onChange([...found.values()].map(({ choice }) => choice))
  const add = ({ info = {}, provider }: Announcement) => {
    if (typeof provider?.request !== 'function') return
    const id = textOf(info.rdns) || textOf(info.uuid)
    if (id === '') return
    if (found.get(injectedId)?.provider === provider) found.delete(injectedId)
    found.set(id, {
      provider,
      choice: { id, name: textOf(info.name) || 'Wallet' },
    })
    tell()
  }
  window.addEventListener('eip6963:announceProvider', (event) =>
    add((event as CustomEvent<Announcement>).detail ?? {}),
  )
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const addInjected = () => {
    const { ethereum } = window as { ethereum?: Provider }
    const isKnown = [...found.values()].some(({ provider }) => provider === ethereum)
    if (typeof ethereum?.request !== 'function' || isKnown) return
    found.set(injectedId, {
      provider: ethereum,
      choice: { id: injectedId, name: 'Browser wallet' },
    })
    tell()
  }
  // Wallets put it there early or late.
  window.addEventListener('ethereum#initialized', addInjected)
  for (const ms of [0, 300, 1_500, 5_000]) setTimeout(addInjected, ms)
  return found
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 64) : ''
}

/** The account and chain of a wallet. With `isQuiet` it is not asked to open. */
export async function openWallet(provider: Provider, { isQuiet = false } = {}) {
  const ask = nodeOf(provider)
  const accounts = await ask(isQuiet ? 'eth_accounts' : 'eth_requestAccounts', [])
  const account = firstAccount(accounts)
  if (account === undefined) return undefined
  const chainId = chainOf(await ask('eth_chainId', []))
  return { account, chainId, batches: await batchChains(ask, account) }
}

export function firstAccount(accounts: unknown): string | undefined {
  const [account] = Array.isArray(accounts) ? accounts : []
  return typeof account === 'string' && /^0x[0-9a-fA-F]{40}$/.test(account) ? account : undefined
}

export function chainOf(value: unknown): number {
  return Number(value)
}

/** Chains on which the wallet says that it makes several calls as one (EIP-5792). */
async function batchChains(ask: AskNode, account: string): Promise<readonly number[]> {
  const answer = await ask('wallet_getCapabilities', [account]).catch(() => undefined)
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer as Record<string, Capabilities>).flatMap(([chain, abilities]) => {
    const { atomic, atomicBatch } = abilities ?? {}
    const can =
      atomic?.status === 'supported' ||
      atomic?.status === 'ready' ||
      atomicBatch?.supported === true
    return can ? [Number(chain)] : []
  })
}

type Capabilities = {
  readonly atomic?: { readonly status?: string }
  readonly atomicBatch?: { readonly supported?: boolean }
}
