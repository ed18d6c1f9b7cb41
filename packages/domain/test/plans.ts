import type { Plan } from '../src/index.js'
import { tokens } from './deployments.js'

/** An executable plan with one leg: 1,000,000 in, 2,000,000 out, and a floor 1 % below the net output. */
export function planOf(changes: Partial<Plan.Plan> = {}): Plan.Plan {
  return {
    route: {
      tokenIn: tokens.weth,
      tokenOut: tokens.usdc,
      amountIn: 1_000_000n,
      grossOut: 2_000_000n,
      impactBps: 12n,
      legs: [
        {
          venue: 2,
          pool: '0x00000000000000000000000000000000000000B0',
          tokenIn: tokens.weth,
          tokenOut: tokens.usdc,
          key: 3_000n,
          share: 10n ** 18n,
        },
      ],
    },
    verdict: 'Executable',
    protocolFee: 5_600n,
    netOut: 1_994_400n,
    ironFloor: 1_974_456n,
    upperBound: 2_000_001n,
    gapMicroBps: 5_000n,
    estGas: 130_000n,
    hops: 1n,
    hasSurplus: false,
    truncated: false,
    poolsRead: 4n,
    witness: {
      chainId: 8_453n,
      blockNumber: 100n,
      timestamp: 1_700_000_000n,
      parentHash: `0x${'ab'.repeat(32)}`,
    },
    ...changes,
  }
}
