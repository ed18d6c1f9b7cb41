import { expect, test } from 'vitest'
import * as api from './index.js'

test('default: the public surface', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "ApiError",
      "batchEnvelope",
      "batchResponse",
      "codes",
      "encodeError",
      "encodeQuote",
      "errorResponse",
      "healthResponse",
      "isCode",
      "maxBatchItems",
      "maxJsonDepth",
      "metaResponse",
      "parameterCodes",
      "parameterNames",
      "parseBatch",
      "parseQuoteRequest",
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
