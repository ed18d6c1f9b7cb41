import { NodeError } from '../askNode.js'
import type { Effect } from '../machine/events.js'
import { balanceKey } from '../machine/question.js'
import { readBalances } from './node.js'
import { late } from './parts.js'
import type { Askers, World } from './World.js'
import { chainOf, firstAccount, openWallet, type Provider } from './wallets.js'
import { notLoaded, whyNot } from './whyNot.js'

type Of<name extends Effect['do']> = Extract<Effect, { do: name }>

/** Connects the wallet, switches its chain, and watches the transactions that it sent. */
export function createHolding(world: World, askers: Askers) {
  const { boot, dispatch, state } = world
  let leaveWallet = () => {}
  const watched = new Set<string>()

  async function connect(id: string, isQuiet = false): Promise<void> {
    const found = world.wallets().get(id)
    try {
      const opened = found && (await openWallet(found.provider, { isQuiet }))
      if (found === undefined || opened === undefined) {
        if (isQuiet) return
        throw new NodeError('The wallet gave no account.')
      }
      leaveWallet()
      leaveWallet = listen(found.provider, dispatch)
      dispatch({ type: 'connected', id, ...opened })
      // Whoever connects is likely to sign soon.
      late.load().catch(() => {})
    } catch (error) {
      const reason = await whyNot(error, 'Nothing is connected.')
      if (!isQuiet) dispatch({ type: 'connectFailed', reason })
    }
  }

  async function change({ chainId }: Of<'switchChain'>): Promise<void> {
    const wallet = askers.wallet()
    const part = await late.load().catch(() => undefined)
    if (wallet === undefined || part === undefined)
      return dispatch({ type: 'switchEnded', reason: notLoaded })
    try {
      await part.switchChain(wallet, chainId, boot)
      dispatch({ type: 'chainChanged', chainId: chainOf(await wallet('eth_chainId', [])) })
      dispatch({ type: 'switchEnded' })
    } catch (error) {
      dispatch({ type: 'switchEnded', reason: part.switchWords(error, boot, chainId) })
    }
  }

  async function readHeld(): Promise<void> {
    const { trade, wallet } = state()
    const { account } = wallet
    const { chainId, tokenIn, tokenOut } = trade
    const node = askers.nodeFor(chainId)
    if (account === undefined || node === undefined) return
    const read = await readBalances(node, account, [tokenIn, tokenOut])
    const balances = read.map(
      ([token, held]) => [balanceKey(chainId, account, token), held] as const,
    )
    if (balances.length > 0) dispatch({ type: 'balancesRead', balances })
  }

  async function look({ activity }: Of<'watch'>): Promise<void> {
    const { chainId, id, isBatch } = activity
    if (watched.has(id)) return
    watched.add(id)
    const askOf = () => (isBatch === true ? askers.wallet() : askers.nodeFor(chainId))
    const { watch } = await late.load()
    dispatch({ type: 'settled', id, outcome: await watch(askOf, activity, boot) })
  }

  return { connect, change, readHeld, look, disconnect: () => leaveWallet() }
}

/** Follows what the wallet says of itself. */
function listen(provider: Provider, dispatch: World['dispatch']): () => void {
  const listeners = {
    accountsChanged: (accounts: never) =>
      dispatch({ type: 'accountsChanged', account: firstAccount(accounts) }),
    chainChanged: (chainId: never) => dispatch({ type: 'chainChanged', chainId: chainOf(chainId) }),
    disconnect: () => dispatch({ type: 'disconnected' }),
  }
  for (const [name, listener] of Object.entries(listeners)) provider.on?.(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      provider.removeListener?.(name, listener)
  }
}
