import { uniswapV4HooksAdapterAbi } from '@sluice/abi'
import {
  account,
  createHookedPool,
  fund,
  type HookedSpec,
  hookedPool,
  poolAddress,
  poolTransactions,
  positionManager,
  type Transaction,
} from '@sluice/devnet'
import type { PoolHints } from '@sluice/domain'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { HOOKS_VENUE } from '../quality/made/annexes/hooked.js'
import { installHook, needOf } from '../quality/made/annexes/hooks.js'
import type { Attack } from './Attack.js'
import type { OpenPool } from './craft.js'
import type { Stage } from './Stage.js'

/** A pool that the attacker has created. */
export type Mounted = { id: string; spec: OpenPool; address: Address }

const tokenAbi = parseAbi([
  'function configure(string symbol, uint8 decimals)',
  'function setBehaviour(uint8 behaviour)',
])
/** In the order of the development token's enum. */
const behaviours = ['plain', 'noReturn', 'taxed', 'paused', 'burnsGas', 'hugeReturn'] as const
const GAS = numberToHex(60_000_000)
const ATTEMPTS = 400

/** Puts the attack on the chain. Leaves out pools that the venues reject. */
export async function mount(
  stage: Stage,
  attack: Attack,
): Promise<{ mounted: Mounted[]; hooked: PoolHints.PoolHint[] }> {
  return { mounted: await mountPools(stage, attack), hooked: await mountHooked(stage, attack) }
}

async function mountPools({ scene, standing }: Stage, attack: Attack): Promise<Mounted[]> {
  const { rpc } = standing
  const known = scene.spec.tokens.find(({ address }) => address !== scene.spec.wrappedNative)!
  const code = await rpc.request<Hex>('eth_getCode', [known.address, 'latest'])
  for (const { spec } of attack.tokens) await rpc.request('anvil_setCode', [spec.address, code])
  const from = account.address
  const onToken = (to: Address, data: Hex): Transaction => ({ from, to, data })
  const configured = attack.tokens.map(({ spec: { address, decimals, symbol } }) =>
    onToken(
      address,
      encodeFunctionData({ abi: tokenAbi, functionName: 'configure', args: [symbol, decimals] }),
    ),
  )
  const perPool = attack.pools.map((pool) => poolTransactions(scene.spec, pool, from))
  const turned = attack.tokens.map(({ lie, spec }) =>
    onToken(
      spec.address,
      encodeFunctionData({
        abi: tokenAbi,
        functionName: 'setBehaviour',
        args: [behaviours.indexOf(lie)],
      }),
    ),
  )
  const groups = [configured, ...perPool, turned]
  const succeeded = await sendAll(standing.rpc, groups.flat())
  let at = configured.length
  return attack.pools.flatMap((spec, index): Mounted[] => {
    const own = succeeded.slice(at, at + perPool[index]!.length)
    at += own.length
    const address = poolAddress(scene.spec, spec)
    return own.every(Boolean) ? [{ id: `attack-${index}`, spec, address }] : []
  })
}

/** Puts the pools with hooks on the chain, and makes those known that have no position. Returns their hints. */
async function mountHooked(
  { scene, standing }: Stage,
  { hooked }: Attack,
): Promise<PoolHints.PoolHint[]> {
  const { contracts, router, rpc, venues } = standing
  const from = account.address
  const manager = scene.spec.uniswapV4.address
  const adapter = venues.find(({ id }) => id === HOOKS_VENUE)!.deployer
  const targets = { adapter, manager, router, quoter: contracts.quoter }
  const perPool: { hint: Hex; transactions: Transaction[] }[] = []
  for (const { hook, pool } of hooked) {
    const { at, fixture } = hook
    const args = fixture === 'GarbageHook' ? hook.args : [manager, ...hook.args]
    await installHook(rpc, { at, fixture, args })
    const tokens = [pool.token0.address, pool.token1.address] as const
    const [currency0, currency1] = tokens
    const { feePips: fee, ranges, sqrtPriceX96, tickSpacing } = pool
    const spec: HookedSpec = {
      key: { currency0, currency1, fee, tickSpacing, hooks: at },
      sqrtPriceX96,
      ranges,
    }
    const amounts = needOf(spec)
    const announce = encodeFunctionData({
      abi: uniswapV4HooksAdapterAbi,
      functionName: 'announce',
      args: [spec.key],
    })
    perPool.push({
      hint: hookedPool(spec),
      transactions: [
        ...(hook.setUp ? [{ from, to: at, data: hook.setUp(targets) }] : []),
        ...(hook.isRich ? [fund(from, { tokens, to: at, amounts })] : []),
        fund(from, { tokens, to: positionManager, amounts }),
        ...createHookedPool(spec, { account: from, manager }),
        ...(ranges.length === 0 ? [{ from, to: adapter, data: announce }] : []),
      ],
    })
  }
  const succeeded = await sendAll(
    rpc,
    perPool.flatMap(({ transactions }) => transactions),
  )
  let at = 0
  return perPool.flatMap(({ hint, transactions }) => {
    const own = succeeded.slice(at, at + transactions.length)
    at += own.length
    return own.every(Boolean) ? [hint] : []
  })
}

/** Sends all transactions and returns whether each succeeded. A failure does not stop the others. */
async function sendAll(
  rpc: Stage['standing']['rpc'],
  transactions: readonly Transaction[],
): Promise<boolean[]> {
  if (transactions.length === 0) return []
  const count = BigInt(
    await rpc.request<Hex>('eth_getTransactionCount', [account.address, 'latest']),
  )
  const hashes = await rpc.batch<Hex>(
    transactions.map(({ data, from, to, value }, index) => [
      'eth_sendTransaction',
      [
        {
          from,
          to,
          data,
          ...(value !== undefined && { value: numberToHex(value) }),
          gas: GAS,
          nonce: numberToHex(count + BigInt(index)),
        },
      ],
    ]),
  )
  await rpc.request('evm_mine')
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const receipts = await rpc.batch<{ status: Hex } | null>(
      hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]),
    )
    if (receipts.every((receipt) => receipt !== null))
      return receipts.map((receipt) => receipt?.status === '0x1')
    await rpc.request('evm_mine')
  }
  throw new Error('A transaction of the attack was never mined.')
}
