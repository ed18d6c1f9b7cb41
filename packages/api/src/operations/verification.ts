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

/** Quotes that a node of the caller makes. */
export const verificationOperations = {
  getPrepare: {
    summary: 'The eth_call that computes the quote on a node of your own',
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
      note: 'The eth_call for a node of your own; no call is made here.',
    },
  },
  postPrepare: {
    summary: 'Up to 32 prepared calls as one JSON-RPC batch',
    description:
      'Asks no node. On a chain without a deployment, each call refers to a state override in `overrides`, which holds it once per chain. Replace the reference by it before you send the call.',
    body: prepareEnvelope,
    success: { schema: prepareBatchResponse },
    errors: [...bodyErrors, 'overloaded'],
    tag: 'verify',
    points: 1,
    isWork: true,
    discovery: { name: 'prepareBatch', note: 'At most 32, one JSON-RPC batch.' },
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
      note: 'Turns the result of your node into a checked quote with calldata; pure.',
    },
  },
} as const satisfies Record<string, Description>
