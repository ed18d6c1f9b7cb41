import {
  balancerV2AdapterBytecode,
  balancerV2AdapterDeployedBytecode,
  balancerV2AdapterImmutableReferences,
  balancerV3AdapterBytecode,
  balancerV3AdapterDeployedBytecode,
  balancerV3AdapterImmutableReferences,
  camelotV2AdapterBytecode,
  camelotV2AdapterDeployedBytecode,
  camelotV2AdapterImmutableReferences,
  curveCryptoAdapterBytecode,
  curveCryptoAdapterDeployedBytecode,
  curveCryptoAdapterImmutableReferences,
  curveStableAdapterBytecode,
  curveStableAdapterDeployedBytecode,
  curveStableAdapterImmutableReferences,
  daiUsdsAdapterBytecode,
  daiUsdsAdapterDeployedBytecode,
  daiUsdsAdapterImmutableReferences,
  erc4626AdapterBytecode,
  erc4626AdapterDeployedBytecode,
  erc4626AdapterImmutableReferences,
  fluidLiteAdapterBytecode,
  fluidLiteAdapterDeployedBytecode,
  fluidLiteAdapterImmutableReferences,
  infinityClAdapterBytecode,
  infinityClAdapterDeployedBytecode,
  infinityClAdapterImmutableReferences,
  liquidityBookAdapterBytecode,
  liquidityBookAdapterDeployedBytecode,
  liquidityBookAdapterImmutableReferences,
  litePsmAdapterBytecode,
  litePsmAdapterDeployedBytecode,
  litePsmAdapterImmutableReferences,
  psm3AdapterBytecode,
  psm3AdapterDeployedBytecode,
  psm3AdapterImmutableReferences,
  uniswapV4HooksAdapterBytecode,
  uniswapV4HooksAdapterDeployedBytecode,
  uniswapV4HooksAdapterImmutableReferences,
  wstEthAdapterBytecode,
  wstEthAdapterDeployedBytecode,
  wstEthAdapterImmutableReferences,
} from '@sluice/abi'
import type { Address, Hex } from 'viem'
import * as Generation from './Generation.js'
import { type Runtime, withImmutables } from './Runtime.js'

/** Creation code and runtime code of each adapter of this repository, by its name in chain configs. */
const codes = {
  curveStable: {
    creation: curveStableAdapterBytecode,
    runtime: {
      code: curveStableAdapterDeployedBytecode,
      references: curveStableAdapterImmutableReferences,
    },
  },
  curveCrypto: {
    creation: curveCryptoAdapterBytecode,
    runtime: {
      code: curveCryptoAdapterDeployedBytecode,
      references: curveCryptoAdapterImmutableReferences,
    },
  },
  balancerV2: {
    creation: balancerV2AdapterBytecode,
    runtime: {
      code: balancerV2AdapterDeployedBytecode,
      references: balancerV2AdapterImmutableReferences,
    },
  },
  balancerV3: {
    creation: balancerV3AdapterBytecode,
    runtime: {
      code: balancerV3AdapterDeployedBytecode,
      references: balancerV3AdapterImmutableReferences,
    },
  },
  erc4626: {
    creation: erc4626AdapterBytecode,
    runtime: {
      code: erc4626AdapterDeployedBytecode,
      references: erc4626AdapterImmutableReferences,
    },
  },
  daiUsds: {
    creation: daiUsdsAdapterBytecode,
    runtime: {
      code: daiUsdsAdapterDeployedBytecode,
      references: daiUsdsAdapterImmutableReferences,
    },
  },
  litePsm: {
    creation: litePsmAdapterBytecode,
    runtime: {
      code: litePsmAdapterDeployedBytecode,
      references: litePsmAdapterImmutableReferences,
    },
  },
  psm3: {
    creation: psm3AdapterBytecode,
    runtime: {
      code: psm3AdapterDeployedBytecode,
      references: psm3AdapterImmutableReferences,
    },
  },
  wstEth: {
    creation: wstEthAdapterBytecode,
    runtime: {
      code: wstEthAdapterDeployedBytecode,
      references: wstEthAdapterImmutableReferences,
    },
  },
  uniswapV4Hooks: {
    creation: uniswapV4HooksAdapterBytecode,
    runtime: {
      code: uniswapV4HooksAdapterDeployedBytecode,
      references: uniswapV4HooksAdapterImmutableReferences,
    },
  },
  liquidityBook: {
    creation: liquidityBookAdapterBytecode,
    runtime: {
      code: liquidityBookAdapterDeployedBytecode,
      references: liquidityBookAdapterImmutableReferences,
    },
  },
  camelotV2: {
    creation: camelotV2AdapterBytecode,
    runtime: {
      code: camelotV2AdapterDeployedBytecode,
      references: camelotV2AdapterImmutableReferences,
    },
  },
  infinityCl: {
    creation: infinityClAdapterBytecode,
    runtime: {
      code: infinityClAdapterDeployedBytecode,
      references: infinityClAdapterImmutableReferences,
    },
  },
  fluidLite: {
    creation: fluidLiteAdapterBytecode,
    runtime: {
      code: fluidLiteAdapterDeployedBytecode,
      references: fluidLiteAdapterImmutableReferences,
    },
  },
} as const satisfies Record<string, { creation: Hex; runtime: Runtime }>

/** Name of an adapter in chain configs. */
export type Name = keyof typeof codes

/** Names of all adapters. */
export const names = Object.keys(codes) as Name[]

/** Functions with which a converter names its tokens, by its adapter. WstETH is a token itself. */
export const tokenGetters: { readonly [name in Name]?: readonly string[] } = {
  daiUsds: ['dai()', 'usds()'],
  litePsm: ['gem()', 'dai()'],
  psm3: ['usdc()', 'usds()', 'susds()'],
}

/** An adapter of one registry. */
export type Adapter = { readonly name: Name; readonly registry: Address }

/** Creation code of an adapter on the chain with a wrapped native token. */
export function creationOf({ name, registry }: Adapter, wrappedNative: Address): Hex {
  return Generation.creationOf(codes[name].creation, [registry, wrappedNative])
}

/** Address of an adapter. It does not depend on who deploys it. */
export function addressOf(adapter: Adapter, wrappedNative: Address): Address {
  return Generation.creationAddress(creationOf(adapter, wrappedNative))
}

/** Runtime code of an adapter, for a state override. */
export function codeOf({ name, registry }: Adapter, wrappedNative: Address): Hex {
  return withImmutables(codes[name].runtime, [registry, wrappedNative])
}
