import { concatHex, type Hex, toFunctionSelector, toHex, zeroHash } from 'viem'
import type { VenueEntry } from '../parseVenue.js'
import type { ConfigFindings, Fault } from './Findings.js'
import type { Chain } from './readChain.js'
import { numberIn } from './venueReads.js'

const spacingOfFee = toFunctionSelector('feeAmountTickSpacing(uint24)')
const feeOfSpacing = toFunctionSelector('tickSpacingToFee(int24)')
const extsload = toFunctionSelector('extsload(bytes32)')

/** Compares the tiers with those of the factory. Uniswap V4 has no list of tiers: asks whether it answers as a PoolManager. */
export async function checkTiers(
  chain: Chain,
  { factory, kind, tiers }: VenueEntry,
  at: string,
): Promise<ConfigFindings> {
  const ask = async (selector: Hex, words: readonly Hex[]) =>
    await chain.read(words.map((word) => ({ to: factory, data: concatHex([selector, word]) })))
  const faults: Fault[] = []
  if (kind === 'uniswapV4') {
    const [answer] = await ask(extsload, [zeroHash])
    if (answer !== undefined) return { faults, unchecked: [], confirmed: 1 }
    const message = `${factory} does not answer as a PoolManager of Uniswap V4.`
    return {
      faults: [{ code: 'WRONG_FACTORY', at: `${at}.factory`, message }],
      unchecked: [],
      confirmed: 0,
    }
  }
  if (kind !== 'uniswapV3' && kind !== 'slipstream') return { faults, unchecked: [], confirmed: 0 }
  const selector = kind === 'uniswapV3' ? spacingOfFee : feeOfSpacing
  const answers = await ask(
    selector,
    tiers.map(({ key }) => toHex(key, { size: 32 })),
  )
  for (const [index, { key, tickSpacing }] of tiers.entries()) {
    const told = numberIn(answers[index]) ?? 0n
    const isRight = kind === 'uniswapV3' ? told === BigInt(tickSpacing) : told > 0n
    if (isRight) continue
    const message =
      kind === 'uniswapV3'
        ? `The factory has the tick spacing ${told} for the fee ${key}, not ${tickSpacing}.`
        : `The factory has no pools with the tick spacing ${key}.`
    faults.push({ code: 'WRONG_TIER', at: `${at}.tiers[${index}]`, message })
  }
  return { faults, unchecked: [], confirmed: tiers.length - faults.length }
}
