import type { Devnet } from '@sluice/devnet'
import type { Page } from 'playwright-core'

/** What the wallet does when it is asked to sign: at once, never, or when the test says so. */
export type Answering = 'sign' | 'decline' | 'hold'

/** A wallet that a test plays: EIP-1193 behind an EIP-6963 announcement, on the nodes of a devnet. */
export type ScriptedWallet = {
  /** Every request that needs its owner, in order. */
  readonly asked: { method: string; params: readonly unknown[] }[]
  readonly sent: Record<string, string>[]
  answering: Answering
  /** Gas of its transactions. */
  gas: string
  chainId: number
  account: string
  /** Chains that it makes several calls at once on (EIP-5792). */
  batches: readonly number[]
  /** Whether it knows how to sign typed data. */
  signsData: boolean
  /** Signs with this, whatever it is asked. */
  signature: string | undefined
  /** Answers the request that is held. */
  release: (answer: 'sign' | 'decline') => Promise<void>
  /** Tells the page, as wallets do. */
  emit: (event: 'accountsChanged' | 'chainChanged' | 'disconnect', value: unknown) => Promise<void>
  /** Makes it known to the page, early or late. */
  announce: (page: Page) => Promise<void>
}

type Ask = { method: string; params?: readonly unknown[] }

class WalletError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(message: string, code: number, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Rooms above a node's estimate, which is of the last block's state. */
const roomyGas = '0x7a1200'
const needsOwner = [
  'eth_requestAccounts',
  'wallet_switchEthereumChain',
  'eth_sendTransaction',
  'wallet_sendCalls',
  'eth_signTypedData_v4',
]

export async function installWallet(
  page: Page,
  devnet: Devnet,
  options: { chainId?: number; isLate?: boolean; isInjected?: boolean; isConnected?: boolean } = {},
): Promise<ScriptedWallet> {
  let held: ((answer: 'sign' | 'decline') => void) | undefined
  let isConnected = options.isConnected ?? false
  const batchesMade = new Map<string, string[]>()
  const nodeOf = (chainId: number) => {
    const chain = devnet.chains.find((each) => each.chainId === chainId)
    if (chain === undefined) throw new WalletError('Unrecognized chain ID', 4902)
    return chain.rpcUrl
  }
  const wallet: ScriptedWallet = {
    asked: [],
    sent: [],
    answering: 'sign',
    gas: roomyGas,
    chainId: options.chainId ?? devnet.chains[0]!.chainId,
    account: devnet.account.address,
    batches: [],
    signsData: true,
    signature: undefined,
    async release(answer) {
      held?.(answer)
      held = undefined
      await page.waitForTimeout(50)
    },
    async emit(event, value) {
      await page.evaluate(
        ([name, given]) =>
          (window as never as { walletEmit: (n: unknown, v: unknown) => void }).walletEmit(
            name,
            given,
          ),
        [event, value] as const,
      )
    },
    async announce(to) {
      await to.evaluate(() => (window as never as { walletAnnounce: () => void }).walletAnnounce())
    },
  }

  async function decide(): Promise<void> {
    const answer =
      wallet.answering === 'hold'
        ? await new Promise<'sign' | 'decline'>((resolve) => {
            held = resolve
          })
        : wallet.answering
    if (answer === 'decline') throw new WalletError('User rejected the request.', 4001)
  }

  async function answer({ method, params = [] }: Ask): Promise<unknown> {
    if (needsOwner.includes(method)) {
      wallet.asked.push({ method, params })
      await decide()
    }
    switch (method) {
      case 'eth_requestAccounts':
        isConnected = true
        return [wallet.account]
      case 'eth_accounts':
        return isConnected ? [wallet.account] : []
      case 'eth_chainId':
        return `0x${wallet.chainId.toString(16)}`
      case 'wallet_switchEthereumChain': {
        const chainId = Number((params[0] as { chainId: string }).chainId)
        nodeOf(chainId)
        wallet.chainId = chainId
        await wallet.emit('chainChanged', `0x${chainId.toString(16)}`)
        return null
      }
      case 'wallet_getCapabilities':
        return Object.fromEntries(
          wallet.batches.map((id) => [`0x${id.toString(16)}`, { atomic: { status: 'supported' } }]),
        )
      case 'wallet_sendCalls':
        return await sendCalls(params[0] as { calls: Record<string, string>[]; chainId: string })
      case 'wallet_getCallsStatus':
        return await callsStatus(String(params[0]))
      case 'eth_signTypedData_v4':
        if (!wallet.signsData) throw new WalletError('The method is not supported.', 4200)
        if (wallet.signature !== undefined) return wallet.signature
        return await rpc(nodeOf(wallet.chainId), method, [params[0], JSON.parse(String(params[1]))])
      case 'eth_sendTransaction': {
        const transaction = params[0] as Record<string, string>
        wallet.sent.push(transaction)
        const { chainId: _, ...fields } = transaction
        return await rpc(nodeOf(wallet.chainId), method, [{ ...fields, gas: wallet.gas }])
      }
      default:
        return await rpc(nodeOf(wallet.chainId), method, params)
    }
  }

  async function sendCalls({ calls }: { calls: Record<string, string>[] }) {
    const hashes: string[] = []
    for (const call of calls) {
      wallet.sent.push(call)
      const fields = { from: wallet.account, gas: wallet.gas, ...call }
      hashes.push(String(await rpc(nodeOf(wallet.chainId), 'eth_sendTransaction', [fields])))
    }
    const id = `batch-${batchesMade.size}`
    batchesMade.set(id, hashes)
    return { id }
  }

  async function callsStatus(id: string) {
    const hashes = batchesMade.get(id) ?? []
    const receipts = await Promise.all(
      hashes.map((hash) => rpc(nodeOf(wallet.chainId), 'eth_getTransactionReceipt', [hash])),
    )
    return { status: receipts.every(Boolean) ? 200 : 100, receipts }
  }

  await page.exposeFunction('askScriptedWallet', async (ask: Ask) => {
    try {
      return { result: await answer(ask) }
    } catch (error) {
      const { code = -32603, data, message } = error as WalletError
      return { error: { code, data, message } }
    }
  })
  await page.addInitScript(injected, {
    isLate: options.isLate ?? false,
    isInjected: options.isInjected ?? false,
  })
  return wallet
}

/** Runs in the page, before its own script. */
function injected({ isInjected, isLate }: { isLate: boolean; isInjected: boolean }): void {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const provider = {
    async request(ask: unknown) {
      type Told = { result?: unknown; error?: { message: string; code: number; data: unknown } }
      const askWallet = (window as never as { askScriptedWallet: (ask: unknown) => Promise<Told> })
        .askScriptedWallet
      const { error, result } = await askWallet(ask)
      if (error)
        throw Object.assign(new Error(error.message), { code: error.code, data: error.data })
      return result
    },
    on(event: string, listener: (value: unknown) => void) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listeners.get(event)?.delete(listener)
    },
  }
  const icon =
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="%23643ad6"/><circle cx="16" cy="16" r="7" fill="white"/></svg>'
  const info = {
    uuid: '00000000-0000-4000-8000-000000000001',
    name: 'Scripted Wallet',
    icon,
    rdns: 'test.scripted',
  }
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
    )
  Object.assign(window, {
    walletAnnounce: announce,
    walletEmit: (event: string, value: unknown) => {
      for (const listener of listeners.get(event) ?? []) listener(value)
    },
  })
  if (isInjected) return void Object.assign(window, { ethereum: provider })
  if (isLate) return
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

/** Asks a node as a wallet would. */
export async function rpc(
  url: string,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  const { error, result } = (await response.json()) as {
    error?: { message: string; code: number; data?: unknown }
    result: unknown
  }
  if (error) throw new WalletError(error.message, error.code, error.data)
  return result
}
