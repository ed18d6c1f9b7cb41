import { createRpc, type Rpc } from '@sluice/deploy'
import type { Devnet, DevnetChain } from '@sluice/devnet'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import * as Random from '../optimizer/Random.js'

export const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function deposit() payable',
  'function approve(address spender, uint256 value)',
  'function balanceOf(address) view returns (uint256)',
])

/** States of a wallet before it requests a quote. */
export const situations = [
  'ready',
  'no allowance',
  'small allowance',
  'no balance',
  'part',
] as const
export type Situation = (typeof situations)[number]

/** A random wallet on one chain with a random trade. */
export type Drawn = {
  /** Whether it holds less than it sells. */
  readonly lacks: boolean
  readonly account: PrivateKeyAccount
  readonly query: Record<string, string>
  readonly amountIn: bigint
  /** Token to sell; undefined for the native coin. */
  readonly token: Address | undefined
  readonly isHostile: boolean
}

export type Place = {
  readonly chain: DevnetChain
  readonly rpc: Rpc
  readonly send: (
    from: Address,
    call: { to: Address; data: Hex; value?: bigint; gas?: bigint },
  ) => Promise<{ isOk: boolean; gasUsed: number }>
}

/** Tokens that tax or refuse transfers, burn gas or return too much data. A quote for them may fail, a swap may not. */
const hostile = ['LEVY', 'HALT', 'MIRAGE', 'PYRE', 'BLOAT']
const [minUsd, maxUsd] = [5, 200_000]

export function openPlace(chain: DevnetChain): Place {
  const rpc = createRpc(chain.rpcUrl)
  return {
    chain,
    rpc,
    /** Sends a transaction in a separate block, some seconds after the previous one. */
    async send(from, { data, gas = 3_000_000n, to, value = 0n }) {
      await rpc.request('hardhat_impersonateAccount', [from])
      const latest = await rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', [
        'latest',
        false,
      ])
      await rpc.request('evm_setNextBlockTimestamp', [numberToHex(BigInt(latest.timestamp) + 2n)])
      const call = { from, to, data, value: numberToHex(value), gas: numberToHex(gas) }
      const hash = await rpc.request<Hex>('eth_sendTransaction', [call])
      for (;;) {
        const [receipt] = await rpc
          .batch<{ status: Hex; gasUsed: Hex }>([['eth_getTransactionReceipt', [hash]]])
          .catch(() => [undefined])
        if (receipt) return { isOk: receipt.status === '0x1', gasUsed: Number(receipt.gasUsed) }
        await rpc.request('evm_mine')
      }
    },
  }
}

/** Draws a trade and a wallet, and puts the wallet into its state on the chain. */
export async function drawWallet(
  place: Place,
  devnet: Devnet,
  random: Random.Random,
): Promise<Drawn> {
  const { chain, rpc, send } = place
  const versions = Object.keys(devnet.deployments.chains[chain.chainId]!.versions)
  const version = Random.pick(random, versions)
  const traded = new Set(chain.pools.flatMap(({ token0, token1 }) => [token0, token1]))
  const honest = [...traded].filter((symbol) => ![...hostile, 'SLU'].includes(symbol)).sort()
  const isHostile = Random.pick(random, [true, false, false, false])
  const strange = Random.pick(random, hostile)
  const isSold = Random.pick(random, [true, false])
  const other = Random.pick(random, honest)
  const [sold, bought] = isHostile
    ? isSold
      ? [strange, other]
      : [other, strange]
    : [
        other,
        Random.pick(
          random,
          honest.filter((symbol) => symbol !== other),
        ),
      ]
  const native = (symbol: string) => symbol === 'WETH' && Random.pick(random, [true, false])
  const isNativeIn = native(sold)
  const nameOf = (symbol: string, isNative: boolean) =>
    isNative ? 'ETH' : chain.tokens[symbol]!.address
  const { address, decimals, usd } = chain.tokens[sold]!
  const worth = Random.between(random, minUsd, maxUsd)
  const amountIn = (BigInt(Math.round((worth / usd) * 1e6)) * 10n ** BigInt(decimals)) / 10n ** 6n
  const account = privateKeyToAccount(numberToHex(keyFrom(random), { size: 32 }))
  const situation = Random.pick(random, situations)
  const holds = situation === 'no balance' ? 0n : situation === 'part' ? amountIn / 2n : amountIn
  const coin = 10n ** 18n + (isNativeIn ? holds : 0n)
  await rpc.request('hardhat_setBalance', [account.address, numberToHex(coin)])
  const toSell = isNativeIn ? undefined : address
  if (toSell && holds > 0n) await give(place, account.address, { token: toSell, amount: holds })
  if (!isNativeIn && (situation === 'ready' || situation === 'small allowance')) {
    const { router } = devnet.deployments.chains[chain.chainId]!.versions[version]!
    const value = situation === 'ready' ? amountIn : amountIn / 3n
    const args = [router, value] as const
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args })
    await send(account.address, { to: address, data })
  }

  const isNativeOut = native(bought)
  const takesSignature = version === '2.0.0' && !isNativeIn && !isNativeOut
  const signature = takesSignature && Random.pick(random, [true, false, false])
  // An account that was never used: its first balance of a token costs more gas.
  const recipient =
    Random.pick(random, [true, false, false]) &&
    privateKeyToAccount(numberToHex(keyFrom(random), { size: 32 })).address
  const exact = Random.pick(random, [true, false, false, false])
  return {
    lacks: (isNativeIn ? coin : holds) < amountIn,
    account,
    amountIn,
    token: toSell,
    isHostile,
    query: {
      chain: String(chain.chainId),
      in: nameOf(sold, isNativeIn),
      out: nameOf(bought, isNativeOut),
      amountIn: String(amountIn),
      sender: account.address,
      version,
      ...(signature && { signature: 'permit2' }),
      ...(recipient && { recipient }),
      ...(exact && { exact: '1' }),
    },
  }
}

/** Mints a token for an account, or wraps its native coin. */
export async function give(
  { chain, rpc, send }: Place,
  to: Address,
  { amount, token }: { amount: bigint; token: Address },
): Promise<void> {
  if (token.toLowerCase() === chain.tokens['WETH']!.address.toLowerCase()) {
    const held = BigInt(await rpc.request<Hex>('eth_getBalance', [to, 'latest']))
    await rpc.request('hardhat_setBalance', [to, numberToHex(held + amount)])
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'deposit' })
    await send(to, { to: token, data, value: amount })
    return
  }
  const args = [to, amount] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args })
  await send(to, { to: token, data })
}

function keyFrom(random: Random.Random): bigint {
  return BigInt(Math.floor(random() * 2 ** 48)) + 1n
}
