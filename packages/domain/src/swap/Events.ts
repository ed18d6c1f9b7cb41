import { type Hex, toEventSelector } from 'viem'

/** An event of the Routers. */
export type Event = {
  /** Canonical signature, whose hash is `topic0`. */
  readonly signature: string
  /** Solidity declaration, with parameter names and `indexed`. */
  readonly declaration: string
  readonly topic0: Hex
  /** Generations that emit the event; absent if all do. */
  readonly versions?: string
}

/** The events that statistics count. */
export type Counted = 'Swap' | 'ExecutionProof' | 'Fee' | 'Surplus'

/** Events of the Routers by name. Topics are computed from the signatures. */
export const all: Readonly<Record<Counted | 'IntegratorFee', Event>> = {
  Swap: of(
    'Swap(address indexed user, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut, uint256 legs)',
  ),
  ExecutionProof: of(
    'ExecutionProof(address indexed user, address indexed tokenOut, uint256 quoted, uint256 realized, uint256 floorUsed, uint256 blockNumber)',
    '2.x',
  ),
  Fee: of('Fee(address indexed token, uint256 amount, uint256 toT1, uint256 toT2)', '2.x'),
  IntegratorFee: of(
    'IntegratorFee(address indexed integrator, address indexed token, uint256 amount)',
    '2.x',
  ),
  Surplus: of('Surplus(address indexed token, uint256 amount)', '1.x'),
}

function of(parameters: string, versions?: string): Event {
  const signature = parameters.replaceAll(/ (indexed )?\w+(?=[,)])/g, '').replaceAll(', ', ',')
  return {
    signature,
    declaration: `event ${parameters}`,
    topic0: toEventSelector(signature),
    ...(versions !== undefined && { versions }),
  }
}
