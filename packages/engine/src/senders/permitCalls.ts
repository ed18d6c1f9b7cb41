import { Permits, type Quote } from '@sluice/domain'
import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hashDomain,
  parseAbi,
} from 'viem'
import type { PinnedCall, PinnedResult } from '../quotes/readPinned.js'
import { wantsPermit } from './senderCalls.js'

const tokenAbi = parseAbi([
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
])

/** The permit of the token, or the reason why there is none. */
export type Signed = Pick<Quote.Quote, 'permit'> & { readonly txReason?: string | undefined }

/** Returns the calls needed to build the token's permit; `readPermit` reads their results, in the same order. */
export function permitCalls(quote: Quote.Quote): readonly PinnedCall[] {
  if (!wantsPermit(quote)) return []
  const { sender, tokenIn } = quote.request
  const to = tokenIn.address
  const calls: Hex[] = [
    encodeFunctionData({ abi: tokenAbi, functionName: 'nonces', args: [sender!] }),
    ...(['DOMAIN_SEPARATOR', 'eip712Domain', 'name', 'version'] as const).map((functionName) =>
      encodeFunctionData({ abi: tokenAbi, functionName }),
    ),
  ]
  return calls.map((data) => ({ to, data, gas: 200_000n }))
}

/**
 * Builds the typed data of the token's permit. Uses the domain that hashes to the token's own separator: the token's
 * name alone proves nothing.
 */
export function readPermit(quote: Quote.Quote, results: readonly PinnedResult[]): Signed {
  if (!wantsPermit(quote)) return { permit: quote.permit, txReason: quote.txReason }
  const { chain, sender, tokenIn } = quote.request
  const nonce = decode<bigint>('nonces', results[0])
  const separator = decode<Hex>('DOMAIN_SEPARATOR', results[1])
  const domain = domainsOf(results).find(
    (each) => separatorOf(each, chain.chainId, tokenIn.address) === separator,
  )
  if (nonce === undefined || separator === undefined || domain === undefined)
    return {
      permit: undefined,
      txReason:
        'The token of `in` takes no approval by signature (EIP-2612); send `signature=permit2`, or omit `signature`.',
    }
  const permit = Permits.ofToken({
    chainId: chain.chainId,
    router: chain.contracts.router,
    owner: sender!,
    route: quote.soldRoute,
    terms: quote.terms!,
    nonce,
    domain,
  })
  return { permit, txReason: quote.txReason }
}

/** Candidate domains: the token's EIP-5267 answer, and its name with the version that it returns, "1", "2" or none. */
function domainsOf(results: readonly PinnedResult[]): readonly Permits.TokenDomain[] {
  const told = decode<readonly [Hex, string, string]>('eip712Domain', results[2])
  const name = decode<string>('name', results[3])
  const version = decode<string>('version', results[4])
  return [
    ...(told ? [{ name: told[1], version: told[2] }] : []),
    ...(name === undefined
      ? []
      : [
          { name, version: version ?? '1' },
          { name, version: '1' },
          { name, version: '2' },
          { name },
        ]),
  ]
}

function separatorOf(
  { name, version }: Permits.TokenDomain,
  chainId: number,
  verifyingContract: Address,
): Hex {
  const member = (each: string, type: string) => ({ name: each, type })
  return hashDomain({
    domain: { name, ...(version !== undefined && { version }), chainId, verifyingContract },
    types: {
      EIP712Domain: [
        member('name', 'string'),
        ...(version === undefined ? [] : [member('version', 'string')]),
        member('chainId', 'uint256'),
        member('verifyingContract', 'address'),
      ],
    },
  } as Parameters<typeof hashDomain>[0])
}

function decode<value>(functionName: string, result: PinnedResult | undefined): value | undefined {
  if (!result?.ok || result.data.length > maxLength) return undefined
  try {
    return decodeFunctionResult({ abi: tokenAbi as Abi, functionName, data: result.data }) as value
  } catch {
    return undefined
  }
}

/** Maximum length of return data in characters; a hostile token may return more. */
const maxLength = 4_096
