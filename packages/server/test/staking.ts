import { type Deployments, Solvency } from '@sluice/domain'
import { deployments } from '../../domain/test/deployments.js'
import { short, sound, stakingAnswers, target } from '../../engine/test/staking.js'
import { type Service, startService } from './harness.js'

const base = deployments.chains['8453']!

/** A registry in which Base has a second generation with Staking and Core. */
export const withStaking: Deployments.Deployments = {
  schema: 1,
  chains: {
    ...deployments.chains,
    '8453': {
      ...base,
      versions: {
        ...base.versions,
        '2.0.0': { ...base.versions['1.0.0']!, staking: target.staking, core: target.core },
      },
    },
  },
}

const ours = Solvency.targetsOf(withStaking).find(Solvency.isDeployed)!

/** A service on a node with a Staking contract in this state. */
export async function startWithStaking(
  how: 'sound' | 'short' | 'absent' = 'sound',
  changes: Parameters<typeof startService>[0] = {},
): Promise<Service> {
  const service = await startService({ deployments: withStaking, ...changes })
  if (how !== 'absent')
    Object.assign(service.node.answers, stakingAnswers(how === 'sound' ? sound : short, ours))
  return service
}
