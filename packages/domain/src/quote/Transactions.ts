import type { Address, Hex } from 'viem'
import type { Deadline } from '../request/Deadline.js'

/** A transaction to sign. */
export type Transaction = {
  readonly to: Address
  readonly data: Hex
  readonly deadline: Deadline
  /** Native coin to send, in wei. */
  readonly value: bigint
  /** Gas limit. */
  readonly gas: bigint
}

/** Purposes of the sender's transactions. */
export const purposes = ['wrap', 'reset_allowance', 'approve', 'swap'] as const
export type Purpose = (typeof purposes)[number]

/** A transaction of the sender, ready to send. */
export type Call = Omit<Transaction, 'deadline'> & { readonly purpose: Purpose }
