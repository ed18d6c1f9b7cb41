import { swapsAbi } from '@sluice/abi'
import { Permits, SignedSwap } from '@sluice/domain'
import { decodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { deployments } from '../../../domain/test/deployments.js'
import { quoteBody } from '../../test/service.js'
import { parseQuote } from '../amounts.js'
import { IntegrityError, type Quote } from '../index.js'
import { encodeSigned, readRegistry, verifyPermit } from './index.js'

const now = 1_700_000_000
const owner = privateKeyToAccount(`0x${'5a'.repeat(32)}`)
const other = '0x00000000000000000000000000000000000000bb'
const registry = readRegistry({
  ...deployments,
  chains: Object.fromEntries(
    Object.entries(deployments.chains).map(([id, chain]) => [
      id,
      { ...chain, versions: { ...chain.versions, '2.0.0': chain.versions['1.0.0']! } },
    ]),
  ),
})

const { router } = registry.get(8453)!.versions!['2.0.0']!

function requestOf(signature: 'permit' | 'permit2') {
  return {
    ...{ chain: 'base', in: 'WETH', out: 'USDC', amountIn: 10n ** 18n, version: '2.0.0' },
    ...{ sender: owner.address, recipient: owner.address, deadlineSec: 120, signature },
  } as const
}

const plain = parseQuote(quoteBody)

/** The answer of an honest service. */
function quoteOf(kind: 'permit' | 'permit2', changes: Partial<NonNullable<Quote['permit']>> = {}) {
  const { route } = plain
  const terms = {
    minOut: plain.quote!.effectiveMinOut,
    recipient: owner.address,
    deadline: BigInt(now + 120),
  }
  const swap = { chainId: 8453, router, owner: owner.address, route, terms } as const
  const domain = { name: 'Wrapped Ether', version: '1' }
  const permit =
    kind === 'permit2' ? Permits.ofPermit2(swap) : Permits.ofToken({ ...swap, nonce: 7n, domain })
  return { ...plain, permit: { ...permit, gas: 1n, ...changes } } as Quote
}

const optionsOf = (kind: 'permit' | 'permit2', quote = quoteOf(kind)) => ({
  ...{ request: requestOf(kind), quote, registry, now, clockSkewSec: 0 },
})

/** The check that refuses; `undefined` if it passes. */
function checkOf(options: Parameters<typeof verifyPermit>[0]): string | undefined {
  try {
    verifyPermit(options)
    return undefined
  } catch (error) {
    if (error instanceof IntegrityError) return error.check
    throw error
  }
}

describe.each(['permit', 'permit2'] as const)('verifyPermit: %s', (kind) => {
  test('default: its typed data is that of an honest service', () => {
    const { permit } = quoteOf(kind)
    expect(verifyPermit(optionsOf(kind)).typedData).toEqual(permit!.typedData)
  })

  test('behavior: its signature makes the swap of the quote, paid to the recipient of the request', async () => {
    const permit = verifyPermit(optionsOf(kind))
    const signature = await owner.signTypedData(permit.typedData as never)
    const { data, to, value } = encodeSigned(permit, signature)
    expect([to, value]).toEqual([router, 0n])
    const { args, functionName } = decodeFunctionData({ abi: swapsAbi, data })
    expect(functionName).toBe(
      kind === 'permit' ? 'swapExactInWithPermit' : 'swapExactInWithPermit2',
    )
    expect(args[1]).toEqual({
      amountIn: 10n ** 18n,
      minOut: plain.quote!.effectiveMinOut,
      recipient: owner.address,
      deadline: BigInt(now + 120),
    })
    expect(await SignedSwap.complete(permit.route, permit, signature)).toBe(data)
  })

  test.each<[string, Partial<NonNullable<Quote['permit']>>]>([
    ['owner', { owner: other }],
    ['recipient', { recipient: other }],
    ['minOut', { minOut: 1n }],
    ['minOut', { minOut: plain.quote!.effectiveMinOut + 1n }],
    ['deadline', { deadline: BigInt(now - 1) }],
    ['deadline', { deadline: BigInt(now + 121) }],
    ['kind', { kind: kind === 'permit' ? 'permit2' : 'permit' }],
  ])('error: %s that differs is refused', (check, changes) => {
    expect(checkOf(optionsOf(kind, quoteOf(kind, changes)))).toBe(check)
  })

  test('error: an answer without a permit is refused', () => {
    expect(checkOf(optionsOf(kind, plain))).toBe('kind')
  })

  test('behavior: typed data that the service made up is not what is signed', () => {
    const { permit } = quoteOf(kind)
    const forged = {
      ...permit!.typedData,
      message: { ...permit!.typedData.message, spender: other, value: '1', owner: other },
      domain: { ...permit!.typedData.domain, verifyingContract: other as Hex, chainId: 1 },
      primaryType: 'Order',
      types: { Order: [] },
    }
    const found = verifyPermit(optionsOf(kind, quoteOf(kind, { typedData: forged })))
    expect(found.typedData).toEqual(permit!.typedData)
  })
})

describe('encodeSigned', () => {
  const permit = verifyPermit(optionsOf('permit'))
  const [r, s] = [`${'11'.repeat(32)}`, `${'22'.repeat(32)}`]
  const partsOf = (signature: Hex) => {
    const { args } = decodeFunctionData({
      abi: swapsAbi,
      data: encodeSigned(permit, signature).data,
    })
    return args[2]
  }

  test.each([
    ['00', 27],
    ['01', 28],
    ['1b', 27],
    ['1c', 28],
  ])('default: a last byte of 0x%s is v = %s', (byte, v) => {
    expect(partsOf(`0x${r}${s}${byte}`)).toEqual({ v, r: `0x${r}`, s: `0x${s}` })
  })

  test('behavior: a signature of 64 bytes has v in the first bit of s', () => {
    const high = `a2${'22'.repeat(31)}`
    expect(partsOf(`0x${r}${high}`)).toEqual({ v: 28, r: `0x${r}`, s: `0x${s}` })
  })

  test.each(['0x1234', `0x${r}${s}1d`, `0x${r}${s}1b00`] as const)(
    'error: %s is refused',
    (signature) => {
      expect(() => encodeSigned(permit, signature)).toThrow(SignedSwap.BadSignatureError)
    },
  )
})
