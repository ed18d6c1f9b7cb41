import { lensAbi } from '@sluice/abi'
import {
  type Address,
  concatHex,
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  pad,
  size,
  slice,
  stringToHex,
  toFunctionSelector,
} from 'viem'
import type { ChainBlock } from './Chain.js'
import { chainId, encodePlan, tokenIn, tokenOut } from './encodePlan.js'

/** Code or storage that replaces the chain's in a call. */
export type Overrides = Readonly<
  Record<string, { readonly code?: Hex; readonly stateDiff?: Readonly<Record<Hex, Hex>> }>
>

export type Asked = { readonly to: Address; readonly data: Hex; readonly overrides: Overrides }

/** Tax of every token of this chain on transfers. */
export const taxBps = 100n
const wholeBps = 10_000n

/** Addresses of tokens and pools by number; there are as many as requested. */
export const tokenOf = (place: number): Address => numbered('7e', place)
export const pairOf = (place: number): Address => numbered('7a', place)
export const symbolOf = (place: number): string => `T${place}`

const placeOf = (address: Address) => Number.parseInt(address.slice(-10), 16)

function numbered(prefix: string, place: number): Address {
  return `0x${prefix.padEnd(20, '0')}${place.toString(16).padStart(20, '0')}`
}

/** Balance of an account on a block. Every block has different balances, so that a mix of two blocks is detected. */
export function balanceOf(token: Address, holder: Address, block: ChainBlock): bigint {
  const seed = keccak256(concatHex([token, holder, block.hash]))
  return 10n ** 12n + hexToBigInt(slice(seed, 0, 4))
}

/** Decimals of a token: 6 for the stablecoin, 18 for all others. */
export function decimalsOf(token: Address): number {
  return isSame(token, tokenOut) ? 6 : 18
}

const selectorOf = (name: 'balanceOf' | 'decimals' | 'symbol' | 'name') =>
  toFunctionSelector(erc20Abi.find((item) => 'name' in item && item.name === name) as never)
const [balanceSelector, decimalsSelector, symbolSelector, nameSelector] = [
  selectorOf('balanceOf'),
  selectorOf('decimals'),
  selectorOf('symbol'),
  selectorOf('name'),
]
const [deliverSelector, readSelector] = lensAbi.map((item) => toFunctionSelector(item)) as [
  Hex,
  Hex,
]

/** Returns the result of a call on a block. `onChain` is the chain id that the node reports. */
export function simulate(asked: Asked, block: ChainBlock, onChain = chainId): Hex {
  const { data, overrides, to } = asked
  // Calls with which clients test the node: one measures gas with an override, one returns its own data.
  if (size(data) < 4) return overrides[to]?.code ? numberToHex(900_000, { size: 32 }) : data
  const selector = slice(data, 0, 4)
  if (selector === readSelector) return read(data, block, onChain)
  if (selector === deliverSelector) return deliver(data, block, onChain)
  if (selector === balanceSelector) return balance(asked, block)
  const word = (place: number) => slice(data, 4 + 32 * place, 36 + 32 * place)
  const [sold, bought] = [word(0), word(1)].map((each) => slice(each, 12)) as [Address, Address]
  return encodePlan(
    { tokenIn: sold, tokenOut: bought, amountIn: hexToBigInt(word(2)) },
    block,
    onChain,
  )
}

/** Returns the amount of the trade in a call to the Quoter; `undefined` for any other call. */
export function mainTrade({ data }: Asked): bigint | undefined {
  const pair = pad(tokenIn, { size: 32 }) + pad(tokenOut, { size: 32 }).slice(2)
  if (data.slice(10, 138).toLowerCase() !== pair.slice(2).toLowerCase()) return undefined
  return BigInt(`0x${data.slice(138, 202)}`)
}

function witnessOf({ number, parentHash, timestamp }: ChainBlock, onChain: number) {
  return {
    chainId: BigInt(onChain),
    blockNumber: BigInt(number),
    timestamp: BigInt(timestamp),
    parentHash,
  }
}

function read(data: Hex, block: ChainBlock, onChain: number): Hex {
  const { args } = decodeFunctionData({ abi: lensAbi, data })
  const [asks] = args as [readonly { target: Address; data: Hex }[], bigint]
  const answers = asks.map(({ data: each, target }) => {
    const bytes = tokenAnswer(target, each, block)
    const words = [0, 1, 2].map((place) =>
      size(bytes) > 32 * place
        ? slice(bytes, 32 * place, 32 * place + 32)
        : pad('0x', { size: 32 }),
    ) as [Hex, Hex, Hex]
    return { ok: true, size: BigInt(size(bytes)), words }
  })
  const result = [witnessOf(block, onChain), answers] as const
  return encodeFunctionResult({ abi: lensAbi, functionName: 'read', result: result as never })
}

function tokenAnswer(token: Address, data: Hex, block: ChainBlock): Hex {
  const selector = slice(data, 0, 4)
  if (selector === decimalsSelector) return numberToHex(decimalsOf(token), { size: 32 })
  if (selector === symbolSelector || selector === nameSelector)
    return text(symbolOf(placeOf(token)))
  return balance({ to: token, data, overrides: {} }, block)
}

function text(words: string): Hex {
  const bytes = stringToHex(words, { size: 32 })
  return concatHex([numberToHex(32, { size: 32 }), numberToHex(words.length, { size: 32 }), bytes])
}

/** Returns a balance. Balances are in a mapping in the first slot, like in many tokens. */
function balance({ data, overrides, to }: Asked, block: ChainBlock): Hex {
  const holder = slice(data, 16, 36)
  const slot = keccak256(concatHex([pad(holder, { size: 32 }), pad('0x', { size: 32 })]))
  const diff = Object.entries(overrides).find(([contract]) => isSame(contract, to))?.[1].stateDiff
  return diff?.[slot] ?? numberToHex(balanceOf(to, holder, block), { size: 32 })
}

function deliver(data: Hex, block: ChainBlock, onChain: number): Hex {
  const { args } = decodeFunctionData({ abi: lensAbi, data })
  const [, recipients, amount] = args as [Address, readonly Address[], bigint]
  const received = (amount * (wholeBps - taxBps)) / wholeBps
  const deliveries = recipients.map(() => ({ ok: true, measured: true, received }))
  const result = [witnessOf(block, onChain), deliveries] as const
  return encodeFunctionResult({ abi: lensAbi, functionName: 'deliver', result: result as never })
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
