import { coreAbi, coreBytecode, stakingAbi, stakingBytecode } from '@sluice/abi'
import type { Devnet } from '@sluice/devnet'
import type { Deployments } from '@sluice/domain'
import { type Abi, type Address, erc20Abi, type PublicClient } from 'viem'
import { clientOf, walletOf } from '../../../packages/devnet/test/clients.js'

const token = 10n ** 18n

/**
 * Puts the real Staking and Core on the devnet's Base where its registry has none yet, and stakes and funds some.
 *
 * @returns The registry with them, and where Staking is.
 */
export async function installStaking(devnet: Devnet): Promise<Installed> {
  const chain = devnet.chains.find(({ chainId }) => chainId === 8_453)!
  const [client, wallet] = [clientOf(chain), walletOf(devnet, chain)]
  const known = devnet.deployments.chains['8453']!
  const slu = known.slu!
  const first = known.versions['1.0.0']!

  async function deploy(abi: Abi, bytecode: `0x${string}`, args: readonly Address[]) {
    const hash = await wallet.deployContract({ abi, bytecode, args })
    return (await client.waitForTransactionReceipt({ hash })).contractAddress!
  }
  async function write(address: Address, abi: Abi, functionName: string, args: unknown[]) {
    const hash = await wallet.writeContract({ address, abi, functionName, args })
    await client.waitForTransactionReceipt({ hash })
  }

  const staking = await deploy(stakingAbi, stakingBytecode, [slu])
  const core = await deploy(coreAbi, coreBytecode, [first.hub, staking])
  await write(slu, erc20Abi, 'approve', [staking, 2n ** 255n])
  await write(staking, stakingAbi, 'stake', [250_000n * token])
  await write(staking, stakingAbi, 'fund', [12_500n * token + 5n])
  await write(slu, erc20Abi, 'transfer', [core, 1_000n * token])
  await write(core, coreAbi, 'recordFee', [slu])
  const versions = { ...known.versions, '2.0.0': { ...first, staking, core } }
  const deployments: Deployments.Deployments = {
    schema: 1,
    chains: { ...devnet.deployments.chains, '8453': { ...known, versions } },
  }
  return { deployments, staking, client }
}

type Installed = {
  readonly deployments: Deployments.Deployments
  readonly staking: Address
  readonly client: PublicClient
}
