import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routerAbi, routerV2Abi, swapsAbi } from '@sluice/abi'
import { Decimals, Permits, SignedSwap, SwapCall } from '@sluice/domain'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import {
  type Address,
  decodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  parseAbiItem,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { deployments, router } from '../../packages/domain/test/deployments.js'
import { bind } from './bind.js'
import { describeContract, describePermit2, permit2FeeMessage, permit2Message } from './describe.js'
import { type Descriptor, renderCall, renderMessage } from './test/render.js'

const folder = join(import.meta.dirname, '../../docs/clear-signing')
const contracts = { '1.0.0': routerAbi, '2.0.0': routerV2Abi } as const
const described = Object.entries(contracts).map(([version, abi]) => ({
  version,
  abi,
  descriptor: describeContract(abi, { contractName: `Sluice Router ${version}` }),
}))
const files = [
  ...described.map(({ descriptor, version }) => ({
    name: `calldata-SluiceRouter-${version}.json`,
    descriptor: descriptor as object,
  })),
  { name: 'eip712-SluiceRouter-2.0.0.json', descriptor: describePermit2() as object },
]

describe.each(files)('$name', ({ descriptor, name }) => {
  test('default: is up to date', () => {
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(descriptor)),
    )
  })

  test('default: conforms to the schema of the registry of descriptors', () => {
    const path = join(import.meta.dirname, 'erc7730-v2.schema.json')
    const schema = JSON.parse(readFileSync(path, 'utf8'))
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
    const validate = ajv.compile(schema)
    validate(JSON.parse(JSON.stringify(descriptor)))
    expect(validate.errors).toBeNull()
    validate({ ...descriptor, display: { formats: { 'swap()': { fields: [], intents: 1 } } } })
    expect(validate.errors).not.toBeNull()
  })
})

test.each(described)(
  'default: Router $version: has every function that a transaction can call',
  ({ abi, descriptor }) => {
    const callable = abi.flatMap((item) =>
      item.type === 'function' && item.stateMutability !== 'view' ? [toFunctionSelector(item)] : [],
    )
    const keys = Object.keys(descriptor.display.formats)
    expect(keys.map((key) => toFunctionSelector(parseAbiItem(`function ${key}` as never)))).toEqual(
      callable,
    )
  },
)

const address = fc
  .bigInt({ min: 1n, max: 2n ** 160n - 1n })
  .map((value) => getAddress(numberToHex(value, { size: 20 })))
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const leg = fc.record({
  venue: fc.integer({ min: 0, max: 65_535 }),
  pool: address,
  tokenIn: address,
  tokenOut: address,
  key: amount,
  share: amount,
})
const swap = fc.record({
  route: fc.record({
    tokenIn: address,
    tokenOut: address,
    amountIn: amount,
    grossOut: amount,
    impactBps: amount,
    legs: fc.array(leg, { maxLength: 8 }),
  }),
  terms: fc.record({
    minOut: amount,
    recipient: address,
    deadline: fc.bigInt({ min: 0n, max: 8_640_000_000_000n }),
    integratorFee: fc.option(
      fc.record({ integrator: address, bps: fc.integer({ min: 1, max: 100 }) }),
      { nil: undefined },
    ),
  }),
  owner: address,
  way: fc.constantFrom('allowance', 'nativeIn', 'nativeOut', 'permit', 'permit2'),
  decimals: fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 })),
  areKnown: fc.boolean(),
  version: fc.constantFrom('1.0.0', '2.0.0'),
})
type Swap = typeof swap extends fc.Arbitrary<infer value> ? value : never

const coin = { symbol: 'ETH', decimals: 18 }

function walletOf({ areKnown, decimals, route }: Pick<Swap, 'areKnown' | 'decimals' | 'route'>) {
  const tokens = [
    [route.tokenIn, { symbol: 'IN', decimals: decimals[0] }],
    [route.tokenOut, { symbol: 'OUT', decimals: decimals[1] }],
  ] as const
  return { coin, tokens: new Map<Address, typeof coin>(areKnown ? tokens : []) }
}

/** Transaction of a swap, as a quote gives it. */
function transactionOf({ owner, route, terms, way }: Swap): { data: Hex; value: bigint } {
  const [r, s] = [numberToHex(1n, { size: 32 }), numberToHex(2n, { size: 32 })]
  switch (way) {
    case 'permit':
      return { data: SignedSwap.encodePermit(route, terms, { v: 27, r, s }), value: 0n }
    case 'permit2':
      return {
        data: SignedSwap.encodePermit2(route, terms, { owner, nonce: 7n, signature: r }),
        value: 0n,
      }
    default:
      return {
        data: SwapCall.encode({ ...terms, route, way }),
        value: SwapCall.coinOf(way, route),
      }
  }
}

