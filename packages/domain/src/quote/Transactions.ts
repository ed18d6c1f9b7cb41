import type { Address, Hex } from 'viem'
import type { Deadline } from '../request/Deadline.js'

/** A transaction to sign, built by us. */
export type Transaction = {
  readonly to: Address
  readonly data: Hex
  readonly deadline: Deadline
  /** Native coin that goes along. */
  readonly value: bigint
  /** Limit of its gas. */
  readonly gas: bigint
}

/** What a call of the sender is for. */
export const purposes = ['wrap', 'reset_allowance', 'approve', 'swap'] as const
export type Purpose = (typeof purposes)[number]

/** A transaction of the sender, ready to send. */
export type Call = Omit<Transaction, 'deadline'> & { readonly purpose: Purpose }
