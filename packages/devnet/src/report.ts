import type { DevnetChain } from './startChain.js'
import type { Devnet } from './startDevnet.js'

/** Lists the tokens of a chain, one per line. */
export function chainTable({ chainId, name, tokens, pools }: DevnetChain): string {
  const rows = Object.entries(tokens).map(([symbol, { address, decimals, usd }]) => {
    const count = pools.filter(
      ({ token0, token1 }) => symbol === token0 || symbol === token1,
    ).length
    return `  ${symbol.padEnd(8)}${address}  ${String(decimals).padStart(2)} decimals  ${count} pools, about ${usd} USD`
  })
  return [`${name} (${chainId}), ${pools.length} pools`, ...rows, ''].join('\n')
}

/** Lists the URLs of the nodes and of the market data, and the development account. */
export function summary({ chains, account, marketUrl }: Devnet): string {
  return [
    ...chains.map(
      ({ chainId, name, rpcUrl }) => `${name.padEnd(10)} ${String(chainId).padEnd(7)} ${rpcUrl}`,
    ),
    `${'Market'.padEnd(18)} ${marketUrl}`,
    '',
    `Account    ${account.address}, funded with every token`,
    `Its key    ${account.privateKey}, which is public: never send it anything of value`,
    '',
  ].join('\n')
}

/** A command that requests a first quote. */
export function exampleQuote(serverUrl: string, { chainId, tokens }: DevnetChain): string {
  const oneEther = 10n ** BigInt(tokens['WETH']?.decimals ?? 18)
  return `  curl '${serverUrl}/api/quote?chain=${chainId}&in=WETH&out=USDC&amountIn=${oneEther}'`
}
