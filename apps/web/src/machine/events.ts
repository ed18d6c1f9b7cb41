import type { Quote, QuoteParameters } from '@sluice/sdk'
import type { Check } from './Check.js'
import type {
  Activity,
  Generation,
  Opened,
  Payment,
  Problem,
  Purpose,
  Shown,
  Side,
  Token,
  WalletChoice,
} from './State.js'

/** Everything that can happen to the page. */
export type Event =
  // The reader, in the form.
  | { readonly type: 'typed'; readonly side: Side; readonly text: string }
  | { readonly type: 'picked'; readonly side: Side; readonly token: Token }
  | { readonly type: 'flipped' }
  | { readonly type: 'choseChain'; readonly chainId: number }
  | { readonly type: 'choseRecipient'; readonly text: string }
  | { readonly type: 'choseSlippage'; readonly slippageBps: number | undefined }
  | { readonly type: 'choseGeneration'; readonly generation: Generation }
  // The reader, on the way to a swap. `binding` is what the button said when it was pressed.
  | { readonly type: 'pressed'; readonly binding: string }
  | { readonly type: 'closed' }
  | { readonly type: 'typedConsent'; readonly text: string }
  | { readonly type: 'retried' }
  /** An approval instead of a signature. */
  | { readonly type: 'choseApproval' }
  // Wallets.
  | { readonly type: 'walletsFound'; readonly choices: readonly WalletChoice[] }
  | { readonly type: 'choseWallet'; readonly id: string }
  | {
      readonly type: 'connected'
      readonly id: string
      readonly account: string
      readonly chainId: number
      readonly batches: readonly number[]
    }
  | { readonly type: 'connectFailed'; readonly reason: string | undefined }
  | { readonly type: 'accountsChanged'; readonly account: string | undefined }
  | { readonly type: 'chainChanged'; readonly chainId: number }
  | { readonly type: 'switchEnded'; readonly reason?: string | undefined }
  | { readonly type: 'disconnected' }
  | {
      readonly type: 'signed'
      readonly sendId: number
      readonly id: string
      readonly isBatch?: boolean
    }
  | { readonly type: 'permitSigned'; readonly sendId: number; readonly signature: string }
  | {
      readonly type: 'refused'
      readonly sendId: number
      readonly reason: string
      /** The wallet or the token takes no signature: an approval is needed. */
      readonly isUnsignable?: boolean | undefined
    }
  // The service, the node, the chain.
  | {
      readonly type: 'quoted'
      readonly key: string
      readonly quote: Quote
      readonly parameters: QuoteParameters
    }
  | { readonly type: 'quoteFailed'; readonly key: string; readonly problem: Problem }
  | {
      readonly type: 'paymentFound'
      readonly paymentKey: string
      readonly payment: Payment
      /** The answer to the same question with this payment. */
      readonly answer?: { readonly quote: Quote; readonly parameters: QuoteParameters } | undefined
    }
  | { readonly type: 'checked'; readonly shownId: string; readonly check: Check }
  | {
      readonly type: 'refreshed'
      readonly frozenId: string
      readonly quote: Quote
      readonly check: Check
    }
  | { readonly type: 'refreshFailed'; readonly frozenId: string; readonly reason: string }
  | { readonly type: 'balancesRead'; readonly balances: readonly (readonly [string, bigint])[] }
  | { readonly type: 'learned'; readonly tokens: readonly Token[] }
  | { readonly type: 'settled'; readonly id: string; readonly outcome: Outcome }
  | { readonly type: 'nodeNamed'; readonly hasNode: boolean }
  // The browser.
  | { readonly type: 'hid'; readonly isHidden: boolean }
  | { readonly type: 'network'; readonly isOnline: boolean }
  | { readonly type: 'ticked'; readonly now: number }
  | {
      readonly type: 'restored'
      readonly activity: readonly Activity[]
      readonly opened?: Opened | undefined
    }
  | { readonly type: 'activityChanged'; readonly activity: readonly Activity[] }

/** What became of a transaction. */
export type Outcome =
  | {
      readonly kind: 'done'
      readonly hash: string
      readonly block: number
      readonly delivered?: string | undefined
    }
  | { readonly kind: 'failed'; readonly hash?: string | undefined; readonly reason: string }

/** What the page does to the world. Only `send` and `sign` reach a wallet's signature. */
export type Effect =
  | { readonly do: 'ask'; readonly key: string; readonly parameters: QuoteParameters }
  | { readonly do: 'stopAsking' }
  | { readonly do: 'check'; readonly shown: Shown }
  | { readonly do: 'refresh'; readonly frozen: Shown }
  | { readonly do: 'connect'; readonly id: string }
  | { readonly do: 'disconnect' }
  | { readonly do: 'switchChain'; readonly chainId: number }
  | { readonly do: 'readBalances' }
  | {
      readonly do: 'send'
      readonly sendId: number
      readonly purpose: Purpose
      readonly shown: Shown
      readonly account: string
      readonly chainId: number
      /** Signed permit that pays for it. */
      readonly signature?: string | undefined
    }
  | {
      readonly do: 'sign'
      readonly sendId: number
      readonly shown: Shown
      readonly account: string
      readonly chainId: number
    }
  | {
      readonly do: 'findPayment'
      readonly paymentKey: string
      readonly parameters: QuoteParameters
    }
  | { readonly do: 'watch'; readonly activity: Activity }
  | {
      readonly do: 'keep'
      readonly activity: readonly Activity[]
      readonly opened: Opened | undefined
    }
  | { readonly do: 'remember' }

export type Next<state> = { readonly state: state; readonly effects: readonly Effect[] }
