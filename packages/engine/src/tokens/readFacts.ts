import { Texts, type TokenFacts } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { askLens, type LensOptions, wordOf } from '../lens/askLens.js'
import { textOf } from '../symbols/readTexts.js'

const datas = (['decimals', 'symbol', 'name'] as const).map((functionName) =>
  encodeFunctionData({ abi: erc20Abi, functionName }),
) as [Hex, Hex, Hex]

const maxDecimals = 255n

/**
 * Reads tokens on chain, in one call. A token without decimals has no facts; its texts are made safe to show.
 *
 * @throws QuoteError if no node answers.
 */
export async function readFacts(
  state: ChainState,
  tokens: readonly Address[],
  options: LensOptions,
): Promise<readonly (TokenFacts.TokenFacts | undefined)[]> {
  const asks = tokens.flatMap((to) => datas.map((data) => ({ to, data })))
  const { answers } = await askLens(state, asks, options)
  return tokens.map((address, index): TokenFacts.TokenFacts | undefined => {
    const [decimals, symbol, name] = answers.slice(datas.length * index)
    const word = wordOf(decimals)
    if (word === undefined || word > maxDecimals) return undefined
    const texts = {
      symbol: Texts.shownText(textOf(symbol) ?? ''),
      name: Texts.shownText(textOf(name) ?? ''),
    }
    return { address, ...texts, decimals: Number(word), source: 'chain' }
  })
}
