import { PoolHints } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import {
  adapterCall,
  adapterGas,
  type BroughtCode,
  encodeKeysOf,
  encodeRead,
  keysIn,
  stateIn,
} from './adapterCalls.js'
import { askAll } from './askAll.js'
import type { Conversion } from './Conversion.js'
import type { Held } from './createReadings.js'
import type { Depth } from './readDepths.js'

/** A conversion as its adapter sees it. */
export type ConversionDepth = Held & { readonly depth: Depth }

/** Words of a converter's state: its key, then the largest input and its output in each direction. */
const stateWords = 5
/**
 * How many times its limit a converter's reserves are, so that its price does not move.
 *
 * Only a price with a limit is known of a converter.
 */
const steadiness = 1e9

/**
 * Reads what converters exchange, each from its adapter: first whether it vouches for the pair, then its prices and limits.
 *
 * @param brought Code of adapters that are not deployed.
 * @returns In the order of the conversions; `undefined` if the adapter does not vouch for one, or nothing can be exchanged.
 * @throws if the node answers nothing.
 */
export async function readConversions(
  ask: AskNode,
  conversions: readonly Conversion[],
  brought: BroughtCode,
): Promise<readonly (ConversionDepth | undefined)[]> {
  const vouched = await askAll(
    ask,
    conversions.map(({ adapter, tokens }) =>
      adapterCall(adapter, encodeKeysOf(tokens, []), brought),
    ),
  )
  const keys = conversions.map(({ pool }, index) =>
    keysIn(vouched[index]).find((key) => PoolHints.isOfKey(pool, key)),
  )
  const known = conversions.flatMap((conversion, index) =>
    keys[index] === undefined ? [] : [{ conversion, index, key: keys[index] }],
  )
  const answers = await askAll(
    ask,
    known.flatMap(({ conversion: { adapter, pool, tokens }, key }) => {
      const asset = tokens.find((token) => token !== pool)!
      const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [pool] })
      return [
        adapterCall(adapter, encodeRead(adapter, key), brought),
        { method: 'eth_call', params: [{ to: asset, data: balance, gas: adapterGas }, 'latest'] },
      ]
    }),
  )
  const depths = conversions.map((): ConversionDepth | undefined => undefined)
  for (const [place, { conversion, index }] of known.entries()) {
    const [state, balance] = answers.slice(2 * place)
    depths[index] = depthOf(conversion, stateIn(state), numberIn(balance))
  }
  return depths
}

function numberIn(data: Hex | undefined): number {
  return data !== undefined && /^0x[0-9a-f]{64}$/i.test(data) ? Number(BigInt(data)) : 0
}

/**
 * A converter is as deep as what it can pay. A vault holds no more of its asset than its balance, whatever it says, and one that
 * pays nothing back still takes deposits. The Hub's owner chose other converters, so that what they take counts as well.
 */
function depthOf(
  { isListed, pool, tokens }: Conversion,
  state: readonly bigint[],
  balance: number,
): ConversionDepth | undefined {
  if (state.length !== stateWords) return undefined
  const [, most0In, top1, most1In, top0] = state.map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const [there, back] = [rateOf(most0In, top1), rateOf(most1In, top0)]
  if (there === 0 && back === 0) return undefined
  const [most0, most1] = [back && top0, there && top1]
  const heldOf = (token: Address, most: number, taken: number) =>
    isListed ? Math.max(most, taken) : token === pool ? most : balance
  const held0 = heldOf(tokens[0], most0, there && most0In)
  const held1 = heldOf(tokens[1], most1, back && most1In)
  // Both directions have one price, and lose the same part to fees.
  const isBoth = there > 0 && back > 0
  const price = isBoth ? Math.sqrt(there / back) : there || 1 / back
  const afterFee = isBoth ? Math.min(Math.sqrt(there * back), 1) : 1
  const reserve0 = steadiness * Math.max(most0In, top0, 1)
  const [token0, token1] = tokens
  const reserves = { reserve0, reserve1: reserve0 * price }
  const depth = { token0, token1, ...reserves, most0, most1, held0, held1, afterFee }
  return { pool, tokens, balances: [held0, held1], depth }
}

/** Zero for a direction in which nothing is exchanged. */
function rateOf(mostIn: number, top: number): number {
  return mostIn > 0 && top > 0 ? top / mostIn : 0
}
