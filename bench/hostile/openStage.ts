import { account, type ChainSpec, DevnetError, type PoolSpec } from '@sluice/devnet'
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  numberToHex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { openSender } from '../lib/openSender.js'
import * as Market from '../optimizer/Market.js'
import type { Oracle } from '../optimizer/Oracle.js'
import * as Random from '../optimizer/Random.js'
import type { StoredTrade } from '../quality/loadTrades.js'
import { hooksVenue } from '../quality/made/annexes/hooked.js'
import { drawMade } from '../quality/made/drawMade.js'
import { drawPools } from '../quality/made/drawPools.js'
import { chainOf, drawSpec } from '../quality/made/drawSpec.js'
import { type MadeStanding, standMarket } from '../quality/made/makeMarket.js'
import { perturb } from '../quality/real/perturb.js'
import type { Scene } from './Attack.js'
import { takenBy } from './craft.js'
import { fixture } from './routings.js'
import type { Stage } from './Stage.js'

/** Number of pools in random markets. */
const [FEWEST_POOLS, MOST_POOLS] = [6, 40]
/** Minimum value of the output, relative to the input. */
const LEAST_WORTH = 0.5
const BLOCK_GAS = 12_000_000_000n
/** Maximum draws of a market until one has a trade. */
const TRIES = 8
const TRADES = 6

const mintAbi = parseAbi(['function mint(address to, uint256 value)'])

/**
 * Opens market `number` of a seed: a random market if the number is even, a changed stored one if it is odd. The trade is
 * the first one that `suits`.
 */
export async function openStage<Found>(
  oracle: Oracle,
  { dir, number, seed }: { dir: string; number: number; seed: number },
  suits: (stage: Stage) => Promise<Found | undefined>,
): Promise<{ stage: Stage; found: Found }> {
  const random = Random.from(seed * 1_000_003 + number)
  for (let tries = 0; tries < TRIES; tries++) {
    const name = `hostile-${seed}-${number}-${tries}`
    const { pools, spec } =
      number % 2 === 0 ? drawMarket(random, name) : perturbed(random, dir, name)
    const standing = await standMarket(oracle, {
      spec,
      pools,
      added: [],
      annex: hooksVenue(spec),
    }).catch((error: Error) => {
      // Some random pools cannot be created, because their amounts are too large for the real contracts.
      if (error instanceof DevnetError) return undefined
      throw error
    })
    if (!standing) continue
    try {
      const options = { count: TRADES, minWorth: LEAST_WORTH }
      for (const trade of drawMade(random, oracle, standing, options)) {
        const stage = { name, trade, standing, ...(await furnish(spec, pools, standing, trade)) }
        const found = await suits(stage)
        if (found) return { stage, found }
      }
    } catch (error) {
      await standing.stop()
      throw error
    }
    await standing.stop()
  }
  throw new Error(`Market ${number} of seed ${seed} has no trade.`)
}

function drawMarket(random: Random.Random, name: string) {
  const spec = drawSpec(random, name)
  const count = Math.floor(Random.between(random, FEWEST_POOLS, MOST_POOLS))
  return { spec, pools: drawPools(random, spec, { count, maxTokens: 2 }) }
}

function perturbed(random: Random.Random, dir: string, name: string) {
  const { pools, tokens } = perturb(random, Random.pick(random, Market.loadAll(dir)))
  return { spec: chainOf(name, tokens), pools }
}

async function furnish(
  spec: ChainSpec,
  pools: readonly PoolSpec[],
  standing: MadeStanding,
  trade: StoredTrade,
) {
  const at = (address: string) => spec.tokens.find((token) => token.address === address)!
  const scene: Scene = {
    spec,
    taken: new Set(pools.map(takenBy)),
    tokenIn: at(trade.tokenIn),
    tokenOut: at(trade.tokenOut),
    connectors: standing.connectors.map(at),
    tradeUsd: trade.usd,
  }
  const send = openSender(standing.rpc, account.address)
  const { bytecode, abi } = fixture()
  const created = await send({
    data: encodeDeployData({ abi, bytecode, args: [standing.contracts.hub] }),
  })
  const grossRouter = created.contractAddress!
  await fund(standing, scene, {
    send,
    amountIn: BigInt(trade.amountIn),
    spenders: [standing.router, grossRouter],
    // A dry run sells the Quoter's balance. The service sets this balance by a state override.
    holders: [account.address, standing.contracts.quoter],
  })
  // From here on, a whole attack is mined in one block.
  await standing.rpc.batch([
    ['evm_setAutomine', [false]],
    ['evm_setBlockGasLimit', [numberToHex(BLOCK_GAS)]],
  ])
  return { scene, grossRouter, close: standing.stop }
}

async function fund(
  { rpc }: MadeStanding,
  { spec, tokenIn }: Scene,
  {
    amountIn,
    holders,
    send,
    spenders,
  }: {
    amountIn: bigint
    holders: readonly Address[]
    send: ReturnType<typeof openSender>
    spenders: readonly Address[]
  },
) {
  const to = tokenIn.address
  if (to === spec.wrappedNative) {
    const value = amountIn * BigInt(holders.length)
    await rpc.request('anvil_setBalance', [account.address, numberToHex(value + 10n ** 24n)])
    await send({ to, data: toFunctionSelector('deposit()'), value: numberToHex(value) })
    for (const holder of holders) {
      const args = [holder, amountIn] as const
      await send({
        to,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
      })
    }
  } else {
    for (const holder of holders) {
      const args = [holder, amountIn] as const
      await send({ to, data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args }) })
    }
  }
  for (const spender of spenders) {
    const args = [spender, maxUint256] as const
    await send({ to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) })
  }
}
