import { lensAbi, lensDeployedBytecode } from '@sluice/abi'
import {
  type Address,
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  numberToHex,
  pad,
} from 'viem'
import type { Rpc } from '../rpc.js'
import { trial } from './Bench.js'
import { askEach } from './readChain.js'

/** What a trial needs to know of a token. */
export type TokenFacts = {
  readonly token: Address
  /** Storage slot of the Trial's balance; `undefined` if it was not found. */
  readonly slot: Hex | undefined
  /** Why swaps of the token cannot be compared; `undefined` if they can. */
  readonly problem: string | undefined
}

/** Positions of the balance mapping, in the order of declaration; the last is OpenZeppelin's namespace. */
const positions: readonly bigint[] = [
  ...Array.from({ length: 13 }, (_, index) => BigInt(index)),
  ...[51n, 101n],
  0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n,
]
const soladySeed: Hex = '0x87a211a2'

/** Slots that may hold the Trial's balance, by the layouts of Solidity, Vyper and solady. */
const slots: readonly Hex[] = [
  ...positions.map((position) => keccak256(concatHex([pad(trial), word(position)]))),
  ...positions.slice(0, 10).map((position) => keccak256(concatHex([word(position), pad(trial)]))),
  keccak256(concatHex([trial, numberToHex(0, { size: 8 }), soladySeed])),
]
/** Written to the slots, each plus its place, to see which one the token reports. */
const trace = 0x5c5c_5c5c_5c5c_0000n
/** Held and sent to see what arrives. */
const sample = 10n ** 9n
const recipient: Address = '0x000000000000000000000000000000000000dEaD'
const gas = numberToHex(5_000_000n)

/** Finds out for each token where its balances are, and whether a transfer arrives whole. */
export async function readTokens(
  rpc: Rpc,
  tokens: readonly Address[],
  block: Hex,
): Promise<ReadonlyMap<Address, TokenFacts>> {
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [trial] })
  const read = async (asks: readonly { token: Address; held: Readonly<Record<Hex, Hex>> }[]) =>
    await askEach<Hex>(
      rpc,
      asks.map(({ held, token }) => [
        'eth_call',
        [{ to: token, data: balanceOf, gas }, block, { [token]: { stateDiff: held } }],
      ]),
    )
  const traces = Object.fromEntries(slots.map((slot, place) => [slot, word(trace + BigInt(place))]))
  const told = await read(tokens.map((token) => ({ token, held: traces })))
  const seen = tokens.flatMap((token, index) => {
    const place = slots.findIndex((_, each) => told[index] === word(trace + BigInt(each)))
    return place < 0 ? [] : [{ token, slot: slots[place]! }]
  })
  const sent = await askEach<Hex>(
    rpc,
    seen.map(({ slot, token }) => [
      'eth_call',
      [
        { to: trial, data: deliveryOf(token), gas },
        block,
        {
          [trial]: { code: lensDeployedBytecode },
          [token]: { stateDiff: { [slot]: word(sample) } },
        },
      ],
    ]),
  )
  const facts = tokens.map((token): TokenFacts => {
    const index = seen.findIndex((each) => each.token === token)
    if (index < 0)
      return { token, slot: undefined, problem: 'its balances are in no slot that is tried' }
    return { token, slot: seen[index]!.slot, problem: problemOf(sent[index]) }
  })
  return new Map(facts.map((each) => [each.token, each]))
}

function deliveryOf(token: Address): Hex {
  const args = [token, [recipient], sample] as const
  return encodeFunctionData({ abi: lensAbi, functionName: 'deliver', args })
}

function problemOf(answer: Hex | undefined): string | undefined {
  if (answer === undefined) return 'a transfer of it could not be tried'
  const [, deliveries] = decodeFunctionResult({
    abi: lensAbi,
    functionName: 'deliver',
    data: answer,
  })
  const { measured, ok, received } = deliveries[0]!
  if (!ok) return 'it refuses transfers'
  if (!measured) return 'its balances cannot be read'
  return received === sample ? undefined : 'it taxes transfers'
}

function word(number: bigint): Hex {
  return numberToHex(number, { size: 32 })
}
