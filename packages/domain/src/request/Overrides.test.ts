import fc from 'fast-check'
import { type Address, type Hex, sha256, stringToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { registry, tokens } from '../../test/deployments.js'
import * as CallParameters from '../prepare/CallParameters.js'
import * as Preparation from '../prepare/Preparation.js'
import * as StateOverride from '../registry/StateOverride.js'
import * as Undeployed from '../registry/Undeployed.js'
import * as Overrides from './Overrides.js'
import * as PreparedRequest from './PreparedRequest.js'
import * as QuoteParameters from './QuoteParameters.js'

const slot = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as Hex
const high: Address = '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF'
const low: Address = '0x00000000000000000000000000000000000A11cE'
const good = {
  [low]: { balance: '0x0f', stateDiff: { [slot(2)]: slot(0xab), [slot(1)]: slot(0) } },
}
const textOf = (value: unknown) => JSON.stringify(value)
const chain = registry.get(8_453)!

describe('Overrides.parse', () => {
  test('default: normalizes addresses, slots and numbers, and sorts them', () => {
    const given = {
      [high.toLowerCase()]: { balance: '0x00FF' },
      [low]: {
        stateDiff: { [slot(0xab).toUpperCase().replace('X', 'x')]: slot(1), [slot(1)]: slot(2) },
      },
    }
    const parsed = Overrides.parse(textOf(given))
    expect(textOf(parsed)).toBe(
      textOf({
        [low]: { stateDiff: { [slot(1)]: slot(2), [slot(0xab)]: slot(1) } },
        [high]: { balance: '0xff' },
      }),
    )
    expect(Overrides.parse(Overrides.textOf(parsed))).toEqual(parsed)
  })

  test('default: counts, and digests the normalized text', () => {
    const parsed = Overrides.parse(textOf({ ...good, [high]: { balance: '0x1' } }))
    expect(Overrides.summaryOf(parsed, PreparedRequest.defaultHash)).toEqual({
      accounts: 2,
      slots: 2,
      digest: sha256(stringToBytes(Overrides.textOf(parsed))),
    })
  })

  test.each([
    ['not JSON', '{', 'must be a JSON object by address'],
    ['a list', '[]', 'must be a JSON object by address'],
    ['null', 'null', 'must be a JSON object by address'],
    ['nothing', '{}', 'must change at least one account'],
    ['a short address', textOf({ '0x12': {} }), 'has an account whose address must be 0x'],
    [
      'a name that is no address',
      '{"__proto__":{"balance":"0x1"}}',
      'has an account whose address',
    ],
    ['a wrong checksum', textOf({ [low.replace('cE', 'Ce')]: {} }), 'wrong EIP-55 checksum'],
    [
      'an account twice',
      `{"${low}":{"balance":"0x1"},"${low.toLowerCase()}":{"balance":"0x2"}}`,
      `names ${low} twice`,
    ],
    ['a number for an account', textOf({ [low]: 1 }), `must have an object for ${low}`],
    ['no change', textOf({ [low]: {} }), `changes nothing of ${low}`],
    ['code', textOf({ [low]: { code: '0x' } }), '`code`: code stays that of the chain'],
    [
      'a whole storage',
      textOf({ [low]: { state: {} } }),
      '`state`: send the slots that change in `stateDiff`',
    ],
    ['a nonce', textOf({ [low]: { nonce: '0x1' } }), '`nonce`: it changes no quote'],
    [
      'a moved precompile',
      textOf({ [low]: { movePrecompileToAddress: high } }),
      '`movePrecompileToAddress`: code',
    ],
    [
      'an unknown member',
      textOf({ [low]: { 'a\u202eb': 1 } }),
      '`unknown`: send `balance` or `stateDiff`',
    ],
    [
      'a member of every object',
      textOf({ [low]: { constructor: 1 } }),
      '`constructor`: send `balance`',
    ],
    ['a decimal balance', textOf({ [low]: { balance: '15' } }), 'has a `balance`'],
    ['a balance of 33 bytes', textOf({ [low]: { balance: `${slot(1)}0` } }), 'has a `balance`'],
    ['a balance that is a number', textOf({ [low]: { balance: 1 } }), 'has a `balance`'],
    ['no slots', textOf({ [low]: { stateDiff: {} } }), 'must have an object of slots and values'],
    [
      'a list of slots',
      textOf({ [low]: { stateDiff: [] } }),
      'must have an object of slots and values',
    ],
    ['a short slot', textOf({ [low]: { stateDiff: { '0x1': slot(1) } } }), 'pad it on the left'],
    ['a short value', textOf({ [low]: { stateDiff: { [slot(1)]: '0x1' } } }), 'pad it on the left'],
    [
      'a value that is a number',
      textOf({ [low]: { stateDiff: { [slot(1)]: 1 } } }),
      'pad it on the left',
    ],
  ])('error: %s', (_, text, reason) => {
    expect(Overrides.problemOf(text)).toContain(reason)
  })

  test('error: more accounts or slots than the maximum, and not one less', () => {
    const accounts = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          slot(index + 1).replace('0'.repeat(24), ''),
          { balance: '0x1' },
        ]),
      )
    const slots = (count: number) => ({
      [low]: {
        stateDiff: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [slot(index), slot(1)]),
        ),
      },
    })
    expect(Overrides.problemOf(textOf(accounts(32)))).toBeUndefined()
    expect(Overrides.problemOf(textOf(accounts(33)))).toBe('changes 33 accounts; the maximum is 32')
    expect(Overrides.problemOf(textOf(slots(256)))).toBeUndefined()
    const shared = { ...slots(256), [high]: { stateDiff: { [slot(1)]: slot(1) } } }
    for (const many of [slots(257), shared])
      expect(Overrides.problemOf(textOf(many))).toBe('changes more than 256 storage slots')
  })

  test('behavior: any text either has a reason or parses to what parses to itself', () => {
    const digits = (minLength: number, maxLength = minLength) =>
      fc
        .string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength, maxLength })
        .map((each) => `0x${each}`)
    const accountOf = (balance: fc.Arbitrary<string>, word: fc.Arbitrary<string>) =>
      fc.record({ balance, stateDiff: fc.dictionary(word, word, { minKeys: 1, maxKeys: 4 }) })
    const account = fc.oneof(
      { weight: 9, arbitrary: accountOf(digits(1, 64), digits(64)) },
      { weight: 1, arbitrary: accountOf(fc.string(), digits(63, 65)) },
    )
    const address = fc.oneof(
      { weight: 9, arbitrary: digits(40).map((each) => each.toLowerCase()) },
      {
        weight: 1,
        arbitrary: fc.oneof(fc.constantFrom(low, high, '__proto__'), fc.string({ unit: 'binary' })),
      },
    )
    const overrides = fc.dictionary(address, account, { maxKeys: 4 }).map(textOf)
    const texts = fc.oneof({ weight: 8, arbitrary: overrides }, fc.json(), fc.string())
    let sound = 0
    fc.assert(
      fc.property(texts, (text) => {
        const reason = Overrides.problemOf(text)
        if (reason !== undefined) {
          expect(reason).toMatch(/^[^\p{Cc}\p{Cf}]+$/u)
          return
        }
        sound++
        const normal = Overrides.textOf(Overrides.parse(text))
        expect(Overrides.textOf(Overrides.parse(normal))).toBe(normal)
      }),
      { numRuns: 1_000 },
    )
    expect(sound).toBeGreaterThan(100)
  })
})

