import type { Address } from 'viem'
import type { Token } from '../chains/Tokens.js'
import type { ServedChain } from '../registry/ServedChain.js'
import type { Signature } from '../request/QuoteRequest.js'

/**
 * How a swap is paid for and paid out, each by a function of the Router:
 * - `allowance`: the Router collects the token from the sender, and pays the token;
 * - `nativeIn`: the transaction carries native coin;
 * - `nativeOut`: as `allowance`, but the recipient is paid native coin;
 * - `permit`, `permit2`: a signature of the owner stands in for the allowance.
 */
export type SwapWay = 'allowance' | 'nativeIn' | 'nativeOut' | Signature

/** Where Permit2 stands on every chain. */
export const permit2Address: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** The way of a request. The Routers before 2.0.0 know `allowance` alone. */
export function of(request: of.Request): SwapWay {
  const { chain, signature, tokenIn, tokenOut } = request
  if (signature !== undefined) return signature
  if (!takesMore(chain)) return 'allowance'
  if (tokenIn.isNative) return 'nativeIn'
  return tokenOut.isNative ? 'nativeOut' : 'allowance'
}

export declare namespace of {
  type Request = {
    chain: ServedChain
    tokenIn: Token
    tokenOut: Token
    signature?: Signature | undefined
  }
}

/** Whether the Router of this generation takes native coin and signatures. */
export function takesMore({ version }: Pick<ServedChain, 'version'>): boolean {
  return !version.startsWith('1.')
}

/** Whom the sender has to allow the input: the Router, Permit2, or nobody. */
export function spenderOf(way: SwapWay, router: Address): Address | undefined {
  if (way === 'permit2') return permit2Address
  return way === 'allowance' || way === 'nativeOut' ? router : undefined
}

/** Why a signature cannot pay for a trade; `undefined` if it can. */
export function signatureProblem(request: signatureProblem.Request): string | undefined {
  const { chain, sender, tokenIn, tokenOut } = request
  if (!takesMore(chain)) return 'needs `version=2`: the Router of 1.0.0 takes no signatures'
  if (sender === undefined) return 'needs `sender`: who sells the token and signs'
  if (tokenIn.isNative) return 'is of no use for `in=ETH`: the transaction carries the coin'
  if (tokenOut.isNative) return 'cannot be combined with `out=ETH`: send `out=WETH`'
  return undefined
}

export declare namespace signatureProblem {
  type Request = {
    chain: ServedChain
    sender?: Address | undefined
    tokenIn: Token
    tokenOut: Token
  }
}
