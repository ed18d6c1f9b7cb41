import { type Address, type Hex, keccak256, toBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

type Account = { readonly address: Address; readonly privateKey: Hex }

/** The first account of development nodes: its key is public, so it must never hold anything of value. */
export const account = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
} as const satisfies Account

const traderKey = keccak256(toBytes('sluice devnet trader'))

/** Makes the first swaps. Separate from `account`, because tests compare that account's balances to the wei. */
export const trader: Account = {
  address: privateKeyToAccount(traderKey).address,
  privateKey: traderKey,
}
