/**
 * `npm run clear-signing -- --deployments FILE --out FOLDER`: writes the ERC-7730 descriptors of deployed Routers, ready
 * for a wallet or for the registry of descriptors. Wallets use a descriptor only at the addresses that it lists.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Deployments } from '@sluice/domain'
import { bind } from './bind.js'

const { values } = parseArgs({
  options: { deployments: { type: 'string' }, out: { type: 'string' } },
})
if (values.deployments === undefined || values.out === undefined) {
  console.error('Usage: npm run clear-signing -- --deployments FILE --out FOLDER')
  process.exit(2)
}
const deployments = Deployments.parse(JSON.parse(readFileSync(values.deployments, 'utf8')))
mkdirSync(values.out, { recursive: true })
for (const [name, descriptor] of Object.entries(bind(deployments))) {
  writeFileSync(join(values.out, name), `${JSON.stringify(descriptor, null, 2)}\n`)
  console.log(join(values.out, name))
}
