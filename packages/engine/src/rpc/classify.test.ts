import { describe, expect, test } from 'vitest'
import { classify } from './classify.js'
import type { Failure } from './failures.js'

/** Messages as the clients and vendors word them. */
const corpus: readonly (readonly [code: number, message: string, failure: Failure])[] = [
  [3, 'execution reverted', 'revert'],
  [3, 'execution reverted: rate limit exceeded', 'revert'],
  [3, 'execution reverted: custom error 0x1f2a2005', 'revert'],
  [-32_000, 'execution reverted', 'revert'],
  [-32_000, 'execution reverted: out of gas', 'revert'],
  [-32_015, 'VM execution error.', 'revert'],
  [-32_015, 'The execution failed', 'revert'],
  [-32_603, 'execution reverted', 'revert'],
  [-32_000, 'VM Exception while processing transaction: revert', 'revert'],
  [-32_603, 'EVM error OutOfGas', 'halt'],
  [-32_000, 'out of gas', 'halt'],
  [-32_000, 'gas required exceeds allowance (30000000)', 'halt'],
  [-32_000, 'invalid opcode: INVALID', 'halt'],
  [-32_603, 'EVM error InvalidFEOpcode', 'halt'],
  [-32_603, 'EVM error OpcodeNotFound', 'halt'],
  [-32_000, 'invalid jump destination', 'halt'],
  [-32_603, 'EVM error InvalidJump', 'halt'],
  [-32_000, 'stack underflow (0 <=> 1)', 'halt'],
  [-32_603, 'EVM error StackOverflow', 'halt'],
  [-32_000, 'stack limit reached 1024 (1023)', 'halt'],
  [-32_000, 'header not found', 'not_ready'],
  [-32_000, 'missing trie node 6f1c (path ) state 0x6f1c is not available', 'not_ready'],
  [-32_000, 'unknown block', 'not_ready'],
  [-32_000, 'header for hash not found', 'not_ready'],
  [-32_001, 'resource not found', 'not_ready'],
  [-32_000, 'hash is not currently canonical', 'not_ready'],
  [-32_602, 'BlockOutOfRangeError: block height is 2 but requested was 1', 'not_ready'],
  [-32_000, 'required historical state unavailable (reexec=128)', 'not_ready'],
  [-32_000, 'state at block #5 is pruned', 'not_ready'],
  [-32_005, 'daily request count exceeded, request rate limited', 'rate_limited'],
  [429, 'Too Many Requests', 'rate_limited'],
  [429, 'Your app has exceeded its compute units per second capacity', 'rate_limited'],
  [-32_005, 'limit exceeded', 'rate_limited'],
  [-32_000, 'response size exceeded', 'too_large'],
  [-32_000, 'batch response too large', 'too_large'],
  [-32_600, 'Must be authenticated!', 'auth'],
  [-32_000, 'invalid API key', 'auth'],
  [-32_000, 'Unauthorized', 'auth'],
  [-32_601, 'the method eth_call does not exist/is not available', 'unsupported'],
  [-32_601, 'Method not found', 'unsupported'],
  [-32_601, 'nope', 'unsupported'],
  [-32_000, 'execution aborted (timeout = 5s)', 'timeout'],
  [-32_000, 'context deadline exceeded', 'timeout'],
  [-32_603, 'Internal error', 'server'],
  [-32_603, '', 'server'],
]

describe('classify', () => {
  test.each(corpus)('default: %i %s is %s', (code, message, failure) => {
    expect(classify({ code, message })).toBe(failure)
  })

  test.each([{}, { code: '3' }, { code: null, message: 7 }, { message: ['revert'] }])(
    'error: %j is a fault of the node',
    (error) => {
      expect(classify(error)).toBe('server')
    },
  )
})
