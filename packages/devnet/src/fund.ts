import { type Address, encodeFunctionData } from 'viem'
import { seederAbi } from './generated/seeder.js'
import { seeder } from './placements.js'
import type { Transaction } from './transactions.js'

/** A transaction that sends tokens from the seeder to an address. The seeder mints what it does not hold. */
export function fund(
  account: Address,
  { amounts, to, tokens }: { tokens: readonly Address[]; to: Address; amounts: readonly bigint[] },
): Transaction {
  const args = [tokens, to, amounts] as const
  const data = encodeFunctionData({ abi: seederAbi, functionName: 'fund', args })
  return { from: account, to: seeder, data }
}
