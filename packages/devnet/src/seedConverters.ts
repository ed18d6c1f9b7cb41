import { creationAddress, creationCall, deterministicDeployer, type Rpc } from '@sluice/deploy'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbiParameters,
} from 'viem'
import type { ChainSpec } from './chains.js'
import { fund } from './fund.js'
import { devDaiUsdsBytecode } from './generated/devDaiUsds.js'
import { devLitePsmAbi, devLitePsmBytecode } from './generated/devLitePsm.js'
import { devTokenAbi, devTokenBytecode } from './generated/devToken.js'
import { devVaultAbi, devVaultBytecode } from './generated/devVault.js'
import { sendInOneBlock, type Transaction } from './transactions.js'

/** Contracts that exchange two tokens at one price, and USDS, which only they trade. */
export type Converters = {
  readonly daiUsds: Address
  readonly litePsm: Address
  readonly usds: Address
  /** A vault of USDS. It is its own share. */
  readonly vault: Address
}

const whole = 10n ** 18n
/** More than any trade. */
const minted = 10n ** 9n
const pegged = 100_000_000n
const deposited = 50_000_000n
/** What the vault has earned, so that a share is worth more than a USDS. */
const earned = 2_345_678n
/** Fees of the PSM in 1e-18: so much that the pools of the pair win for small trades. */
const psmFee = 2n * 10n ** 15n

/** Returns the addresses of a chain's converters. */
export function convertersOf(chain: ChainSpec): Converters {
  const { daiUsds, litePsm, vault } = creationsOf(chain)
  return {
    daiUsds: creationAddress(daiUsds),
    litePsm: creationAddress(litePsm),
    usds: creationAddress(devTokenBytecode),
    vault: creationAddress(vault),
  }
}

/** Creates the converters and gives them what they pay with. The account owns the vault's shares. */
export async function seedConverters(rpc: Rpc, chain: ChainSpec, account: Address): Promise<void> {
  const { daiUsds, litePsm, usds, vault } = convertersOf(chain)
  const { dai, usdc } = tokensOf(chain)
  const pocket = getContractAddress({ from: litePsm, nonce: 1n })
  const create = (code: Hex): Transaction => ({
    from: account,
    to: deterministicDeployer,
    data: creationCall(code),
  })
  const give = (token: Address, to: Address, amount: bigint) =>
    fund(account, { tokens: [token], to, amounts: [amount] })
  const codes = creationsOf(chain)
  await sendInOneBlock(rpc, [
    create(devTokenBytecode),
    {
      from: account,
      to: usds,
      data: encodeFunctionData({
        abi: devTokenAbi,
        functionName: 'configure',
        args: ['USDS', 18],
      }),
    },
    create(codes.daiUsds),
    create(codes.litePsm),
    create(codes.vault),
    {
      from: account,
      to: litePsm,
      data: encodeFunctionData({
        abi: devLitePsmAbi,
        functionName: 'setFees',
        args: [psmFee, psmFee],
      }),
    },
  ])
  await sendInOneBlock(rpc, [
    give(dai, daiUsds, minted * whole),
    give(usds, daiUsds, minted * whole),
    give(dai, litePsm, pegged * whole),
    give(usdc, pocket, pegged * 10n ** 6n),
    give(usds, account, deposited * whole),
    {
      from: account,
      to: usds,
      data: encodeFunctionData({
        abi: devTokenAbi,
        functionName: 'approve',
        args: [vault, deposited * whole],
      }),
    },
    {
      from: account,
      to: vault,
      data: encodeFunctionData({
        abi: devVaultAbi,
        functionName: 'deposit',
        args: [deposited * whole, account],
      }),
    },
    give(usds, vault, earned * whole),
  ])
}

function creationsOf(chain: ChainSpec) {
  const { dai, usdc } = tokensOf(chain)
  const usds = creationAddress(devTokenBytecode)
  const pair = parseAbiParameters('address, address')
  return {
    daiUsds: concatHex([devDaiUsdsBytecode, encodeAbiParameters(pair, [dai, usds])]),
    litePsm: concatHex([devLitePsmBytecode, encodeAbiParameters(pair, [usdc, dai])]),
    vault: concatHex([
      devVaultBytecode,
      encodeAbiParameters(parseAbiParameters('address, string'), [usds, 'sUSDS']),
    ]),
  }
}

function tokensOf({ tokens, usdc }: ChainSpec): { dai: Address; usdc: Address } {
  return { dai: tokens.find(({ symbol }) => symbol === 'DAI')!.address, usdc }
}
