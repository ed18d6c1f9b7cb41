import { type Address, encodeFunctionData } from 'viem'
import { seederAbi } from './generated/seeder.js'
import { seeder } from './placements.js'
import type { Transaction } from './transactions.js'

/** Gives an address amounts of tokens, out of what the seeder holds or mints. */
export function fund(
  account: Address,
  { amounts, to, tokens }: { tokens: readonly Address[]; to: Address; amounts: readonly bigint[] },
): Transaction {
  const args = [tokens, to, amounts] as const
  const data = encodeFunctionData({ abi: seederAbi, functionName: 'fund', args })
  return { from: account, to: seeder, data }
}
