import { type Client, getQuote, type Quote, type QuoteParameters } from '@sluice/sdk'
import { isSwapNext } from '../machine/facts.js'
import type { Payment } from '../machine/State.js'

/** How an account can pay, and the answer to its question with this payment. */
export type FoundPayment = {
  readonly payment: Payment
  readonly answer?: { readonly quote: Quote; readonly parameters: QuoteParameters } | undefined
}

/**
 * Asks the service whether a signature pays for a trade: a permit of the token, or Permit2 where the account has allowed it.
 * Else it takes an approval, which always does.
 */
export async function findPayment(
  client: Client,
  parameters: QuoteParameters,
): Promise<FoundPayment> {
  for (const signature of ['permit', 'permit2'] as const) {
    const asked = { ...parameters, signature }
    const quote = await getQuote(client, asked)
    if (isSwapNext(quote)) return { payment: signature, answer: { quote, parameters: asked } }
  }
  return { payment: 'approve' }
}
