import { account, poolAddress, poolTransactions, type Transaction } from '@sluice/devnet'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import type { Attack } from './attacks.js'
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
export async function mount({ scene, standing }: Stage, attack: Attack): Promise<Mounted[]> {
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
