/** `npm run build -w @sluice/sdk`: builds the publishable package and holds the root entry to its budget. */
import { fileURLToPath } from 'node:url'
import { buildSdk, entries, gzipSizeOf, rootBudgetBytes } from './buildSdk.js'

await buildSdk(fileURLToPath(new URL('../../packages/sdk/dist', import.meta.url)))
for (const entry of Object.keys(entries) as (keyof typeof entries)[])
  console.log(`${entry.padEnd(8)} ${await gzipSizeOf(entry)} bytes, minified and gzipped`)
if ((await gzipSizeOf('index')) > rootBudgetBytes) {
  console.error(`The root entry is above its budget of ${rootBudgetBytes} bytes.`)
  process.exitCode = 1
}
