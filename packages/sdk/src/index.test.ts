import { operations } from '@sluice/api'
import { expect, test } from 'vitest'
import * as sdk from './index.js'
import * as undeployed from './undeployed/index.js'
import * as verify from './verify/index.js'
import * as viem from './viem/index.js'

test('default: exports the public names of the root', () => {
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
      "completeQuote",
      "createClient",
      "decodeQuote",
      "decodeQuotes",
      "encodeParameters",
      "getAbi",
      "getBadge",
      "getDeployments",
      "getDiscovery",
      "getHealth",
      "getManifest",
      "getPrice",
      "getQuote",
      "getQuotes",
      "getSolvency",
      "getSources",
      "getStats",
      "getTokens",
      "getXray",
      "parseQuote",
      "prepareQuote",
      "prepareQuotes",
      "streamQuote",
      "version",
    ]
  `)
})

test('default: has every action that an operation names', () => {
  const named = operations.flatMap(({ surfaces }) => surfaces?.action ?? [])
  const actions = Object.entries(sdk).flatMap(([name, member]) =>
    typeof member === 'function' ? [name] : [],
  )
  expect(named).toContain('getQuote')
  expect(actions).toEqual(expect.arrayContaining(named))
})

test('default: exports the public names of verify', () => {
  expect(Object.keys(verify).sort()).toMatchInlineSnapshot(`
    [
      "decode",
      "encodeSigned",
      "isSameOutcome",
      "prepare",
      "prepareRepeat",
      "readRegistry",
      "repeatCall",
      "verifyCalls",
      "verifyPermit",
      "verifyTransaction",
      "withSources",
    ]
  `)
})

test('default: exports the public names of viem', () => {
  expect(Object.keys(viem).sort()).toMatchInlineSnapshot(`
    [
      "SwapRevertedError",
      "approve",
      "encodeNativeIn",
      "encodeNativeOut",
      "encodePermit2",
      "getPermit2TypedData",
      "permit2Address",
      "quote",
      "repeatQuote",
      "send",
      "signPermit",
      "signPermit2",
      "simulate",
    ]
  `)
})

test('default: exports the public names of undeployed', () => {
  expect(Object.keys(undeployed).sort()).toEqual(['withUndeployed'])
})
