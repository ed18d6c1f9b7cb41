/**
 * Builds the published packages into their `dist`, and checks the size of the SDK's entry points. With names, builds
 * only these: `tools/packages/main.ts sdk`.
 */
import { join } from 'node:path'
import { buildPackage } from './buildPackage.js'
import { budgetBytes, gzipSizeOf } from './bundle.js'
import { names, type PackageName, root } from './published.js'

const wanted = process.argv.slice(2) as PackageName[]
for (const name of wanted.length > 0 ? wanted : names) {
  await buildPackage(name, join(root, 'packages', name, 'dist'))
  console.log(`Built @sluice/${name}.`)
}
for (const [entry, budget] of Object.entries(budgetBytes)) {
  const bytes = await gzipSizeOf('sdk', entry)
  console.log(`${entry.padEnd(12)} ${bytes} bytes, minified and gzipped`)
  if (bytes <= budget) continue
  console.error(`${entry} is larger than its maximum of ${budget} bytes.`)
  process.exitCode = 1
}
