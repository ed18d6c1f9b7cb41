/**
 * The same quote three ways: from the service, from a node of one's own, and from both without trusting either.
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

// 1. The service prepares the call, my node answers it, the service decodes: it never sees my node.
const prepared = await prepareQuote(client, request)
const { gas, to, data } = prepared.call
const result = await node.request({ method: 'eth_call', params: [{ to, data, gas }, 'latest'] })
const viaService = await decodeQuote(client, { request: prepared.request, result })

// 2. No service at all: prepared and decoded here, by the same pure functions.
const viaNode = await quoteOnNode(node, request, options)

// 3. The service's own live quote.
const live = await getQuote(client, request)

const outputs = [viaService, viaNode, live].map(({ amountOut }) => amountOut)
console.log(`amountOut, three ways: ${outputs.join(', ')}`)
console.log(`Checks that ran: ${Object.keys(viaNode.integrity).join(', ')}`)
if (new Set(outputs).size !== 1) process.exitCode = 1

// Before signing: every field of the calldata against what was asked.
const { minOut, recipient } = verifyTransaction(live.tx ?? {}, { request, quote: live, registry })
console.log(`The transaction pays ${recipient} at least ${minOut}, or reverts.`)

// One unit more in the net output of a node's answer (its fifth word): refused, with the name of the check.
const at = 2 + 5 * 64 - 1
const digit = (Number.parseInt(result[at]!, 16) ^ 1).toString(16)
const forged = `${result.slice(0, at)}${digit}${result.slice(at + 1)}`
try {
  decode({ request: prepared.request, result: forged }, options)
  process.exitCode = 1
} catch (error) {
  if (!(error instanceof IntegrityError)) throw error
  console.log(`A forged answer fails the check "${error.check}".`)
}