/** Lines that a person must see, from the decoded calldata. */
function linesOf({ data, value }: { data: Hex; value: bigint }, shown: Swap): string[][] {
  const { args, functionName } = decodeFunctionData({ abi: swapsAbi, data })
  if (functionName === 'swapWithIntegratorFee') {
    const [integrator, bps, swapData] = args
    const fee = [
      ['Integrator', integrator],
      ['Integrator fee', `${bps} bps`],
    ]
    return [...fee, ...linesOf({ data: swapData, value }, shown)]
  }
  const [route] = args
  const wallet = walletOf(shown)
  const text = (amountOf: bigint, token: Address) => {
    const known = wallet.tokens.get(token)
    return known
      ? `${Decimals.toHuman(amountOf, known.decimals)} ${known.symbol}`
      : `${amountOf} of ${token}`
  }
  const coinText = (amountOf: bigint) => `${Decimals.toHuman(amountOf, 18)} ETH`
  const lines = (send: string, receive: string, recipient: Address, deadline: bigint) => [
    ['Send', send],
    ['Receive at least', receive],
    ['Recipient', recipient],
    ['Expires', new Date(Number(deadline) * 1_000).toISOString()],
  ]
  switch (functionName) {
    case 'swapExactInNative': {
      const [, minOut, recipient, deadline] = args
      return lines(coinText(value), text(minOut, route.tokenOut), recipient, deadline)
    }
    case 'swapExactIn':
    case 'swapExactInForNative': {
      const [, amountIn, minOut, recipient, deadline] = args
      const received =
        functionName === 'swapExactIn' ? text(minOut, route.tokenOut) : coinText(minOut)
      return lines(text(amountIn, route.tokenIn), received, recipient, deadline)
    }
    default: {
      const [, { amountIn, deadline, minOut, recipient }, permit] = args
      return [
        ...lines(text(amountIn, route.tokenIn), text(minOut, route.tokenOut), recipient, deadline),
        ...('owner' in permit ? [['Paid by', permit.owner]] : []),
      ]
    }
  }
}

test('default: 1,000 random swaps read the same as the decoded calldata', () => {
  fc.assert(
    fc.property(swap, (each) => {
      const { integratorFee } = each.terms
      const isPlain = each.way === 'allowance' && integratorFee === undefined
      const isFirst = each.version === '1.0.0' && isPlain
      const { descriptor } = described[isFirst ? 0 : 1]!
      const transaction = transactionOf(each)
      const { intent, lines } = renderCall(descriptor as Descriptor, transaction, walletOf(each))
      const expected = linesOf(transaction, each)
      expect(lines).toEqual(expected)
      expect(intent).toBe(
        integratorFee === undefined
          ? `Swap ${expected[0]![1]} for at least ${expected[1]![1]}`
          : 'Swap, and pay an integrator',
      )
    }),
    { numRuns: 1_000 },
  )
})

describe('the message of Permit2', () => {
  test('default: its key is the type that the owner signs', () => {
    const integratorFee = { integrator: router, bps: 1 } as const
    expect(encodedTypeOf(Permits.permit2Types)).toBe(permit2Message)
    expect(encodedTypeOf(Permits.permit2TypesOf({ integratorFee }))).toBe(permit2FeeMessage)
  })

  function encodedTypeOf({
    PermitWitnessTransferFrom,
    ...others
  }: ReturnType<typeof Permits.permit2TypesOf>) {
    const textOf = ([name, members]: readonly [
      string,
      readonly { name: string; type: string }[],
    ]) => `${name}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`
    const sorted = Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1))
    const types = [['PermitWitnessTransferFrom', PermitWitnessTransferFrom] as const, ...sorted]
    return types.map(textOf).join('')
  }

  test('default: 1,000 random messages read the same as the swap', () => {
    fc.assert(
      fc.property(swap, address, (each, router) => {
        const { owner, route, terms } = each
        const { typedData } = Permits.ofPermit2({ chainId: 8_453, owner, route, router, terms })
        const bound = describePermit2([{ chainId: 8_453, address: router }])
        const wallet = walletOf(each)
        const { integratorFee } = terms
        const type = integratorFee === undefined ? permit2Message : permit2FeeMessage
        const { lines } = renderMessage(
          bound as unknown as Descriptor,
          type,
          typedData.message,
          wallet,
        )
        const known = wallet.tokens.get(route.tokenIn)
        expect(lines).toEqual([
          [
            'Send',
            known
              ? `${Decimals.toHuman(route.amountIn, known.decimals)} ${known.symbol}`
              : `${route.amountIn} of ${route.tokenIn}`,
          ],
          ['Receive at least, in base units', terms.minOut.toString()],
          ['Recipient', terms.recipient],
          ['Expires', new Date(Number(terms.deadline) * 1_000).toISOString()],
          ...(integratorFee === undefined
            ? []
            : [
                ['Integrator', integratorFee.integrator],
                ['Integrator fee', `${integratorFee.bps} bps`],
              ]),
        ])
        const foreign = { ...typedData.message, spender: owner }
        if (owner !== router)
          expect(() =>
            renderMessage(bound as unknown as Descriptor, type, foreign, wallet),
          ).toThrow('spender must not be')
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('bind', () => {
  test('default: lists the Routers of each generation, and the message of Permit2', () => {
    const base = deployments.chains['8453']!
    const both = { ...base.versions, '2.0.0': base.versions['1.0.0']! }
    const bound = bind({ ...deployments, chains: { '8453': { ...base, versions: both } } })
    const routers = [{ chainId: 8_453, address: getAddress(router) }]
    expect(bound).toEqual({
      ...Object.fromEntries(
        described.map(({ abi, version }) => [
          `calldata-SluiceRouter-${version}.json`,
          describeContract(abi, {
            contractName: `Sluice Router ${version}`,
            deployments: routers,
          }),
        ]),
      ),
      'eip712-SluiceRouter-2.0.0.json': describePermit2(routers),
    })
  })

  test('behavior: without deployments there is no descriptor', () => {
    expect(bind({ schema: 1, chains: {} })).toEqual({})
  })
})
