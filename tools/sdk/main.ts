/** `npm run build -w @sluice/sdk`: builds the publishable package and checks the size of its entry points. */
import { fileURLToPath } from 'node:url'
import { budgetBytes, buildSdk, entries, gzipSizeOf } from './buildSdk.js'

await buildSdk(fileURLToPath(new URL('../../packages/sdk/dist', import.meta.url)))
for (const entry of Object.keys(entries) as (keyof typeof entries)[]) {
  const bytes = await gzipSizeOf(entry)
  console.log(`${entry.padEnd(12)} ${bytes} bytes, minified and gzipped`)
  const budget = entry in budgetBytes && budgetBytes[entry as keyof typeof budgetBytes]
  if (budget === false || bytes <= budget) continue
  console.error(`${entry} is larger than its maximum of ${budget} bytes.`)
  process.exitCode = 1
}
