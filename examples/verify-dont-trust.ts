/**
 * Gets the same quote in three ways: prepared and decoded by the service, only with your own node, and live.
 *
 *     npm start
 *     node --conditions=development --import tsx examples/verify-dont-trust.ts
 */
import { createClient, decodeQuote, getQuote, IntegrityError, prepareQuote } from '@sluice/sdk'
import { decode, readRegistry, verifyTransaction } from '@sluice/sdk/verify'
import { quote as quoteOnNode } from '@sluice/sdk/viem'
import { createPublicClient, http } from 'viem'
import { base } from 'viem/chains'
import { account, nodeUrl, pinnedDeployments, serviceUrl } from './setup.js'

const client = createClient({ baseUrl: serviceUrl })
const registry = readRegistry(pinnedDeployments)
const node = createPublicClient({ chain: base, transport: http(nodeUrl) })
const request = {
  chain: base.id,
  in: 'USDC',
  out: 'WETH',
  amountIn: '2500000000',
  recipient: account.address,
}
// The development chain makes blocks on demand, so its latest one may be old.
const options = { registry, maxBlockAgeSec: Number.POSITIVE_INFINITY }

// 1. The service prepares the call, your node runs it, and the service decodes the result. It never sees your node.
const prepared = await prepareQuote(client, request)
const { gas, to, data } = prepared.call
const result = await node.request({ method: 'eth_call', params: [{ to, data, gas }, 'latest'] })
const viaService = await decodeQuote(client, { request: prepared.request, result })

// 2. Without the service: this program prepares and decodes with the same functions.
const viaNode = await quoteOnNode(node, request, options)

// 3. A live quote of the service.
const live = await getQuote(client, request)

const outputs = [viaService, viaNode, live].map(({ amountOut }) => amountOut)
console.log(`amountOut, three ways: ${outputs.join(', ')}`)
console.log(`Checks passed: ${Object.keys(viaNode.integrity).join(', ')}`)
if (new Set(outputs).size !== 1) process.exitCode = 1

// Before signing, compare every field of the calldata with the request.
const { minOut, recipient } = verifyTransaction(live.tx ?? {}, { request, quote: live, registry })
console.log(`The transaction pays ${recipient} at least ${minOut}, or reverts.`)

// Change the net output in the node's result (its fifth word): decode rejects it and names the failed check.
const at = 2 + 5 * 64 - 1
const digit = (Number.parseInt(result[at]!, 16) ^ 1).toString(16)
const forged = `${result.slice(0, at)}${digit}${result.slice(at + 1)}`
try {
  decode({ request: prepared.request, result: forged }, options)
  process.exitCode = 1
} catch (error) {
  if (!(error instanceof IntegrityError)) throw error
  console.log(`A forged result fails the check "${error.check}".`)
}
