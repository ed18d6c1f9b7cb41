import type { Effect } from '../machine/events.js'
import { createAskers } from './askers.js'
import { createHolding } from './holding.js'
import { late } from './parts.js'
import { createQuoting } from './quoting.js'
import * as Storage from './storage.js'
import type { World } from './World.js'
import { notLoaded } from './whyNot.js'

type Runs = { readonly [name in Effect['do']]: (effect: Extract<Effect, { do: name }>) => unknown }

/** Does what the machine asks for, and tells it what came of it. */
export function createRunner(world: World) {
  const askers = createAskers(world)
  const quoting = createQuoting(world, askers)
  const holding = createHolding(world, askers)
  const handOver = async (effect: Extract<Effect, { do: 'send' | 'sign' }>) => {
    const part = await late.load().catch(() => undefined)
    const { sendId } = effect
    if (part !== undefined) return await part.handOver(world, askers, effect)
    world.dispatch({ type: 'refused', sendId, reason: `${notLoaded} Nothing was sent.` })
  }
  const runs: Runs = {
    ask: quoting.ask,
    stopAsking: quoting.stopAsking,
    check: quoting.check,
    refresh: quoting.refresh,
    connect: ({ id }) => holding.connect(id),
    disconnect: holding.disconnect,
    switchChain: holding.change,
    readBalances: holding.readHeld,
    send: handOver,
    sign: handOver,
    findPayment: (effect) =>
      late.load().then(
        (part) => part.lookForPayment(world, effect),
        () => {
          const { paymentKey } = effect
          world.dispatch({ type: 'paymentFound', paymentKey, payment: 'approve' })
        },
      ),
    watch: holding.look,
    keep({ activity, opened }) {
      Storage.activity.write(activity)
      Storage.opened.write(opened)
    },
    remember() {
      const { trade, wallet } = world.state()
      Storage.writeLink(trade, world.boot.chains)
      Storage.wallet.write(wallet.status === 'connected' ? wallet.id : undefined)
    },
  }
  return {
    perform: (effect: Effect) => {
      runs[effect.do](effect as never)
    },
    connect: holding.connect,
    nodeFor: askers.nodeFor,
    readHeld: holding.readHeld,
  }
}
