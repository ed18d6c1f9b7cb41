import { toEventSelector, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import * as Abi from '../src/index.js'

/** EIP-170. */
const maxCodeBytes = 24_576

describe('the package', () => {
  test('default: exports', () => {
    expect(Object.keys(Abi)).toEqual([
      'balancerV2AdapterAbi',
      'balancerV2AdapterBytecode',
      'balancerV2AdapterDeployedBytecode',
      'balancerV2AdapterImmutableReferences',
      'balancerV3AdapterAbi',
      'balancerV3AdapterBytecode',
      'balancerV3AdapterDeployedBytecode',
      'balancerV3AdapterImmutableReferences',
      'camelotV2AdapterAbi',
      'camelotV2AdapterBytecode',
      'camelotV2AdapterDeployedBytecode',
      'camelotV2AdapterImmutableReferences',
      'coreAbi',
      'coreBytecode',
      'coreDeployedBytecode',
      'coreImmutableReferences',
      'curveCryptoAdapterAbi',
      'curveCryptoAdapterBytecode',
      'curveCryptoAdapterDeployedBytecode',
      'curveCryptoAdapterImmutableReferences',
      'curveStableAdapterAbi',
      'curveStableAdapterBytecode',
      'curveStableAdapterDeployedBytecode',
      'curveStableAdapterImmutableReferences',
      'daiUsdsAdapterAbi',
      'daiUsdsAdapterBytecode',
      'daiUsdsAdapterDeployedBytecode',
      'daiUsdsAdapterImmutableReferences',
      'erc4626AdapterAbi',
      'erc4626AdapterBytecode',
      'erc4626AdapterDeployedBytecode',
      'erc4626AdapterImmutableReferences',
      'errorsAbi',
      'finderAbi',
      'finderBytecode',
      'finderDeployedBytecode',
      'finderImmutableReferences',
      'fluidLiteAdapterAbi',
      'fluidLiteAdapterBytecode',
      'fluidLiteAdapterDeployedBytecode',
      'fluidLiteAdapterImmutableReferences',
      'hubAbi',
      'hubBytecode',
      'hubDeployedBytecode',
      'hubImmutableReferences',
      'infinityClAdapterAbi',
      'infinityClAdapterBytecode',
      'infinityClAdapterDeployedBytecode',
      'infinityClAdapterImmutableReferences',
      'lensAbi',
      'lensDeployedBytecode',
      'liquidityBookAdapterAbi',
      'liquidityBookAdapterBytecode',
      'liquidityBookAdapterDeployedBytecode',
      'liquidityBookAdapterImmutableReferences',
      'litePsmAdapterAbi',
      'litePsmAdapterBytecode',
      'litePsmAdapterDeployedBytecode',
      'litePsmAdapterImmutableReferences',
      'optimizerAbi',
      'optimizerBytecode',
      'optimizerDeployedBytecode',
      'optimizerImmutableReferences',
      'pricerAbi',
      'pricerBytecode',
      'pricerDeployedBytecode',
      'pricerImmutableReferences',
      'psm3AdapterAbi',
      'psm3AdapterBytecode',
      'psm3AdapterDeployedBytecode',
      'psm3AdapterImmutableReferences',
      'quoterAbi',
      'quoterBytecode',
      'quoterDeployedBytecode',
      'quoterImmutableReferences',
      'routerAbi',
      'routerBytecode',
      'routerDeployedBytecode',
      'routerImmutableReferences',
      'routerV2Abi',
      'routerV2Bytecode',
      'routerV2DeployedBytecode',
      'routerV2ImmutableReferences',
      'samplerAbi',
      'samplerBytecode',
      'samplerDeployedBytecode',
      'samplerImmutableReferences',
      'sluAbi',
      'sluBytecode',
      'sluDeployedBytecode',
      'sluImmutableReferences',
      'solverAbi',
      'solverBytecode',
      'solverDeployedBytecode',
      'solverImmutableReferences',
      'stakingAbi',
      'stakingBytecode',
      'stakingDeployedBytecode',
      'stakingImmutableReferences',
      'swapsAbi',
      'trialAbi',
      'trialDeployedBytecode',
      'uniswapV4HooksAdapterAbi',
      'uniswapV4HooksAdapterBytecode',
      'uniswapV4HooksAdapterDeployedBytecode',
      'uniswapV4HooksAdapterImmutableReferences',
      'venueKinds',
      'wstEthAdapterAbi',
      'wstEthAdapterBytecode',
      'wstEthAdapterDeployedBytecode',
      'wstEthAdapterImmutableReferences',
    ])
  })
})

describe('code', () => {
  test.each([
    ['core', Abi.coreBytecode, Abi.coreDeployedBytecode],
    ['finder', Abi.finderBytecode, Abi.finderDeployedBytecode],
    ['hub', Abi.hubBytecode, Abi.hubDeployedBytecode],
    ['optimizer', Abi.optimizerBytecode, Abi.optimizerDeployedBytecode],
    ['pricer', Abi.pricerBytecode, Abi.pricerDeployedBytecode],
    ['quoter', Abi.quoterBytecode, Abi.quoterDeployedBytecode],
    ['router', Abi.routerBytecode, Abi.routerDeployedBytecode],
    ['routerV2', Abi.routerV2Bytecode, Abi.routerV2DeployedBytecode],
    ['sampler', Abi.samplerBytecode, Abi.samplerDeployedBytecode],
    ['slu', Abi.sluBytecode, Abi.sluDeployedBytecode],
    ['solver', Abi.solverBytecode, Abi.solverDeployedBytecode],
    ['staking', Abi.stakingBytecode, Abi.stakingDeployedBytecode],
  ])('behavior: %s can be deployed as it is', (_, creation, runtime) => {
    expect(creation).toMatch(/^0x([0-9a-f]{2})+$/)
    expect(runtime).toMatch(/^0x([0-9a-f]{2})+$/)
    expect((runtime.length - 2) / 2).toBeLessThanOrEqual(maxCodeBytes)
  })

  test('behavior: immutables are zeros in the runtime code', () => {
    const immutables = Abi.quoterImmutableReferences.flat()
    expect(immutables.length).toBeGreaterThan(0)
    for (const { start, length } of immutables)
      expect(Abi.quoterDeployedBytecode.slice(2 + 2 * start, 2 + 2 * (start + length))).toBe(
        '00'.repeat(length),
      )
  })
})

describe('ABIs', () => {
  const swap = 'Swap(address,address,address,uint256,uint256,uint256)'
  test.each([
    ['1.0.0', Abi.routerAbi, [swap, 'Surplus(address,uint256)']],
    [
      '2.0.0',
      Abi.routerV2Abi,
      [
        swap,
        'ExecutionProof(address,address,uint256,uint256,uint256,uint256)',
        'Fee(address,uint256,uint256,uint256)',
        // Additive.
        'IntegratorFee(address,address,uint256)',
      ],
    ],
  ])("behavior: the events of %s's Router are the specification's", (_, abi, signatures) => {
    const events = abi.filter((item) => item.type === 'event')
    expect(events.map((event) => toEventSelector(event)).sort()).toEqual(
      signatures.map(toEventSelector).sort(),
    )
  })

  test('behavior: the Quoter names every error that can come through it', () => {
    const names = (abi: readonly { type: string; name?: string }[]) =>
      abi.filter(({ type }) => type === 'error').map(({ name }) => name)
    expect(names(Abi.quoterAbi)).toEqual(names(Abi.errorsAbi))
    for (const abi of [Abi.hubAbi, Abi.routerAbi, Abi.routerV2Abi, Abi.solverAbi, Abi.sluAbi])
      for (const name of names(abi)) expect(names(Abi.errorsAbi)).toContain(name)
  })

  test('behavior: no two errors share a selector', () => {
    const selectors = Abi.errorsAbi.map(({ name, inputs }) =>
      toFunctionSelector(`${name}(${inputs.map(({ type }) => type).join(',')})`),
    )
    expect(new Set(selectors).size).toBe(selectors.length)
  })
})
