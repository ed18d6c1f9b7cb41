import type { Address } from 'viem'
import type { Token } from '../chains/Tokens.js'
import type { ServedChain } from '../registry/ServedChain.js'
import type { Signature } from '../request/QuoteRequest.js'

/**
 * How a swap is paid for and paid out. Each way is a function of the Router:
 * - `allowance`: the Router takes the token from the sender, and pays the token;
 * - `nativeIn`: the value of the transaction is the input;
 * - `nativeOut`: like `allowance`, but pays the recipient native coin;
 * - `permit`, `permit2`: a signature of the owner replaces the allowance.
 */
export type SwapWay = 'allowance' | 'nativeIn' | 'nativeOut' | Signature

/** Address of the Permit2 contract on every chain. */
export const permit2Address: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** Way of payment of a request. The Router of 1.0.0 supports only `allowance`. */
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

/** Whether the Router of this generation supports native coin and signatures. */
export function takesMore({ version }: Pick<ServedChain, 'version'>): boolean {
  return !version.startsWith('1.')
}

/** Spender that needs the sender's allowance: the Router or Permit2; `undefined` if no allowance is needed. */
export function spenderOf(way: SwapWay, router: Address): Address | undefined {
  if (way === 'permit2') return permit2Address
  return way === 'allowance' || way === 'nativeOut' ? router : undefined
}

/** Why a signature cannot pay for a trade; `undefined` if it can. */
export function signatureProblem(request: signatureProblem.Request): string | undefined {
  const { chain, sender, tokenIn, tokenOut } = request
  if (!takesMore(chain)) return 'needs `version=2`: the Router of 1.0.0 takes no signatures'
  if (sender === undefined) return 'needs `sender`: who sells the token and signs'
  if (tokenIn.isNative) return 'cannot be combined with `in=ETH`: native coin needs no allowance'
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
