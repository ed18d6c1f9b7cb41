import fc from 'fast-check'
import { encodeAbiParameters, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { deployments } from '../../test/deployments.js'
import { Solvency } from '../index.js'

const amount = fc.bigInt(0n, 2n ** 180n)

/** A report as Staking computes it, encoded by viem. */
function rawOf(backing: bigint, owed: bigint, changes: Partial<Solvency.Report> = {}) {
  const report = {
    backing,
    owed,
    surplus: backing > owed ? backing - owed : 0n,
    deficit: owed > backing ? owed - backing : 0n,
    solvent: backing >= owed,
    collateralRatioWad: owed === 0n ? 2n ** 256n - 1n : (backing * 10n ** 18n) / owed,
    totalStaked: owed / 2n,
    rewardReserve: owed - owed / 2n,
    pendingRewards: owed / 4n,
    ...changes,
  }
  const types = Solvency.fields.map(({ name }) => ({
    type: name === 'solvent' ? 'bool' : 'uint256',
  }))
  const values = Solvency.fields.map(({ name }) => report[name])
  const solvency = encodeAbiParameters(types, values)
  const isSolvent = encodeAbiParameters([{ type: 'bool' }], [report.solvent])
  const balance = encodeAbiParameters([{ type: 'uint256' }], [report.backing])
  return { report, raw: { solvency, isSolvent, balance } }
}

test('default: selectors and signature match the ABI', () => {
  const abi = parseAbi([
    'function solvency()',
    'function isSolvent()',
    'function balanceOf(address)',
    'function ledger(address)',
  ])
  for (const item of abi)
    expect(Solvency.selectors[item.name], item.name).toBe(toFunctionSelector(item))
  expect(Solvency.castSignature.match(/uint256|bool/g)).toEqual(
    Solvency.fields.map(({ name }) => (name === 'solvent' ? 'bool' : 'uint256')),
  )
})

describe('Solvency.decode', () => {
  test('property: decodes what the contract encodes', () => {
    fc.assert(
      fc.property(amount, amount, (backing, owed) => {
        const { raw, report } = rawOf(backing, owed)
        expect(Solvency.decode(raw)).toEqual(report)
      }),
    )
  })

  test('property: rejects a report that contradicts itself', () => {
    const names = [
      'surplus',
      'deficit',
      'collateralRatioWad',
      'owed',
      'backing',
      'totalStaked',
      'rewardReserve',
    ] as const
    fc.assert(
      fc.property(amount, amount, fc.constantFrom(...names), (backing, owed, name) => {
        const { report } = rawOf(backing, owed)
        const wrong = report[name] === 0n ? 1n : report[name] - 1n
        const result = Solvency.decode(rawOf(backing, owed, { [name]: wrong }).raw)
        expect(result).toEqual({ problem: expect.any(String) })
      }),
    )
  })

  const { raw } = rawOf(12n, 10n)
  const cut = raw.solvency.slice(0, -2) as Hex
  const no = `0x${'0'.repeat(64)}` as const
  test.each<[string, Solvency.Reading['raw']]>([
    ['an empty result', { ...raw, solvency: '0x' }],
    ['a truncated word', { ...raw, solvency: cut }],
    ['an extra word', { ...raw, solvency: `${raw.solvency}${'0'.repeat(64)}` }],
    [
      'a boolean with the value 2',
      { ...raw, solvency: raw.solvency.replace(/^(.{321})1/, '$12') as Hex },
    ],
    ['isSolvent() contradicts solvency()', { ...raw, isSolvent: no }],
    ['an empty result of isSolvent()', { ...raw, isSolvent: '0x' }],
    ['a balance that differs from backing', { ...raw, balance: no }],
    ['pending rewards above the reserve', rawOf(12n, 10n, { pendingRewards: 6n }).raw],
    ['solvent with a deficit', rawOf(9n, 10n, { solvent: true }).raw],
    ['insolvent with a surplus', rawOf(12n, 10n, { solvent: false }).raw],
  ])('error: %s', (_, wrong) => {
    expect(Solvency.decode(wrong)).toEqual({ problem: expect.any(String) })
  })
})

describe('Solvency.readAnswers', () => {
  const address = (digit: string) => `0x${digit.repeat(40)}` as const
  const token = { symbol: 'SLU', address: address('1'), decimals: 18 }
  const target = {
    chainId: 1,
    name: 'A',
    version: '2.0.0',
    staking: address('2'),
    core: address('3'),
    slu: token.address,
    tokens: [token, { ...token, symbol: 'WETH' }],
  }
  const { raw } = rawOf(3n, 2n)
  const word = (value: number) => value.toString(16).padStart(64, '0')

  test('default: reads results in the order of the calls', () => {
    expect(Solvency.callsOf(target)).toHaveLength(7)
    const answers: (Hex | undefined)[] = [
      ...[raw.solvency, raw.isSolvent, raw.balance],
      ...([`0x${word(5)}${word(6)}`, `0x${word(12)}`, undefined, `0x${word(1)}`] as const),
    ]
    expect(Solvency.readAnswers(target, answers)).toEqual({
      raw,
      ledger: [
        { token, amounts: { held: 12n, t1: 5n, t2: 6n } },
        { token: target.tokens[1], amounts: undefined },
      ],
    })
  })

  test('behavior: a chain without Core and without the token', () => {
    const bare = { ...target, core: address('0'), slu: null }
    expect(Solvency.callsOf(bare).map(({ to }) => to)).toEqual([bare.staking, bare.staking])
    const answers = [raw.solvency, raw.isSolvent]
    const { solvency, isSolvent } = raw
    const expected = { raw: { solvency, isSolvent }, ledger: [] }
    expect(Solvency.readAnswers(bare, answers)).toEqual(expected)
  })

  test('error: no reading without the balance', () => {
    const answers = [raw.solvency, raw.isSolvent, undefined]
    expect(Solvency.readAnswers(target, answers).raw).toBeUndefined()
  })
})

test('default: the overall status is the worst one', () => {
  expect(Solvency.overall([])).toBe('not_deployed')
  expect(Solvency.overall(['not_deployed'])).toBe('not_deployed')
  expect(Solvency.overall(['not_deployed', 'solvent'])).toBe('solvent')
  expect(Solvency.overall(['solvent', 'unknown'])).toBe('unknown')
  expect(Solvency.overall(['solvent', 'unknown', 'insolvent'])).toBe('insolvent')
})

test('default: returns a target for each generation on each chain', () => {
  const targets = Solvency.targetsOf(deployments)
  expect(targets.map(({ chainId, name, version }) => [chainId, name, version])).toEqual(
    [
      [8453, 'Base', '1.0.0'],
      [31337, 'Bench', '1.0.0'],
      [42161, 'Arbitrum', '1.0.0'],
    ].sort(([a], [b]) => Number(a) - Number(b)),
  )
  expect(targets.filter(Solvency.isDeployed)).toEqual([])
})

test.each([
  [12n, 10n, '120.0000 %'],
  [2n, 3n, '66.6666 %'],
  [0n, 3n, '0.0000 %'],
  [5n, 0n, undefined],
])('default: backing of %s for %s owed is %s', (backing, owed, percent) => {
  expect(Solvency.percentOf(rawOf(backing, owed).report)).toBe(percent)
})
