import type { Quote, QuoteParameters } from '@sluice/sdk'
import type { Registry } from '@sluice/sdk/verify'
import { approve, send } from '@sluice/sdk/viem'
import {
  createWalletClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
} from 'viem'
import { type AskNode, NodeError, nodeOf, type Wallet } from './askNode.js'

/** A wallet that the reader has connected. */
export type Connected = { readonly wallet: Wallet; readonly account: Hex; readonly ask: AskNode }

/** What stands between a quote and its transaction. */
export type Step = 'wrap' | 'approve' | 'send'

/** `deposit()` of the wrapped native coin. */
const depositCall = '0xd0e30db0'
const receiptEveryMs = 700
const receiptTries = 120

export async function connect(wallet: Wallet): Promise<Connected> {
  const ask = nodeOf(wallet)
  const accounts = await ask('eth_requestAccounts', [])
  const [account] = Array.isArray(accounts) ? accounts : []
  if (typeof account !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(account))
    throw new NodeError('The wallet gave no account.')
  return { wallet, account: account as Hex, ask }
}

/** Asks the wallet to be on the chain of the quote. */
export async function demandChain({ ask }: Connected, chainId: number): Promise<void> {
  if (Number(await ask('eth_chainId', [])) === chainId) return
  await ask('wallet_switchEthereumChain', [{ chainId: numberToHex(chainId) }])
}

/** What has to be done first; reads the account's balance of the wrapped coin and its allowance. */
export async function nextStep({ account, ask }: Connected, quote: Quote): Promise<Step> {
  const { approval, amountIn, tokenIn, wrapRequired } = quote
  const read = async (data: Hex) =>
    BigInt(String(await ask('eth_call', [{ to: tokenIn, data }, 'latest'])))
  if (wrapRequired) {
    const held = await read(
      encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
    )
    if (held < amountIn) return 'wrap'
  }
  if (approval === undefined) return 'send'
  const args = [account, approval.spender] as const
  const allowed = await read(encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args }))
  return allowed < approval.amount ? 'approve' : 'send'
}

/**
 * Has the wallet sign one step and waits until it is mined. Every field of a swap is compared with what was asked before
 * the wallet sees it.
 *
 * @returns Hash of the transaction.
 */
export async function sign(
  connected: Connected,
  step: Step,
  trade: { quote: Quote; request: QuoteParameters; registry: Registry },
): Promise<Hex> {
  const { account, ask, wallet } = connected
  const { quote, registry, request } = trade
  await demandChain(connected, quote.chainId)
  const client = createWalletClient({
    account,
    chain: {
      id: quote.chainId,
      name: String(quote.chainId),
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [] } },
    },
    transport: custom({ request: (ask) => wallet.request(ask) }),
  })
  if (step === 'approve') return await mined(ask, await approve(client, { quote, registry }))
  if (step === 'send') return await mined(ask, await send(client, { quote, request, registry }))
  const value = numberToHex(quote.amountIn)
  const deposit = { from: account, to: quote.tokenIn, data: depositCall, value }
  return await mined(ask, (await ask('eth_sendTransaction', [deposit])) as Hex)
}

async function mined(ask: AskNode, hash: Hex): Promise<Hex> {
  for (let tries = 0; tries < receiptTries; tries++) {
    const receipt = (await ask('eth_getTransactionReceipt', [hash])) as { status?: string } | null
    if (receipt?.status === '0x1') return hash
    if (receipt) throw new NodeError(`The transaction ${hash} was mined and reverted.`)
    await new Promise((resolve) => setTimeout(resolve, receiptEveryMs))
  }
  throw new NodeError(`The transaction ${hash} is not mined yet; look it up in your wallet.`)
}
