import type { Event, Next } from './events.js'
import { isLocked, only, same } from './next.js'
import type { State } from './State.js'

/** What the wallet says of itself, and who is asked to open it. */
export function changeWallet(state: State, event: Event): Next<State> {
  const { wallet } = state
  const change = (fields: Partial<State['wallet']>): State => ({
    ...state,
    wallet: { ...wallet, ...fields },
  })
  switch (event.type) {
    case 'walletsFound':
      return only(change({ choices: event.choices }))
    case 'choseWallet':
      if (wallet.status === 'connecting' || isLocked(state)) return same(state)
      return {
        state: change({ status: 'connecting', id: event.id, problem: undefined }),
        effects: [{ do: 'connect', id: event.id }],
      }
    case 'connected': {
      const { account, batches, chainId, id } = event
      const next = change({
        status: 'connected',
        id,
        account,
        batches,
        chainId,
        problem: undefined,
        isSwitching: false,
      })
      return { state: leaveReview(next), effects: [{ do: 'readBalances' }, { do: 'remember' }] }
    }
    case 'connectFailed':
      return only(
        wallet.status === 'connecting' ? change({ status: 'none', problem: event.reason }) : state,
      )
    case 'accountsChanged':
      if (wallet.status !== 'connected' || event.account === wallet.account) return same(state)
      if (event.account === undefined) return changeWallet(state, { type: 'disconnected' })
      return {
        state: leaveReview(change({ account: event.account })),
        effects: [{ do: 'readBalances' }],
      }
    case 'chainChanged':
      if (wallet.status !== 'connected') return same(state)
      return {
        state: leaveReview(
          change({ chainId: event.chainId, isSwitching: false, problem: undefined }),
        ),
        effects: [{ do: 'readBalances' }],
      }
    case 'switchEnded':
      return only(change({ isSwitching: false, problem: event.reason }))
    case 'disconnected': {
      const { choices } = wallet
      return {
        state: leaveReview({ ...state, wallet: { choices, status: 'none' } }),
        effects: [{ do: 'disconnect' }, { do: 'remember' }],
      }
    }
    default:
      return same(state)
  }
}

/** What was reviewed was for another account or chain. */
function leaveReview(state: State): State {
  return state.step.at === 'review'
    ? { ...state, step: { at: 'form', notice: 'Your wallet has changed: review the swap again.' } }
    : state
}
