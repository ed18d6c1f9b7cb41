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
    summary: 'The eth_call that a node of your own answers',
    description:
      'Pure: no node is asked. Send `rpcRequest` to your node, and its answer with `request` to POST /api/quote/decode, within the two minutes until `expiresAt`.',
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
      'Pure: no node is asked. Where nothing is deployed, calls point to `overrides` of the answer, which holds what they bring along once for each chain: put it in the place of the reference before you send them.',
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
      'Additive. Pure: no node is asked. The typed data is built again from the route, and the signature of a plain account must be that of `permit.owner` over it; one of a contract can be checked on chain alone. To check the answer, decode `tx.data` with the ABI of the Router of 2.0.0.',
    body: signedEnvelope,
    success: { schema: signedResponse },
    errors: [...bodyErrors, 'bad_request', 'bad_chain', 'overloaded'],
    tag: 'verify',
    points: 1,
    isWork: true,
  },
  postDecode: {
    summary: "Turns your node's answer into a checked quote with calldata",
    description:
      'Pure: no node is asked. The call is derived again from the parameters, the answer must be the canonical encoding, its arithmetic is recomputed and its block looked at; `integrity` says which checks ran. A failed check is 400 `bad_result` naming it.',
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
      note: "Turns your node's answer into a checked quote with calldata; pure.",
    },
  },
} as const satisfies Record<string, Description>
