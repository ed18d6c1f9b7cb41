import { type Client, getTokens } from '@sluice/sdk'
import { type Address, erc20Abi, type PublicClient } from 'viem'
import type { ReadDecimals } from './amount.js'

/** Reads decimals by the service. */
export function decimalsBy(client: Client): ReadDecimals {
  return async (chain, token) => {
    const { tokens } = await getTokens(client, { chain, tokens: [token] })
    return tokens[0]?.decimals ?? undefined
  }
}

/** Reads decimals on the caller's own node. */
export function decimalsOn(node: PublicClient): ReadDecimals {
  return async (_, token) =>
    await node.readContract({
      address: token as Address,
      abi: erc20Abi,
      functionName: 'decimals',
    })
}
