import { Addresses } from '@sluice/domain'
import { Standing } from '@sluice/rpc'
import { type ChainState, lacksCancun } from './ChainState.js'
import type { ChainHealth, ChainProblem, NodeHealth } from './Engine.js'

/** Returns the health of one chain. Reads memory only. */
export function healthOf(state: ChainState): Omit<ChainHealth, 'poolsIndexed'> {
  const { chain, head } = state
  const { quoter, router } = chain.contracts
  const isDeployed = (address: string) => !Addresses.equal(address, Addresses.zero)
  const ageMs = Math.round(performance.now() - state.headAskedAt)
  return {
    chainId: chain.chainId,
    name: chain.name,
    live: isDeployed(quoter) && isDeployed(router),
    probed: state.isProbed,
    head: head?.number,
    headAgeMs: head && Number.isFinite(ageMs) ? ageMs : undefined,
    problem: problemOf(state),
  }
}

/** Returns why no quote can be made on a chain; `undefined` if there is no such reason. */
export function problemOf(state: ChainState): ChainProblem | undefined {
  if (lacksCancun(state)) return 'no_cancun'
  const { upstreams } = state
  const areWrong = upstreams.length > 0 && upstreams.every(({ isExcluded }) => isExcluded)
  return areWrong ? 'wrong_chain' : undefined
}

/** Returns the health of a chain's nodes. Reads memory only. */
export function nodesOf({ head, heads, upstreams }: ChainState): readonly NodeHealth[] {
  return upstreams.map(({ isExcluded, label, standing }) => {
    const own = heads.of(label)
    const headLag = head && own && Number(head.number - own.number)
    return { label, isDemoted: Standing.isDemoted(standing), isExcluded, headLag }
  })
}
