import { type AskNode, NodeError } from '../askNode.js'
import type { Boot } from './boot.js'
import { codeOf } from './codeOf.js'
import { hexOf } from './hexOf.js'

/** Codes with which a wallet says that it does not know the chain, and that its owner declined. */
const [unknownChain, declined] = [4902, 4001]

/** Asks the wallet to change to a chain, and to learn a development network's if it does not know it. */
export async function switchChain(ask: AskNode, chainId: number, boot: Boot): Promise<void> {
  const id = hexOf(BigInt(chainId))
  try {
    await ask('wallet_switchEthereumChain', [{ chainId: id }])
  } catch (error) {
    const node = boot.nodes.get(chainId)
    const found = boot.chains.find((chain) => chain.chainId === chainId)
    if (codeOf(error) !== unknownChain || node === undefined || found === undefined) throw error
    const { explorer, name } = found
    await ask('wallet_addEthereumChain', [
      {
        ...{ chainId: id, chainName: name, rpcUrls: [node], blockExplorerUrls: [explorer] },
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      },
    ])
  }
}

/** Why it did not. */
export function switchWords(error: unknown, { chains }: Boot, chainId: number): string {
  const name = chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`
  const code = codeOf(error)
  if (code === unknownChain)
    return `Your wallet does not know ${name} yet: add it there, then try again.`
  if (code === declined) return `You declined to switch to ${name}.`
  const text = error instanceof NodeError ? error.message.slice(0, 160) : ''
  return `Your wallet did not switch to ${name}. ${text}`.trim()
}
