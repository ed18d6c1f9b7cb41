/** Settings of all examples: the service, the node and the signer. The defaults are those of `npm start`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { privateKeyToAccount } from 'viem/accounts'

export const serviceUrl = process.env['SLUICE_URL'] ?? 'http://127.0.0.1:8080'
export const nodeUrl = process.env['RPC_8453'] ?? 'http://127.0.0.1:8545'

/** Deployments file that `npm start` writes. Your own program should contain a copy that you have checked once. */
const deploymentsPath =
  process.env['DEPLOYMENTS'] ??
  fileURLToPath(new URL('../.sluice/deployments.json', import.meta.url))

/** Addresses of the contracts, from your own file. */
export const pinnedDeployments: unknown = JSON.parse(readFileSync(deploymentsPath, 'utf8'))

/** First account of every development node. Its key is public: never use it on a real chain. */
const developmentKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

export const account = privateKeyToAccount(
  (process.env['PRIVATE_KEY'] ?? developmentKey) as `0x${string}`,
)
