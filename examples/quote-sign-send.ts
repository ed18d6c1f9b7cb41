/**
 * Quotes, approves, verifies, signs and sends a swap, as a wallet does.
 *
 *     npm start
 *     node --conditions=development --import tsx examples/quote-sign-send.ts
 */
import { createClient, getQuote, NoRouteError } from '@sluice/sdk'
import { readRegistry } from '@sluice/sdk/verify'
import { approve, send, simulate } from '@sluice/sdk/viem'
import { createWalletClient, erc20Abi, formatUnits, http, parseEther, publicActions } from 'viem'
import { base } from 'viem/chains'
import { account, nodeUrl, pinnedDeployments, serviceUrl } from './setup.js'

const client = createClient({ baseUrl: serviceUrl })
// The addresses that you trust, stored with your program. Never use those from the response that you verify.
const registry = readRegistry(pinnedDeployments)
const wallet = createWalletClient({
  account,
  chain: base,
  transport: http(nodeUrl),
}).extend(publicActions)

const request = {
  chain: base.id,
  in: 'WETH',
  out: 'USDC',
  amountIn: parseEther('0.5'),
  recipient: account.address,
  slippageBps: 50,
}

try {
  const quote = await getQuote(client, request)
  console.log(`0.5 WETH buys ${formatUnits(quote.amountOut, 6)} USDC after the fee.`)

  // Approves exactly this amount, and only for the Router in the registry.
  await wallet.waitForTransactionReceipt({ hash: await approve(wallet, { quote, registry }) })
  const paid = await simulate(wallet, { quote, request, registry, account: account.address })
  console.log(`A dry run on my own node pays ${formatUnits(paid, 6)} USDC.`)

  const before = await balance(quote.tokenOut)
  // Compares every field of the calldata with the request before signing.
  const hash = await send(wallet, { quote, request, registry })
  const { status } = await wallet.waitForTransactionReceipt({ hash })
  const received = (await balance(quote.tokenOut)) - before
  console.log(`${status}: received ${formatUnits(received, 6)} USDC in ${hash}.`)
  if (received < (quote.quote?.effectiveMinOut ?? quote.amountOut)) process.exitCode = 1
} catch (error) {
  if (!(error instanceof NoRouteError)) throw error
  console.log(`No route: ${error.shortMessage}`)
}

function balance(token: `0x${string}`): Promise<bigint> {
  return wallet.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account.address],
  })
}
