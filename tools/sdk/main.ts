/** `npm run build -w @sluice/sdk`: builds the publishable package and holds its entries to their budgets. */
import { fileURLToPath } from 'node:url'
import { budgetBytes, buildSdk, entries, gzipSizeOf } from './buildSdk.js'

await buildSdk(fileURLToPath(new URL('../../packages/sdk/dist', import.meta.url)))
for (const entry of Object.keys(entries) as (keyof typeof entries)[]) {
  const bytes = await gzipSizeOf(entry)
  console.log(`${entry.padEnd(12)} ${bytes} bytes, minified and gzipped`)
  const budget = entry in budgetBytes && budgetBytes[entry as keyof typeof budgetBytes]
  if (budget === false || bytes <= budget) continue
  console.error(`${entry} is above its budget of ${budget} bytes.`)
  process.exitCode = 1
}
