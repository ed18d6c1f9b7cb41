import { creationAddress, creationCall, deterministicDeployer, type Rpc } from '@sluice/deploy'
import {
  account,
  type ChainSpec,
  devDaiUsdsBytecode,
  devLitePsmAbi,
  devLitePsmBytecode,
  devVaultAbi,
  devVaultBytecode,
  fund,
  rounded,
  seeder,
  sendInOneBlock,
  type TokenSpec,
  type Transaction,
} from '@sluice/devnet'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  parseAbiParameters,
} from 'viem'
import type { OracleEdge } from '../../../optimizer/Oracle.js'
import * as Random from '../../../optimizer/Random.js'
import type { AddedPool, Annexed } from './Annex.js'
import { lineCurve } from './lineCurve.js'

/** Symbols of the assets of vaults. */
const assets = ['USDX', 'WETH', 'WBTC'] as const
/** Value of a vault's assets in US dollars: more than all pools of its shares hold. */
const DEPOSITED_USD = 3e9
/** What a share is worth in its asset. */
const [LEAST_RATE, MOST_RATE] = [1, 1.4]
/** What a converter can pay, in US dollars. */
const [LEAST_HELD, MOST_HELD] = [1e4, 1e8]
/** Maximum fee of the PSM. */
const MOST_FEE = 6e-4
const WAD = 1e18

type Vault = {
  asset: TokenSpec
  share: TokenSpec
  creation: Hex
  deposited: bigint
  earned: bigint
}

/**
 * Adds converters to a chain before its pools are drawn: vaults of three assets, a PSM of USDC and DAI, and a converter of DAI
 * and USDX. Shares are tokens like all others, so that they get pools of their own.
 */
export function addConverters(random: Random.Random, given: ChainSpec): Omit<Annexed, 'pools'> {
  // A PSM counts DAI in 18 decimals, and so do both sides of the converter.
  const tokens = given.tokens.map((token) =>
    token.symbol === 'DAI' || token.symbol === 'USDX' ? { ...token, decimals: 18 } : token,
  )
  const at = (symbol: string) => tokens.find((token) => token.symbol === symbol)!
  const vaults = assets.map((symbol) => drawVault(random, at(symbol)))
  const psm = drawPsm(random, at('USDC'), at('DAI'))
  const daiUsds = drawDaiUsds(at('DAI'), at('USDX'))
  return {
    spec: { ...given, tokens: [...tokens, ...vaults.map(({ share }) => share)] },
    added: [...vaults.map(vaultPool), psm.pool, daiUsds.pool],
    annex: async (rpc) => {
      for (const vault of vaults) await seedVault(rpc, vault)
      await sendInOneBlock(rpc, [...psm.transactions, ...daiUsds.transactions])
      const entry = (id: string, adapter: string, factory: Address) => ({
        ...{ id, kind: 'adapter', adapter, factory },
      })
      return [
        entry('vaults', 'erc4626', given.wrappedNative),
        entry('psm', 'litePsm', psm.pool.pool as Address),
        entry('dai-usds', 'daiUsds', daiUsds.pool.pool as Address),
      ]
    },
  }
}

function drawVault(random: Random.Random, asset: TokenSpec): Vault {
  const symbol = `s${asset.symbol}`
  const parameters = parseAbiParameters('address, string')
  const creation = concatHex([
    devVaultBytecode,
    encodeAbiParameters(parameters, [asset.address, symbol]),
  ])
  const deposited = rounded((DEPOSITED_USD / asset.usd) * 10 ** asset.decimals)
  const earned = rounded(Number(deposited) * (Random.between(random, LEAST_RATE, MOST_RATE) - 1))
  const rate = Number(deposited + earned) / Number(deposited)
  const share: TokenSpec = {
    symbol,
    address: creationAddress(creation),
    decimals: asset.decimals,
    usd: asset.usd * rate,
    isOwn: true,
  }
  return { asset, share, creation, deposited, earned }
}

