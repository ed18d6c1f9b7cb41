export { account } from './account.js'
export { balancerFactory } from './balancer.js'
export {
  type BalancerV3Spec,
  balancerV3Pool,
  balancerV3Seeder,
  balancerV3Vault,
  createBalancerV3Pool,
  installBalancerV3,
} from './balancerV3.js'
export { type ChainSpec, chainSpecs, type TokenSpec } from './chains.js'
export { DevnetError } from './errors.js'
export { fund } from './fund.js'
export { type Annex, type FurnishedChain, furnishChain } from './furnishChain.js'
export { devDaiUsdsBytecode } from './generated/devDaiUsds.js'
export { devLitePsmAbi, devLitePsmBytecode } from './generated/devLitePsm.js'
export { devVaultAbi, devVaultBytecode } from './generated/devVault.js'
export {
  createHookedPool,
  dynamicFee,
  type HookedSpec,
  hookedPool,
  installHooked,
  poolWithDevHook,
  positionManager,
} from './hookedPool.js'
export { nestedRanges, type Range, rounded, sqrtPriceX96 } from './liquidity.js'
export { type ListedSpec, type PoolSpec, tokensOf } from './market.js'
export { anvilPath, startAnvil } from './nodes/anvil.js'
export { type ChainNode, type NodeKind, nodeKinds } from './nodes/ChainNode.js'
export { type Fork, startFork } from './nodes/fork.js'
export { poolRegistry, seeder } from './placements.js'
export { poolTransactions } from './seedMarket.js'
export type { DevnetChain, DevnetPool } from './startChain.js'
export { type Devnet, type StartDevnetOptions, startDevnet } from './startDevnet.js'
export { sendInOneBlock, type Transaction } from './transactions.js'
export { converterVenues, poolAddress } from './venues.js'
