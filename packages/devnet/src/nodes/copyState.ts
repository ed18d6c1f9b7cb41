import { gunzipSync } from 'node:zlib'
import type { Rpc } from '@sluice/deploy'
import { type Address, type Hex, numberToHex } from 'viem'
import { startAnvil } from './anvil.js'

/** Accounts in the format of geth's genesis file. */
export type Accounts = Readonly<Record<Address, Account>>

type Account = {
  readonly balance: Hex
  readonly nonce: Hex
  readonly code: Hex
  readonly storage: Readonly<Record<Hex, Hex>>
}

type Dump = {
  readonly accounts: Readonly<
    Record<Address, Omit<Account, 'nonce'> & { readonly nonce: number | Hex }>
  >
}

/** The copied state must be older than the first block of the node that gets it: contracts remember when they were created. */
const earlierSeconds = 3_600

/**
 * Runs `install` on an Anvil node, and returns the accounts that it leaves. Nodes without development methods start with
 * them.
 */
export async function copyState(
  chainId: number,
  install: (rpc: Rpc) => Promise<void>,
): Promise<Accounts> {
  const startsAt = Math.floor(Date.now() / 1_000) - earlierSeconds
  const scratch = await startAnvil({ chainId, port: 0, startsAt })
  try {
    await install(scratch.rpc)
    const dumped = await scratch.rpc.request<Hex>('anvil_dumpState', [])
    const text = gunzipSync(Buffer.from(dumped.slice(2), 'hex')).toString()
    const { accounts } = JSON.parse(text) as Dump
    return Object.fromEntries(
      Object.entries(accounts).map(([address, { balance, code, nonce, storage }]) => [
        address,
        { balance, code, nonce: numberToHex(BigInt(nonce)), storage: padded(storage) },
      ]),
    )
  } finally {
    await scratch.stop()
  }
}

function padded(storage: Account['storage']): Account['storage'] {
  const pad = (word: string): Hex => `0x${word.slice(2).padStart(64, '0')}`
  return Object.fromEntries(Object.entries(storage).map(([slot, value]) => [pad(slot), pad(value)]))
}