/** Creates a vault, gives its shares to the seeder, and then lets it earn. */
async function seedVault(
  rpc: Rpc,
  { asset: { address }, creation, deposited, earned, share }: Vault,
): Promise<void> {
  const from = account.address
  const call = (to: Address, data: Hex): Transaction => ({ from, to, data })
  const give = (to: Address, amount: bigint) =>
    fund(from, { tokens: [address], to, amounts: [amount] })
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [share.address, deposited],
  })
  const deposit = encodeFunctionData({
    abi: devVaultAbi,
    functionName: 'deposit',
    args: [deposited, seeder],
  })
  await sendInOneBlock(rpc, [
    call(deterministicDeployer, creationCall(creation)),
    give(from, deposited),
    call(address, approve),
    call(share.address, deposit),
    give(share.address, earned),
  ])
}

function vaultPool({ asset, deposited, earned, share }: Vault): AddedPool {
  const rate = Number(deposited + earned) / Number(deposited)
  const whole = Number(deposited)
  return {
    ...seenAs('vaults', [asset, share], share.address),
    curveOf: ({ from }) =>
      from === asset.address
        ? lineCurve({ price: 1 / rate, limit: whole })
        : lineCurve({ price: rate, limit: whole }),
  }
}

function drawPsm(random: Random.Random, gem: TokenSpec, dai: TokenSpec) {
  const parameters = parseAbiParameters('address, address')
  const creation = concatHex([
    devLitePsmBytecode,
    encodeAbiParameters(parameters, [gem.address, dai.address]),
  ])
  const psm = creationAddress(creation)
  const held = (token: TokenSpec) => {
    const usd = Random.between(random, LEAST_HELD, MOST_HELD)
    return rounded((usd / token.usd) * 10 ** token.decimals)
  }
  const [gems, dais] = [held(gem), held(dai)]
  const [tin, tout] = [random() * MOST_FEE, random() * MOST_FEE]
  const units = 10 ** (18 - gem.decimals)
  const [sold, bought] = [units * (1 - tin), 1 / (units * (1 + tout))]
  const curveOf = ({ from }: OracleEdge) =>
    from === gem.address
      ? lineCurve({ price: sold, limit: Number(dais) / sold })
      : lineCurve({ price: bought, limit: Number(gems) / bought })
  const from = account.address
  const fees = encodeFunctionData({
    abi: devLitePsmAbi,
    functionName: 'setFees',
    args: [BigInt(Math.floor(tin * WAD)), BigInt(Math.floor(tout * WAD))],
  })
  const pocket = getContractAddress({ from: psm, nonce: 1n })
  const transactions: Transaction[] = [
    { from, to: deterministicDeployer, data: creationCall(creation) },
    { from, to: psm, data: fees },
    fund(from, { tokens: [gem.address], to: pocket, amounts: [gems] }),
    fund(from, { tokens: [dai.address], to: psm, amounts: [dais] }),
  ]
  return { transactions, pool: { ...seenAs('psm', [gem, dai], psm), curveOf } }
}

function drawDaiUsds(dai: TokenSpec, usds: TokenSpec) {
  const parameters = parseAbiParameters('address, address')
  const creation = concatHex([
    devDaiUsdsBytecode,
    encodeAbiParameters(parameters, [dai.address, usds.address]),
  ])
  const converter = creationAddress(creation)
  const held = rounded(MOST_HELD * 1e18)
  const tokens = [dai.address, usds.address]
  return {
    transactions: [
      { from: account.address, to: deterministicDeployer, data: creationCall(creation) },
      fund(account.address, { tokens, to: converter, amounts: [held, held] }),
    ],
    pool: {
      ...seenAs('dai-usds', [dai, usds], converter),
      curveOf: () => lineCurve({ price: 1, limit: Number(held) }),
    },
  }
}

/** A converter as the oracle sees it: as a pool of two tokens, whose curve is replaced. */
function seenAs(
  venue: string,
  [a, b]: readonly [TokenSpec, TokenSpec],
  pool: Address,
): Omit<AddedPool, 'curveOf'> {
  const id = `${venue}-${a.symbol}-${b.symbol}`
  const [token0, token1] = [a.address, b.address]
  const seen = { id, kind: 'v2', fee: 0, token0, token1, reserve0: '1', reserve1: '1' } as const
  return { id, venue, pool, isHinted: false, seen }
}
