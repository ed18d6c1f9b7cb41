import type { Quote, QuoteParameters } from '@sluice/sdk'
import type { Check } from './Check.js'

/** The address that stands for the chain's own coin. */
export const nativeCoin = 'ETH'

/** Generation that is asked: the newest where it is deployed, or the one that the reader names. */
export type Generation = 'auto' | '1.0.0' | '2.0.0'

/** What is paid, or what is received. */
export type Side = 'in' | 'out'

/** What the form says. */
export type Trade = {
  readonly chainId: number
  /** `ETH`, or an address. */
  readonly tokenIn: string
  readonly tokenOut: string
  /** The amount as it was typed, of the side that it was typed on. */
  readonly text: string
  /** The side whose amount the reader fixes; the quote says the other. */
  readonly fixed: Side
  /** Who is paid; empty for the account itself. */
  readonly recipient: string
  /** `undefined` leaves it to the floor of the protocol. */
  readonly slippageBps: number | undefined
  readonly generation: Generation
  /** From the link that the reader opened. */
  readonly integrator?: Integrator | undefined
}

/** Whoever sent the reader here, and its part of the output in basis points. */
export type Integrator = { readonly account: string; readonly bps: number }

/** What the page knows of a token. */
export type Token = {
  readonly chainId: number
  /** `ETH`, or an address. */
  readonly address: string
  readonly symbol: string
  readonly name: string
  /** `undefined` if nobody has told them. */
  readonly decimals: number | undefined
  /** From a list of the service, or found by its address. */
  readonly isListed: boolean
  /** Path of a picture on this service. */
  readonly logo?: string | undefined
}

/** A wallet that announced itself. */
export type WalletChoice = {
  readonly id: string
  readonly name: string
}

export type Wallet = {
  readonly choices: readonly WalletChoice[]
  readonly status: 'none' | 'choosing' | 'connecting' | 'connected'
  readonly id?: string | undefined
  readonly account?: string | undefined
  readonly chainId?: number | undefined
  /** Whether the wallet makes several calls at once, by chain. */
  readonly batches?: readonly number[] | undefined
  readonly problem?: string | undefined
  /** A request to change the chain is open in the wallet. */
  readonly isSwitching?: boolean | undefined
}

/** A quote that is on the screen. Never changed: a new number is a new one. */
export type Shown = {
  /** Names this answer to this question on this block, and no other. */
  readonly id: string
  /** The question: chain, pair, amount, recipient, account, slippage, generation. */
  readonly key: string
  readonly quote: Quote
  readonly parameters: QuoteParameters
  /** Unix milliseconds when it came. */
  readonly at: number
}

/** What went wrong, in words for people. */
export type Problem = {
  readonly code: string
  readonly message: string
  readonly details?: readonly { readonly field: string; readonly reason: string }[] | undefined
  readonly docs?: string | undefined
  readonly mayRetry?: boolean | undefined
}

/** How the numbers of the review have changed since it was opened. */
export type Change = { readonly from: Numbers; readonly to: Numbers }
/** The numbers of a quote that a reader agrees to. */
export type Numbers = {
  readonly amountOut: bigint
  readonly minOut: bigint
  readonly sold: bigint
}

export type Purpose = 'wrap' | 'reset_allowance' | 'approve' | 'swap' | 'batch'

/**
 * How an account lets the Router take a token: by a permit of the token (EIP-2612), by Permit2, or by an approval that is a
 * transaction of its own. `looking` until the service has said what the token takes.
 */
export type Payment = 'looking' | 'permit' | 'permit2' | 'approve'

/** Stage of the swap: form, review, open wallet, pending transaction, receipt. */
export type Step =
  | { readonly at: 'form'; readonly notice?: string | undefined }
  | {
      readonly at: 'review'
      readonly frozen: Shown
      readonly check: Check
      /** `refreshing`: the price is looked at once more, to be signed or because its deadline nears. */
      readonly phase: 'open' | 'refreshing'
      readonly willSend: boolean
      readonly changed?: Change | undefined
      /** What the reader typed to take a high price impact. */
      readonly typed: string
      readonly problem?: string | undefined
    }
  | {
      readonly at: 'wallet'
      readonly sendId: number
      readonly account: string
      /** `sign`: the wallet is asked to sign a permit. A permit alone moves no tokens; the swap is sent after it. */
      readonly purpose: Purpose | 'sign'
      /** Signed permit of this very swap. */
      readonly signature?: string | undefined
      readonly frozen: Shown
      readonly check: Check
    }
  | { readonly at: 'pending' | 'done' | 'failed'; readonly activityId: string }
  /** The page was loaded again while a wallet was open: what became of it is not known. */
  | { readonly at: 'unsure'; readonly opened: Opened }

/** A swap that was handed to a wallet and has not come back. */
export type Opened = {
  readonly sendId: number
  readonly chainId: number
  readonly account: string
  readonly words: string
  readonly at: number
}

/** A transaction that the wallet took, kept in the browser. */
export type Activity = {
  /** The hash, or the id of a batch. */
  readonly id: string
  readonly isBatch?: boolean | undefined
  readonly hash?: string | undefined
  readonly chainId: number
  readonly account: string
  readonly recipient: string
  readonly purpose: Purpose
  readonly status: 'pending' | 'done' | 'failed'
  readonly at: number
  readonly tokenIn: string
  readonly tokenOut: string
  readonly symbolIn: string
  readonly symbolOut: string
  readonly decimalsIn?: number | undefined
  readonly decimalsOut?: number | undefined
  /** Base units in digits. */
  readonly amountIn: string
  readonly quoted: string
  readonly minOut: string
  readonly delivered?: string | undefined
  readonly block?: number | undefined
  readonly reason?: string | undefined
}

/** Why a question has no answer yet. */
export type Asking = {
  readonly key: string | undefined
  readonly problem?: Problem | undefined
}

export type State = {
  readonly trade: Trade
  readonly wallet: Wallet
  /** By chain and address. */
  readonly tokens: ReadonlyMap<string, Token>
  readonly generations: ReadonlyMap<number, readonly string[]>
  readonly chainNames: ReadonlyMap<number, string>
  /** Base units by chain, account and token. */
  readonly balances: ReadonlyMap<string, bigint>
  /** By chain, account and token. */
  readonly payments: ReadonlyMap<string, Payment>
  readonly asking: Asking
  readonly shown: Shown | undefined
  /** What the reader's own node says of `shown`. */
  readonly check: Check
  /** Which quote `check` is of; an older one of the same question until the node has answered. */
  readonly checkedId: string | undefined
  readonly hasNode: boolean
  readonly isHidden: boolean
  readonly isOnline: boolean
  readonly step: Step
  readonly activity: readonly Activity[]
  readonly sends: number
  readonly answers: number
  readonly now: number
}
