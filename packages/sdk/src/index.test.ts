import { expect, test } from 'vitest'
import * as sdk from './index.js'
import * as verify from './verify/index.js'

test('default: the public surface of the root', () => {
  expect(Object.keys(sdk).sort()).toMatchInlineSnapshot(`
    [
      "ApiError",
      "BaseError",
      "DecodeError",
      "IntegrityError",
      "InvalidParameterError",
      "NetworkError",
      "NoRouteError",
      "RpcRequiredError",
      "RpcUnreachableError",
      "TimeoutError",
      "createClient",
      "decodeQuote",
      "encodeParameters",
      "getAbi",
      "getDeployments",
      "getDiscovery",
      "getHealth",
      "getManifest",
      "getQuote",
      "getQuotes",
      "prepareQuote",
      "prepareQuotes",
      "version",
    ]
  `)
})

test('default: the public surface of verify', () => {
  expect(Object.keys(verify).sort()).toMatchInlineSnapshot(`
    [
      "readRegistry",
      "verifyTransaction",
    ]
  `)
})
