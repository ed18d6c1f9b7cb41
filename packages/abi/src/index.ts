/** Typed ABIs, bytecode and the errors of the protocol, generated from the release build. */
export {
  balancerV2AdapterAbi,
  balancerV2AdapterBytecode,
  balancerV2AdapterDeployedBytecode,
  balancerV2AdapterImmutableReferences,
} from './generated/balancerV2Adapter.js'
export {
  balancerV3AdapterAbi,
  balancerV3AdapterBytecode,
  balancerV3AdapterDeployedBytecode,
  balancerV3AdapterImmutableReferences,
} from './generated/balancerV3Adapter.js'
export {
  camelotV2AdapterAbi,
  camelotV2AdapterBytecode,
  camelotV2AdapterDeployedBytecode,
  camelotV2AdapterImmutableReferences,
} from './generated/camelotV2Adapter.js'
export {
  coreAbi,
  coreBytecode,
  coreDeployedBytecode,
  coreImmutableReferences,
} from './generated/core.js'
export {
  curveCryptoAdapterAbi,
  curveCryptoAdapterBytecode,
  curveCryptoAdapterDeployedBytecode,
  curveCryptoAdapterImmutableReferences,
} from './generated/curveCryptoAdapter.js'
export {
  curveStableAdapterAbi,
  curveStableAdapterBytecode,
  curveStableAdapterDeployedBytecode,
  curveStableAdapterImmutableReferences,
} from './generated/curveStableAdapter.js'
export {
  daiUsdsAdapterAbi,
  daiUsdsAdapterBytecode,
  daiUsdsAdapterDeployedBytecode,
  daiUsdsAdapterImmutableReferences,
} from './generated/daiUsdsAdapter.js'
export {
  erc4626AdapterAbi,
  erc4626AdapterBytecode,
  erc4626AdapterDeployedBytecode,
  erc4626AdapterImmutableReferences,
} from './generated/erc4626Adapter.js'
export { errorsAbi } from './generated/errors.js'
export {
  finderAbi,
  finderBytecode,
  finderDeployedBytecode,
  finderImmutableReferences,
} from './generated/finder.js'
export {
  fluidLiteAdapterAbi,
  fluidLiteAdapterBytecode,
  fluidLiteAdapterDeployedBytecode,
  fluidLiteAdapterImmutableReferences,
} from './generated/fluidLiteAdapter.js'
export {
  hubAbi,
  hubBytecode,
  hubDeployedBytecode,
  hubImmutableReferences,
} from './generated/hub.js'
export {
  infinityClAdapterAbi,
  infinityClAdapterBytecode,
  infinityClAdapterDeployedBytecode,
  infinityClAdapterImmutableReferences,
} from './generated/infinityClAdapter.js'
export { lensAbi, lensDeployedBytecode } from './generated/lens.js'
export {
  liquidityBookAdapterAbi,
  liquidityBookAdapterBytecode,
  liquidityBookAdapterDeployedBytecode,
  liquidityBookAdapterImmutableReferences,
} from './generated/liquidityBookAdapter.js'
export {
  litePsmAdapterAbi,
  litePsmAdapterBytecode,
  litePsmAdapterDeployedBytecode,
  litePsmAdapterImmutableReferences,
} from './generated/litePsmAdapter.js'
export {
  optimizerAbi,
  optimizerBytecode,
  optimizerDeployedBytecode,
  optimizerImmutableReferences,
} from './generated/optimizer.js'
export {
  pricerAbi,
  pricerBytecode,
  pricerDeployedBytecode,
  pricerImmutableReferences,
} from './generated/pricer.js'
export {
  psm3AdapterAbi,
  psm3AdapterBytecode,
  psm3AdapterDeployedBytecode,
  psm3AdapterImmutableReferences,
} from './generated/psm3Adapter.js'
export {
  quoterAbi,
  quoterBytecode,
  quoterDeployedBytecode,
  quoterImmutableReferences,
} from './generated/quoter.js'
export {
  routerAbi,
  routerBytecode,
  routerDeployedBytecode,
  routerImmutableReferences,
} from './generated/router.js'
export {
  routerV2Abi,
  routerV2Bytecode,
  routerV2DeployedBytecode,
  routerV2ImmutableReferences,
} from './generated/routerV2.js'
export {
  samplerAbi,
  samplerBytecode,
  samplerDeployedBytecode,
  samplerImmutableReferences,
} from './generated/sampler.js'
export {
  sluAbi,
  sluBytecode,
  sluDeployedBytecode,
  sluImmutableReferences,
} from './generated/slu.js'
export {
  solverAbi,
  solverBytecode,
  solverDeployedBytecode,
  solverImmutableReferences,
} from './generated/solver.js'
export {
  stakingAbi,
  stakingBytecode,
  stakingDeployedBytecode,
  stakingImmutableReferences,
} from './generated/staking.js'
export { swapsAbi } from './generated/swaps.js'
export { trialAbi, trialDeployedBytecode } from './generated/trial.js'
export {
  uniswapV4HooksAdapterAbi,
  uniswapV4HooksAdapterBytecode,
  uniswapV4HooksAdapterDeployedBytecode,
  uniswapV4HooksAdapterImmutableReferences,
} from './generated/uniswapV4HooksAdapter.js'
export { venueKinds } from './generated/venueKinds.js'
export {
  wstEthAdapterAbi,
  wstEthAdapterBytecode,
  wstEthAdapterDeployedBytecode,
  wstEthAdapterImmutableReferences,
} from './generated/wstEthAdapter.js'
