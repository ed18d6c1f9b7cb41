import { blindSpots } from './planted/blindSpots.js'
import { core } from './planted/core.js'
import { fees } from './planted/fees.js'
import { hub } from './planted/hub.js'
import { quoting } from './planted/quoting.js'
import { router2 } from './planted/router2.js'
import { staking } from './planted/staking.js'
import type { Planting } from './planting.js'

export const plantings: readonly Planting[] = [
  staking,
  core,
  hub,
  fees,
  quoting,
  router2,
  blindSpots,
]
