import { z } from 'zod'
import { quoteParameters } from '../parameters.js'
import { maxPrepareItems, prepareEnvelope } from '../parseBatch.js'
import {
  decodeBatchResponse,
  decodeItem,
  decodeResponse,
  prepareBatchResponse,
  prepareResponse,
} from '../preparation.js'
import { signedEnvelope, signedResponse } from '../signed.js'
import { bodyErrors, type Description, largeBodyBytes, quoteErrors, trade } from './Operation.js'

const decodeEnvelope = z.union([
  decodeItem,
  z.strictObject({ items: z.array(decodeItem).min(1).max(maxPrepareItems) }),
])

/** Quotes that the caller's own node computes. */
export const verificationOperations = {
  getPrepare: {
    summary: 'The eth_call that computes the quote on your own node',
    description:
      'Asks no node. Send `rpcRequest` to your node, then send its result with `request` to POST /api/quote/decode before `expiresAt`, two minutes later.',
    query: quoteParameters,
    success: { schema: prepareResponse },
    errors: [...quoteErrors, 'overloaded'],
    tag: 'verify',
    points: 1,
    isWork: true,
    discovery: {
      name: 'prepare',
      query: trade,
      note: 'The eth_call for your own node; the service asks no node.',
    },
    surfaces: { action: 'prepareQuote', tool: 'prepare_quote', command: 'prepare' },
    guide: {
      section: 'verify',
      title: 'Prepare',
      query: trade,
      note: 'the same parameters; returns the whole JSON-RPC eth_call in `rpcRequest`, and as a shell command in `curl`',
    },
  },
  postPrepare: {
    summary: 'Up to 32 prepared calls as one JSON-RPC batch',
    description:
      'Asks no node. On a chain without a deployment, each call needs a state override. `overrides` has it once per chain, and each call holds a reference to it. Replace the reference with the override before you send the call.',
    body: prepareEnvelope,
    success: { schema: prepareBatchResponse },
    errors: [...bodyErrors, 'overloaded'],
    tag: 'verify',
    points: 1,
    isWork: true,
    discovery: { name: 'prepareBatch', note: 'At most 32, one JSON-RPC batch.' },
    surfaces: { action: 'prepareQuotes' },
    guide: {
      section: 'verify',
      title: 'Prepare several',
      note: 'with {"requests": [...]}, up to 32. On a chain without a deployment, replace the third parameter of a call, `#/overrides/<chain id>`, with that member of the response before you send the call; or send "overrides": "inline", for up to 4',
    },
  },
  postSigned: {
    summary: 'The transaction of a quote with `signature`, once its typed data is signed',
    description:
      'Additive. Asks no node. The service builds the typed data again from the route. The signature of a plain account must be that of `permit.owner` over this data; the signature of a contract can only be checked on chain. To check the response, decode `tx.data` with the ABI of the Router 2.0.0.',
    body: signedEnvelope,
    success: { schema: signedResponse },
    errors: [...bodyErrors, 'bad_request', 'bad_chain', 'overloaded'],
    tag: 'verify',
    points: 1,
    isWork: true,
    surfaces: { action: 'completeQuote' },
  },
  postDecode: {
    summary: 'Turns the result of your node into a checked quote with calldata',
    description:
      'Asks no node. The service derives the call again from the parameters, accepts only the canonical encoding of the result, recomputes its arithmetic and checks its block; `integrity` lists the checks. A failed check is 400 `bad_result` with its name.',
    body: decodeEnvelope,
    success: { schema: z.union([decodeResponse, decodeBatchResponse]) },
    errors: [
      ...bodyErrors,
      'bad_request',
      'bad_result',
      'bad_in',
      'bad_out',
      'no_route',
      'overloaded',
    ],
    tag: 'verify',
    points: 1,
    isWork: true,
    maxBodyBytes: largeBodyBytes,
    discovery: {
      name: 'decode',
      note: 'Turns the result of your node into a checked quote with calldata; asks no node.',
    },
    surfaces: { action: 'decodeQuote', tool: 'decode_quote', command: 'decode' },
    guide: {
      section: 'verify',
      title: 'Decode',
      note: 'with {"request": <prepare\'s request, unchanged>, "result": <the node\'s result>} within two minutes; returns the quote, `integrity` and calldata',
    },
  },
} as const satisfies Record<string, Description>