describe('Overrides.conflictOf', () => {
  test('error: every contract of every generation, in any case', () => {
    const contracts = [chain.contracts, ...Object.values(chain.versions)].flatMap((each) =>
      Object.values(each),
    )
    expect(new Set(contracts).size).toBeGreaterThan(8)
    for (const address of contracts) {
      const overrides = Overrides.parse(textOf({ [address.toLowerCase()]: { balance: '0x1' } }))
      expect(Overrides.conflictOf(chain, overrides)).toMatch(/^must not change 0x/)
    }
  })

  test('error: contracts and adapters that a chain without a deployment brings along', () => {
    const undeployed = Undeployed.find(8_453)!
    const brought = Object.keys(undeployed.stateOverride!)
    for (const address of brought)
      expect(
        Overrides.conflictOf(
          undeployed,
          Overrides.parse(textOf({ [address]: { balance: '0x1' } })),
        ),
      ).toContain('a contract of the protocol')
    expect(brought.length).toBeGreaterThan(8)
  })

  test('error: precompiled contracts, such as the one that tells the block on Arbitrum', () => {
    const at = (number: number) => ({
      [slot(number).replace('0'.repeat(24), '')]: { balance: '0x1' },
    })
    for (const number of [1, 0x64, 0xffff])
      expect(Overrides.conflictOf(chain, Overrides.parse(textOf(at(number))))).toContain(
        'precompiled',
      )
    expect(Overrides.conflictOf(chain, Overrides.parse(textOf(at(0x10000))))).toBeUndefined()
  })

  test('default: tokens and pools may be changed', () => {
    const overrides = Overrides.parse(
      textOf({ [tokens.weth]: { stateDiff: { [slot(1)]: slot(1) } } }),
    )
    expect(Overrides.conflictOf(chain, overrides)).toBeUndefined()
  })
})

