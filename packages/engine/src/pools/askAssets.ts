import { type Address, toFunctionSelector } from 'viem'
import type { LensAnswer } from '../lens/askLens.js'
import type { AskNode } from '../logs/AskNode.js'
import { readMany } from './readMany.js'

/** Tokens in one call. */
const tokensPerCall = 400
/** Gas limit of each question: as much as the vaults' adapter allows. */
const gasEach = 20_000n
const asset = toFunctionSelector('asset()')

/**
 * Asks tokens for their asset, many in each call. Vaults of ERC-4626 have one.
 *
 * Any token can claim any asset. So this only says which pairs are worth asking the vaults' adapter about.
 *
 * @param tokens In lower case.
 * @returns The asset of each token, in lower case; `undefined` if the token names none. A token that fails, burns gas, or
 * answers more or less than one address other than its own names none.
 * @throws if the node does not answer a call.
 */
export async function askAssets(
  ask: AskNode,
  tokens: readonly Address[],
): Promise<ReadonlyMap<Address, Address | undefined>> {
  const assets = new Map<Address, Address | undefined>()
  for (let first = 0; first < tokens.length; first += tokensPerCall) {
    const part = tokens.slice(first, first + tokensPerCall)
    const answers = await readMany(
      ask,
      part.map((to) => [{ to, data: asset }]),
      gasEach,
    )
    for (const [index, token] of part.entries())
      assets.set(token, assetIn(token, answers[index]![0]!))
  }
  return assets
}

function assetIn(token: Address, { ok, size, words: [word] }: LensAnswer): Address | undefined {
  const isAddress = ok && size === 32n && /^0x0{24}(?!0{40})[0-9a-f]{40}$/.test(word)
  const named: Address = `0x${word.slice(-40)}`
  return isAddress && named !== token ? named : undefined
}
