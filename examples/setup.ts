/** What the examples share: where the service and the node are, and who signs. By default, all of `npm start`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { privateKeyToAccount } from 'viem/accounts'

export const serviceUrl = process.env['SLUICE_URL'] ?? 'http://127.0.0.1:8080'
export const nodeUrl = process.env['RPC_8453'] ?? 'http://127.0.0.1:8545'

/** `npm start` writes it; a program of your own keeps a copy that was checked once. */
const deploymentsPath =
  process.env['DEPLOYMENTS'] ??
  fileURLToPath(new URL('../.sluice/deployments.json', import.meta.url))

/** Where the protocol stands, from a file of one's own. */
export const pinnedDeployments: unknown = JSON.parse(readFileSync(deploymentsPath, 'utf8'))

/** The first account of every development node: funded there, and its key known to all. Never use it elsewhere. */
const developmentKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

export const account = privateKeyToAccount(
  (process.env['PRIVATE_KEY'] ?? developmentKey) as `0x${string}`,
)
