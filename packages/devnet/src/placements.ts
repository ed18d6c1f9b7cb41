import { sluBytecode } from '@sluice/abi'
import { creationAddress } from '@sluice/deploy'
import { type Address, concatHex, encodeAbiParameters, type Hex } from 'viem'
import { devPoolRegistryBytecode } from './generated/devPoolRegistry.js'
import { seederBytecode } from './generated/seeder.js'

/** Addresses that are the same on every chain of the devnet. */
export const permit2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
export const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
export const multicall3Deployer: Address = '0x05f32B3cC3888453ff71B01135B34FF8e41263F2'
/** `Seeder`, which furnishes a chain in few large transactions. */
export const seeder: Address = creationAddress(seederBytecode)
/** `DevPoolRegistry`, which vouches for the devnet's pools that no formula finds. */
export const poolRegistry: Address = creationAddress(devPoolRegistryBytecode)

/** Creation code of the protocol's token; the seeder gets the whole supply. */
export const sluCreation: Hex = concatHex([
  sluBytecode,
  encodeAbiParameters([{ type: 'address' }], [seeder]),
])
export const sluAddress: Address = creationAddress(sluCreation)

/** Hashes of the creation code of mainnet's pools, from which pool addresses are derived. */
export const initCodeHashes = {
  uniswapV2: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
  uniswapV3: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
  pancakeV3: '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2',
  algebra: '0x62441ebe4e4315cf3d49d5957f94d66b253dbabe7006f34ad7f70947e60bf15c',
} as const satisfies Readonly<Record<string, Hex>>