describe('a request on a state of its own', () => {
  const request = (changes: Record<string, string> = {}) => {
    const texts = {
      chain: 'base',
      in: 'WETH',
      out: 'USDC',
      amountIn: '1000',
      overrides: textOf(good),
      ...changes,
    }
    const given = new Map(Object.entries(texts).map(([name, text]) => [name, { text }]))
    return QuoteParameters.parse(registry, given)
  }
  const parsed = () => {
    const found = request()
    if (!found.ok) throw new Error('not parsed')
    return found.request
  }

  test('error: nothing to sign', () => {
    const problems = (changes: Record<string, string>) => {
      const found = request(changes)
      return found.ok ? [] : found.problems.map(({ code, field }) => [field, code])
    }
    expect(problems({ recipient: high })).toEqual([])
    expect(problems({ sender: high })).toEqual([['sender', 'bad_param']])
    const both = problems({ sender: high, signature: 'permit2' })
    expect(both).toEqual(
      expect.arrayContaining([
        ['sender', 'bad_param'],
        ['signature', 'bad_param'],
      ]),
    )
    expect(problems({ overrides: textOf({ [chain.contracts.hub]: { balance: '0x1' } }) })).toEqual([
      ['overrides', 'bad_param'],
    ])
  })

  test('default: the call contains the state, and the digest covers it', () => {
    const { request: prepared, rpcRequest } = Preparation.from(parsed(), { preparedAt: 0 })
    expect(rpcRequest.params[2]).toEqual(Overrides.parse(textOf(good)))
    expect(prepared.overrides).toEqual(rpcRequest.params[2])
    expect(PreparedRequest.open(registry, prepared, { now: 0 }).overrides).toEqual(
      prepared.overrides,
    )
    const { overrides: _, ...without } = prepared
    const other = { ...prepared, overrides: { [low]: { balance: '0x10' as Hex } } }
    for (const changed of [without, other])
      expect(() => PreparedRequest.open(registry, changed, { now: 0 })).toThrow('digest')
  })

  test('behavior: a chain without a deployment brings its contracts along, and these win', () => {
    const undeployed = Undeployed.find(8_453)!
    const { hub } = undeployed.contracts
    const overrides = Overrides.parse(
      textOf({ ...good, [hub]: { stateDiff: { [slot(0)]: slot(7) } } }),
    )
    const funds = { [tokens.weth]: { stateDiff: { [slot(9)]: slot(9) } } }
    const [, , merged] = CallParameters.of({ ...parsed(), chain: undeployed, overrides }, { funds })
    expect(merged).toEqual({
      ...overrides,
      ...undeployed.stateOverride,
      [hub]: { ...undeployed.stateOverride![hub], stateDiff: { [slot(0)]: slot(7) } },
      ...funds,
    })
  })
})

describe('StateOverride.merged', () => {
  test('default: merges slot by slot, and the last one counts', () => {
    const one = {
      [low]: { balance: '0x1', stateDiff: { [slot(1)]: slot(1), [slot(2)]: slot(2) } },
    } as const
    const two = { [low]: { stateDiff: { [slot(2)]: slot(3) } }, [high]: { code: '0x00' } } as const
    expect(StateOverride.merged(one, undefined, two)).toEqual({
      [low]: { balance: '0x1', stateDiff: { [slot(1)]: slot(1), [slot(2)]: slot(3) } },
      [high]: { code: '0x00' },
    })
    expect(one[low]!.stateDiff[slot(2)]).toBe(slot(2))
    expect(StateOverride.merged(undefined, one)).toBe(one)
    expect(StateOverride.merged(undefined)).toBeUndefined()
  })
})
