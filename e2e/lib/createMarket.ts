import type { Devnet } from '@sluice/devnet'
import { type Address, erc20Abi, type Hex, parseAbi } from 'viem'
import { devTokenAbi, devTokenBytecode } from '../../packages/devnet/src/generated/devToken.js'
import { clientOf, receiptOf, walletOf } from '../../packages/devnet/test/clients.js'

const whale = 10n ** 30n
/** Factories of Uniswap V2, by chain. */
const factories: Readonly<Record<number, Address>> = {
  1: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
  8453: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
}
const pairAbi = parseAbi([
  'function createPair(address a, address b) returns (address)',
  'function getPair(address a, address b) view returns (address)',
  'function mint(address to) returns (uint256)',
])

/** Waits for a transaction on the first chain. */
export async function mined(devnet: Devnet, hash: Hex) {
  return await receiptOf(clientOf(devnet.chains[0]!), hash)
}

/** Deploys a token with this symbol on the first chain, and mints 10^30 base units of it to the development account. */
export async function createToken(devnet: Devnet, symbol: string): Promise<Address> {
  const wallet = walletOf(devnet, devnet.chains[0]!)
  const { contractAddress } = await mined(
    devnet,
    await wallet.deployContract({ abi: devTokenAbi, bytecode: devTokenBytecode }),
  )
  const address = contractAddress as Address
  const token = { address, abi: devTokenAbi } as const
  const named = await wallet.writeContract({
    ...token,
    functionName: 'configure',
    args: [symbol, 18],
  })
  await mined(devnet, named)
  const args = [devnet.account.address, whale] as const
  await mined(devnet, await wallet.writeContract({ ...token, functionName: 'mint', args }))
  return address
}

/** Creates a real pool of Uniswap V2 on the first chain, with the given amounts of two tokens. */
export async function createPair(
  devnet: Devnet,
  tokens: readonly [Address, Address],
  amounts: readonly [bigint, bigint],
): Promise<Address> {
  const chain = devnet.chains[0]!
  const wallet = walletOf(devnet, chain)
  const at = { address: factories[chain.chainId]!, abi: pairAbi } as const
  await mined(
    devnet,
    await wallet.writeContract({ ...at, functionName: 'createPair', args: tokens }),
  )
  const pair = await clientOf(chain).readContract({ ...at, functionName: 'getPair', args: tokens })
  for (const [index, address] of tokens.entries()) {
    const args = [pair, amounts[index]!] as const
    const transfer = { address, abi: erc20Abi, functionName: 'transfer', args } as const
    await mined(devnet, await wallet.writeContract(transfer))
  }
  const args = [devnet.account.address] as const
  const mint = { address: pair, abi: pairAbi, functionName: 'mint', args } as const
  await mined(devnet, await wallet.writeContract(mint))
  return pair
}
