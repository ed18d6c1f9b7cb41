import { expect, test } from 'vitest'
import * as api from './index.js'

test('default: the public surface', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "ApiError",
      "batchEnvelope",
      "batchResponse",
      "codes",
      "decodeBatchResponse",
      "decodeItem",
      "decodeResponse",
      "encodeDecoded",
      "encodeError",
      "encodeQuote",
      "errorResponse",
      "healthResponse",
      "isCode",
      "maxBatchItems",
      "maxJsonDepth",
      "maxPrepareItems",
      "metaResponse",
      "parameterCodes",
      "parameterNames",
      "parseBatch",
      "parseDecode",
      "parseDecodeItem",
      "parseQuoteRequest",
      "prepareBatchResponse",
      "prepareEnvelope",
      "prepareResponse",
      "preparedRequest",
      "quoteNumbers",
      "quoteParameters",
      "quoteResponse",
      "rawFromItem",
      "rawFromQuery",
      "routeResponse",
      "scanJson",
    ]
  `)
})
